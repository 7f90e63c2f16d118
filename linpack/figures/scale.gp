# SPDX-License-Identifier: BSD-3-Clause
# scale.gp: time and efficiency of solving linear equations over the number of ranks, with what
# models say: of a grid the program's own, of rows LogGP and BSP.
#     gnuplot -e "results='a.txt b.txt'; figure='x.svg'" scale.gp
# caption: Linear equations of one order over the number of ranks: the time, and the efficiency,
# caption: which is the rate over that of the matrix product on all ranks (gemm_share). Orange,
# caption: dashed: what the program's model predicts for the grid of the run; pale bars: the
# caption: interval that its costs leave. Where only rows are dealt out,
# caption: LogGP: 2/3 n^3 operations at that rate; for each column a reduction of a row of the panel
# caption: in log p rounds; for each panel its rows from their owners to all other ranks, one after
# caption: the other. The algorithm of 1995: for each column a reduction and a broadcast in log p
# caption: rounds, and an exchange of rows. Grey, dotted: BSP: the same messages as h-relations, a
# caption: superstep for each round.
name = "scale"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/scale.gp"
if (!drawable) { exit }

orders = distinct("order")
order = real(word(orders, words(orders)))
of(column_) = column_." ranks order=".word(orders, words(orders))
number_bytes = meta("precision") eq "single" ? 4 : 8
panel = real(word(distinct("panel"), 1))
panel = panel > 0 ? panel : 1
slices_ = real(word(distinct("slices"), words(distinct("slices"))))
slices = slices_ > 1 ? slices_ : 1
rank_flop_per_us = 1e3 * real(meta("gemm_Gflop_per_s")) / real(meta("ranks"))
flop = 2.0 / 3 * order**3 + 2 * order**2
compute_us(p) = flop / rank_flop_per_us / p
pivot_bytes = panel * number_bytes + 16
slice_bytes = order / 2.0 * number_bytes / slices
# The algorithm of 1995 has no panels: for each column a reduction, an exchange and a broadcast.
classic = meta("algorithm") eq "classic"
row_bytes = order / 2.0 * number_bytes
columns_us(p) = classic \
    ? order * (rounds(p) * (message(16.0) + message(row_bytes)) + message(row_bytes)) \
    : order * rounds(p) * message(pivot_bytes) \
      + order / panel * slices * ((p - 1) * larger(o_send(slice_bytes), spacing(slice_bytes)) \
                                  + flight(slice_bytes))
loggp_us(p) = compute_us(p) + (p > 1 ? columns_us(p) : 0)
steps(p) = classic ? order * (2 * rounds(p) + 1) : order * rounds(p) + order / panel * slices
words_of(p) = (classic ? order * (rounds(p) * (16 + row_bytes) + row_bytes) \
    : order * rounds(p) * pivot_bytes + order * row_bytes) / 8
bsp_us(p, l_s, g_s) = compute_us(p) + 1e6 * (l_s * steps(p) + g_s * words_of(p))
# The model's time of the grid that each result has.
grid = meta("algorithm") eq "grid"
has_predicted = grid && count_of(of("predicted_s")) > 0
predicted_rows = has_predicted ? rows(of("predicted_s")) : "< echo NaN NaN NaN NaN"
if (grid) { with_model = NaN; has_loggp = has_bsp = 0; bsp_rows = "< echo NaN NaN NaN" }
set_span = span("ranks")
set xrange [first_number / 1.3:last_number * 1.3]
eval two_panels
set label 1 sprintf("%g linear equations over the number of ranks", order) \
    at screen 0.5, 0.955 center font title_font
eval panel_1
y_unit = "ms"
set ylabel "time"
eval prefixed_every("y", 1e-3, "s", 1)
plot predicted_rows using 1:(1e3 * $3):(0):(1e3 * ($4 - $3)) @within_bars pale(fitted) \
        title has_predicted ? "interval of the model" : "", \
    rows(of("median_s")) using 1:(1e3 * $2) with points pointtype 7 linecolor rgb measured \
        title simulated_word, \
    other_rows(of("median_s")) using 1:(other(1e3 * $2)) with points linestyle 5 \
        title words(others) ? others_title : "", \
    $powers using (within($1) * with_model):(1e-3 * loggp_us($1)) @model_look fitted \
        title has_loggp ? "LogGP" : "", \
    predicted_rows using 1:(1e3 * $2) @model_look fitted title has_predicted ? "the model" : "", \
    bsp_rows using 1:(1e-3 * bsp_us($1, $2, $3)) @bsp_look title has_bsp ? "BSP" : "", \
    $powers using (within($1)):(1e-3 * compute_us($1)) with lines linecolor rgb light_grey \
        linewidth 0.8 title "no communication", \
    rows(of("median_s")) using (hover_at($1, 1e3 * $2)):(hover_y): \
        (hover_text(simulated_word, 1e3 * $3, 1e3 * $4)) @hover notitle, \
    $powers using (hover_at(within($1) * with_model, 1e-3 * loggp_us($1))):(hover_y): \
        (hover_text("LogGP", NaN, NaN)) @hover notitle, \
    predicted_rows using (hover_at($1, 1e3 * $2)):(hover_y): \
        (hover_between("the model", 1e3 * $3, 1e3 * $4)) @hover notitle, \
    bsp_rows using (hover_at($1, 1e-3 * bsp_us($1, $2, $3))):(hover_y): \
        (hover_text("BSP", NaN, NaN)) @hover notitle
eval panel_2
y_unit = "of the matrix product's rate"
unset ytics
set ytics nomirror
set format y "%g"
unset logscale y
set yrange [-0.03:1.1]
set ylabel "efficiency"
plot predicted_rows using 1:(1e-6 * compute_us($1) / $4):(0): \
        (1e-6 * compute_us($1) * (1 / $3 - 1 / $4)) @within_bars pale(fitted) \
        title has_predicted ? "interval of the model" : "", \
    rows(of("gemm_share")) using 1:2 with points pointtype 7 linecolor rgb measured \
        title simulated_word, \
    other_rows(of("gemm_share")) using 1:(other($2)) with points linestyle 5 \
        title words(others) ? others_title : "", \
    $powers using (within($1) * with_model):(compute_us($1) / loggp_us($1)) @model_look fitted \
        title has_loggp ? "LogGP" : "", \
    predicted_rows using 1:(1e-6 * compute_us($1) / $2) @model_look fitted \
        title has_predicted ? "the model" : "", \
    bsp_rows using 1:(compute_us($1) / bsp_us($1, $2, $3)) @bsp_look \
        title has_bsp ? "BSP" : "", \
    rows(of("gemm_share")) using (hover_at($1, $2)):(hover_y): \
        (hover_text(simulated_word, $3, $4)) @hover notitle, \
    $powers using (hover_at(within($1) * with_model, compute_us($1) / loggp_us($1))):(hover_y): \
        (hover_text("LogGP", NaN, NaN)) @hover notitle, \
    predicted_rows using (hover_at($1, 1e-6 * compute_us($1) / $2)):(hover_y): \
        (hover_between("the model", 1e-6 * compute_us($1) / $4, 1e-6 * compute_us($1) / $3)) \
        @hover notitle, \
    bsp_rows using (hover_at($1, compute_us($1) / bsp_us($1, $2, $3))):(hover_y): \
        (hover_text("BSP", NaN, NaN)) @hover notitle
unset multiplot
