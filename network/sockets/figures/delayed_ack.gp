# SPDX-License-Identifier: BSD-3-Clause
# delayed_ack.gp: times of turns of several writes and a read, with and without Nagle's algorithm
# and delayed acknowledgements; after innocente-1999, section 4.2 and figure 5.
#     gnuplot -e "result='r.txt'; figure='x.svg'" delayed_ack.gp
# caption: Turns of several small writes and a read by their time; both scales logarithmic, so that
# caption: a single stall is visible among thousands of fast turns. One panel for each
# caption: setting of TCP_NODELAY (off: Nagle's algorithm holds a small packet back until the one
# caption: before is acknowledged) and TCP_QUICKACK (off: the receiver may delay that
# caption: acknowledgement). Orange outlines: the gaps between arrivals of small messages sent in
# caption: one direction. Grey: the delays of acknowledgements that innocente-1999 (section 4.2)
# caption: names, 20 and 200 ms, and today's 40 ms.
name = "delayed_ack"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/clustermark.gp"

# The bins of "# histogram: test=T ... nodelay=N quickack=Q ... n=... low_s:count LOW:COUNT ...",
# all rows of a setting together: lower edge, part of the samples.
bins_of(test, nodelay, quickack) = "< awk -v t=test=".test." -v d=nodelay=".nodelay. \
    " -v q=quickack=".quickack." '/^# histogram: / && $3 == t && $5 == d && $6 == q { " \
    ."for (k = 7; k <= NF; k++) if (split($k, b, \":\") == 2 && b[1] + 0 > 0) " \
    ."{ c[b[1]] += b[2]; n += b[2] } } " \
    ."END { for (x in c) print x, c[x] / n | \"sort -g\" }' ".quote(result)
turns_of(nodelay, quickack) = system("awk -v d=nodelay=".nodelay." -v q=quickack=".quickack. \
    " '/^# histogram: test=write-read / && $5 == d && $6 == q { split($8, n, \"=\"); s += n[2] } " \
    ."END { print s + 0 }' ".quote(result)) + 0
has_one_way = system("grep -c '^# histogram: test=one-way ' ".quote(result)) + 0
if (drawable && system("grep -c '^# histogram: test=write-read ' ".quote(result)) + 0 == 0) {
    why = "Not drawn: the result has no delayed acknowledgements (--test)."
    drawable = 0
}
if (!drawable) { load refused; exit }

subtitle = where.", ".meta("family")." over ".word(meta("interface_of_rank_0"), 1).", ". \
    meta("date").of_launch
old_quick = paper_value("quick_ack_ms")
old_delay = paper_value("delayed_ack_ms")
today = 40
left = 1e-3
right = 2e3
floor_ = 1e-5
width = 10 ** (1.0 / 20)

set logscale xy
set xrange [left:right]
top = 60
set yrange [floor_:top]
set format x ""
set format y "10^{%L}"
set ytics (1, 1e-2, 1e-4)
unset key
set style fill solid 0.75 noborder
set multiplot
set lmargin at screen 0.11
set rmargin at screen 0.97
title_at = 0.955
set label 1 "Turns of several writes and a read by their time" at screen 0.54, title_at \
    center font title_font
set label 2 subtitle at screen 0.54, title_at - 0.035 center font note_font noenhanced
set label 3 "fraction of the turns" at screen 0.025, 0.51 center rotate by 90
set print $delays
do for [m in sprintf("%g %g %g", old_quick, today, old_delay)] { print m }
unset print
turns_title = "turns"
gaps_title = "gaps between arrivals of messages in one direction"
delays_title = sprintf("delays of acknowledgements: innocente-1999, 4.2: %g and %g ms; " \
    ."Linux today: %g ms", old_quick, old_delay, today)
delay_text(ms) = hover_told(delays_title, sprintf("%g ms", ms))
bin_text(title, from, share) = hover_told(title, \
    sprintf("%.3g to %.3g ms: %.3g %%", 1e3 * from, 1e3 * from * width, 100 * share))
setting(nodelay, quickack) = sprintf("TCP\\_NODELAY %s, TCP\\_QUICKACK %s", \
                                     nodelay, quickack)
height = 0.172
do for [p = 0:3] {
    nodelay = p % 2 ? "on" : "off"
    quickack = p / 2 ? "on" : "off"
    n = turns_of(nodelay, quickack)
    set tmargin at screen 0.88 - p * height
    set bmargin at screen 0.88 - (p + 1) * height + 0.015
    set label 4 sprintf("%s: %s", setting(nodelay, quickack), \
        n ? sprintf("%d turns", n) : "not measured") at graph 0.01, 0.88 left front font panel_font
    if (p == 3) {
        eval prefixed_every("x", 1e-3, "s", 1)
        set xlabel "time"
        set key at screen 0.54, 0.11 center top vertical maxrows 3 samplen 2 font key_font
    }
    if (p == 0) {
        above = 2.5 * top
        set label 6 sprintf("%g", old_quick) at old_quick, above center font key_font tc rgb papers
        set label 7 sprintf("%g", today) at today, above center font key_font tc rgb papers
        set label 8 sprintf("%g ms", old_delay) at old_delay, above center font key_font \
            tc rgb papers
    }
    # Without a turn there still is a panel.
    plot NaN notitle, \
        (n ? bins_of("write-read", nodelay, quickack) : "< echo 1 0") \
            using (1e3 * $1 * sqrt(width)):2:(1e3 * $1):(1e3 * $1 * width):(floor_):2 \
            with boxxyerror linestyle 1 title turns_title, \
        (has_one_way ? bins_of("one-way", nodelay, quickack) : "< echo 1 0") \
            using (1e3 * $1 * sqrt(width)):2:(1e3 * $1):(1e3 * $1 * width):(floor_):2 \
            with boxxyerror linecolor rgb fitted linewidth 1.2 fillstyle empty border \
            title has_one_way ? gaps_title : "", \
        $delays using 1:(top) with impulses linestyle 3 title delays_title, \
        (n ? bins_of("write-read", nodelay, quickack) : "< echo 1 0") \
            using (hover_at(1e3 * $1 * sqrt(width), n ? $2 : NaN)):(hover_y): \
            (bin_text(turns_title, $1, $2)) @hover notitle, \
        (has_one_way ? bins_of("one-way", nodelay, quickack) : "< echo 1 0") \
            using (hover_at(1e3 * $1 * sqrt(width), has_one_way ? $2 : NaN)):(hover_y): \
            (bin_text(gaps_title, $1, $2)) @hover notitle, \
        $delays using (hover_at($1, 0.5 * top)):(hover_y):(delay_text($1)) @hover notitle
    unset label 1
    unset label 2
    unset label 3
    unset label 6
    unset label 7
    unset label 8
}
unset multiplot
