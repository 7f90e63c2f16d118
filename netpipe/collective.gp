# SPDX-License-Identifier: BSD-3-Clause
# collective.gp: time of collective operations over size, a line an algorithm, a panel an operation.
#     gnuplot -e "result='r.txt'; figure='x.svg'" collective.gp
# caption: Time of collective operations, the slowest rank's, median, over the size of message,
# caption: vector or block; a panel an operation, a line an algorithm of the layer (native: the
# caption: MPI's own; auto: the layer chooses). Back to back where that was measured, else separated
# caption: by barriers. Bars: 95 % confidence interval. Of a barrier, which has no size, a mark an
# caption: algorithm.
name = "collective"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper_collective.dat"
load here."../suite/clustermark.gp"
if (!drawable) { load refused; exit }

rows = "grep -v '^#' ".quote(result)." | tail -n +2 | "
repetition = int(system(rows."awk '{ print $4 }' | sort -n | head -n 1"))
operations = system(rows."awk '{ print $1 }' | sort -un")
# Kinds and parameters in the order of their numbers: "2:0 4:1 4:3".
kinds = system(rows."awk '{ print $2 \":\" $3 }' | sort -t : -u -k1,1n -k2,2n")
kind(a) = a[1:strstrt(a, ":") - 1]
parameter(a) = a[strstrt(a, ":") + 1:*]
titles = "auto native linear binomial tree chain ring doubling scatter-allgather"
title_of(a) = word(titles, int(kind(a)) + 1).(kind(a) eq "4" || kind(a) eq "5" ? ":".parameter(a) : "")
names = "barrier bcast reduce allreduce gather scatter allgather alltoall"
colors = "#000000 #000000 #c2571a #1b5e9e #2a8c6a #8e6bb0 #b8860b #b03060 #4a9fb5"
color(a) = word(colors, int(kind(a)) + 1)
# Trees and chains of several parameters: the same color, other dashes.
turn(i) = i == 1 || kind(word(kinds, i)) ne kind(word(kinds, i - 1)) ? 1 : turn(i - 1) + 1

rows_of(o, a) = "< ".rows."awk '$1 == ".o." && $4 == ".repetition." && $2 == ".kind(a). \
    " && $3 == ".parameter(a)."' | sort -n -k13,13 -k5,5 | awk '$13 != s && NR > 1 { print \"\" } " \
    ."{ s = $13; print } END { if (!NR) print \"nan nan nan nan nan nan nan nan nan nan nan\" }'"
n = words(operations)
wide = n > 4 ? 4 : n
high = (n + wide - 1) / wide
how = repetition == 1 ? "back to back" : "separated by barriers"
set logscale xy
unset key
set format x "10^{%L}"
set format y "10^{%L}"
set multiplot
set label 1 "Collective operations by algorithm, ".how at screen 0.5, 0.965 center font ",14"
set label 2 subtitle at screen 0.5, 0.932 center font ",10.5" noenhanced
set label 3 "microseconds" at screen 0.018, 0.56 center rotate by 90
set label 4 "bytes of message, vector or block" at screen 0.5, 0.155 center
left = 0.075
bottom = 0.215
width = (0.985 - left) / wide
height = (0.9 - bottom) / high
stats result using (column("repetition") == repetition ? 1e6 * column("median_s") : NaN) nooutput name "T"
stats result using (column("size_bytes") > 0 ? column("size_bytes") : 1) nooutput name "S"
set yrange [10 ** floor(log10(T_min)):10 ** ceil(log10(T_max * 1.01))]
set xrange [S_min / 1.5:(S_max > S_min ? S_max : 2 * S_max) * 1.5]
do for [k = 1:n] {
    o = word(operations, k)
    row_ = (k - 1) / wide
    column_ = (k - 1) % wide
    set lmargin at screen left + column_ * width
    set rmargin at screen left + (column_ + 1) * width - 0.028
    set tmargin at screen 0.9 - row_ * height - 0.035
    set bmargin at screen 0.9 - (row_ + 1) * height + 0.03
    set label 5 word(names, int(o)) at graph 0.03, 1.05 left font ",11.5"
    if (column_ == 0) { set format y "10^{%L}" } else { set format y "" }
    # A barrier's marks stand side by side.
    x(i, s) = s > 0 ? s : 10 ** (log10(S_min) + (i - 0.5) / words(kinds) * log10(S_max / S_min))
    plot for [i = 1:words(kinds)] rows_of(o, word(kinds, i)) \
        using (x(i, $5)):(1e6 * $8):(1e6 * $9):(1e6 * $10) with yerrorbars pointtype 7 pointsize 0 \
        linewidth 0.7 linecolor rgb color(word(kinds, i)) notitle, \
        for [i = 1:words(kinds)] rows_of(o, word(kinds, i)) \
        using (x(i, $5)):(1e6 * $8) with linespoints linewidth 1.5 dashtype turn(i) \
        pointtype (int(o) == 1 ? 7 : 4 + turn(i)) pointsize (int(o) == 1 ? 0.8 : 0.4) \
        linecolor rgb color(word(kinds, i)) notitle
    unset label 1
    unset label 2
    unset label 3
    unset label 4
}
# One key for all panels.
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen 0.125
set bmargin at screen 0.005
unset border
unset tics
unset grid
unset logscale
unset label 5
set xrange [0:1]
set yrange [0:1]
set key inside center center horizontal maxcols 6 samplen 2.5 font ",10.5"
plot for [i = 1:words(kinds)] NaN with linespoints linewidth 1.5 dashtype turn(i) \
    pointtype 4 + turn(i) pointsize 0.6 linecolor rgb color(word(kinds, i)) \
    title title_of(word(kinds, i))
unset multiplot
