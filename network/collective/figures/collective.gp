# SPDX-License-Identifier: BSD-3-Clause
# collective.gp: time of collective operations over size, a line an algorithm, a panel an operation.
#     gnuplot -e "result='r.txt'; figure='x.svg'" collective.gp
# repetition='separated' draws that repetition: back-to-back, separated (by barriers) or window
# (begun together). Default: back-to-back if it was measured.
# caption: Time of collective operations (median of the slowest rank's time) over the size of the
# caption: message, vector or block. Each operation has a panel, each algorithm a line (auto: the
# caption: MPI's own; over other backends chosen by the layer). If several numbers of ranks were
# caption: measured, the largest is drawn. Operations ran back to back if that was measured,
# caption: otherwise separated by barriers or windows. Bars: interval of the median (95 %
# caption: confidence, or minimum to maximum with fewer than six samples). A barrier has no size;
# caption: each algorithm has a mark. Thin, open marks in the same colours: a further result
# caption: (--beside).
name = "collective"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

rows = "grep -v '^#' ".quote(result)." | tail -n +2 | "
if (!exists("repetition")) {
    repetition = system(rows."awk '!b { b = (r = $4) == \"back-to-back\" } END { print r }'")
}
ranks = int(system(rows."awk '{ print $19 }' | sort -n | tail -n 1"))
operations = system(rows."awk '!seen[$1]++ { print $1 }'")
# Algorithms with their parameters, in the order of algorithms.gp: "linear:0 tree:1 tree:3".
load here."algorithms.gp"
kinds = system(rows."awk -v all='".algorithms."' 'BEGIN { for (n = split(all, a, \" \"); n; n--) " \
    ."place[a[n]] = n } { print place[$2] + 0, $3, $2 \":\" $3 }' | sort -u -k1,1n -k2,2n " \
    ."| awk '{ print $3 }'")
kind(a) = a[1:strstrt(a, ":") - 1]
parameter(a) = a[strstrt(a, ":") + 1:*]
place_of(name) = words(algorithms[1:strstrt(" ".algorithms." ", " ".name." ")])
counted = " ".system(rows."awk '$3 > 0 { print $2 }' | sort -u | tr '\\n' ' '")." "
has_parameter(a) = strstrt(counted, " ".kind(a)." ") > 0
title_of(a) = kind(a).(has_parameter(a) ? ":".parameter(a) : "")
# The defaults (auto, native) are dark and wide; the algorithms that one can choose are not.
colors = ink." ".ink." ".vermillion." ".blue." ".green." ".purple." ".orange." ". \
    mid_orange." ".sky." ".olive
wide_line(a) = place_of(kind(a)) <= 2 ? 2.6 : 1.4
color(a) = word(colors, (place_of(kind(a)) + words(colors) - 1) % words(colors) + 1)
# Trees and chains of several parameters have the same color and different dashes.
point(i) = mark(place_of(kind(word(kinds, i))))
turn(i) = i == 1 || kind(word(kinds, i)) ne kind(word(kinds, i - 1)) ? 1 : turn(i - 1) + 1

# The rows of each operation and algorithm are a block, in the order of these lists; one without
# rows has a row of zeros, which no axis shows.
load "< ".rows."sort -n -k20,20 -k5,5 | awk -v name=own -v ranks=".ranks." -v repetition=". \
    repetition." -v operations=".quote(operations)." -v kinds=".quote(kinds)." -f ". \
    quote(here."blocks.awk")
# Those of a further result, on its own largest number of ranks.
rows_beside = "grep -v '^#' ".quote(beside_file)." | tail -n +2 | "
ranks_beside = int(system(rows_beside."awk '{ print $19 }' | sort -n | tail -n 1"))
load "< ".rows_beside."sort -n -k20,20 -k5,5 | awk -v name=further -v ranks=".ranks_beside. \
    " -v repetition=".repetition." -v operations=".quote(operations)." -v kinds=". \
    quote(kinds)." -f ".quote(here."blocks.awk")
block(k, i) = (k - 1) * words(kinds) + i - 1
at_within = number_of("within_low_s")
within_us(end) = has_within ? 1e6 * column(at_within + end) : NaN
n = words(operations)
wide = n > 8 ? 5 : n > 4 ? 4 : n
high = (n + wide - 1) / wide
how = repetition eq "back-to-back" ? "back to back" \
    : repetition eq "separated" ? "separated by barriers" \
    : repetition eq "non-blocking" ? "non-blocking" : "begun together (windows)"
on = ranks == 1 ? "one rank" : sprintf("%d ranks", ranks)
set logscale xy
unset key
set format x "10^{%L}"
set format y "10^{%L}"
set multiplot
set label 1 "Collective operations by algorithm, ".on.", ".how \
    at screen 0.5, 0.965 center font title_font
