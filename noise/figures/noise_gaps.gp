# SPDX-License-Identifier: BSD-3-Clause
# noise_gaps.gp: how often a core loses how much.
#     gnuplot -e "result='r.txt'; figure='x.svg'" noise_gaps.gp
# caption: Quanta a second that lost more than the time on the axis, a line for each core; the one
# caption: that lost most is red. A line ends where no quantum lost more. Ticks of the kernel cost
# caption: microseconds and are many; other processes and hypervisors take milliseconds.
name = "noise_gaps"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

# A block of lines "microseconds, quanta a second" for each core; the worst core, or the others.
limits = "over_1us_per_s over_10us_per_s over_100us_per_s over_1ms_per_s over_10ms_per_s"
columns_of = ""
do for [k = 1:5] { columns_of = columns_of.sprintf(" %d", number_of(word(limits, k))) }
stats result using "lost_percent" nooutput name "L"
worst = L_index_max
cores(only) = "< awk -v only=".(only ? 1 : 0)." -v worst=".sprintf("%d", worst). \
    " -v columns='".columns_of."' '/^#/ || !NF || !rows++ { next } (rows - 2 == worst) == only ". \
    "{ split(columns, at, \" \"); us = 1; for (k = 1; k <= 5; k++) { ". \
    "print us, ($at[k] > 0 ? $at[k] : \"NaN\"); us *= 10 } print \"\" } ". \
    "END { print 1, \"NaN\" }' ".quote(result)
# The least rate above 0 and the highest.
ends = system("awk -v columns='".columns_of."' '/^#/ || !NF || !rows++ { next } ". \
    "{ n = split(columns, at, \" \"); for (k = 1; k <= n; k++) { r = $at[k]; ". \
    "if (r > 0 && (!low || r < low)) low = r; if (r > high) high = r } } ". \
    "END { print low ? low : 1, high ? high : 1 }' ".quote(result))
# The longest time that a quantum of some core lost.
last_us = 10.0**int(system("awk -v columns='".columns_of."' '/^#/ || !NF || !rows++ { next } ". \
    "{ n = split(columns, at, \" \"); for (k = 1; k <= n; k++) if ($at[k] > 0 && k > most) ". \
    "most = k } END { print (most > 2 ? most - 1 : 1) }' ".quote(result)))
ranks = int(meta("ranks"))

set label 1 "How often a quantum loses more than a given time" at screen 0.5, 0.955 center \
    font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
worst_title = sprintf("the core that lost most (rank %d)", worst)
x_unit = "us"
y_unit = "quanta/s"
set xlabel "time lost by a quantum"
set ylabel "quanta a second that lost more, of one core"
set logscale xy
set xrange [0.8:1.25 * last_us]
set yrange [0.5 * real(word(ends, 1)):2 * real(word(ends, 2))]
eval prefixed_axis("x", 1e-6, "s")
eval prefixed_axis("y", 1, "")
# Labels without any point make gnuplot 5.4 crash: one core has no others.
plot cores(0) using 1:2 with linespoints linestyle 1 title ranks > 1 ? "each core" : "", \
    cores(ranks == 1) using (hover_at($1, $2)):(hover_y):(hover_text(ranks == 1 ? worst_title \
        : "each core", NaN, NaN)) @hover notitle, \
    cores(1) using (hover_at($1, $2)):(hover_y):(hover_text(worst_title, NaN, NaN)) \
        @hover notitle, \
    cores(1) using 1:2 with linespoints linestyle 2 dashtype solid pointtype 5 pointsize 0.7 \
        title worst_title
