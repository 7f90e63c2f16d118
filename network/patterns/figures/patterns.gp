# SPDX-License-Identifier: BSD-3-Clause
# patterns.gp: one pattern of cm-patterns: time per iteration and throughput over message size.
#     gnuplot -e "result='r.txt'; figure='x.svg'" patterns.gp
# caption: Time per iteration and throughput over message size. Blue: measured medians with their
# caption: interval (95 % confidence, or minimum to maximum with fewer than six values), as squares
# caption: for word transfers and dots for block transfers.
# caption [warschko-1995, ]: Grey, open: the numbers that warschko-1995 (section 6.1) prints for
# caption [warschko-1995, ]: ParaPC, and for PingPong by P4 over Ethernet.
# caption: Throughput counts the bytes of both directions, as the paper does.
name = "patterns"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/clustermark.gp"
is_alone = alone("size_bytes", "message size")
if (!drawable) { load refused; exit }

pattern = meta("pattern")
stats result using "size_bytes" nooutput name "S"
pingpong = pattern eq "ping-pong"
p4_us = pingpong ? 1e3 * paper_value("p4_ethernet_ms") : NaN
p4_MB_per_s = pingpong ? 1e-3 * paper_value("p4_ethernet_kB_per_s") : NaN

set logscale xy
set xrange [S_min * 0.8:S_max * 1.25]
set format y "10^{%L}"
of(transfer) = strcol("transfer") eq transfer ? column("size_bytes") : NaN
us(name) = 1e6 * level(name)
MB_per_s(name) = column("MB_per_s") * column("median_s") / level(name)
words_title = measured_word.", word transfer"
blocks_title = measured_word.", block transfer"
title_of(way) = way eq "word" ? words_title : blocks_title
words_look = 'linecolor rgb measured pointtype 5 pointsize 0.5'
blocks_look = 'linecolor rgb measured linewidth 1.6 pointtype 7 pointsize 0.4'
background = 'linecolor rgb ground pointtype 5 pointsize 0.8'
disturbed_words = 'linecolor rgb measured pointtype 4 pointsize 0.7'
# The ways of which the paper has numbers: points that are nowhere must not be drawn.
their_ways = system("awk '/^#/ || !NF { next } !at { for (k = 1; k <= NF; k++) { ". \
    "if ($k == \"transfer\") way = k; if ($k == \"paper_time_us\") at = k } next } ". \
    "at && $at != \"nan\" && !seen[$way]++ { print $way }' ".quote(result))
# Each panel by itself. A column without a number would be a warning.
has_theirs = words(their_ways) > 0
near_us = near_MB = 0
if (has_theirs) {
    stats result using "median_s" nooutput name "U"
    stats result using "MB_per_s" nooutput name "V"
    stats result using "paper_time_us" nooutput name "PU"
    stats result using "paper_MB_per_s" nooutput name "PV"
    near_us = !is_far(PU_min, pingpong && p4_us > PU_max ? p4_us : PU_max, 1e6 * U_min, 1e6 * U_max)
    near_MB = !is_far(pingpong && p4_MB_per_s < PV_min ? p4_MB_per_s : PV_min, PV_max, V_min, V_max)
}
any_near = near_us || near_MB
theirs_us(way) = near_us ? of(way) : NaN
theirs_MB(way) = near_MB ? of(way) : NaN
any_title(title) = any_near ? title : ""
their_words = 'linecolor rgb papers linewidth 1 pointtype 8 pointsize 0.9'
their_blocks = 'linecolor rgb papers linewidth 1 pointtype 6 pointsize 0.9'

set multiplot
set tmargin at screen 0.865
set bmargin at screen 0.255
set label 1 sprintf("%s: time per iteration and throughput", \
    pingpong ? "PingPong" : (pattern eq "ping" ? "Ping" : "Pairwise exchange")) \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set xlabel "message size"
eval prefixed_every("x", 1, "B", 2)

set lmargin at screen 0.13
set rmargin at screen 0.48
set key at screen 0.53, 0.15 center top vertical maxrows 4 samplen 1.5 font key_font
set label 3 (any_near && !near_us ? "warschko-1995: beyond" : "") at graph 0.03, 0.955 left \
    font key_font textcolor rgb papers
