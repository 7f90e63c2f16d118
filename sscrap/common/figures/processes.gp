# SPDX-License-Identifier: BSD-3-Clause
# processes.gp: clock cycles per item over the number of processes, a curve for each number of
# items; as in figures 3 and 4 of ben-fradj-2003. second='r2.txt' adds the curves of another network
# or backend.
#     gnuplot -e "result='r.txt'; figure='x.svg'" processes.gp
# sizes='1000000 8000000' chooses the curves; the default is the largest, up to four.
# caption: Clock cycles per item over the number of processes, one curve for each number of items,
# caption: as in figures 3 and 4 of ben-fradj-2003. Dotted: the work of one process divided among p
# caption: processes without loss. Bars: the interval of the median (column interval).
name = "processes"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
is_alone = alone("processes", "number of processes")
if (!drawable) { load refused; exit }
load here."axes.gp"
x_unit = "processes"

first = 1
if (!exists("sizes")) {
    sizes = values(result, "size")
    first = words(sizes) > 4 ? words(sizes) - 3 : 1
}
stats result using "processes" nooutput name "P"
set title meta("program").": clock cycles per item over processes\n{/*0.75 ".escape(subtitle)."}"
# On the axis, because the key is full.
set xlabel has(result, "processes", 1) \
    ? "processes (dotted: the work of one, divided without loss)" : "processes"
set xrange [P_min / 1.1:P_max * 1.1]
unset xtics
set xtics nomirror
set xtics ("1" 1)
do for [p = 2:P_max] {
    if (p <= 8 || p % (p <= 16 ? 2 : 8) == 0) { set xtics add (sprintf("%d", p) p) }
}
of(k) = column("size") == real(word(sizes, k)) ? column("processes") : NaN
size(k) = millions(real(word(sizes, k)))
title_of(file, k) = has(file, "size", real(word(sizes, k))) \
    ? over(file).size(k)." ".meta("item") : ""
alone(k) = real(system(sprintf("awk -v key=cycles_per_item -v size=%s ".\
        "'%s$1 == 1 && $2 == size { print $at; exit }' %s", \
        word(sizes, k), column_of, quote(result))))
# Rows of other sizes between two rows of one size must not break its line.
set datafile missing NaN
# What is below 0 is not on the axis, yet not missing.
within(end) = has_within ? cycles("within_".end."_s") : -1
mark(x) = is_disturbed(0) ? column("cycles_per_item") : -1
array Alone[words(sizes)]
do for [k = first:words(sizes)] { Alone[k] = has(result, "processes", 1) ? alone(k) : NaN }
plot for [k = first:words(sizes)] result using (of(k)):(Alone[k] / column("processes")) with lines \
        linestyle 3 dashtype (2, 4) linecolor rgb own_colour(k - first + 1) notitle, \
    for [k = first:words(sizes)] result using (of(k)):(within("low")):(0): \
        (within("high") - within("low")) @within_bars pale(own_colour(k - first + 1)) \
        title k == first ? within_title : "", \
    for [k = first:words(sizes)] result using (of(k)):"cycles_per_item":(cycles("low_s")): \
        (cycles("high_s")) with yerrorbars linestyle 4 dashtype 1 \
        linecolor rgb own_colour(k - first + 1) \
        title k == first ? interval_title : "", \
    for [k = first:(two ? words(sizes) : 0)] second \
        using (of(k)):"cycles_per_item":(cycles("low_s")):(cycles("high_s")) \
        with yerrorbars linecolor rgb beside_color linewidth 0.7 pointtype 0 notitle, \
    for [k = first:words(sizes)] result using (of(k)):"cycles_per_item" \
        with linespoints linestyle 1 \
        linecolor rgb own_colour(k - first + 1) pointtype filled(k - first + 1) pointsize 0.9 \
        title title_of(result, k), \
    for [k = first:words(sizes)] result using (of(k)):(mark(0)) with points \
        pointtype filled(k - first + 1) pointsize 1 linecolor rgb ground notitle, \
    for [k = first:words(sizes)] result using (of(k)):(mark(0)) with points \
        linestyle 1 linecolor rgb own_colour(k - first + 1) \
        pointtype filled(k - first + 1) - 1 pointsize 0.9 \
        title k == first ? disturbed_title : "", \
    for [k = first:words(sizes)] result \
        using (hover_at(of(k), column("cycles_per_item"))):(hover_y): \
        (hover_text(title_of(result, k), cycles("low_s"), cycles("high_s"))) @hover notitle, \
    for [k = first:(two ? words(sizes) : 0)] second using (of(k)):"cycles_per_item" \
        with linespoints linestyle 5 pointtype filled(k - first + 1) pointsize 0.9 \
        title title_of(second, k)
