# SPDX-License-Identifier: BSD-3-Clause
# scale.gp: time of an iteration and efficiency over the number of ranks, with what LogGP and BSP
# say.
#     gnuplot -e "results='a.txt b.txt'; figure='x.svg'" scale.gp
# caption: Heat diffusion on one plate over the number of ranks: the time of an iteration, and the
# caption: efficiency, which is the time on one rank with the same kernel over that of all ranks,
# caption: divided by their number. Orange, dashed: LogGP: the points of a rank, the overheads of
# caption: two rows to and from its neighbours, and what of their flight the points do not hide.
# caption: Grey, dotted: BSP: the points, two rows as an h-relation, and one synchronisation.
name = "scale"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/scale.gp"
if (!drawable) { exit }

sizes = distinct("columns")
size = word(sizes, words(sizes))
of(column_) = column_." ranks columns=".size
alone_us = 1e3 * real(system("cat ".all_results." | awk '/^#/ || !NF { next } ". \
    "!at { for (k = 1; k <= NF; k++) { if ($k == \"alone_ms\") at = k; ". \
    "if ($k == \"columns\") size = k } next } ". \
    "$size == ".size." && $at > 0 && !found++ { print $at }'"))
alone_us = alone_us > 0 ? alone_us : NaN
row_bytes = size * (meta("precision") eq "double" ? 8 : 4)
rows_to(p) = p > 2 ? 2 : p > 1 ? 1 : 0
# A row beyond the eager limit travels beside the computing: its calls cost what short ones do.
overheads = o_send(1.0) + o_receive(1.0)
loggp_us(p) = alone_us / p + (p > 1 ? rows_to(p) * overheads \
    + larger(0, message(row_bytes) - overheads - alone_us / p) : 0)
bsp_us(p, l_s, g_s) = alone_us / p + 1e6 * (l_s + g_s * rows_to(p) * row_bytes / 8.0)
set_span = span("ranks")
set xrange [first_number / 1.3:last_number * 1.3]
eval two_panels
set label 1 sprintf("Heat diffusion on %s x %s points over the number of ranks", size, size) \
    at screen 0.5, 0.955 center font title_font
eval panel_1
set ylabel "time of an iteration"
eval prefixed_every("y", 1e-6, "s", 1)
plot rows(of("median_ms")) using 1:(1e3 * $2) with points pointtype 7 linecolor rgb measured \
        title simulated_word, \
    other_rows(of("median_ms")) using 1:(other(1e3 * $2)) with points linestyle 5 \
        title words(others) ? others_title : "", \
    $powers using (within($1) * with_model):(loggp_us($1)) @model_look fitted \
        title has_loggp ? "LogGP" : "", \
    bsp_rows using 1:(bsp_us($1, $2, $3)) @bsp_look title has_bsp ? "BSP" : "", \
    $powers using (within($1)):(alone_us / $1) with lines linecolor rgb light_grey \
        linewidth 0.8 title alone_us > 0 ? "no communication" : "", \
    rows(of("median_ms")) using (hover_at($1, 1e3 * $2)):(hover_y): \
        (hover_text(simulated_word, 1e3 * $3, 1e3 * $4)) @hover notitle, \
    $powers using (hover_at(within($1) * with_model, loggp_us($1))):(hover_y): \
        (hover_text("LogGP", NaN, NaN)) @hover notitle, \
    bsp_rows using (hover_at($1, bsp_us($1, $2, $3))):(hover_y): \
        (hover_text("BSP", NaN, NaN)) @hover notitle
eval panel_2
y_unit = "of one rank alone, on each rank"
# Each result has its own kernel, and the speed-up over it. Its rows have the ends of the times,
# times the speed-up over the median: the longer the time, the smaller the share.
share(speed_up, end) = speed_up * speed_up / end
unset ytics
set ytics nomirror
set format y "%g"
unset logscale y
set yrange [-0.03:1.1]
set ylabel "efficiency"
plot rows(of("speed_up")) using 1:($2 / $1) with points pointtype 7 \
        linecolor rgb measured title simulated_word, \
    other_rows(of("speed_up")) using 1:(other($2 / $1)) with points \
        linestyle 5 title words(others) ? others_title : "", \
    $powers using (within($1) * with_model):(alone_us / ($1 * loggp_us($1))) @model_look fitted \
        title has_loggp ? "LogGP" : "", \
    bsp_rows using 1:(alone_us / ($1 * bsp_us($1, $2, $3))) @bsp_look \
        title has_bsp ? "BSP" : "", \
    rows(of("speed_up")) using (hover_at($1, $2 / $1)):(hover_y): \
        (hover_text(simulated_word, share($2, $4) / $1, share($2, $3) / $1)) @hover notitle, \
    $powers using (hover_at(within($1) * with_model, alone_us / ($1 * loggp_us($1)))):(hover_y): \
        (hover_text("LogGP", NaN, NaN)) @hover notitle, \
    bsp_rows using (hover_at($1, alone_us / ($1 * bsp_us($1, $2, $3)))):(hover_y): \
        (hover_text("BSP", NaN, NaN)) @hover notitle
unset multiplot
