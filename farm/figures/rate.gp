# SPDX-License-Identifier: BSD-3-Clause
# rate.gp: messages per second from the master over the batch size (cm-farm --all-batches).
#     gnuplot -e "result='r.txt'; figure='x.svg'" rate.gp
# caption: Messages per second from the master to all workers over the size of a batch, both scales
# caption: logarithmic. Where the lines of several numbers of workers meet, the master is the limit.
# caption [ceiling]: Orange, dashed: its ceiling, the highest rate with nothing to compute.
# caption: Rates of too few messages are left out. Bars: the interval of the median (column
# caption: interval).
# caption [pelikan-2007, ]: Grey and open: the second table of pelikan-2007.
name = "rate"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."farm.gp"
is_alone = alone("batch_units", "batch size")
if (!drawable) { load refused; exit }

ceilings = "< sed -n 's/^# fit: model=saturation_\\([0-9]*\\) .*". \
    "ceiling_per_s=\\([^ ]*\\) .*/\\1 \\2/p' ".quote(result)
has_ceiling = system("grep -c '^# fit: model=saturation_' ".quote(result)) + 0
# The rate at another time than the median.
rate(name) = column("messages_per_s") * column("median_s") / level(name)
set title sprintf("Messages from the master\n{/*0.75 %s}", escape(subtitle))
y_unit = "messages/s"
set ylabel "messages per second"
stats result using "messages_per_s" nooutput name "V"
near = is_near("messages", V_min, V_max)
set lmargin 15
eval prefixed_log_axis("y", near && low_ < V_min ? low_ : V_min, \
    near && high_ > V_max ? high_ : V_max, 1, "")
plot for [k = 1:words(workers)] result using (batch(k)):(rate("within_high_s")):(0): \
        (rate("within_low_s") - rate("within_high_s")) @within_bars pale(colour(k)) \
        title k == 1 ? within_title : "", \
    for [k = 1:words(workers)] result using (batch(k)):"messages_per_s": \
        (rate("high_s")):(rate("low_s")) with yerrorbars linecolor rgb colour(k) \
        pointtype point(k) pointsize 0.4 title k == 1 ? interval_title : "", \
    for [k = 1:words(workers)] result using "batch_units":(of_workers(word(workers, k) + 0, \
        column("messages_per_s"))) with linespoints linecolor rgb colour(k) linewidth 1.8 \
        pointtype point(k) pointsize 0.9 title plural(word(workers, k)), \
    for [k = 1:words(workers)] result using (disturbed(batch(k))):"messages_per_s" \
        @open_marks colour(k) title k == 1 ? disturbed_title : "", \
    for [k = 1:words(workers)] result \
        using (hover_at(batch(k), column("messages_per_s"))):(hover_y): \
        (hover_text(plural(word(workers, k)), rate("low_s"), rate("high_s"))) @hover notitle, \
    for [k = 1:words(beside_workers)] beside_file using (beside(column("batch_units"))): \
        (of_workers(beside_of(k), column("messages_per_s"))) @beside_look \
        pointtype open_point(k) title k == 1 ? beside_title : "", \
    ceilings using (has_ceiling ? $1 : NaN):2 with linespoints linestyle 2 pointtype 1 \
        title has_ceiling ? "ceiling, nothing computed" : "", \
    for [k = 1:words(paper_workers)] over_batches("messages", word(paper_workers, k)) \
        using 1:(theirs($2)) \
        with linespoints linecolor rgb papers dashtype 3 pointtype open_point(k) pointsize 1.1 \
        title their_title(k), \
    for [k = 1:words(paper_workers)] over_batches("messages", word(paper_workers, k)) \
        using (hover_at($1, theirs($2))):(hover_y): \
        (hover_text("pelikan-2007, ".plural(word(paper_workers, k)), NaN, NaN)) @hover notitle, \
    @nowhere @far_look title near ? "" : their_far_title
