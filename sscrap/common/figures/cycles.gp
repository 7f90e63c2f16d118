# SPDX-License-Identifier: BSD-3-Clause
# cycles.gp: clock cycles per item over the number of items, a curve for each number of processes;
# as in figures 1 and 2 of ben-fradj-2003. second='r2.txt' adds the curves of another network or
# backend.
#     gnuplot -e "result='r.txt'; figure='x.svg'" cycles.gp
# caption: Clock cycles per item (time of the slowest process times the clock rate, divided by the
# caption: number of items) over the number of items, one curve for each number of processes, as in
# caption: figures 1 and 2 of ben-fradj-2003, which print no numbers. Bars: the interval of the
# caption: median (column interval).
name = "cycles"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
is_alone = alone("items", "number of items")
if (!drawable) { load refused; exit }
load here."axes.gp"

stats result using "items" nooutput name "S"
stats result using "processes" nooutput name "P"
set title meta("program").": clock cycles per item over ".meta("item"). \
    "\n{/*0.75 ".escape(subtitle)."}"
# The key has the marks of both.
set xlabel meta("item").(two ? sprintf(" (blue: %s, green: %s)", network(result), \
                                       network(second)) : "")
set xrange [S_min / 1.2:S_max * 1.2]
of(p) = column("processes") == p ? column("items") : NaN
title_of(file, p) = has(file, "processes", p) ? processes(p) : ""
sizes = values(result, "items")
if (words(sizes) < 8) {
    set xtics ("" 1)
    do for [n in sizes] { set xtics add (millions(real(n)) real(n)) }
}
if (P_max > 8) {
    eval key_rows(7)
}
first(p, text) = p == P_min ? text : ""
plot for [p = P_min:P_max] result using (of(p)):(cycles("within_low_s")):(0): \
        (cycles("within_high_s") - cycles("within_low_s")) @within_bars pale(own_colour(p)) \
        title first(p, within_title), \
    for [p = P_min:P_max] result using (of(p)):"cycles_per_item":(cycles("low_s")): \
        (cycles("high_s")) with yerrorbars linestyle 4 dashtype 1 \
        linecolor rgb own_colour(p) title first(p, interval_title), \
    for [p = P_min:(two ? P_max : 0)] second using (of(p)):"cycles_per_item":(cycles("low_s")): \
        (cycles("high_s")) with yerrorbars linecolor rgb beside_color linewidth 0.7 pointtype 0 \
        notitle, \
    for [p = P_min:P_max] result using (of(p)):"cycles_per_item" with linespoints linestyle 1 \
        linecolor rgb own_colour(p) pointtype filled(p) pointsize 0.9 title title_of(result, p), \
    for [p = P_min:P_max] result using (disturbed(of(p))):"cycles_per_item" with points \
        pointtype filled(p) pointsize 1 linecolor rgb ground notitle, \
    for [p = P_min:P_max] result using (disturbed(of(p))):"cycles_per_item" with points \
        linestyle 1 linecolor rgb own_colour(p) pointtype filled(p) - 1 pointsize 0.9 \
        title first(p, disturbed_title), \
    for [p = P_min:P_max] result using (hover_at(of(p), column("cycles_per_item"))):(hover_y): \
        (hover_text(processes(p), cycles("low_s"), cycles("high_s"))) @hover notitle, \
    for [p = P_min:(two ? P_max : 0)] second using (of(p)):"cycles_per_item" \
        with linespoints linestyle 5 pointtype filled(p) pointsize 0.9 notitle