set ylabel "time of an iteration"
eval prefixed_every("y", 1e-6, "s", 1)
plot result using "size_bytes":(us("within_low_s")):(0): \
        (us("within_high_s") - us("within_low_s")) @within_bars pale(measured) \
        title within_title, \
    result using "size_bytes":(us("median_s")):(us("low_s")):(us("high_s")) \
        with yerrorbars linestyle 4 title interval_title, \
    result using (of("word")):(us("median_s")) with points @words_look \
        title words_title, \
    result using (of("block")):(us("median_s")) with linespoints @blocks_look \
        title blocks_title, \
    result using (disturbed(of("word"))):(us("median_s")) with points @background \
        notitle, \
    result using (disturbed(of("word"))):(us("median_s")) with points @disturbed_words \
        notitle, \
    for [way in "word block"] result using (hover_at(of(way), us("median_s"))):(hover_y): \
        (hover_text(title_of(way), us("low_s"), us("high_s"))) @hover notitle, \
    result using (disturbed(of("block"))):(us("median_s")) @open_marks measured \
        title disturbed_title, \
    beside_file using (beside(of("block"))):(1e6 * column("median_s")) @beside_look \
        title has_beside ? beside_title.", blocks" : "", \
    result using (theirs_us("word")):"paper_time_us" with points @their_words \
        title any_title("warschko-1995, word transfer"), \
    result using (theirs_us("block")):"paper_time_us" with points @their_blocks \
        title any_title("warschko-1995, block transfer"), \
    for [way in their_ways] result \
        using (hover_at(theirs_us(way), column("paper_time_us"))):(hover_y): \
        (hover_text("warschko-1995, ".way." transfer", NaN, NaN)) @hover notitle, \
    [S_min:100] (near_us ? p4_us : NaN) with linespoints linestyle 3 pointtype 4 \
        pointinterval 33 title any_near && pingpong ? "warschko-1995: P4 over Ethernet" : "", \
    @nowhere @far_look \
        title has_theirs && !any_near ? far_title("warschko-1995") : ""

unset label 1
unset label 2
unset key
set lmargin at screen 0.635
set rmargin at screen 0.975
set label 3 (any_near && !near_MB ? "warschko-1995: beyond" : "") at graph 0.03, 0.955 left \
    font key_font textcolor rgb papers
set ylabel "throughput".(pattern eq "ping" ? "" : ", both directions")
eval prefixed_every("y", 1e6, "B/s", 1)
large = S_max > 1e4 ? 1e4 : S_max
y_unit = "MB/s"
plot result using "size_bytes":(MB_per_s("within_high_s")):(0): \
        (MB_per_s("within_low_s") - MB_per_s("within_high_s")) @within_bars pale(measured) \
        title within_title, \
    result using "size_bytes":"MB_per_s":(MB_per_s("high_s")):(MB_per_s("low_s")) \
        with yerrorbars linestyle 4 title interval_title, \
    result using (of("word")):"MB_per_s" with points @words_look title words_title, \
    result using (of("block")):"MB_per_s" with linespoints @blocks_look title blocks_title, \
    result using (disturbed(of("word"))):"MB_per_s" with points @background \
        title words_title, \
    result using (disturbed(of("word"))):"MB_per_s" with points @disturbed_words \
        title words_title, \
    result using (disturbed(of("block"))):"MB_per_s" @open_marks measured \
        title disturbed_title, \
    for [way in "word block"] result using (hover_at(of(way), column("MB_per_s"))):(hover_y): \
        (hover_text(title_of(way), MB_per_s("low_s"), MB_per_s("high_s"))) @hover notitle, \
    beside_file using (beside(of("block"))):"MB_per_s" @beside_look \
        title has_beside ? beside_title.", blocks" : "", \
    result using (theirs_MB("word")):"paper_MB_per_s" with points @their_words \
        title "warschko-1995, word transfer", \
    result using (theirs_MB("block")):"paper_MB_per_s" with points @their_blocks \
        title "warschko-1995, block transfer", \
    for [way in their_ways] result \
        using (hover_at(theirs_MB(way), column("paper_MB_per_s"))):(hover_y): \
        (hover_text("warschko-1995, ".way." transfer", NaN, NaN)) @hover notitle, \
    [large:S_max] (near_MB ? p4_MB_per_s : NaN) with linespoints linestyle 3 pointtype 4 \
        pointinterval 33 title "warschko-1995: P4 over Ethernet"
unset multiplot
