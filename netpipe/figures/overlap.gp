# SPDX-License-Identifier: BSD-3-Clause
# overlap.gp: how much of an exchange hides behind computing, over its size (cm-netpipe --overlap).
#     gnuplot -e "result='r.txt'; figure='x.svg'" overlap.gp
# caption: Part of an exchange's time (a message each way at once) that is hidden behind computing
# caption: of the same length: 1, the exchange costs nothing; 0, one after the other; below, the
# caption: computing keeps messages from moving. Without and with calls of the library during the
# caption: computing, some 10 microseconds apart. Bars: when both medians are at the ends of their
# caption: intervals, which are 95 % or, of fewer than six trials, least to greatest.
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
set title "Computing hidden behind messages both ways\n{/*0.8 ".escape(subtitle)."}"
set logscale x
set xlabel "message size (bytes)"
set ylabel "part of the exchange's time that is hidden"
set format y "%g"
set xrange [S_min:(S_max > S_min ? S_max : 2 * S_max)]
# Interrupted trials at the bottom would take the room of all others.
set yrange [-1:1.2]
set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead back \
    linecolor rgb "#888888" linewidth 1
set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead back \
    linecolor rgb "#888888" linewidth 1
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN
plot for [i = 1:sweeps] result using (size_of(i)):"overlap":"overlap_low":"overlap_high" \
        with yerrorbars linestyle 4 notitle, \
    for [i = 1:sweeps] result using (size_of(i)):"progress_overlap":"progress_overlap_low": \
        "progress_overlap_high" with yerrorbars linecolor rgb fitted linewidth 0.7 pointtype 7 \
        pointsize 0 notitle, \
    for [i = 1:sweeps] result using (size_of(i)):"overlap" with linespoints linestyle 1 \
        title i == 1 ? "computing alone" : "", \
    for [i = 1:sweeps] result using (size_of(i)):"progress_overlap" with linespoints \
        linecolor rgb fitted linewidth 1.6 dashtype (12, 5) pointtype 5 pointsize 0.4 \
        title i == 1 ? "computing that calls the library (cm\\_progress)" : ""
