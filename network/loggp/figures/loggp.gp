# SPDX-License-Identifier: BSD-3-Clause
# loggp.gp: what LogGP's parameters predict of a round trip beside what was measured; the overheads
# and gaps that they come from.
#     gnuplot -e "result='r.txt'; figure='x.svg'" loggp.gp
# caption: Left: half the round trip over message size. Blue: measured, medians with their interval,
# caption: 95 % or, of fewer than six trains, least to greatest; orange: L + o_send + o_receive + (s
# caption: - 1) G, whose parameters come from trains of messages; of the round trip only L does.
# caption: Right: what the trains gave, each with its fitted line: time from message to message
# caption: (blue), overhead of sending (green) and of receiving (violet).
name = "loggp"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

has_fit = fit_has("loggp", "L_us")
of(key) = has_fit ? fit_value("loggp", key) : NaN
L = of("L_us"); g = of("g_us"); G = of("G_ns_per_byte")
os = of("o_send_us"); or = of("o_receive_us")
os_byte = of("o_send_ns_per_byte"); or_byte = of("o_receive_ns_per_byte")
stats result using "size_bytes" nooutput name "S"
# us = ns / 1000
line(first, per_byte, s) = first + 1e-3 * (s - 1) * per_byte
us(column_) = column(column_) > 0 ? 1e6 * column(column_) : NaN
sending = "#2a8c6a"
receiving = "#8e6bb0"
dots = "with points pointtype 7 pointsize 0.5 linecolor rgb "
fits = "with lines linewidth 1.4 dashtype (12, 5) linecolor rgb "
label_of(what, first, per_byte) = has_fit ? \
    sprintf("%s = %.3g us + (s - 1) %.3g ns", what, first, per_byte) : ""

set logscale xy
set xrange [S_min * 0.8:S_max * 1.25]
set samples 400
set multiplot
set tmargin at screen 0.865
set bmargin at screen 0.235
set label 1 "LogGP: predicted and measured" at screen 0.5, 0.955 center font ",14"
set label 2 subtitle at screen 0.5, 0.915 center font ",10.5" noenhanced
set xlabel "message size s (bytes)"
set mxtics 1
set xtics 10

set lmargin at screen 0.085
set rmargin at screen 0.475
set key at screen 0.28, 0.145 center top vertical maxrows 4 samplen 2 font ",10"
set ylabel "half the round trip (microseconds)"
plot result using "size_bytes":(us("half_trip_s")):(us("low_s")):(us("high_s")) \
        with yerrorbars linestyle 4 title "interval of the median", \
    result using "size_bytes":(us("half_trip_s")) with linespoints linestyle 1 \
        pointsize 0.5 title "measured", \
    line(L + os + or, G, x) with lines linestyle 2 title has_fit ? \
        "L + o_{send} + o_{receive} + (s - 1) G,  L ". \
        (L > 0 ? sprintf("= %.3g us", L) : "is not above 0") : ""

unset label 1
unset label 2
set lmargin at screen 0.585
set rmargin at screen 0.975
set key at screen 0.78, 0.145 center top vertical maxrows 3 samplen 2 font ",10"
set ylabel "time per message (microseconds)"
plot result using "size_bytes":(us("gap_s")) @dots measured notitle, \
    result using "size_bytes":(us("send_s")) @dots sending notitle, \
    result using "size_bytes":(us("receive_s")) @dots receiving notitle, \
    line(g, G, x) @fits measured title label_of("gap g(s)", g, G), \
    line(os, os_byte, x) @fits sending title label_of("o_{send}(s)", os, os_byte), \
    line(or, or_byte, x) @fits receiving title label_of("o_{receive}(s)", or, or_byte)
unset multiplot
