# SPDX-License-Identifier: BSD-3-Clause
# throughput.gp: throughput over message size, as in figure 2 of halstead-1999.
#     gnuplot -e "result='r.txt'; figure='x.svg'" throughput.gp
# caption: Throughput of the median over message size, both scales logarithmic. Bars: interval of
# caption: the median (95 % confidence, or minimum to maximum with fewer than six values).
# caption [halstead-1999]: Grey: values from the text of halstead-1999 (section 2.2: large messages
# caption [halstead-1999]: over Fast and Gigabit Ethernet; section 3: less than 1 MByte/s below 100
# caption [halstead-1999]: bytes).
name = "throughput"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("size_bytes", "message size")
if (!drawable) { load refused; exit }

stats result using "size_bytes" nooutput name "S"
sweeps = int(either(meta("sweeps"), "1"))
load here."mode.gp"
set title "Throughput over message size".described."\n{/*0.75 ".escape(subtitle)."}"
set logscale xy
set xlabel "message size"
set ylabel throughput_label
eval prefixed_axis("y", 1e6, "bit/s")
y_unit = "Mbit/s"

# The paper's text gives the throughput of large messages: a named line each, from 1 MByte on. It
# also says that messages below 100 bytes stay below 1 MByte/s: the line on the left.
large = 1e6
right = papers_throughput && S_max < 3e7 ? 3e7 : S_max
jumbo = paper_value("gigabit_jumbo_Mbit_per_s")
power3 = paper_value("gigabit_power3_Mbit_per_s")
alpha = paper_value("gigabit_alpha_Mbit_per_s")
fast = paper_value("fast_ethernet_Mbit_per_s")
small = paper_value("small_message_throughput_Mbit_per_s")
their(value) = papers_throughput ? value : NaN
of_them(text) = papers_throughput ? text : ""
eval prefixed_log_axis("x", S_min, right, 1, "B")
look = 'font key_font textcolor rgb papers'
set label 1 of_them("Gigabit Ethernet, MTU 9000") at right, jumbo right offset 0, 0.6 @look
set label 2 of_them("Gigabit Ethernet, MTU 1500") at right, power3 right offset 0, 0.45 @look
set label 3 of_them("Fast Ethernet") at right, fast right offset 0, -0.7 @look
# The key has two columns of long titles.
set key font key_font width -4

Mbit(bytes, s) = 8e-6 * (exchanged ? 2 : 1) * (pairs ? pairs : 1) * bytes / s
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN
at(name) = Mbit(column("size_bytes"), level(name))
plot sample [S_min:S_max] NaN notitle, \
    for [i = 1:sweeps] result using (size_of(i)):(at("within_high_s")):(0): \
        (at("within_low_s") - at("within_high_s")) @within_bars pale(measured) \
        title i == 1 ? within_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):"throughput_Mbit_per_s": \
        (at("high_s")):(at("low_s")) \
        with yerrorbars linestyle 4 title i == 1 ? interval_title : "", \
    for [i = 1:sweeps] result using (size_of(i)):"throughput_Mbit_per_s" \
        with linespoints linestyle 1 title i == 1 ? median_title : "", \
    for [i = 1:sweeps] result using (disturbed(size_of(i))):"throughput_Mbit_per_s" \
        @open_marks measured title i == 1 ? disturbed_title : "", \
    for [i = 1:sweeps] result \
        using (hover_at(size_of(i), column("throughput_Mbit_per_s"))):(hover_y): \
        (hover_text(median_title, at("low_s"), at("high_s"))) @hover notitle, \
    beside_file using (beside(column("size_bytes"))):"throughput_Mbit_per_s" @beside_look \
        title beside_title, \
    [large:right] their(jumbo) with linespoints linestyle 3 pointsize 0.8 pointinterval 33 \
        title of_them("halstead-1999, 2.2: their networks"), \
    [large:right] their(power3) with linespoints linestyle 3 pointsize 0.8 \
        pointinterval 33 notitle, \
    [large:right] their(alpha) with linespoints linestyle 3 pointsize 0.8 \
        pointinterval 33 notitle, \
    [large:right] their(fast) with linespoints linestyle 3 pointsize 0.8 pointinterval 33 notitle, \
    [1:100] their(small) with linespoints linestyle 3 pointinterval 33 linewidth 2.4 \
        title of_them("halstead-1999, 3: theirs stayed below")
