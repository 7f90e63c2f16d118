# SPDX-License-Identifier: BSD-3-Clause
# speedup.gp: speed-up of 2, 4... ranks over n, and efficiency over the ranks.
#     gnuplot -e "result='r.txt'; figure='x.svg'" speedup.gp
# caption: QUIPS of several ranks divided by those of one rank with the same kernel. Left: over the
# caption: number of subintervals. Right: divided by the number of ranks (efficiency), over that
# caption: number. With --copies the QUIPS are those of all copies together. Below some thousand
# caption: subintervals per rank the reduction takes longer than the work.
name = "speedup"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

# n, ranks and speed-up of the first type and kernel.
# And whether one of both rows was disturbed.
flag = at_disturbed && at_summarized ? \
    sprintf("($%d > 0 && $%d == \"all\")", at_disturbed, at_summarized) : "0"
words_of = "!/^#/ && $1 + 0 > 0 { if (!t) { t = $8; k = $9 } if ($8 == t && $9 == k) " . \
    "{ if ($10 == 1) { one[$1] = $11; f[$1] = ".flag." } " . \
    "else { n[++c] = $1; p[c] = $10; q[c] = $11; g[c] = ".flag." } } } "
pairs = "< awk '".words_of."END { for (i = 1; i <= c; i++) if (n[i] in one) " . \
    "print n[i], p[i], q[i] / one[n[i]], (g[i] || f[n[i]]) + 0 }' ".quote(result)
counts = system("awk '!/^#/ && $10 + 0 > 1 && !s[$10]++ { printf \"%d \", $10 }' ".quote(result))
there = system("awk '".words_of."END { for (i = 1; i <= c; i++) if (n[i] in one) " . \
    "print n[i] }' ".quote(result)." | head -n 1")
if (words(counts) == 0 || words(there) == 0) {
    why = "Not drawn: the result has no runs on one and on several ranks (--speed-up)."
    load refused
    exit
}
stats pairs using 1:3 nooutput name "S"
most = real(word(counts, words(counts)))

# For each decade of n, the nearest size above it.
size_of(e) = real(system(sprintf("awk '%sEND { for (i = 1; i <= c; i++) " . \
    "if (n[i] in one && n[i] >= %g) { print n[i]; exit } }' %s", \
    words_of, 10.0 ** e, quote(result))))
first_decade = ceil(log10(S_min_x))
last_decade = floor(log10(S_max_x))
array Size[last_decade + 2]
do for [e = first_decade:last_decade] { Size[e + 1] = size_of(e) }

# Ranks and efficiency at a size; the efficiency of one rank is 1.
efficiencies(n) = sprintf("< awk '%sEND { print 1, 1; for (i = 1; i <= c; i++) " . \
    "if (n[i] == %d && n[i] in one) print p[i], q[i] / one[n[i]] / p[i] }' %s", \
    words_of, n, quote(result))

set multiplot
set tmargin at screen 0.85
set bmargin at screen 0.30
set label 1 "HINT: ".meta("decomposition") at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set lmargin at screen 0.105
set rmargin at screen 0.475
set logscale x
set xrange [S_min_x / 1.3:S_max_x * 1.3]
x_unit = "subintervals"
y_unit = "times one rank"
set xlabel "subintervals"
set ylabel "speed-up"
set yrange [0:1.1 * (S_max_y > most ? S_max_y : most)]
set key at screen 0.285, 0.17 center top horizontal maxcols 3 samplen 2 font key_font
plot for [i = 1:words(counts)] pairs using 1:($2 == real(word(counts, i)) ? $3 : NaN) \
        with linespoints linecolor rgb colour(i) linewidth 1.5 pointtype mark(i) \
        dashtype dashes_of(i) pointsize 0.5 \
        title word(counts, i)." ranks", \
    for [i = 1:words(counts)] pairs using (hover_at($2 == real(word(counts, i)) ? $1 : NaN, $3)): \
        (hover_y):(hover_text(word(counts, i)." ranks", NaN, NaN)) @hover notitle, \
    pairs using ($4 > 0 ? $1 : NaN):3 @open_marks measured title disturbed_title, \
    for [i = 1:words(counts)] real(word(counts, i)) with lines linestyle 3 \
        title i == 1 ? "linear speed-up" : ""
unset label 1
unset label 2
unset logscale x
set lmargin at screen 0.595
set rmargin at screen 0.975
set format x "%g"
x_unit = "ranks"
y_unit = "of linear"
set xlabel "ranks"
set ylabel "efficiency (speed-up / ranks)"
set xrange [0.5:most + 0.5]
set xtics 1, (most > 16 ? 8 : 1)
set yrange [0:1.1 * (S_max_y / most > 1 ? S_max_y / most : 1)]
set key at screen 0.785, 0.17 center top horizontal maxcols 3 samplen 2 font key_font
plot for [e = first_decade:last_decade] efficiencies(Size[e + 1]) using 1:2 \
        with linespoints linecolor rgb colour(e) linewidth 1.5 pointtype mark(e) \
        dashtype dashes_of(e) pointsize 0.9 \
        title sprintf("n = %.0f", Size[e + 1]), \
    for [e = first_decade:last_decade] efficiencies(Size[e + 1]) using (hover_at($1, $2)): \
        (hover_y):(hover_text(sprintf("n = %.0f", Size[e + 1]), NaN, NaN)) @hover notitle, \
    1 with lines linestyle 3 notitle
unset multiplot