set label 2 subtitle at screen 0.5, 0.932 center font note_font noenhanced
set label 3 "time" at screen 0.012, 0.53 center rotate by 90
set label 4 "size of message, vector or block" at screen 0.5, 0.175 center
left = 0.1
bottom = 0.215
width = (0.985 - left) / wide
height = (0.9 - bottom) / high
drawn(x) = strcol("repetition") eq repetition && column("ranks") == ranks ? x : NaN
stats result using (drawn(1e6 * column("median_s"))) nooutput name "T"
stats result using (column("size_bytes") > 0 ? column("size_bytes") : 1) nooutput name "S"
set mxtics 1
set mytics 1
set xtics 100 font note_font
set ytics 10 font note_font
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
    set label 5 o at graph 0.0, 1.09 left font panel_font noenhanced
    if (column_ == 0) { eval prefixed_every("y", 1e-6, "s", 2) } \
    else { unset ytics; set ytics 10 nomirror; set format y "" }
    set ytics font note_font
    # Only the lowest panel of a column has the numbers.
    if (k + wide > n && o ne "barrier") { eval prefixed_every("x", 1, "B", 3) } \
    else { unset xtics; set xtics 100 nomirror; set format x "" }
    set xtics font note_font
    x_unit = o eq "barrier" ? "" : "bytes"
    # A barrier's marks are side by side.
    x(i, s) = s > 0 ? s : 10 ** (log10(S_min) + (i - 0.5) / words(kinds) * log10(S_max / S_min))
    plot for [i = 1:words(kinds)] $own index block(k, i) \
        using (x(i, $5)):(within_us(0)):(0):(within_us(1) - within_us(0)) \
        @within_bars pale(color(word(kinds, i))) \
        title both(title_of(word(kinds, i)), within_title), \
        for [i = 1:words(kinds)] $own index block(k, i) \
        using (x(i, $5)):(1e6 * $8):(1e6 * $9):(1e6 * $10) with yerrorbars pointtype -1 \
        linewidth 0.7 linecolor rgb color(word(kinds, i)) \
        title both(title_of(word(kinds, i)), interval_title), \
        for [i = words(kinds):1:-1] $own index block(k, i) \
        using (x(i, $5)):(1e6 * $8) with linespoints linewidth wide_line(word(kinds, i)) \
        dashtype turn(i) \
        pointtype point(i) pointsize (o eq "barrier" ? 0.9 : 0.5) \
        linecolor rgb color(word(kinds, i)) title title_of(word(kinds, i)), \
        for [i = words(kinds):1:-1] $own index block(k, i) \
        using (disturbed(x(i, $5))):(1e6 * $8) @open_marks color(word(kinds, i)) \
        title both(title_of(word(kinds, i)), disturbed_title), \
        for [i = words(kinds):1:-1] $further index block(k, i) \
        using (beside(x(i, $5))):(1e6 * $8) with linespoints linewidth 0.8 dashtype 3 \
        pointtype 6 pointsize (o eq "barrier" ? 1 : 0.7) linecolor rgb color(word(kinds, i)) \
        title both(title_of(word(kinds, i)), beside_title), \
        for [i = 1:words(kinds)] $own index block(k, i) \
        using (hover_at(x(i, $5), $8 > 0 ? 1e6 * $8 : NaN)):(hover_y): \
        (hover_text(title_of(word(kinds, i)), 1e6 * $9, 1e6 * $10)) @hover notitle
    unset label 1
    unset label 2
    unset label 3
    unset label 4
}
# One key for all panels.
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen 0.15
set bmargin at screen 0.005
unset border
unset tics
unset grid
unset logscale
unset label 5
set xrange [0:1]
set yrange [0:1]
set key inside center center horizontal maxcols 5 samplen 1.5 font key_font
plot for [i = 1:words(kinds)] NaN with linespoints linewidth wide_line(word(kinds, i)) \
    dashtype turn(i) \
    pointtype point(i) pointsize 0.6 linecolor rgb color(word(kinds, i)) \
    title title_of(word(kinds, i)), \
    @nowhere:(0):(0) @within_bars pale(colors[1:7]) title within_title, \
    @nowhere:(0):(0) with yerrorbars linewidth 0.7 pointtype -1 linecolor rgb colors[1:7] \
    title interval_title, \
    @nowhere @open_marks colors[1:7] title disturbed_title, \
    @nowhere with linespoints linewidth 0.8 dashtype 3 pointtype 6 linecolor rgb colors[1:7] \
    title beside_title
unset multiplot
