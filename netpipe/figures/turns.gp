# SPDX-License-Identifier: BSD-3-Clause
# turns.gp: the distribution of single turns' times (cm-netpipe --round-trips): a histogram with a
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
    why = "Not drawn: single turns were not timed (--round-trips)."
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
subtitle = subtitle.of_launch.disturbed_note
lines_title = "percentiles and the maximum".(launches > 1 ? ", medians over launches" : "")
set title sprintf("Single turns of %.0f byte%s: %s round trips\n{/*0.75 %s}", size, \
                  size == 1 ? "" : "s", n, escape(subtitle))
set logscale xy
set xlabel "half the round trip"
set ylabel "round trips per bin (20 bins per decade)"
set format y "10^{%L}"
eval prefixed_axis("x", 1e-6, "s")
set style fill solid 0.35 border
eval key_rows(1)

# Each percentile has a line and, at its upper end, its name and value; the lines are the lower the
# further right they stand, so that no line crosses a name.
percentiles = "median_s p90_s p95_s p99_s p99_9_s p99_99_s max_s"
named = "50 90 95 99 99.9 99.99 max"
value_us(k) = 1e6 * numeric(either(cell(word(percentiles, k)), "nan"))
is_there(k) = value_us(k) == value_us(k)
highest = real(system(bins[3:*]." | awk '$3 > high { high = $3 } END { print high }'"))
last = real(system(bins[3:*]." | awk '$2 > high { high = $2 } END { print 1e6 * high }'"))
least = real(system(bins[3:*]." | awk '!low || $1 < low { low = $1 } END { print 1e6 * low }'"))
there = 0
# A median over launches may lie beyond the histogram, which is of one launch.
do for [k = 1:words(percentiles)] {
    there = there + is_there(k)
    least = value_us(k) < least ? value_us(k) : least
    last = value_us(k) > last ? value_us(k) : last
}
set xrange [least / 1.2:last * (last / least) ** 0.4]
told(k) = word(named, k).(k < 7 ? " %: " : ": ").told_as(1e-6 * value_us(k), "s")
level_ = there
do for [k = 1:words(percentiles)] {
    if (is_there(k)) {
        level_ = level_ - 1
        height = highest * 2 ** (level_ + 1)
        set arrow k from value_us(k), 0.5 to value_us(k), height nohead front \
            linecolor rgb fitted linewidth 1
        set label k " ".told(k) at value_us(k), height \
            left font key_font textcolor rgb fitted_letters front
    }
}
set yrange [0.5:highest * 2 ** (there + 1.2)]
x_unit = "us"
y_unit = "round trips"

plot bins using (5e5 * ($1 + $2)):3:(1e6 * $1):(1e6 * $2):(0.5):3 with boxxyerror \
        linecolor rgb measured title "measured", \
    bins using (hover_at(5e5 * ($1 + $2), column(3))):(hover_y): \
        (hover_text("measured", NaN, NaN)) @hover notitle, \
    NaN with lines linecolor rgb fitted linewidth 1 title lines_title
