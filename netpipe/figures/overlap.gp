# SPDX-License-Identifier: BSD-3-Clause
# overlap.gp: how much of an exchange hides behind computing, over its size (cm-netpipe --overlap).
#     gnuplot -e "result='r.txt'; figure='x.svg'" overlap.gp
# caption: Part of an exchange's time (one message each way at once) that hides behind computing of
# caption: the same length. 1: the exchange costs nothing. 0: exchange and computing take their full
# caption: times one after the other. Below 0: computing delays the messages. One curve is for
# caption: computing alone, the other for computing that calls the library every 10 microseconds or
# caption: so. Bars: the values with both medians at the ends of their intervals (95 % confidence,
# caption: or minimum to maximum with fewer than six values).
# caption: Green: a further result (--beside).
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
set xlabel "message size (bytes)"
set ylabel "part of the exchange's time that is hidden"
set format y "%g"
eval log_axis("x", S_min, S_max)
# A few interrupted trials far below would otherwise squeeze all other points together.
set yrange [-1:1.2]
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
    beside_file using (beside(column("size_bytes"))):"overlap" @beside_look title beside_title
