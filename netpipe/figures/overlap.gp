# SPDX-License-Identifier: BSD-3-Clause
# overlap.gp: how much of an exchange hides behind computing, over its size (cm-netpipe --overlap).
#     gnuplot -e "result='r.txt'; figure='x.svg'" overlap.gp
# caption: Part of an exchange's time (one message each way at once) that hides behind computing of
# caption: the same length. 1: the exchange costs nothing. 0: exchange and computing take their full
# caption: times one after the other. Below 0: computing delays the messages. One curve is for
# caption: computing alone, the other for computing that calls the library every 10 microseconds or
# caption: so. Bars: the values with all medians at the ends of their intervals (95 % confidence,
# caption: or minimum to maximum with fewer than six values). Triangles at an edge: points beyond.
name = "overlap"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
load here."mode.gp"
if (mode ne "overlap" && drawable) {
    drawable = 0
    why = "Not drawn: overlap was not measured (--overlap)."
}
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
sweeps = int(either(meta("sweeps"), "1"))
set title "Computing hidden behind messages both ways\n{/*0.75 ".escape(subtitle)."}"
set logscale x
set xlabel "message size"
set ylabel "part of the exchange's time that is hidden"
set format y "%g"
# A few interrupted trials far below would otherwise squeeze all other points together.
edge_low = -1
edge_high = 1.2
stats result using (count_beyond(column("size_bytes"), column("overlap")) \
    + count_beyond(column("size_bytes"), column("progress_overlap"))) nooutput name "E"
if (has_beside) {
    stats second using (count_beyond(column("size_bytes"), column("overlap"))) nooutput name "E"
}
eval prefixed_log_axis("x", S_min, S_max, 1, "B")
set yrange [edge_low:edge_high]
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead back \
    linecolor rgb light_grey linewidth 1
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead back \
    linecolor rgb light_grey linewidth 1
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN
alone_title = "computing alone"
calling_title = "computing that calls the library (cm\\_progress)"
y_unit = "of the exchange's time"
plot for [i = 1:sweeps] result using (size_of(i)):"overlap":"overlap_low":"overlap_high" \
        with yerrorbars linestyle 4 notitle, \
    for [i = 1:sweeps] result using (size_of(i)):"progress_overlap":"progress_overlap_low": \
        "progress_overlap_high" with yerrorbars linecolor rgb fitted linewidth 0.7 pointtype -1 \
        notitle, \
    for [i = 1:sweeps] result using (size_of(i)):"overlap" with linespoints linestyle 1 \
        title i == 1 ? alone_title : "", \
    for [i = 1:sweeps] result using (disturbed(size_of(i))):"overlap" @open_marks measured \
        title i == 1 ? disturbed_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):"progress_overlap" with linespoints \
        linecolor rgb fitted linewidth 1.6 dashtype (12, 5) pointtype 5 pointsize 0.4 \
        title i == 1 ? calling_title : "", \
    for [i = 1:sweeps] result using (disturbed(size_of(i))):"progress_overlap" \
        @open_marks fitted notitle, \
    for [i = 1:sweeps] result using (hover_at(size_of(i), column("overlap"))):(hover_y): \
        (hover_text(alone_title, column("overlap_low"), column("overlap_high"))) @hover notitle, \
    for [i = 1:sweeps] result \
        using (hover_at(size_of(i), column("progress_overlap"))):(hover_y): \
        (hover_text(calling_title, column("progress_overlap_low"), \
        column("progress_overlap_high"))) @hover notitle, \
    beside_file using (beside(column("size_bytes"))):"overlap" @beside_look title beside_title, \
    result using (below(column("size_bytes"), column("overlap"))):(edge_bottom(0)) \
        @below_marks measured notitle, \
    result using (above(column("size_bytes"), column("overlap"))):(edge_top(0)) \
        @above_marks measured notitle, \
    result using (below(column("size_bytes"), column("progress_overlap"))):(edge_bottom(0)) \
        @below_marks fitted pointsize 0.6 notitle, \
    result using (above(column("size_bytes"), column("progress_overlap"))):(edge_top(0)) \
        @above_marks fitted pointsize 0.6 notitle, \
    beside_file using (beside(below(column("size_bytes"), column("overlap")))):(edge_bottom(0)) \
        @below_marks beside_color notitle, \
    beside_file using (beside(above(column("size_bytes"), column("overlap")))):(edge_top(0)) \
        @above_marks beside_color notitle, \
    @nowhere @below_marks papers title told_beyond(points_below, "below"), \
    @nowhere @above_marks papers title told_beyond(points_above, "above")
