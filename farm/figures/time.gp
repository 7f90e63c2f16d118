# SPDX-License-Identifier: BSD-3-Clause
# time.gp: time of 10^6 units over the batch size, a line
# for each number of workers (cm-farm --all-batches).
#     gnuplot -e "result='r.txt'; figure='x.svg'" time.gp
# caption: Time of a million units over the size of a batch, a line for each number of workers, both
# caption: scales logarithmic; bars: the interval of the median (column interval).
# caption [pelikan-2007, ]: Grey and open: the first table of pelikan-2007.
name = "time"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."farm.gp"
is_alone = alone("batch_units", "batch size")
if (!drawable) { load refused; exit }

# From the units of a row to 10^6.
scaled(name) = level(name) * 1e6 / column("units")
set title sprintf("Time of 10^6 units by one master\n{/*0.75 %s}", escape(subtitle))
y_unit = "s"
set ylabel "time"
stats result using "million_units_s" nooutput name "V"
near = is_near("time", V_min, V_max)
set lmargin 15
eval prefixed_log_axis("y", near && low_ < V_min ? low_ : V_min, \
    near && high_ > V_max ? high_ : V_max, 1, "s")
plot for [k = 1:words(workers)] result using (batch(k)):(scaled("within_low_s")):(0): \
        (scaled("within_high_s") - scaled("within_low_s")) @within_bars pale(colour(k)) \
        title k == 1 ? within_title : "", \
    for [k = 1:words(workers)] result using (batch(k)):"million_units_s": \
        (scaled("low_s")):(scaled("high_s")) with yerrorbars linecolor rgb colour(k) \
        pointtype point(k) pointsize 0.4 title k == 1 ? interval_title : "", \
    for [k = 1:words(workers)] result using "batch_units":(of_workers(word(workers, k) + 0, \
        column("million_units_s"))) with linespoints linecolor rgb colour(k) linewidth 1.8 \
        pointtype point(k) pointsize 0.9 title plural(word(workers, k)), \
    for [k = 1:words(workers)] result using (disturbed(batch(k))):"million_units_s" \
        @open_marks colour(k) title k == 1 ? disturbed_title : "", \
    for [k = 1:words(workers)] result \
        using (hover_at(batch(k), column("million_units_s"))):(hover_y): \
        (hover_text(plural(word(workers, k)), scaled("low_s"), scaled("high_s"))) @hover notitle, \
    for [k = 1:words(beside_workers)] beside_file using (beside(column("batch_units"))): \
        (of_workers(beside_of(k), column("million_units_s"))) @beside_look \
        pointtype open_point(k) title k == 1 ? beside_title : "", \
    for [k = 1:words(paper_workers)] over_batches("time", word(paper_workers, k)) \
        using 1:(theirs($2)) \
        with linespoints linecolor rgb papers dashtype 3 pointtype open_point(k) pointsize 1.1 \
        title their_title(k), \
    for [k = 1:words(paper_workers)] over_batches("time", word(paper_workers, k)) \
        using (hover_at($1, theirs($2))):(hover_y): \
        (hover_text("pelikan-2007, ".plural(word(paper_workers, k)), NaN, NaN)) @hover notitle, \
    @nowhere @far_look title near ? "" : their_far_title
