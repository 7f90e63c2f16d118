# SPDX-License-Identifier: BSD-3-Clause
# speed_up.gp: how many times as fast cm-linpack is as a plain program on one processor, by order.
# With --algorithm classic, which is the plain program's, that is the speed-up.
#     gnuplot -e "result='r.txt'; figure='x.svg'" speed_up.gp
# caption: The plain program's time on one processor over that of all ranks: the speed-up if both
# caption: have the algorithm of 1995 (classic). Blue: measured; dotted: the number of ranks. Grey,
# caption: open: the numbers of warschko-1995 (section 6.3) for two workstations.
name = "speed_up"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("order", "order")
if (drawable && strlen(meta("serial")) == 0) {
    drawable = 0
    why = "Not drawn: no plain program was measured (--serial)."
}
if (!drawable) { load refused; exit }

ranks = int(meta("ranks"))
ratio = meta("algorithm") eq "classic" ? "speed_up" : "over_plain"
stats result using "order" nooutput name "N"
paper_orders = "100 200 500 1000 1500"
$paper << EOD
100 1
EOD
set print $paper
do for [k = 1:words(paper_orders)] {
    print sprintf("%s %g", word(paper_orders, k), \
                  paper_value("linpack_".word(paper_orders, k)."_speed_up"))
}
set print
set logscale x
set xrange [N_min * 0.8:N_max * 1.25]
set yrange [0:*]
set offsets 0, 0, graph 0.06, 0
set format x "%g"
x_unit = "equations"
y_unit = "times the plain program"
set xtics (100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000)
set title "Linear equations: ".(ratio eq "speed_up" ? "speed-up of " : "over plain: "). \
    ranks.(ranks == 1 ? " rank" : " ranks"). \
    "\n{/*0.75 ".escape(subtitle)."}"
set xlabel "order of the matrix"
set ylabel "time of the plain program / time"
plot result using "order":(column(ratio)) with linespoints linestyle 1 pointsize 0.9 \
        title median_title, \
    result using (disturbed(column("order"))):(column(ratio)) @open_marks measured \
        title disturbed_title, \
    result using (hover_at(column("order"), column(ratio))):(hover_y): \
        (hover_text(median_title, NaN, NaN)) @hover notitle, \
    beside_file using (beside(column("order"))):(column(ratio)) @beside_look title beside_title, \
    ranks with lines linecolor rgb ink dashtype (2, 4) title "number of ranks", \
    $paper using 1:2 with linespoints linestyle 3 title "warschko-1995, two workstations", \
    $paper using (hover_at($1, $2)):(hover_y): \
        (hover_text("warschko-1995, two workstations", NaN, NaN)) @hover notitle
