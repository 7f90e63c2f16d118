# SPDX-License-Identifier: BSD-3-Clause
# scale.gp: time of collective operations over the number of ranks, with what LogGP and BSP say.
#     gnuplot -e "results='a.txt b.txt'; figure='x.svg'" scale.gp
# caption: Time of collective operations over the number of ranks, both scales logarithmic:
# caption: barriers, and the shortest and the longest data of the others. Each algorithm has a
# caption: colour: marks are measured or simulated, dashed lines are LogGP's prediction from the
# caption: parameters of cm-loggp between two ranks and the rounds of the algorithm. Grey, dotted:
# caption: BSP's, from g and l of cm-bspbench on as many processes, whatever the algorithm:
# caption: h-relations of the data, and l for each superstep (two for a broadcast and an allreduce).
name = "scale"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
papers_file = "paper.dat"
load here."../../../suite/scale.gp"
if (!drawable) { exit }

data = "cat ".all_results." | awk '/^#/ || $1 == \"operation\" || !NF { next } "
repetition = system(data."!r || $4 == \"separated\" { r = $4 } END { print r }'")
operations = ""
do for [o in "barrier bcast reduce allreduce reduce_scatter gather scatter allgather alltoall"] {
    if (strlen(system(data."$1 == \"".o."\" && !found++ { print 1 }'"))) {
        operations = operations." ".o
    }
}
least(o) = system(data."$1 == \"".o."\" { print $5 }' | sort -n | head -n 1")
most(o) = system(data."$1 == \"".o."\" { print $5 }' | sort -n | tail -n 1")
load here."algorithms.gp"
colors = ink." ".grey." ".blue." ".vermillion." ".sky." ".mid_orange." ".purple." ".green. \
    " ".orange." ".olive
points = "5 5 7 9 3 2 11 13 15 5"
present(a) = strlen(system(data."$2 == \"".a."\" && !found++ { print 1 }'"))
kinds = ""
do for [a in algorithms] { if (present(a)) { kinds = kinds." ".a } }
place_of(a) = words(algorithms[1:strstrt(" ".algorithms." ", " ".a." ")])
colour(a) = word(colors, (place_of(a) - 1) % words(colors) + 1)
point(a) = int(word(points, (place_of(a) - 1) % words(points) + 1))

# ---- The algorithms' formulas, in microseconds: p ranks, s bytes --------------------------------

halves(p, s) = sum [k = 1:rounds(p)] message(s / 2.0**k)
to_all(p, s) = message(s) + (p - 2) * larger(o_send(s), spacing(s))
formula(o, a, p, s) = \
    o eq "barrier" && a eq "linear" ? 2 * to_all(p, 1) : \
    o eq "barrier" && a eq "binomial" ? 2 * rounds(p) * message(1) : \
    o eq "barrier" && a eq "doubling" ? rounds(p) * message(1) : \
    o eq "bcast" && a eq "linear" ? to_all(p, s) : \
    o eq "bcast" && a eq "binomial" ? rounds(p) * message(s) : \
    o eq "bcast" && a eq "scatter-allgather" && s >= p \
        ? halves(p, s) + (p - 1) * message(s / p) : \
    o eq "allreduce" && a eq "doubling" ? rounds(p) * message(s) : \
    o eq "allreduce" && a eq "binomial" ? 2 * rounds(p) * message(s) : \
    o eq "allreduce" && a eq "ring" && s >= 8 * p ? 2 * (p - 1) * message(s / p) : \
    o eq "allreduce" && a eq "scatter-allgather" && s >= 8 * p ? 2 * halves(p, s) : \
    o eq "alltoall" && a eq "linear" \
        ? message(s) + (p - 2) * larger(o_send(s) + o_receive(s), spacing(s)) : \
    o eq "alltoall" && a eq "ring" ? (p - 1) * message(s) : \
    o eq "alltoall" && a eq "doubling" ? rounds(p) * message(p * s / 2) : NaN
# BSP: supersteps of l, and words of 8 bytes.
bsp_steps(o) = o eq "barrier" || o eq "alltoall" ? 1 : o eq "bcast" || o eq "allreduce" ? 2 : NaN
bsp_h(o, p, s) = o eq "barrier" ? 0 : (o eq "alltoall" ? (p - 1) * s : 2 * s * (p - 1) / p) / 8.0

# ---- The panels ---------------------------------------------------------------------------------

bsp_us(o, p, s, l_s, g_s) = 1e6 * (bsp_steps(o) * l_s + bsp_h(o, p, s) * g_s)

