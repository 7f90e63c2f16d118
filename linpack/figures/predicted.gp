# SPDX-License-Identifier: BSD-3-Clause
# predicted.gp: the time that cm-linpack's model predicted over the measured one, by order.
#     gnuplot -e "result='r.txt'; figure='x.svg'" predicted.gp
# caption: The time that the program's model predicted before the run over the measured time to
# caption: factor and to solve, by order. Below 1 the run took longer. Orange: the prediction; bars:
# caption: the interval that its costs leave. Blue: the measured median, 1; bars: its interval. What
# caption: is above 2 is a mark at the edge.
# caption: Green: the prediction of a further result (--beside).
name = "predicted"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("order", "order")
if (drawable && !strstrt(header, " predicted_s ")) {
    drawable = 0
    why = "Not drawn: the model predicted no time: one rank, or the grid was given."
}
if (!drawable) { load refused; exit }

# Refining is not predicted.
measured_s(x) = column("factor_s") + column("solve_s")
of_measured(name_) = level(name_) / measured_s(0)
of_median(name_) = level(name_) / column("median_s")
stats result using "order" nooutput name "N"
# Bars may reach far beyond on a busy machine.
edge_low = 0
edge_high = 2
stats result using (count_beyond(column("order"), of_measured("predicted_s"))) nooutput name "E"
set logscale x
set xrange [N_min * 0.8:N_max * 1.25]
set yrange [edge_low:edge_high]
set format x "%g"
x_unit = "equations"
y_unit = "of the measured time"
set xtics (100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000)
set title "Linear equations: predicted and measured time\n{/*0.75 ".escape(subtitle)."}"
set xlabel "order of the matrix"
set ylabel "time / measured median"
predicted_title = "predicted by the model"
plot result using "order":(of_measured("low_predicted_s")):(0): \
        (of_measured("high_predicted_s") - of_measured("low_predicted_s")) \
        @within_bars pale(fitted) title "interval of the prediction", \
    result using "order":(1):(of_median("low_s")):(of_median("high_s")) with yerrorbars \
        linestyle 4 title interval_title, \
    result using "order":(1) with linespoints linestyle 1 pointsize 0.9 title median_title, \
    result using (disturbed(column("order"))):(1) @open_marks measured title disturbed_title, \
    result using "order":(of_measured("predicted_s")) with linespoints linestyle 2 pointtype 7 \
        pointsize 0.7 title predicted_title, \
    result using (hover_at(column("order"), of_measured("predicted_s"))):(hover_y): \
        (hover_between(predicted_title, of_measured("low_predicted_s"), \
        of_measured("high_predicted_s"))) @hover notitle, \
    result using (above(column("order"), of_measured("predicted_s"))):(edge_top(0)) \
        @above_marks fitted notitle, \
    @nowhere @above_marks fitted title told_beyond(points_above, "above"), \
    beside_file using (beside(column("order"))):(of_measured("predicted_s")) @beside_look \
        title beside_title
