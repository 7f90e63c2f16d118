# SPDX-License-Identifier: BSD-3-Clause
# overhead.gp: overhead of a message relative to the largest batch, over the batch size (cm-farm
# --all-batches).
#     gnuplot -e "result='r.txt'; figure='x.svg'" overhead.gp
# caption: Overhead of a message over the size of a batch: the time above that of the largest batch
# caption: with the same number of workers, divided by two messages per batch. Overheads below zero
# caption: or below the spread of the runs are left out (comments "not determined").
# caption [pelikan-2007, ]: Grey and open: the third table of pelikan-2007.
name = "overhead"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."farm.gp"
if (!drawable) { load refused; exit }
if (words(batches) < 2) {
    why = "Not drawn: one batch size has nothing to be compared with (--all-batches)."
    load refused
    exit
}

own = int(system("awk '/^#/ || !NF { next } !at { for (k = 1; k <= NF; k++) ". \
    "if ($k == \"overhead_message_us\") at = k; next } $at != \"nan\" { n++ } ". \
    "END { print n + 0 }' ".quote(result)))
if (own == 0) {
    why = "Not drawn: no overhead is above the spread of the runs."
    load refused
    exit
}
largest = word(batches, words(batches)) + 0
set title sprintf("Overhead of a message\n{/*0.75 %s}", escape(subtitle))
unset logscale y
set xrange [0.8:12.5]
set ylabel "overhead of a message"
set format y "%g µs" # below 0, too
set xzeroaxis linecolor rgb ink
smaller(w) = column("batch_units") < largest ? of_workers(w, column("overhead_message_us")) : NaN
# On a linear axis, too, ours must be seen.
stats result using "overhead_message_us" nooutput name "V"
near = is_near("per-message", 0, V_max / 3)
plot for [k = 1:words(workers)] result using "batch_units":(smaller(word(workers, k) + 0)) \
        with linespoints linecolor rgb colour(k) linewidth 1.8 pointtype point(k) pointsize 0.9 \
        title plural(word(workers, k)), \
    for [k = 1:words(workers)] result using (disturbed(batch(k))): \
        (smaller(word(workers, k) + 0)) @open_marks colour(k) title k == 1 ? disturbed_title : "", \
    for [k = 1:words(workers)] result \
        using (hover_at(batch(k), smaller(word(workers, k) + 0))):(hover_y): \
        (hover_text(plural(word(workers, k)), NaN, NaN)) @hover notitle, \
    for [k = 1:words(beside_workers)] beside_file using (beside(column("batch_units"))): \
        (smaller(beside_of(k))) @beside_look pointtype open_point(k) \
        title k == 1 ? beside_title : "", \
    for [k = 1:words(paper_workers)] over_batches("per-message", word(paper_workers, k)) \
        using ($1 < 100 ? $1 : NaN):(theirs($2)) with linespoints linecolor rgb papers dashtype 3 \
        pointtype open_point(k) pointsize 1.1 \
        title their_title(k), \
    for [k = 1:words(paper_workers)] over_batches("per-message", word(paper_workers, k)) \
        using (hover_at($1 < 100 ? $1 : NaN, theirs($2))):(hover_y): \
        (hover_text("pelikan-2007, ".plural(word(paper_workers, k)), NaN, NaN)) @hover notitle, \
    @nowhere @far_look title near ? "" : their_far_title
