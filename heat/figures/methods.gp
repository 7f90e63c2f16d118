# SPDX-License-Identifier: BSD-3-Clause
# methods.gp: what each method takes to the same steady state.
#     gnuplot -e "result='r.txt'; figure='x.svg'" methods.gp
# caption: One plate, by each method until every temperature is within the tolerance of the mean of
# caption: its neighbours. Left: the time of the iterations. Right: their number; for multigrid that
# caption: of V cycles, each of which costs about seven sweeps. Jacobi is the method of 1995
# caption: (warschko-1995, section 6.2). The column sent_MB has the bytes that all ranks send.
name = "methods"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (drawable && !strstrt(meta("command"), "--methods")) {
    why = "Not drawn: the run had one method (--methods)."
    drawable = 0
}
if (drawable && numbers_of("solve_s") == 0) {
    why = "Not drawn: no method reached the tolerance within --iterations."
    drawable = 0
}
if (!drawable) { load refused; exit }

stats result using "solve_s" nooutput name "T"
stats result using (valid(1) ? column("iterations") : NaN) nooutput name "I"
where_(k) = stringcolumn("method")
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.24
set label 1 sprintf("To the steady state of %s x %s points", \
    system("awk '!/^#/ && n++ { print $1; exit }' ".quote(result)), \
    system("awk '!/^#/ && n++ { print $2; exit }' ".quote(result))) \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle.", tolerance ".meta("tolerance") at screen 0.5, 0.915 center font note_font \
    noenhanced
set logscale y
set xrange [-0.7:T_records - 0.3]
set xtics rotate by -35 left noenhanced
set boxwidth 0.5
set style fill solid 0.35 border
set key at screen 0.5, 0.06 center
set lmargin at screen 0.13
set rmargin at screen 0.475
set ylabel "time until the tolerance"
set yrange [10 ** floor(log10(T_min) - 0.3):10 ** ceil(log10(T_max) + 0.3)]
eval prefixed_every("y", 1, "s", 1)
plot result using 0:"solve_s":xtic(where_(0)) with boxes linecolor rgb measured notitle, \
    result using 0:"solve_s":(sprintf("%.3g", column("solve_s"))) with labels \
        offset 0, 0.8 font key_font notitle, \
    beside_file using (beside($0)):"solve_s" with points linestyle 5 title beside_title, \
    result using (hover_at($0, column("solve_s"))):(hover_y): \
        (sprintf("%s: %.3g s", where_(0), hover_y)) @hover notitle
unset label 1
unset key
unset label 2
set lmargin at screen 0.605
set rmargin at screen 0.975
unset ytics
set ytics nomirror
set format y "10^{%L}"
set ylabel "iterations"
set yrange [1:10 ** ceil(log10(I_max) + 0.3)]
plot result using 0:"iterations":xtic(where_(0)) with boxes linecolor rgb measured notitle, \
    result using 0:"iterations":(sprintf("%d", column("iterations"))) with labels \
        offset 0, 0.8 font key_font notitle, \
    beside_file using (beside($0)):"iterations" with points linestyle 5 notitle, \
    result using (hover_at($0, column("iterations"))):(hover_y): \
        (sprintf("%s: %d iterations", where_(0), hover_y)) @hover notitle
unset multiplot
