# SPDX-License-Identifier: BSD-3-Clause
# latency.gp: message time over size, with fitted models; as figures 7 and 8 of innocente-1999.
#     gnuplot -e "result='r.txt'; figure='x.svg'" latency.gp
# caption: Half the round trip (in a stream: the time per message) over message size. Bars: interval
# caption: of the median (95 % confidence, or minimum to maximum with fewer than six values).
# caption [fit: ]: Orange: fitted lines, latency + bytes / bandwidth.
# caption [first packet]: Grey: the two lines that innocente-1999 (section 5.2.1) gives for MPICH
# caption [first packet]: over Fast Ethernet, and the first packet latency of halstead-1999
# caption [first packet]: (section 3).
# caption: On these scales a line is flat at the latency for
# caption: short messages and rises with the slope of the bandwidth for long ones.
name = "latency"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("size_bytes", "message size")
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
sweeps = int(either(meta("sweeps"), "1"))
load here."mode.gp"
set title "Time of a message over its size".described."\n{/*0.75 ".escape(subtitle)."}"
set logscale xy
set xlabel "message size"
set ylabel time_label
eval prefixed_axis("y", 1e-6, "s")
eval prefixed_log_axis("x", S_min, S_max, 1, "B")
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN

# Time of x bytes in microseconds. latency is in microseconds, bandwidth in MB/s (bytes per
# microsecond).
hockney(latency, bandwidth, x) = latency + x / bandwidth
stats result using (1e6 * column("median_s")) nooutput name "U"
load here."models.gp"
their_title(latency, bandwidth) = \
    sprintf("innocente-1999: %g µs + bytes / (%g MB/s)", latency, bandwidth)
# The key has two columns of long titles.
eval key_rows(5)
set key width -4

us(name) = 1e6 * level(name)
plot sample [S_min:S_max] NaN notitle, \
    for [i = 1:sweeps] result using (size_of(i)):(us("within_low_s")):(0): \
        (us("within_high_s") - us("within_low_s")) @within_bars pale(measured) \
        title i == 1 ? within_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):(us("median_s")):(us("low_s")):(us("high_s")) \
        with yerrorbars linestyle 4 title i == 1 ? interval_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):(us("median_s")) \
        with linespoints linestyle 1 title i == 1 ? median_title : "", \
    for [i = 1:sweeps] result using (disturbed(size_of(i))):(us("median_s")) \
        @open_marks measured title i == 1 ? disturbed_title : "", \
    for [i = 1:sweeps] result using (hover_at(size_of(i), us("median_s"))):(hover_y): \
        (hover_text(median_title, us("low_s"), us("high_s"))) @hover notitle, \
    beside_file using (beside(column("size_bytes"))):(1e6 * column("median_s")) @beside_look \
        title beside_title, \
    [from_1:to_1] hockney(latency_1, bandwidth_1, x) with lines linestyle 2 title title_1, \
    [from_2:to_2] hockney(latency_2, bandwidth_2, x) with lines linestyle 2 title title_2, \
    [S_min:their_crossover] hockney(their_latency_1, their_bandwidth_1, x) \
        with linespoints linestyle 3 pointinterval 25 \
        title their(their_title(their_latency_1, their_bandwidth_1)), \
    [their_crossover:their_last] hockney(their_latency_2, their_bandwidth_2, x) \
        with linespoints linestyle 3 pointinterval 25 \
        title their(their_title(their_latency_2, their_bandwidth_2)), \
    "+" using (S_min):(their_first_packet) every ::0::0 with points linestyle 3 \
        title their(sprintf("halstead-1999, 3: first packet > %g µs", their_first_packet)), \
    @nowhere @far_look title papers_far ? far_title("innocente-1999") : ""
