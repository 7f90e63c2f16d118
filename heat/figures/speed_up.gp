# SPDX-License-Identifier: BSD-3-Clause
# speed_up.gp: time per iteration and speed-up over the size of the plate, as in the table of
# warschko-1995, section 6.2.
#     gnuplot -e "result='r.txt'; figure='x.svg'" speed_up.gp
# caption: Left: time of an iteration on one rank, and on all ranks including collecting, with the
# caption: same kernel. Right: the speed-up with collecting and without; dotted: the number of
# caption: ranks.
# caption [warschko-1995]: Grey: the table of warschko-1995 (section 6.2), of one and of two
# caption [warschko-1995]: workstations.
name = "speed_up"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (drawable && !strstrt(meta("command"), "--ser")) {
    why = "Not drawn: without --series or --serial there is no speed-up."
    drawable = 0
}
is_alone = alone("columns", "plate")
if (!drawable) { load refused; exit }

ranks = int(meta("ranks"))
stats result using "columns" nooutput name "N"
low = N_min / 1.4
high = N_max * 1.4
printed = numbers_of("paper_speed_up") > 0
stats result using "speed_up" nooutput name "S"
top = S_max > ranks ? S_max : ranks
top = printed && top < 2 ? 2 : top

near = printed
if (printed) {
    stats result using "total_ms" nooutput name "T"
    stats result using "alone_ms" nooutput name "A"
    stats result using "paper_1_ms" nooutput name "P1"
    stats result using "paper_2_ms" nooutput name "P2"
    near = !is_far(P1_min < P2_min ? P1_min : P2_min, P1_max > P2_max ? P1_max : P2_max, \
        T_min < A_min ? T_min : A_min, T_max > A_max ? T_max : A_max)
}
theirs_ms(k) = near ? column(sprintf("paper_%d_ms", int(k))) : NaN
total_title = sprintf("%d rank%s, with collecting", ranks, ranks > 1 ? "s" : "")
x_unit = "points a side"
y_unit = "ms"
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.30
set label 1 "Heat diffusion: time of an iteration, speed-up" at screen 0.5, 0.955 center \
    font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set xlabel "size n of the n x n plate"
set logscale x 2
set format x "%g"
set xrange [low:high]

set lmargin at screen 0.13
set rmargin at screen 0.48
set logscale y
eval prefixed_every("y", 1e-3, "s", 1)
set ylabel "time of an iteration"
set key at screen 0.285, 0.19 center top vertical maxrows 6 samplen 1.5 font key_font
plot result using "columns":"alone_ms" with linespoints linestyle 2 pointtype 5 pointsize 0.5 \
        title "the same kernel, 1 rank", \
    result using "columns":"total_ms" with linespoints linestyle 1 pointsize 0.6 \
        title total_title, \
    result using (disturbed(column("columns"))):"total_ms" @open_marks measured \
        title disturbed_title, \
    result using (hover_at(column("columns"), column("total_ms"))):(hover_y): \
        (hover_text(total_title, NaN, NaN)) @hover notitle, \
    result using (hover_at(column("columns"), column("alone_ms"))):(hover_y): \
        (hover_text("the same kernel, 1 rank", NaN, NaN)) @hover notitle, \
    beside_file using (beside(column("columns"))):"total_ms" @beside_look title beside_title, \
    result using "columns":(theirs_ms(1)) with linespoints linestyle 3 pointtype 4 \
        title near ? "warschko-1995, 1 workstation" : "", \
    result using "columns":(theirs_ms(2)) with linespoints linestyle 3 \
        title near ? "warschko-1995, 2" : "", \
    @nowhere @far_look \
        title printed && !near ? far_title("warschko-1995") : "", \
    for [k = 1:2] result using (hover_at(column("columns"), theirs_ms(k))):(hover_y): \
        (hover_text(sprintf("warschko-1995, %d", int(k)), NaN, NaN)) @hover notitle
unset label 1
unset label 2
y_unit = "times one rank"

set lmargin at screen 0.61
set rmargin at screen 0.975
unset logscale y
unset ytics
set ytics nomirror
set format y "%g"
set yrange [0:1.15 * top]
set ylabel "speed-up over one rank"
set key at screen 0.785, 0.19 center top vertical maxrows 4 samplen 1.5 font key_font
plot result using "columns":"speed_up" with linespoints linestyle 1 \
        linecolor rgb mid_blue dashtype (8, 3) pointtype 5 pointsize 0.6 title "iterations alone", \
    result using "columns":"total_speed_up" with linespoints linestyle 1 pointsize 0.6 \
        title "with collecting", \
    result using (disturbed(column("columns"))):"total_speed_up" @open_marks measured \
        title disturbed_title, \
    for [name_ in "speed_up total_speed_up"] result \
        using (hover_at(column("columns"), column(name_))):(hover_y):(hover_text( \
        name_ eq "speed_up" ? "iterations alone" : "with collecting", NaN, NaN)) @hover notitle, \
    beside_file using (beside(column("columns"))):"total_speed_up" @beside_look \
        notitle, \
    result using "columns":"paper_speed_up" with linespoints linestyle 3 \
        title printed ? "warschko-1995" : "", \
    for [k = 1:printed ? 1 : 0] result using (hover_at(column("columns"), \
        column("paper_speed_up"))):(hover_y):(hover_text("warschko-1995", NaN, NaN)) \
        @hover notitle, \
    [low:high] ranks + 0 * x with lines linecolor rgb ink linewidth 1.2 dashtype (2, 4) \
        title sprintf("%d ranks", ranks)
unset multiplot
