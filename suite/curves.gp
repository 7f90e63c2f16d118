# SPDX-License-Identifier: BSD-3-Clause
# curves.gp: the rows of any number of results in one figure: the medians of a column over another
# one, with a panel for each value of a third. `clustermark compare` draws it for the runs whose
# manifest has a line curves.
#     gnuplot -e "results='a.txt b.txt'; titles='TCP MPI'; figure='x.svg'; heading='Ping'; \
#                 curves='median_s size_bytes transfer'" curves.gp
# curves: "Y X [PANEL] [COLUMN=VALUE] ...": the last ones choose rows, COLUMN=max those with the
# largest number. A title with blanks goes in double quotes.
name = "curves"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
if (!exists("results") || words(results) == 0 || !exists("curves") || words(curves) < 2) {
    print "usage: gnuplot -e \"results='A.txt B.txt'; titles='A B'; figure='FIGURE.svg'; ". \
          "curves='Y X [PANEL] [COLUMN=VALUE] ...'\" ".ARG0
    exit status 2
}
if (!exists("titles")) { titles = results }
if (words(titles) != words(results)) {
    print sprintf("figure: %d titles for %d results", words(titles), words(results))
    exit status 2
}
if (!exists("heading")) { heading = word(curves, 1)." over ".word(curves, 2) }
if (!exists("figure")) { figure = name.".svg" }

array Title[words(results)]
array Counted[words(results)]
drawn = ""
shown = "" # their numbers
do for [k = 1:words(results)] {
    result = word(results, k)
    load here."clustermark.gp"
    Title[k] = escape(word(titles, k)).(drawable ? "" : ": ".why)
    Counted[k] = value_word
    drawn = drawn.(drawable ? " ".quote(result) : "")
    shown = shown.(drawable ? sprintf(" %d", k) : "")
}
if (words(drawn) == 0) {
    why = "Not drawn: none of the results can be (all oversubscribed, failed or without a metric)."
    load refused
    exit
}

y = word(curves, 1)
x = word(curves, 2)
names = ""
told(what, value, files) = "awk -v curves=".quote(curves)." -v what=".what." -v value=". \
    quote(value)." -v names=".quote(names)." -f ".quote(here."curves.awk")." ".files
names = system(told("names", "", drawn))
panels = system(told("panels", "", drawn))
by = word(panels, 1)
n = words(panels) - 1
if (n == 0) { why = "Not drawn: no row has both ".x." and ".y."."; load refused; exit }
of(k, p) = "< ".told("rows", word(panels, p + 1), quote(word(results, int(k))))
all_of(p) = "< ".told("rows", word(panels, p + 1), drawn)

wide = n < 3 ? n : n < 5 ? 2 : n < 10 ? 3 : 4
high = (n + wide - 1) / wide
left = 0.125
low = 0.235
across = (0.985 - left) / wide
down = (0.87 - low) / high
point(k) = mark(k)

x_unit = x
y_unit = ""
# "1000000 B/s" of MB_per_s, "1 s" of median_s, "1 B" of size_bytes: what the values of a column
# are; "": not known, or a rate of things.
unit_of(name) = system("echo ".name." | awk '/(B|bit|flop|LUP)_per_s$/ { ". \
    "sub(/_per_s$/, \"/s\"); sub(/.*_/, \"\"); p = index(\"kMG\", substr($0, 1, 1)); ". \
    "print 1000 ^ p, substr($0, p ? 2 : 1); exit } /_per_s$/ { exit } ". \
    "/_[mun]?s$/ { sub(/.*_/, \"\"); p = index(\"mun\", substr($0, 1, 1)); ". \
    "printf \"%.9f s\", 1 / 1000 ^ p; exit } /_bytes$/ { print 1, \"B\" }'")
