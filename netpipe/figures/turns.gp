# SPDX-License-Identifier: BSD-3-Clause
# turns.gp: how the times of single turns are distributed (cm-netpipe --turns): a histogram with a
# logarithmic time axis, and percentiles.
#     gnuplot -e "result='r.txt'; figure='x.svg'" turns.gp
# size=BYTES chooses the message size (without it the smallest), sweep=N the sweep.
# caption: Round trips of one message size, each timed by itself: how many took how long, half the
# caption: round trip, twenty bins a decade, both scales logarithmic. Lines: percentiles and the
# caption: longest; a percentile that the number of round trips does not permit is left out.
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
# The row of the size, by the names of its columns.
cell(column) = system("awk -v want=".column." -v size=".sprintf("%.0f", size)." -v sweep=".sweep. \
    " '/^#/ || !NF { next } !at { for (i = 1; i <= NF; i++) { at = 1; is[$i] = i } next }". \
    " $is[\"size_bytes\"] == size && $is[\"sweep\"] == sweep { print $is[want] }' ".quote(result))
n = either(cell("n"), "")
if (!strlen(n)) {
    print sprintf("figure: %s has no size of %.0f bytes in sweep %d", result, size, sweep)
    exit status 2
}
bins = "< sed -n 's/^# histogram: size_bytes=".sprintf("%.0f", size)." sweep=".sweep. \
       " from_s=\\([^ ]*\\) to_s=\\([^ ]*\\) count=/\\1 \\2 /p' ".quote(result)

set title sprintf("Single turns of %.0f byte%s: %s round trips\n{/*0.8 %s}", size, \
                  size == 1 ? "" : "s", n, escape(subtitle))
set logscale xy
set xlabel "half the round trip (microseconds)"
set ylabel "round trips in a bin of a twentieth of a decade"
set format y "10^{%L}"
set format x "%g"
set yrange [0.5:*]
set style fill solid 0.35 border
set key maxrows 3

# Percentiles: a line each, its name above the plot at one of three heights, its value in the key.
percentiles = "median_s p90_s p95_s p99_s p99_9_s p99_99_s max_s"
named = "50 90 95 99 99.9 99.99 max"
value_us(k) = 1e6 * real(either(cell(word(percentiles, k)), "nan"))
is_there(k) = value_us(k) == value_us(k)
do for [k = 1:words(percentiles)] {
    if (is_there(k)) {
        set arrow k from value_us(k), graph 0 to value_us(k), graph 1.01 + 0.045 * (k % 3) nohead \
            front linecolor rgb fitted linewidth 1
        set label k word(named, k) at value_us(k), graph 1.03 + 0.045 * (k % 3) center \
            font ",10" textcolor rgb fitted
    }
}
told(k) = sprintf(k < 7 ? "%s %%: %.5g us" : "%s: %.5g us", word(named, k), value_us(k))
set tmargin 8
set title offset 0, 2.2

plot bins using (5e5 * ($1 + $2)):3:(1e6 * $1):(1e6 * $2):(0.5):3 with boxxyerror \
        linecolor rgb measured title "measured", \
    for [k = 1:words(percentiles)] NaN with lines linecolor rgb fitted \
        title is_there(k) ? told(k) : ""
