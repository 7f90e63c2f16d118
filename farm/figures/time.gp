# SPDX-License-Identifier: BSD-3-Clause
# time.gp: time of 10^6 units over the batch size, a line
# for each number of workers (cm-farm --series).
#     gnuplot -e "result='r.txt'; figure='x.svg'" time.gp
# caption: Time of a million units over the size of a batch, a line for each number of workers, both
# caption: scales logarithmic; bars: the interval of the median (column interval).
# caption: Grey and open: the first table of pelikan-2007.
name = "time"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."farm.gp"
if (!drawable) { load refused; exit }

scale = 1e6 / real(meta("units"))
set title sprintf("Time of 10^6 units by one master\n{/*0.8 %s}", escape(subtitle))
set ylabel "time (s)"
plot for [k = 1:words(paper_workers)] over_batches("time", word(paper_workers, k)) using 1:2 \
        with linespoints linecolor rgb grey(k) dashtype 3 pointtype open_point(k) pointsize 1.1 \
        title "pelikan-2007, ".plural(word(paper_workers, k)), \
    for [k = 1:words(workers)] result using "batch_units":(of_workers(word(workers, k) + 0, \
        scale * column("median_s"))):(scale * column("low_s")):(scale * column("high_s")) \
        with yerrorbars linecolor rgb colour(k) pointtype point(k) pointsize 0.4 notitle, \
    for [k = 1:words(workers)] result using "batch_units":(of_workers(word(workers, k) + 0, \
        scale * column("median_s"))) with linespoints linecolor rgb colour(k) linewidth 1.8 \
        pointtype point(k) pointsize 0.9 title plural(word(workers, k))
