# SPDX-License-Identifier: BSD-3-Clause
# linkmap.gp: latency and bandwidth of every pair of ranks as two heat maps.
#     gnuplot -e "result='r.txt'; figure='x.svg'" linkmap.gp
# caption: Half the round trip of one byte on the left, bandwidth of a long message on the right;
# caption: darker is slower in both. Below the diagonal: each pair in its round, while other pairs
# caption: communicated. Above it: the pairs that were measured again, alone; only these are
# caption: compared to find the slowest pair.
name = "linkmap"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

ranks = int(meta("ranks"))
stats result using "size_bytes" nooutput name "S"
small = S_min
long = S_max
amount(panel) = panel ? column("MB_per_s") : 1e6 * column("median_s")
of(panel) = column("size_bytes") == (panel ? long : small) ? amount(panel) : NaN
in(panel, name) = of(panel) == of(panel) ? column(name) : NaN
together(panel, name) = int(column("alone")) ? NaN : in(panel, name)
alone(panel, name) = int(column("alone")) ? in(panel, name) : NaN
shown(v) = v == v ? sprintf(v < 1000 ? "%.3g" : "%.0f", v) : ""
# With few ranks there is room for numbers in the boxes.
written = ranks <= 10

# The scale has a width even if all pairs are alike.
stats result using (of(0)) nooutput name "L"
stats result using (of(1)) nooutput name "B"
lowest(panel) = panel ? B_min : L_min
highest(panel) = panel ? B_max : L_max
margin(panel) = highest(panel) > 1.001 * lowest(panel) ? 0 : 0.1 * highest(panel)

set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.25
set label 1 "Latency and bandwidth of every pair of ranks" at screen 0.5, 0.955 center font ",14"
set label 2 subtitle at screen 0.5, 0.915 center font ",10.5" noenhanced
set label 3 "Below the diagonal: each pair in its round. Above: measured again, alone.". \
    (disturbed_rows ? " Circles: disturbed." : "") \
    at screen 0.5, 0.045 center font ",11"
unset grid
unset key
set format x "%g"
set format y "%g"
set format cb "%g"
set cbtics font ",10"
set xlabel "rank"
set ylabel "rank"
set xrange [-0.5:ranks - 0.5]
set yrange [ranks - 0.5:-0.5]
set xtics 0, (ranks > 16 ? int(ranks / 8) : 1)
set ytics 0, (ranks > 16 ? int(ranks / 8) : 1)
set colorbox horizontal user size 0.34, 0.025
set style fill solid 1 noborder
do for [panel = 0:1] {
    set lmargin at screen panel ? 0.585 : 0.085
    set rmargin at screen panel ? 0.965 : 0.465
    set colorbox origin panel ? 0.605 : 0.105, 0.135
    set label 4 (panel ? sprintf("bandwidth of %d bytes (MB/s; 10^6 B/s)", long) \
                       : sprintf("half the round trip of %d byte (microseconds)", small)) \
        at graph 0.5, 1.05 center font ",11.5"
    if (panel) {
        set palette defined (0 "#4f86be", 0.5 "#9cc0e3", 1 "#eef5fb")
    } else {
        set palette defined (0 "#fdf1ea", 0.5 "#efb792", 1 "#cf6d3c")
    }
    set cbrange [lowest(panel) - margin(panel):highest(panel) + margin(panel)]
    plot result using (together(panel, "first")):"second": \
            (column("first") - 0.5):(column("first") + 0.5): \
            (column("second") - 0.5):(column("second") + 0.5):(of(panel)) \
            with boxxyerror linecolor palette, \
        result using (alone(panel, "second")):"first": \
            (column("second") - 0.5):(column("second") + 0.5): \
            (column("first") - 0.5):(column("first") + 0.5):(of(panel)) \
            with boxxyerror linecolor palette, \
        result using (written ? together(panel, "first") : NaN):"second":(shown(of(panel))) \
            with labels font ",8" textcolor rgb "#111111", \
        result using (written ? alone(panel, "second") : NaN):"first":(shown(of(panel))) \
            with labels font ",8" textcolor rgb "#111111", \
        result using (disturbed(together(panel, "first")) + 0.4):(column("second") - 0.4) \
            @open_marks "#111111", \
        result using (disturbed(alone(panel, "second")) + 0.4):(column("first") - 0.4) \
            @open_marks "#111111"
    unset label 1
    unset label 2
    unset label 3
}
unset multiplot
