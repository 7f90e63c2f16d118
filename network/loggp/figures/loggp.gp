# SPDX-License-Identifier: BSD-3-Clause
# loggp.gp: the round trip as LogGP predicts it and as measured; the overheads and gaps from which
# the parameters come.
#     gnuplot -e "result='r.txt'; figure='x.svg'" loggp.gp
# caption: Left: half the round trip over message size. Blue: measured, medians with their interval
# caption: (95 %, or range if there are fewer than six values). Orange: the model, L + o_send +
# caption: o_receive + (s - 1) G, with the overheads as measured; an open circle is of the second
# caption: protocol, which has parameters of its own. Right: time from message to message of a train
# caption: (blue) with the model, max(o_send, o_receive, g + (s - 1) G); overhead of sending (green)
# caption: and of receiving (violet).
name = "loggp"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

# A parameter that was left out is 0: the overheads alone then make the time.
has_fit = fit_has("loggp", "last_bytes")
has_long = fit_has("loggp_long", "first_bytes")
of(model, key) = fit_has(model, key) ? fit_value(model, key) : 0
L = of("loggp", "L_us"); g = of("loggp", "g_us"); G = of("loggp", "G_ns_per_byte")
last = has_fit ? fit_value("loggp", "last_bytes") : 0
long_L = of("loggp_long", "L_us"); long_g = of("loggp_long", "g_us")
long_G = of("loggp_long", "G_ns_per_byte")
stats result using "size_bytes" nooutput name "S"
# us = ns / 1000
bytes_of(long) = (column("size_bytes") > last) == long ? 1e-3 * (column("size_bytes") - 1) : NaN
larger(a, b) = a > b ? a : b
half_trip(long) = us("send_s") + us("receive_s") + \
    (long ? long_L + bytes_of(1) * long_G : L + bytes_of(0) * G)
gap(long) = larger(larger(us("send_s"), us("receive_s")), \
    long ? long_g + bytes_of(1) * long_G : g + bytes_of(0) * G)
us(name_) = level(name_) > 0 ? 1e6 * level(name_) : NaN
sending = green
receiving = purple
dots = "with points pointtype 7 pointsize 0.5 linecolor rgb "
ones = "with linespoints linewidth 1.4 pointsize 0.6 linecolor rgb "
left_out(name, value, unit) = value > 0 ? sprintf("%s = %.3g %s", name, value, unit) \
    : name." left out"
trip_title = !has_fit ? "" : "L + o_{send} + o_{receive} + (s - 1) G:  ". \
    left_out("L", L, "µs"). ", ".left_out("G", G, "ns")
gap_title = !has_fit ? "" : "max(o_{send}, o_{receive}, g + (s - 1) G):  ".left_out("g", g, "µs")
set logscale xy
set xrange [S_min * 0.8:S_max * 1.25]
set multiplot
set tmargin at screen 0.865
set bmargin at screen 0.295
set label 1 "LogGP: predicted and measured" at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set xlabel "message size s"
eval prefixed_every("x", 1, "B", 2)
eval prefixed_every("y", 1e-6, "s", 1)

set lmargin at screen 0.13
set rmargin at screen 0.48
set key at screen 0.28, 0.175 center top vertical maxrows 5 width -12 samplen 2 font key_font
set ylabel "half the round trip"
plot result using "size_bytes":(us("within_low_s")):(0): \
        (us("within_high_s") - us("within_low_s")) @within_bars pale(measured) \
        title within_title, \
    result using "size_bytes":(us("half_trip_s")):(us("low_s")):(us("high_s")) \
        with yerrorbars linestyle 4 title interval_title, \
    result using "size_bytes":(us("half_trip_s")) with linespoints linestyle 1 \
        pointsize 0.5 title median_title, \
    result using (disturbed(column("size_bytes"))):(us("half_trip_s")) @open_marks measured \
        title disturbed_title, \
    result using (hover_at(column("size_bytes"), us("half_trip_s"))):(hover_y): \
        (hover_text(median_title, us("low_s"), us("high_s"))) @hover notitle, \
    beside_file using (beside(column("size_bytes"))):(1e6 * column("half_trip_s")) @beside_look \
        title beside_title, \
    result using (has_fit && L > 0 ? column("size_bytes") : NaN):(half_trip(0)) with lines \
        linestyle 2 title trip_title, \
    result using (has_long && long_L > 0 ? column("size_bytes") : NaN):(half_trip(1)) with \
        linespoints linestyle 2 pointtype 6 pointsize 0.8 \
        notitle

unset label 1
unset label 2
set lmargin at screen 0.625
set rmargin at screen 0.975
set key at screen 0.78, 0.175 center top vertical maxrows 5 samplen 2 font key_font
set ylabel "time of a message"
plot result using "size_bytes":(us("gap_s")) @dots measured title "gap between messages", \
    for [what in "gap send receive"] result \
        using (hover_at(column("size_bytes"), us(what."_s"))):(hover_y): \
        (hover_text(what eq "gap" ? "gap between messages" : "o_{".what."}", NaN, NaN)) \
        @hover notitle, \
    result using "size_bytes":(us("send_s")) @ones sending pointtype 5 title "o_{send}", \
    result using "size_bytes":(us("receive_s")) @ones receiving pointtype 9 title "o_{receive}", \
    result using (has_fit ? column("size_bytes") : NaN):(gap(0)) with lines linestyle 2 \
        title gap_title, \
    result using (has_long ? column("size_bytes") : NaN):(gap(1)) with linespoints linestyle 2 \
        pointtype 6 pointsize 0.8 \
        notitle, \
    beside_file using (beside(column("size_bytes"))):(1e6 * column("gap_s")) @beside_look \
        notitle
unset multiplot
