# SPDX-License-Identifier: BSD-3-Clause
# rate.gp: messages per second over message size, with a window of them in flight
# (cm-netpipe --window).
#     gnuplot -e "result='r.txt'; figure='x.svg'" rate.gp
# caption: Messages per second, all directions and pairs together, over message size, with several
# caption: messages in flight. Bars: interval of the median (95 % confidence, or minimum to maximum
# caption: with fewer than six values). Short messages cost what the software and the card do for a
# caption: message; long ones cost what their bytes do (the falling line: the highest throughput).
name = "rate"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (drawable && !strlen(meta("window"))) {
    drawable = 0
    why = "Not drawn: one message at a time (no --window)."
}
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
stats result using "throughput_Mbit_per_s" nooutput name "T"
stats result using "median_s" nooutput name "L"
sweeps = int(either(meta("sweeps"), "1"))
load here."mode.gp"
set title "Messages per second".described."\n{/*0.75 ".escape(subtitle)."}"
set logscale xy
set xlabel "message size"
set ylabel "messages per second"
eval prefixed_axis("y", 1, "")
y_unit = "messages/s"
eval prefixed_log_axis("x", S_min, S_max, 1, "B")
set key font key_font width -4

at_once = (exchanged ? 2 : 1) * (pairs ? pairs : 1)
rate(s) = at_once / s
set yrange [:4 * rate(L_min)]
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN
at(name) = rate(level(name))
most = "highest throughput: ".told_as(1e6 * T_max, "bit/s")
plot sample [S_min:S_max] NaN notitle, \
    for [i = 1:sweeps] result using (size_of(i)):(at("within_high_s")):(0): \
        (at("within_low_s") - at("within_high_s")) @within_bars pale(measured) \
        title i == 1 ? within_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):(at("median_s")):(at("high_s")):(at("low_s")) \
        with yerrorbars linestyle 4 title i == 1 ? interval_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):(at("median_s")) \
        with linespoints linestyle 1 title i == 1 ? median_title : "", \
    for [i = 1:sweeps] result using (disturbed(size_of(i))):(at("median_s")) \
        @open_marks measured title i == 1 ? disturbed_title : "", \
    for [i = 1:sweeps] result using (hover_at(size_of(i), at("median_s"))):(hover_y): \
        (hover_text(median_title, at("low_s"), at("high_s"))) @hover notitle, \
    beside_file using (beside(column("size_bytes"))):(rate(column("median_s"))) @beside_look \
        title beside_title, \
    [S_min:S_max] T_max * 1.25e5 / x with lines linestyle 2 title most
