# SPDX-License-Identifier: BSD-3-Clause
# latency.gp: time of a message over its size, with fitted models; as innocente-1999, figures 7, 8.
#     gnuplot -e "result='r.txt'; figure='x.svg'" latency.gp
# caption: Half the round trip (of a stream: the time per message) over message size. Bars: interval
# caption: of the median, 95 % or, of fewer than six trials, least to greatest. Orange: fitted
# caption: lines, latency + bytes / bandwidth. Grey: the two lines that innocente-1999 (section
# caption: 5.2.1) gives for MPICH over Fast Ethernet, and the first packet latency of halstead-1999
# caption: (section 3). On these scales a line begins flat at the latency and ends with the slope of
# caption: the bandwidth.
name = "latency"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
sweeps = int(either(meta("sweeps"), "1"))
load here."mode.gp"
set title "Time of a message over its size".described."\n{/*0.8 ".escape(subtitle)."}"
set logscale xy
set xlabel "message size (bytes)"
set ylabel time_label." (microseconds)"
set format y "10^{%L}"
set xrange [S_min:S_max]
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN

# microseconds of x bytes: latency in microseconds, bandwidth in MB/s, which is bytes a microsecond
hockney(latency, bandwidth, x) = latency + x / bandwidth
load here."models.gp"
their_title(latency, bandwidth) = \
    sprintf("innocente-1999, 5.2.1: %g us + bytes / (%g MB/s)", latency, bandwidth)
# Two columns of such titles are wide.
set key font ",10" width -4

plot sample [S_min:S_max] NaN notitle, \
    for [i = 1:sweeps] result using (size_of(i)):(1e6 * column("median_s")): \
        (1e6 * column("low_s")):(1e6 * column("high_s")) \
        with yerrorbars linestyle 4 title i == 1 ? "interval of the median" : "", \
    for [i = 1:sweeps] result using (size_of(i)):(1e6 * column("median_s")) \
        with linespoints linestyle 1 title i == 1 ? "measured, median" : "", \
    [from_1:to_1] hockney(latency_1, bandwidth_1, x) with lines linestyle 2 title title_1, \
    [from_2:to_2] hockney(latency_2, bandwidth_2, x) with lines linestyle 2 title title_2, \
    [S_min:their_crossover] hockney(their_latency_1, their_bandwidth_1, x) \
        with linespoints linestyle 3 pointinterval 25 \
        title their(their_title(their_latency_1, their_bandwidth_1)), \
    [their_crossover:their_last] hockney(their_latency_2, their_bandwidth_2, x) \
        with linespoints linestyle 3 pointinterval 25 \
        title their(their_title(their_latency_2, their_bandwidth_2)), \
    "+" using (S_min):(their_first_packet) every ::0::0 with points linestyle 3 \
        title their(sprintf("halstead-1999, 3: first packet > %g us", their_first_packet))
