# SPDX-License-Identifier: BSD-3-Clause
# congestion.gp: percentiles of the victims' times, alone and under each load.
#     gnuplot -e "result='r.txt'; figure='x.svg'" congestion.gp
# caption: Times of the victims without a load and while the aggressors load the network, with a
# caption: panel for each victim: the median (dot), the 99th percentile (triangle) and the 99.9th
# caption: (square), with their intervals. The numbers are the ratios of the 99th percentiles to
# caption: that without a load. Ping-pong: half the round trip; allreduce: the slowest victim's
# caption: time; bandwidth: a window of messages each way.
name = "congestion"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

rows = "grep -v '^#' ".quote(result)." | tail -n +2 | "
victims = system(rows."awk '!seen[$1]++ { print $1 }'")
loads = system(rows."awk '!seen[$2]++ { print $2 }'")
hover_where(x) = strcol("victim").", ".strcol("aggressor").": "
place(load) = sum [i = 1:words(loads)] (word(loads, i) eq load ? i : 0)
of(victim) = strcol("victim") eq victim ? place(strcol("aggressor")) : NaN
us(name) = level(name) > 0 ? 1e6 * level(name) : NaN
n = words(victims)
quantiles = "p50 p99 p999"
colors = measured." ".fitted." ".purple
marks = "7 9 5"
title_of(q) = q == 1 ? "median" : q == 2 ? "99th percentile" : "99.9th percentile"
what(victim) = victim eq "pingpong" ? "half the round trip of ".meta_size("pingpong")." bytes" : \
    victim eq "allreduce" ? "allreduce of ".meta_size("allreduce")." bytes" : \
    sprintf("%s messages of %s bytes each way", meta("window"), meta_size("bandwidth"))
meta_size(victim) = system(rows."awk '$1 == \"".victim."\" && !n++ { print $3 }'")
at_p99 = number_of("p99_ratio")
ratio_text(victim) = strcol("victim") eq victim && strcol("aggressor") ne "alone" \
    && column("p99_ratio") > 0 ? sprintf("×%.3g", column("p99_ratio")) : ""
# The axis spans what is drawn.
drawn = "p50_s p99_s p999_s low_p50_s high_p50_s low_p99_s high_p99_s low_p999_s high_p999_s"
ends = system("awk -v names=".quote(drawn)." 'BEGIN { split(names, n, \" \"); ". \
    "for (k in n) is[n[k]] } /^#/ || !NF { next } ". \
    "!rows++ { for (k = 1; k <= NF; k++) if ($k in is) at[k]; next } ". \
    "{ for (k in at) if ($k + 0 > 0) { if (!low || $k + 0 < low) low = $k + 0; ". \
    "if ($k + 0 > high) high = $k + 0 } } END { print 1e6 * low, 1e6 * high }' ".quote(result))
lowest = real(word(ends, 1))
highest = real(word(ends, 2))
set logscale y
set xrange [0.4:words(loads) + 0.9]
eval prefixed_log_axis("y", lowest, highest, 1e-6, "s")
set xtics ()
do for [i = 1:words(loads)] { set xtics add (word(loads, i) i) }
set xtics font key_font
set grid noxtics
set multiplot
set label 1 sprintf("Congestion: %s victims, %s aggressors", meta("victims"), meta("aggressors")) \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
left = 0.105
width = (0.985 - left) / n
set tmargin at screen 0.82
set bmargin at screen 0.21
do for [k = 1:n] {
    victim = word(victims, k)
    set lmargin at screen left + (k - 1) * width
    set rmargin at screen left + k * width - 0.03
    set label 3 victim at graph 0.5, 1.085 center font panel_font
    set label 4 what(victim) at graph 0.5, 1.03 center font tiny_font
    if (k == 1) { set ylabel "time" } else { unset ylabel }
    if (k > 1) { unset ytics; set ytics nomirror; set format y "" }
    if (k == (n + 1) / 2) {
        set key at screen 0.5, 0.115 center top horizontal maxrows 2 samplen 1.5 font note_font
    } else { unset key }
    plot for [q = 1:3] result using (of(victim) + 0.14 * (q - 2)):(us(word(quantiles, q)."_s")): \
            (us("low_".word(quantiles, q)."_s")):(us("high_".word(quantiles, q)."_s")) \
            with yerrorbars pointtype -1 linewidth 1 linecolor rgb word(colors, q) \
            notitle, \
        for [q = 1:3] result using (of(victim) + 0.14 * (q - 2)):(us(word(quantiles, q)."_s")) \
            with points pointtype (word(marks, q) + 0) pointsize 1 linecolor rgb word(colors, q) \
            title title_of(q), \
        result using (disturbed(of(victim) - 0.14)):(us("p50_s")) @open_marks measured \
            title disturbed_title, \
        result using (of(victim) + 0.06):(us("p99_s")):(ratio_text(victim)) \
            with labels left offset 0.8, 0 font tiny_font textcolor rgb fitted_letters notitle, \
        for [q = 1:3] result using (hover_at(of(victim) + 0.14 * (q - 2), \
            us(word(quantiles, q)."_s"))):(hover_y):(hover_text(title_of(q), \
            us("low_".word(quantiles, q)."_s"), us("high_".word(quantiles, q)."_s"))) \
            @hover notitle
    unset label 1
    unset label 2
}
unset multiplot
