# SPDX-License-Identifier: BSD-3-Clause
# backends.gp: how many times as fast the same program is over other backends than over the first.
#     gnuplot -e "result='r.txt'; points='backends.dat'; sides='sockets shm'; base='mpi'; \
#                 figure='x.svg'" backends.gp
# points: a line for each row of the figure and each side: the row's place from the top, the number
# of the side from 1, times as fast with the ends of its interval, 1 if the difference was told from
# chance, else 0, then in double quotes the row's name and the words of the mouse.
# caption: Each mark is a headline metric, or a collective operation at one size: how many times as
# caption: fast as over the first backend, with its interval over launches. A filled mark: the
# caption: difference was told from chance; an open one: it was not, or is too small to matter.
name = "backends"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
if (!exists("points") || !exists("sides") || !exists("base")) {
    print "usage: gnuplot -e \"result='RESULT.txt'; points='POINTS.dat'; sides='NAME ...'; ". \
          "base='NAME'; figure='FIGURE.svg'\" ".ARG0
    exit status 2
}
load here."clustermark.gp"

stats points using 1 nooutput name "ROW"
stats points using (column(4) < column(3) ? column(4) : column(3)) nooutput name "LEAST"
stats points using (column(5) > column(3) ? column(5) : column(3)) nooutput name "MOST"
# The longest name stands whole on the left, at some 6.2 pixels a letter of key_font, or 7.2 as PNG.
stats points using (strlen(strcol(7))) nooutput name "NAME"
left = NAME_max * (suffix eq ".png" ? 7.2 : 6.2) / wide_px + 0.02
left = left < 0.15 ? 0.15 : left > 0.5 ? 0.5 : left
# Pixels: a line of the figure, what stands above the lines and below.
line = 20
above = 62
under = 72
high = above + under + line * (ROW_max + 1.6)
set output
if (suffix eq ".png") {
    set terminal pngcairo size 900, high font png_font background rgb ground
} else {
    set terminal svg size wide_px, high font svg_font background rgb ground name name @page_only
}
set output figure

least = LEAST_min < 0.8 ? LEAST_min : 0.8
most = MOST_max > 1.25 ? MOST_max : 1.25
set logscale x
set format x "%g"
eval log_axis("x", least, most)
set yrange [-ROW_max - 0.8:0.8]
set ytics font key_font noenhanced
set lmargin at screen left
set rmargin at screen 0.97
set tmargin at screen 1 - above / high
set bmargin at screen under / high
middle = (left + 0.97) / 2
set label 3 sprintf("How many times as fast as over %s", base) at screen middle, 1 - 18 / high \
    center font title_font
set label 1 "slower" at first 0.96, graph 1 right offset 0, 0.7 font note_font
set label 2 "faster" at first 1.04, graph 1 left offset 0, 0.7 font note_font
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead linecolor rgb papers linewidth 1
set key at screen middle, 30 / high center horizontal maxrows 1 font note_font
# Rows of several sides are beside each other within the line of their name.
n = words(sides)
place(s) = -column(1) - (n > 1 ? 0.36 * ((s - 1.0) / (n - 1) - 0.5) : 0)
is(s) = int(column(2)) == s
at(s, told) = is(s) && int(column(6)) == told ? column(3) : NaN
x_unit = ""
y_unit = ""
plot points using (NaN):(-column(1)):ytic(7) notitle, \
    for [s = 1:n] points using (is(s) ? column(3) : NaN):(place(s)):(column(4)):(column(5)) \
        with xerrorbars linecolor rgb colour(s + 1) linewidth 1.2 pointtype -1 notitle, \
    for [s = 1:n] points using (at(s, 0)):(place(s)) with points linecolor rgb colour(s + 1) \
        pointtype mark(s + 1) - 1 pointsize 0.8 notitle, \
    for [s = 1:n] points using (at(s, 1)):(place(s)) with points linecolor rgb colour(s + 1) \
        pointtype mark(s + 1) pointsize 0.8 notitle, \
    for [s = 1:n] @nowhere with points linecolor rgb colour(s + 1) pointtype mark(s + 1) \
        pointsize 0.8 title word(sides, s), \
    for [s = 1:n] points using (hover_at(is(s) ? column(3) : NaN, place(s))):(hover_y): \
        (hover_told(word(sides, s), strcol(8))) @hover notitle