x_of = unit_of(x)
y_of = unit_of(y)
set multiplot
set label 1 escape(heading) at screen 0.5, 0.965 center font title_font
set label 2 sprintf("%d results", words(results)) at screen 0.5, 0.932 center font note_font
set label 3 x at screen 0.5, low - 0.085 center noenhanced
set label 4 y at screen 0.013, (0.87 + low) / 2 center rotate by 90 noenhanced
# All panels have one axis of sizes, each its own of values.
stats all_of(1) using 1 nooutput name "X"
least = X_min
most = X_max
do for [p = 2:n] {
    stats all_of(p) using 1 nooutput name "X"
    least = X_min < least ? X_min : least
    most = X_max > most ? X_max : most
}
if (words(names)) {
    set xrange [least - 0.4:most + 0.4]
    unset xtics
    set xtics nomirror ("" 0)
    do for [i = 1:words(names)] { set xtics add (word(names, i) i) }
} else {
    set logscale x
    set xrange [least / 1.3:most * 1.3]
}
# Where an axis is short, more than powers of ten stand on it.
short_(low_, high_) = high_ / low_ < 300
steps(low_, high_) = high_ / low_ < 5 ? "1 1.5 2 2.5 3 4 5 6 7 8 9" : "1 2 5"
number(least_, v) = least_ < 1e-2 || least_ >= 1e5 ? short_number(v) : gprintf("%g", v)
if (!words(names) && short_(least, most)) {
    unset xtics
    set xtics nomirror font key_font
    set xtics (1)
    do for [e = floor(log10(least)):ceil(log10(most))] { do for [d in "1 2 5"] {
        set xtics add (number(least, d * 10.0**e) d * 10.0**e)
    } }
}
if (!words(names) && words(x_of)) {
    x_size = real(word(x_of, 1))
    x_tics = short_(least, most) ? prefixed_log_axis("x", least, most, x_size, word(x_of, 2)) \
        : prefixed_every("x", x_size, word(x_of, 2), n > 1 ? 2 : 1)
    eval x_tics
    set xtics font key_font
}
# Columns of curves.awk.
at_interval = 8
at_n = 9
unset key
do for [p = 1:n] {
    set yrange [*:*] # stats leaves out what is beyond a range
    stats all_of(p) using 2 nooutput name "Y"
    set lmargin at screen left + ((p - 1) % wide) * across
    set rmargin at screen left + ((p - 1) % wide + 1) * across - (wide > 1 ? 0.06 : 0)
    set tmargin at screen 0.87 - ((p - 1) / wide) * down - (n > 1 ? 0.025 : 0)
    set bmargin at screen 0.87 - ((p - 1) / wide + 1) * down + (high > 1 ? 0.045 : 0)
    if (words(names)) { set yrange [0:1.15 * Y_max] } else {
        set logscale y
        set yrange [Y_min / 1.15:Y_max * 1.15]
    }
    unset ytics
    set ytics nomirror font key_font
    set format y words(names) ? "%g" : "10^{%L}"
    if (!words(names) && short_(Y_min, Y_max)) {
        set ytics (1)
        do for [e = floor(log10(Y_min)):ceil(log10(Y_max))] { do for [d in steps(Y_min, Y_max)] {
            set ytics add (number(Y_min, d * 10.0**e) d * 10.0**e)
        } }
    }
    if (words(y_of) && Y_max > 0) {
        y_size = real(word(y_of, 1))
        y_tics = words(names) ? prefixed_linear("y", 1.15 * Y_max, y_size, word(y_of, 2)) \
            : prefixed_log_axis("y", Y_min, Y_max, y_size, word(y_of, 2))
        eval y_tics
        set ytics font key_font
    }
    if (n > 1) {
        set label 5 by." ".word(panels, p + 1) at graph 0, 1.07 left font note_font noenhanced
    }
    plot for [k in shown] of(k, p) using 1:5:(0):($6 - $5) \
            @within_bars pale(colour(int(k))) \
            title both(Title[int(k)], any_within), \
        for [k in shown] of(k, p) using 1:2:3:4 with yerrorbars \
            linecolor rgb colour(int(k)) linewidth 0.7 pointtype -1 \
            title both(Title[int(k)], any_interval), \
        for [k in shown] of(k, p) using 1:2 with linespoints \
            linecolor rgb colour(int(k)) linewidth 1.4 dashtype dashes_of(k) \
            pointtype point(int(k)) pointsize 0.5 title Title[int(k)], \
        for [k in shown] of(k, p) using ($7 > 0 ? $1 : NaN):2 \
            @open_marks colour(int(k)) \
            title both(Title[int(k)], any_disturbed), \
        for [k in shown] of(k, p) using (hover_at($1, $2)):(hover_y): \
            (value_word = Counted[int(k)], hover_text(Title[int(k)], $3, $4)) @hover notitle
    unset label 1
    unset label 2
    unset label 3
    unset label 4
}
# One key for all panels.
unset border
unset tics
unset grid
unset logscale
unset label 5
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen low - 0.105
set bmargin at screen 0.005
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, low - 0.105 center top horizontal maxcols 3 font note_font
plot for [k = 1:words(results)] @nowhere with linespoints linecolor rgb colour(k) \
        linewidth 1.4 dashtype dashes_of(k) pointtype point(k) title Title[k], \
    @nowhere:(0):(0) @within_bars pale(papers) title any_within, \
    @nowhere:(0):(0) with yerrorbars linecolor rgb papers linewidth 0.7 pointtype -1 \
        title any_interval, \
    @nowhere @open_marks papers title any_disturbed
unset multiplot
