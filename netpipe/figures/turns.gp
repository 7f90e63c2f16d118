# SPDX-License-Identifier: BSD-3-Clause
# turns.gp: the distribution of single turns' times (cm-netpipe --turns): a histogram with a
# logarithmic time axis, and percentiles.
#     gnuplot -e "result='r.txt'; figure='x.svg'" turns.gp
# size=BYTES chooses the message size (default: the smallest), sweep=N the sweep.
# caption: Round trips of one message size, each timed by itself: histogram of half the round trip,
# caption: twenty bins per decade, both scales logarithmic. Vertical lines: percentiles and the
# caption: maximum. A percentile is left out if there are too few round trips for it.
name = "turns"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
load here."mode.gp"
if (mode ne "turns" && drawable) {
    drawable = 0
    why = "Not drawn: single turns were not timed (--turns)."
}
if (!drawable) { load refused; exit }

if (!exists("sweep")) sweep = 1
if (!exists("size")) {
    stats result using "size_bytes" nooutput name "S"
    size = S_min
}
# A value of the row of that size, by column name.
cell(column) = system("awk -v want=".column." -v size=".sprintf("%.0f", size)." -v sweep=".sweep. \
    " '/^#/ || !NF { next } !at { for (i = 1; i <= NF; i++) { at = 1; is[$i] = i } next }". \
    " $is[\"size_bytes\"] == size && $is[\"sweep\"] == sweep { print $is[want] }' ".quote(result))
if (!strlen(cell("n"))) {
    print sprintf("figure: %s has no size of %.0f bytes in sweep %d", result, size, sweep)
    exit status 2
}
bins = "< sed -n 's/^# histogram: size_bytes=".sprintf("%.0f", size)." sweep=".sweep. \
       " from_s=\\([^ ]*\\) to_s=\\([^ ]*\\) count=/\\1 \\2 /p' ".quote(result)

n = system(bins[3:*]." | awk '{ n += $3 } END { printf \"%.0f\", n }'")
subtitle = subtitle.of_launch.disturbed_note. \
           (launches > 1 ? "; percentiles are medians over launches" : "")
set title sprintf("Single turns of %.0f byte%s: %s round trips\n{/*0.75 %s}", size, \
                  size == 1 ? "" : "s", n, escape(subtitle))
set logscale xy
set xlabel "half the round trip (microseconds)"
set ylabel "round trips per bin (20 bins per decade)"
set format y "10^{%L}"
set format x "%g"
set yrange [0.5:*]
set style fill solid 0.35 border
set key maxrows 3

# Each percentile has a line, its value in the key and, where one of three heights above the plot
# has room for it, its name.
percentiles = "median_s p90_s p95_s p99_s p99_9_s p99_99_s max_s"
named = "50 90 95 99 99.9 99.99 max"
value_us(k) = 1e6 * real(either(cell(word(percentiles, k)), "nan"))
is_there(k) = value_us(k) == value_us(k)
# Not by stats, which warns of a single bin.
width = system(bins[3:*]." | awk 'NR == 1 || $1 < low { low = $1 } $2 > high { high = $2 }". \
               " END { printf \"%g\", high / low }'")
room = real(width) ** 0.04
array Taken[3]
do for [height = 1:3] { Taken[height] = 0 }
do for [k = 1:words(percentiles)] {
    if (is_there(k)) {
        at = 0
        do for [height = 3:1:-1] { if (value_us(k) > Taken[height] * room) { at = height } }
        set arrow k from value_us(k), graph 0 to value_us(k), \
            graph at ? 1.01 + 0.045 * (at - 1) : 1 nohead front linecolor rgb fitted linewidth 1
        if (at) {
            set label k word(named, k) at value_us(k), graph 1.03 + 0.045 * (at - 1) center \
                font key_font textcolor rgb fitted
            Taken[at] = value_us(k)
        }
    }
}
told(k) = sprintf(k < 7 ? "%s %%: %.5g us" : "%s: %.5g us", word(named, k), value_us(k))
set tmargin 8
set title offset 0, 2.2

plot bins using (5e5 * ($1 + $2)):3:(1e6 * $1):(1e6 * $2):(0.5):3 with boxxyerror \
        linecolor rgb measured title "measured", \
    for [k = 1:words(percentiles)] NaN with lines linecolor rgb fitted \
        title is_there(k) ? told(k) : ""
