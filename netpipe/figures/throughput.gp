# SPDX-License-Identifier: BSD-3-Clause
# throughput.gp: throughput over message size, as in halstead-1999, figure 2.
#     gnuplot -e "result='r.txt'; figure='x.svg'" throughput.gp
# caption: Throughput of the median over message size, both scales logarithmic. Bars: interval of
# caption: the median, 95 % or, of fewer than six trials, least to greatest. Grey: what
# caption: halstead-1999 says of its networks in prose (section 2.2: large messages over Fast and
# caption: Gigabit Ethernet; section 3: less than 1 MByte/s below 100 bytes).
name = "throughput"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
sweeps = int(either(meta("sweeps"), "1"))
load here."mode.gp"
set title "Throughput over message size".described."\n{/*0.8 ".escape(subtitle)."}"
set logscale xy
set xlabel "message size (bytes)"
set ylabel throughput_label." (Mbit/s; 10^6 bit/s)"
set format y "10^{%L}"

# The paper gives large messages' throughput in its prose: lines from 1 MByte on, with a name each.
# Its figure's first decade is the other claim: below 1 MByte/s for less than 100 bytes.
large = 1e6
right = papers_throughput && S_max < 3e7 ? 3e7 : S_max
jumbo = paper_value("gigabit_jumbo_Mbit_per_s")
power3 = paper_value("gigabit_power3_Mbit_per_s")
alpha = paper_value("gigabit_alpha_Mbit_per_s")
fast = paper_value("fast_ethernet_Mbit_per_s")
small = paper_value("small_message_throughput_Mbit_per_s")
their(value) = papers_throughput ? value : NaN
of_them(text) = papers_throughput ? text : ""
set xrange [S_min:right]
look = 'font ",10" textcolor rgb papers'
set label 1 of_them("Gigabit Ethernet, MTU 9000") at large, jumbo right offset -1.2, 0 @look
set label 2 of_them("Gigabit Ethernet, MTU 1500") at large, power3 right offset -1.2, -0.1 @look
set label 3 of_them("Fast Ethernet") at large, fast right offset -1.2, 0 @look

Mbit(bytes, s) = 8e-6 * (exchanged ? 2 : 1) * (pairs ? pairs : 1) * bytes / s
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN
plot sample [S_min:S_max] NaN notitle, \
    for [i = 1:sweeps] result using (size_of(i)):"throughput_Mbit_per_s": \
        (Mbit(column("size_bytes"), column("high_s"))): \
        (Mbit(column("size_bytes"), column("low_s"))) \
        with yerrorbars linestyle 4 title i == 1 ? "interval of the median" : "", \
    for [i = 1:sweeps] result using (size_of(i)):"throughput_Mbit_per_s" \
        with linespoints linestyle 1 title i == 1 ? "measured, median" : "", \
    [large:right] their(jumbo) with linespoints linestyle 3 pointsize 0.8 pointinterval 33 \
        title of_them("halstead-1999, section 2.2: their networks"), \
    [large:right] their(power3) with linespoints linestyle 3 pointsize 0.8 \
        pointinterval 33 notitle, \
    [large:right] their(alpha) with linespoints linestyle 3 pointsize 0.8 \
        pointinterval 33 notitle, \
    [large:right] their(fast) with linespoints linestyle 3 pointsize 0.8 pointinterval 33 notitle, \
    [1:100] their(small) with linespoints linestyle 3 pointinterval 33 linewidth 2.4 \
        title of_them("halstead-1999, section 3: they were below this")
