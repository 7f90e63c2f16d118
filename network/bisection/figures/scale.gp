# SPDX-License-Identifier: BSD-3-Clause
# scale.gp: bandwidth of a host with N/2 pairs at once over the number of ranks, with what LogGP
# says.
#     gnuplot -e "results='a.txt b.txt'; figure='x.svg'" scale.gp
# caption: Bandwidth of a pair, at the largest message, and half the round trip of the smallest one,
# caption: when N/2 pairs communicate at once, over the number of ranks N. Bars: from the fastest to
# caption: the slowest pair. Dashed: LogGP's prediction from two ranks alone: a network that carries
# caption: all pairs at once has this at any number.
name = "scale"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/scale.gp"
if (!drawable) { exit }

sizes = distinct("size_bytes")
least = word(sizes, 1)
most = word(sizes, words(sizes))
of(column_, size) = column_." ranks size_bytes=".size
set_span = span("ranks")
set xrange [first_number / 1.3:last_number * 1.3]
eval two_panels
set label 1 "All pairs at once over the number of ranks" at screen 0.5, 0.955 center font title_font
average_title = simulated_word.", average of the pairs"
ends_title = "fastest and slowest pair"
MB(s) = most / (1e6 * s)
eval panel_1
y_unit = "MB/s"
unset logscale y
set yrange [0:*]
set offsets graph 0, graph 0, graph 0.1, graph 0
set ylabel sprintf("bandwidth of a host, %s bytes", most)
stats rows(of("fastest_pair_s", most)) using (MB($2)) nooutput name "B"
eval prefixed_linear("y", 1.2 * B_max, 1e6, "B/s")
plot rows(of("fastest_pair_s", most)) using 1:(MB($2)) with points pointtype 2 \
        linecolor rgb purple title ends_title, \
    rows(of("slowest_pair_s", most)) using 1:(MB($2)) with points pointtype 2 \
        linecolor rgb purple notitle, \
    rows(of("median_s", most)) using 1:(MB($2)) with points pointtype 7 \
        linecolor rgb measured title average_title, \
    other_rows(of("median_s", most)) using 1:(other(MB($2))) with points linestyle 5 \
        title words(others) ? others_title : "", \
    $powers using (within($1) * with_model):(most / message(real(most))) @model_look fitted \
        title has_loggp ? "LogGP" : "", \
    for [which in "fastest slowest"] rows(of(which."_pair_s", most)) \
        using (hover_at($1, MB($2))):(hover_y):(hover_text(ends_title, NaN, NaN)) @hover notitle, \
    rows(of("median_s", most)) using (hover_at($1, MB($2))):(hover_y): \
        (hover_text(average_title, MB($4), MB($3))) @hover notitle, \
    $powers using (hover_at(within($1) * with_model, MB(1e-6 * message(real(most))))):(hover_y): \
        (hover_text("LogGP", NaN, NaN)) @hover notitle
eval panel_2
y_unit = "us"
set ylabel sprintf("half the round trip, %s byte%s", least, least eq "1" ? "" : "s")
stats rows(of("median_s", least)) using (1e6 * $2) nooutput name "T"
eval prefixed_linear("y", 1.2 * T_max, 1e-6, "s")
plot rows(of("median_s", least)) using 1:(1e6 * $2) with points pointtype 7 \
        linecolor rgb measured title average_title, \
    other_rows(of("median_s", least)) using 1:(other(1e6 * $2)) with points linestyle 5 \
        title words(others) ? others_title : "", \
    $powers using (within($1) * with_model):(message(real(least))) @model_look fitted \
        title has_loggp ? "LogGP" : "", \
    rows(of("median_s", least)) using (hover_at($1, 1e6 * $2)):(hover_y): \
        (hover_text(average_title, 1e6 * $3, 1e6 * $4)) @hover notitle, \
    $powers using (hover_at(within($1) * with_model, message(real(least)))):(hover_y): \
        (hover_text("LogGP", NaN, NaN)) @hover notitle
unset multiplot
