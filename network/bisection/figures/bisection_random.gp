# SPDX-License-Identifier: BSD-3-Clause
# bisection_random.gp: throughput of random pairings of all ranks, and the effective bisection
# bandwidth.
#     gnuplot -e "result='r.txt'; figure='x.svg'" bisection_random.gp
# caption: Random pairings of all ranks (cm-bisection --random) by the throughput of a pair, average
# caption: over the pairs: the share of the pairings that reach at most this throughput. Dashed:
# caption: their mean, the effective bisection bandwidth, with its interval. Violet: the slowest and
# caption: the fastest pair of each pairing.
name = "bisection_random"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
metric(key, field) = system("awk '$2 == \"RESULT:\" && $4 == \"".key."\" ".field."' ".quote(result))
of_line(key) = metric("effective_MB_per_s", "{ for (k = 6; k <= NF; k++) if (index($k, \"".key. \
    "=\") == 1) print substr($k, ".(strlen(key) + 2).") }")
mean = real(either(metric("effective_MB_per_s", "{ print $5 }"), "nan"))
if (drawable && !(mean > 0)) {
    why = "Not drawn: the result has no random pairings (--random)."
    drawable = 0
}
if (!drawable) { load refused; exit }

low = real(either(of_line("low"), "nan"))
high = real(either(of_line("high"), "nan"))
at_size = number_of("size_bytes")
at_rate = number_of("MB_per_s")
at_slow = number_of("slowest_pair_s")
at_fast = number_of("fastest_pair_s")
# Rate of the average, of the slowest and of the fastest pair, in ascending order.
rates = "< awk '/^#/ || !NF || !rows++ { next } { printf \"%s %.6g %.6g\\n\", $".at_rate. \
    ", 1e-6 * $".at_size." / $".at_slow.", 1e-6 * $".at_size." / $".at_fast." }' ". \
    quote(result)." | sort -g"
stats rates using 2 nooutput name "S"
stats rates using 3 nooutput name "F"
n = S_records
size = system("awk '/^#/ || !NF { next } rows++ == 1 { print $".at_size." }' ".quote(result))
set label 1 sprintf("%d random pairings of %s ranks, %s bytes", n, meta("ranks"), size) \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set ylabel "share of the pairings (%)"
set format y "%g"
margin = 0.05 * (F_max - S_min) + 1e-3 * F_max
# Between close ends the numbers need their digits.
is_wide = S_min < 0.6 * F_max
set xlabel "throughput of a pair".(is_wide ? "" : " (MB/s; 10^6 B/s)")
set format x "%g"
if (is_wide) { eval prefixed_linear("x", F_max + margin, 1e6, "B/s") }
set xrange [S_min - margin:F_max + margin]
set yrange [0:104]
if (high > low) {
    set object 1 rectangle from first low, graph 0 to first high, graph 1 behind \
        fillcolor rgb pale(fitted) fillstyle solid noborder
}
share(x) = 100.0 * (x + 1) / n
pairs_title = "slowest and fastest pair"
average_title = measured_word.", average of the pairs"
mean_title = "effective bisection bandwidth: ".told_as(1e6 * mean, "B/s")." a pair"
rate_text(title, rate) = hover_told(title, \
    sprintf("%.3g %% of the pairings: at most %s", hover_y, told_as(1e6 * rate, "B/s")))
at_interval = 0 # not of a row
at_n = 0
plot rates using 2:(share($0)) with points pointtype 2 pointsize 0.7 linecolor rgb purple \
        title pairs_title, \
    rates using 3:(share($0)) with points pointtype 2 pointsize 0.7 linecolor rgb purple \
        notitle, \
    rates using 1:(share($0)) with steps linestyle 1 title average_title, \
    $nothing using (mean):(0):(0):(100) with vectors nohead linestyle 2 title mean_title, \
    for [k = 2:3] rates using (hover_at(column(k), share($0))):(hover_y): \
        (rate_text(pairs_title, column(k))) @hover notitle, \
    rates using (hover_at($1, share($0))):(hover_y):(rate_text(average_title, $1)) @hover notitle, \
    $nothing using (hover_at(mean, 50)):(hover_y):(hover_told(mean_title, \
        said(mean, low, high, "MB/s"))) @hover notitle
