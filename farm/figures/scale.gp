# SPDX-License-Identifier: BSD-3-Clause
# scale.gp: batches a second of a master over the number of its workers, with what LogGP says.
#     gnuplot -e "results='a.txt'; figure='x.svg'" scale.gp
# caption: Batches a second of one master and its workers over their number, for the smallest and
# caption: the largest batch. Dashed: LogGP: the workers' rate, a batch every computing time and
# caption: round trip, until the master's overheads of receiving a result and sending a batch are
# caption: the limit. Thin: workers that never wait.
name = "scale"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/scale.gp"
if (!drawable) { exit }

batches = distinct("batch_units")
batches = words(batches) > 1 ? word(batches, 1)." ".word(batches, words(batches)) : batches
of(b) = "units_per_s workers batch_units=".b
# What a unit takes one worker, microseconds: as asked for, or of the rate with the fewest workers
# and the largest batch, where the messages are few.
largest = word(batches, words(batches))
work = meta("work")
unit_us = work[1:5] eq "spin:" ? real(work[6:*]) : \
    real(system(rows(of(largest))[3:*]." | awk '$2 > 0 { print 1e6 * $1 / $2; exit }'"))
result_bytes = 24
batch_bytes(b) = 4 * b + 8
turn_us(b) = b * unit_us + message(batch_bytes(b)) + message(result_bytes)
master_us(b) = o_receive(result_bytes) + larger(o_send(batch_bytes(b)), spacing(batch_bytes(b)))
smaller(x, y) = x < y ? x : y
loggp_per_s(w, b) = 1e6 * smaller(w / turn_us(b), 1 / master_us(b))
points = "7 5"
set_span = span("workers")
set xrange [first_number / 1.3:last_number * 1.3]
set xlabel "workers"
set ylabel "batches a second"
eval prefixed_axis("y", 1, "")
x_unit = "workers"
y_unit = "batches/s"
own_title(b) = sprintf("%s, batches of %s", simulated_word, b)
set title sprintf("Batches of one master over the number of workers\n{/*0.75 %s}", escape(subtitle))
plot for [k = 1:words(batches)] rows(of(word(batches, k))) using 1:($2 / word(batches, k)) \
        with points pointtype int(word(points, k)) pointsize 1 linecolor rgb colour(k) \
        title own_title(word(batches, k)), \
    for [k = 1:words(batches)] other_rows(of(word(batches, k))) \
        using 1:(other($2 / word(batches, k))) with points linestyle 5 \
        title words(others) && k == 1 ? others_title : "", \
    for [k = 1:words(batches)] $powers using (within($1) * with_model): \
        (loggp_per_s($1, real(word(batches, k)))) @model_look colour(k) \
        title has_loggp && k == 1 ? "LogGP" : "", \
    for [k = 1:words(batches)] $powers using (within($1)): \
        (1e6 * $1 / (unit_us * word(batches, k))) with lines linecolor rgb light_grey \
        linewidth 0.8 title k == 1 ? "workers that never wait" : "", \
    for [k = 1:words(batches)] rows(of(word(batches, k))) \
        using (hover_at($1, $2 / word(batches, k))):(hover_y): \
        (hover_text(own_title(word(batches, k)), $3 / word(batches, k), $4 / word(batches, k))) \
        @hover notitle, \
    for [k = 1:words(batches)] $powers using (hover_at(within($1) * with_model, \
        loggp_per_s($1, real(word(batches, k))))):(hover_y):(hover_text("LogGP", NaN, NaN)) \
        @hover notitle
