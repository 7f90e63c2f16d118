# SPDX-License-Identifier: BSD-3-Clause
# prediction.gp: times that r, g and l predict for the algorithms, beside the measured times.
#     gnuplot -e "result='r.txt'; figure='x.svg'" prediction.gp
# caption: Time of each algorithm as predicted by the BSP model, beside the measured median. Work:
# caption: 1/p of the time of one process alone. Memory: irregular accesses that one process does
# caption: not make. g h and l: the communication.
name = "prediction"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (drawable && system("grep -c '^# prediction:' ".quote(result)) + 0 == 0) {
    why = "Not drawn: the run predicted nothing (--items 0 --nodes 0 --order 0)."
    drawable = 0
}
if (!drawable) { load refused; exit }

subtitle = subtitle.of_launch.disturbed_note
words_of = "/^# prediction:/ { ". \
    "for (k = 3; k <= NF; k++) { split($k, part, \"=\"); v[part[1]] = part[2] } ". \
    "print v[\"algorithm\"], v[\"work_s\"], v[\"g_h_s\"], v[\"l_s\"], v[\"measured_s\"], ". \
    "v[\"ratio\"], v[\"size\"], v[\"memory_s\"] + 0 }"
rows = "< awk '".words_of."' ".quote(result)
set title sprintf("%s: predicted and measured, %s process%s\n{/*0.75 %s}", meta("program"), \
    meta("processes"), meta("processes") eq "1" ? "" : "es", escape(subtitle))
set ylabel "time"
set format x "%s"
set style fill solid 0.85 noborder
set boxwidth 0.36
eval key_rows(1)
unset grid
set grid ytics linestyle 9
stats rows using 5 nooutput name "M"
stats rows using ($2 + $3 + $4 + $8) nooutput name "P"
set xrange [-0.6:M_records - 0.4]
top = 1200 * (M_max > P_max ? M_max : P_max)
set yrange [0:top]
eval prefixed_linear("y", top, 1e-3, "s")
at(k) = k - 0.2
# The points of the parts are at their middles.
part(height, below) = height > 0 ? 1e3 * (below + height / 2) : NaN
part_text(title, height, more) = hover_told(title, sprintf("%s, n = %s: %.3g ms%s", strcol(1), \
    strcol(7), 1e3 * height, more))
plot rows using (at($0)):(1e3 * ($2 + $8 + $3 + $4)) with boxes linecolor rgb sand \
        title "predicted: l", \
    rows using (at($0)):(1e3 * ($2 + $8 + $3)) with boxes linecolor rgb light_orange title "g h", \
    rows using (at($0)):(1e3 * ($2 + $8)) with boxes linecolor rgb light_green title "memory", \
    rows using (at($0)):(1e3 * $2) with boxes linecolor rgb fitted title "work", \
    rows using ($0 + 0.2):(1e3 * $5) with boxes linecolor rgb measured title "measured", \
    rows using ($0):(0):(""):xtic(sprintf("%s, n = %s", strcol(1), strcol(7))) with labels \
        notitle, \
    rows using ($0 + 0.2):(1e3 * $5):(sprintf("%.2f of the prediction", $6)) with labels \
        offset 0, 0.7 notitle, \
    rows using (hover_at(at($0), part($4, $2 + $8 + $3))):(hover_y): \
        (part_text("predicted: l", $4, "")) @hover notitle, \
    rows using (hover_at(at($0), part($3, $2 + $8))):(hover_y):(part_text("g h", $3, "")) \
        @hover notitle, \
    rows using (hover_at(at($0), part($8, $2))):(hover_y):(part_text("memory", $8, "")) \
        @hover notitle, \
    rows using (hover_at(at($0), part($2, 0))):(hover_y):(part_text("work", $2, "")) \
        @hover notitle, \
    rows using (hover_at($0 + 0.2, 1e3 * $5)):(hover_y): \
        (part_text("measured", $5, sprintf(", %.3g of the prediction", $6))) @hover notitle
