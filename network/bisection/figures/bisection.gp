# SPDX-License-Identifier: BSD-3-Clause
# bisection.gp: short and long messages of all pairs at once with their lines; as innocente-1999,
# figures 9 to 12.
#     gnuplot -e "result='r.txt'; figure='x.svg'" bisection.gp
# caption: Half the round trip of N/2 pairs that communicate at once, average over the pairs, as
# caption: innocente-1999's figures 9 to 12: short messages left, long ones right, linear axes.
# caption: Bars: interval of the median. Orange: fitted lines, latency + bytes / bandwidth.
# caption [slowest pair]: Violet: the fastest and the slowest pair.
# caption: Grey, open: the paper's lines for 8 and 16 nodes (section 5.2.2); if ours are far below,
# caption: they lie above the panel.
name = "bisection"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

split = real(meta("split_bytes"))
stats result using "size_bytes" nooutput name "S"
# Bytes, microseconds; MB/s are bytes a microsecond.
hockney(latency, bandwidth, x) = latency + x / bandwidth
label_of(latency, bandwidth) = told_as(1e-6 * latency, "s")." + bytes / (". \
    told_as(1e6 * bandwidth, "B/s").")"
size_of(panel) = (column("size_bytes") > split) == panel ? column("size_bytes") : NaN
# microseconds of short messages, milliseconds of long ones
unit(panel) = panel ? 1e-3 : 1
of(panel, name) = size_of(panel) > 0 ? 1e6 * unit(panel) * level(name) : NaN
their_latency(which, nodes) = paper_value(sprintf("%s_%d_latency_us", which, nodes))
their_bandwidth(which, nodes) = paper_value(sprintf("%s_%d_bandwidth_MB_per_s", which, nodes))
theirs(which, nodes) = sprintf("innocente-1999, %d nodes: %s", nodes, \
    label_of(their_latency(which, nodes), their_bandwidth(which, nodes)))

several = meta("pairs") ne "1"
pair_look = 'with points pointtype 1 pointsize 0.7 linecolor rgb purple'

# Our data fill the panels; the paper's lines may leave them.
larger(a, b) = a > b ? a : b
top_0 = top_1 = 1
if (S_min <= split) {
    stats result using (larger(of(0, "slowest_pair_s"), of(0, "high_s"))) nooutput name "A"
    top_0 = A_max
}
if (S_max > split) {
    stats result using (larger(of(1, "slowest_pair_s"), of(1, "high_s"))) nooutput name "B"
    top_1 = B_max
}

set multiplot
set tmargin at screen 0.83
set bmargin at screen 0.35
set label 1 (meta("pairs") eq "1" ? "One pair" : meta("pairs")." pairs at once"). \
    ": time of a message over its size" \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set xlabel "message size"
set samples 200

own_title = several ? measured_word.", average of the pairs" : median_title
pairs_title = "fastest and slowest pair"
do for [panel = 0:1] {
    # The key of the right panel has what is its own.
    y_unit = panel ? "ms" : "us"
    which = panel ? "long" : "short"
    first = panel ? (split < S_min ? S_min : split) : 0
    last = panel ? S_max : (split < S_max ? split : S_max)
    there = last > first
    if (!there) { last = first + 1 }
    has_fit = fit_has(which, "latency_us")
    l = has_fit ? fit_value(which, "latency_us") : NaN
    b = has_fit ? fit_value(which, "bandwidth_MB_per_s") : NaN
    l8 = their_latency(which, 8); b8 = their_bandwidth(which, 8)
    l16 = their_latency(which, 16); b16 = their_bandwidth(which, 16)
    set lmargin at screen panel ? 0.62 : 0.125
    set rmargin at screen panel ? 0.975 : 0.475
    set label 3 (panel ? sprintf("long: above %g bytes", split) : \
                 sprintf("short: up to %g bytes", split)).(there ? "" : ", none measured") \
        at graph 0.02, 1.05 left font panel_font
    set key at screen panel ? 0.795 : 0.31, 0.255 center top vertical maxrows 8 samplen 1.5 \
        font key_font
    set ylabel "half the round trip"
    eval prefixed_linear("x", 1.03 * last, 1, "B")
    set xrange [0:1.03 * last]
    set yrange [0:1.15 * (panel ? top_1 : top_0)]
    top = 1.15 * (panel ? top_1 : top_0)
    eval prefixed_linear("y", top, panel ? 1e-3 : 1e-6, "s")
    lowest = l8 + first / b8 < l16 + first / b16 ? l8 + first / b8 : l16 + first / b16
    set label 4 unit(panel) * lowest > top ? "innocente-1999: above" : "" \
        at graph 0.03, 0.955 left font key_font textcolor rgb papers
    plot result using (size_of(panel)):(of(panel, "within_low_s")):(0): \
            (of(panel, "within_high_s") - of(panel, "within_low_s")) \
            @within_bars pale(measured) notitle, \
        result using (size_of(panel)):(of(panel, "median_s")):(of(panel, "low_s")): \
            (of(panel, "high_s")) with yerrorbars linestyle 4 \
            notitle, \
        result using (several ? size_of(panel) : NaN):(of(panel, "fastest_pair_s")) @pair_look \
            notitle, \
        result using (several ? size_of(panel) : NaN):(of(panel, "slowest_pair_s")) @pair_look \
            notitle, \
        result using (size_of(panel)):(of(panel, "median_s")) with points linestyle 1 \
            pointsize 0.6 notitle, \
        result using (hover_at(size_of(panel), of(panel, "median_s"))):(hover_y): \
        (hover_text(own_title, of(panel, "low_s"), of(panel, "high_s"))) @hover notitle, \
        beside_file using (beside(size_of(panel))):(1e6 * unit(panel) * column("median_s")) \
            @beside_look notitle, \
        result using (disturbed(size_of(panel))):(of(panel, "median_s")) @open_marks measured \
            notitle, \
        @nowhere:(0):(0) @within_bars pale(measured) title panel ? "" : within_title, \
        @nowhere:(0):(0) with yerrorbars linestyle 4 title panel ? "" : interval_title, \
        @nowhere @pair_look title several && !panel ? pairs_title : "", \
        @nowhere with points linestyle 1 pointsize 0.6 title panel ? "" : own_title, \
        @nowhere @beside_look title panel ? "" : beside_title, \
        @nowhere @open_marks measured title panel ? "" : disturbed_title, \
        [first:last] unit(panel) * hockney(l, b, x) with lines linestyle 2 \
            title has_fit ? "fit: ".label_of(l, b) : "", \
        [first:last] unit(panel) * hockney(l8, b8, x) with linespoints linestyle 3 \
            pointinterval 50 title theirs(which, 8), \
        [first:last] unit(panel) * hockney(l16, b16, x) with linespoints linestyle 3 \
            pointinterval 70 pointtype 6 title theirs(which, 16)
    unset label 1
    unset label 2
}
unset multiplot
