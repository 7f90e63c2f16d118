# SPDX-License-Identifier: BSD-3-Clause
# sum.gp: the time of a sum over all ranks, over the size of a rank's vector.
#     gnuplot -e "result='r.txt'; figure='x.svg'" sum.gp
# caption: Time until all ranks know the sum of their vectors: medians of the slowest rank's time.
# caption: Bars: the columns low_s and high_s.
name = "sum"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

set logscale xy
set title "Sum over all ranks\n{/*0.75 ".subtitle."}"
set xlabel "a rank's vector (bytes)"
set ylabel "time (microseconds)"
us(name) = 1e6 * level(name)
stats result using "size_bytes" nooutput
set xrange [STATS_min / 1.5:STATS_max * 1.5]
plot result using "size_bytes":(us("within_low_s")):(0): \
        (us("within_high_s") - us("within_low_s")) @within_bars pale(measured) title within_title, \
    result using "size_bytes":(us("median_s")):(us("low_s")):(us("high_s")) \
        with yerrorbars linestyle 4 title interval_title, \
    result using "size_bytes":(us("median_s")) with linespoints linestyle 1 title median_title, \
    result using (disturbed(column("size_bytes"))):(us("median_s")) @open_marks measured \
        title disturbed_title, \
    result using (hover_at(column("size_bytes"), us("median_s"))):(hover_y): \
        (hover_text("median", us("low_s"), us("high_s"))) @hover notitle
