# SPDX-License-Identifier: BSD-3-Clause
# signature.gp: NetPIPE's network signature: throughput over message time.
#     gnuplot -e "result='r.txt'; figure='x.svg'" signature.gp
# caption: NetPIPE's signature: throughput over message time. The curve rises from the latency at
# caption: its left end. The longer it stays low, the larger a message must be to use the full
# caption: bandwidth. Bars: interval of the median (95 % confidence, or minimum to maximum with
# caption: fewer than six values).
# caption [5.2.1]: Grey, open: innocente-1999's two lines (section 5.2.1).
name = "signature"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("size_bytes", "message size")
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
sweeps = int(either(meta("sweeps"), "1"))
load here."mode.gp"
set title "Network signature: throughput over time".described."\n{/*0.75 ".escape(subtitle)."}"
set logscale xy
set xlabel time_label
eval prefixed_axis("x", 1e-6, "s")
set ylabel throughput_label
eval prefixed_axis("y", 1e6, "bit/s")
x_unit = "us"
y_unit = "Mbit/s"
time_of(i) = int(column("sweep")) == i ? 1e6 * column("median_s") : NaN
stats result using (1e6 * column("median_s")) nooutput name "U"
load here."models.gp"

# By Hockney's model a message of x bytes takes t microseconds. One byte per microsecond is
# 8 Mbit/s, which counts for each message that passes at the same time.
at_once = 8 * (exchanged ? 2 : 1) * (pairs ? pairs : 1)
points = 200
draw = 'do for [k = 0:points] { x = first * (last / first) ** (k / (1.0 * points)); '. \
       't = latency + x / bandwidth; print sprintf("%.6g %.6g", t, at_once * x / t) }'
set print $fit_1
latency = latency_1; bandwidth = bandwidth_1; first = 1.0 * from_1; last = to_1; eval draw
set print $fit_2
latency = latency_2; bandwidth = bandwidth_2; first = 1.0 * from_2; last = to_2; eval draw
set print $theirs_1
latency = their_latency_1; bandwidth = their_bandwidth_1
first = 1.0 * S_min; last = their_crossover; eval draw
set print $theirs_2
latency = their_latency_2; bandwidth = their_bandwidth_2
first = their_crossover; last = their_last; eval draw
unset print

us(name) = 1e6 * level(name)
hockney_us(latency, bandwidth, x) = latency + x / bandwidth
stats result using (1e6 * column("median_s")) nooutput name "T"
x_first = T_min / 2
x_last = 2 * T_max
if (papers_time && papers_throughput) {
    x_first = T_min / 2 < their_latency_1 ? T_min / 2 : their_latency_1 / 2
    last_us = hockney_us(their_latency_2, their_bandwidth_2, their_last)
    x_last = 2 * T_max > last_us ? 2 * T_max : 2 * last_us
}
set xrange [x_first:x_last]
plot \
    for [i = 1:sweeps] result using (time_of(i) > 0 ? us("within_low_s") : NaN): \
        "throughput_Mbit_per_s":(us("within_high_s") - us("within_low_s")):(0) \
        @within_bars pale(measured) title i == 1 ? within_title : "", \
    for [i = 1:sweeps] result using (time_of(i)):"throughput_Mbit_per_s": \
        (us("low_s")):(us("high_s")) \
        with xerrorbars linestyle 4 title i == 1 ? interval_title : "", \
    for [i = 1:sweeps] result using (time_of(i)):"throughput_Mbit_per_s" \
        with linespoints linestyle 1 title i == 1 ? median_title : "", \
    for [i = 1:sweeps] result using (disturbed(time_of(i))):"throughput_Mbit_per_s" \
        @open_marks measured title i == 1 ? disturbed_title : "", \
    for [i = 1:sweeps] result \
        using (hover_at(time_of(i), column("throughput_Mbit_per_s"))):(hover_y): \
        (hover_text(median_title, NaN, NaN)) @hover notitle, \
    beside_file using (beside(1e6 * column("median_s"))):"throughput_Mbit_per_s" @beside_look \
        title beside_title, \
    $fit_1 using 1:2 with lines linestyle 2 title title_1, \
    $fit_2 using 1:2 with lines linestyle 2 title title_2, \
    $theirs_1 using 1:2 with linespoints linestyle 3 pointinterval 50 \
        title their("innocente-1999, 5.2.1: eager"), \
    $theirs_2 using 1:2 with linespoints linestyle 3 pointtype 6 pointinterval 50 \
        title their("innocente-1999, 5.2.1: rendezvous"), \
    @nowhere @far_look title papers_far ? far_title("innocente-1999") : ""