has_size(o) = o ne "barrier"
panels = ""
do for [o in operations] { panels = panels." ".o.":".least(o) }
do for [o in operations] {
    if (has_size(o) && least(o) ne most(o)) { panels = panels." ".o.":".most(o) }
}
operation_of(panel) = panel[1:strstrt(panel, ":") - 1]
size_of(panel) = real(panel[strstrt(panel, ":") + 1:*])
condition(panel, a) = "median_s ranks operation=".operation_of(panel)." algorithm=".a. \
    " repetition=".repetition." size_bytes=".panel[strstrt(panel, ":") + 1:*]
n = words(panels)
wide = n > 6 ? 4 : n > 4 ? 3 : n > 1 ? 2 : 1
high = (n + wide - 1) / wide
numbers = distinct("ranks")
first_number = larger(2, real(word(numbers, 1)))
last_number = real(word(numbers, words(numbers)))
set xrange [first_number / 1.3:last_number * 1.3]
unset key
set multiplot
set label 1 "Collective operations over the number of ranks" at screen 0.5, 0.965 center \
    font title_font
set label 2 subtitle at screen 0.5, 0.932 center font note_font noenhanced
set label 3 "time" at screen 0.012, 0.53 center rotate by 90
left = 0.1
bottom = 0.19
width = (0.985 - left) / wide
height = (0.9 - bottom) / high
set xtics font key_font
set xtics rotate by 0 (2, 4, 8, 16, 32, 64, 128, 256, 512, "1k" 1024)
if (last_number > 64) { set xtics (2, 4, 16, 64, 256, "1k" 1024, "4k" 4096) }
unset xlabel
eval prefixed_every("y", 1e-6, "s", 1)
set ytics font note_font
do for [k = 1:n] {
    panel = word(panels, k)
    o = operation_of(panel)
    s = size_of(panel)
    row_ = (k - 1) / wide
    column_ = (k - 1) % wide
    set lmargin at screen left + column_ * width
    set rmargin at screen left + (column_ + 1) * width - 0.06
    set tmargin at screen 0.9 - row_ * height - 0.035
    set bmargin at screen 0.9 - (row_ + 1) * height + 0.035
    set label 5 o.(has_size(o) ? sprintf(", %g bytes", s) : "") at graph 0.03, 1.05 left \
        font panel_font noenhanced
    set yrange [*:*]
    plot for [a in kinds] rows(condition(panel, a)) using 1:(1e6 * $3):(0):(1e6 * ($4 - $3)) \
            with vectors nohead linewidth 0.8 linecolor rgb colour(a) title a, \
        for [a in kinds] rows(condition(panel, a)) using 1:(1e6 * $2) with points \
            pointtype point(a) pointsize 0.9 linecolor rgb colour(a) title a, \
        for [a in kinds] other_rows(condition(panel, a)) using 1:(other(1e6 * $2)) with points \
            pointtype point(a) - 1 pointsize 0.9 linecolor rgb beside_color \
            title both(a, others_title), \
        for [a in kinds] $powers using (within($1)):(formula(o, a, $1, s)) \
            @model_look colour(a) title both("LogGP", a), \
        bsp_rows using 1:(bsp_us(o, $1, s, $2, $3)) @bsp_look title "BSP", \
        for [a in kinds] rows(condition(panel, a)) using (hover_at($1, 1e6 * $2)):(hover_y): \
            (hover_text(a, 1e6 * $3, 1e6 * $4)) @hover notitle, \
        for [a in kinds] $powers using (hover_at(within($1), formula(o, a, $1, s))):(hover_y): \
            (hover_text(both("LogGP", a), NaN, NaN)) @hover notitle, \
        bsp_rows using (hover_at($1, bsp_us(o, $1, s, $2, $3))):(hover_y): \
            (hover_text("BSP", NaN, NaN)) @hover notitle
    unset label 1
    unset label 2
    unset label 3
}
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen 0.135
set bmargin at screen 0.005
unset border
unset tics
unset grid
unset logscale
unset label 5
set xrange [0:1]
set yrange [0:1]
set key inside center center horizontal maxcols 5 samplen 2.5 font note_font
plot for [a in kinds] @nowhere with points pointtype point(a) linecolor rgb colour(a) title a, \
    NaN @model_look ink title has_loggp ? "LogGP" : "", \
    @nowhere @bsp_look title has_bsp ? "BSP" : "", \
    @nowhere with points pointtype 6 linecolor rgb beside_color \
        title words(others) ? others_title : ""
unset multiplot
