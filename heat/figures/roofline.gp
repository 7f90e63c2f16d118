# SPDX-License-Identifier: BSD-3-Clause
# roofline.gp: points per second over the size of the plate, below the limit of memory bandwidth.
#     gnuplot -e "result='r.txt'; figure='x.svg'" roofline.gp
# caption: Points renewed per second (10^9, GLUP/s), iterations alone: medians. Bars: the interval
# caption: of the median (column interval). Dotted: the limit that memory sets for a sweep, the
# caption: bandwidth of STREAM's triad in this run divided by the bytes that a point moves; plates
# caption: that stay in the cache may be above it.
# caption [plain program]: Orange: the plain program on one rank.
name = "roofline"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (drawable && meta("roofline_GLUP_per_s") eq "") {
    why = "Not drawn: no bandwidth of memory was measured (--no-stream), or no sweeps."
    drawable = 0
}
is_alone = alone("columns", "plate")
if (!drawable) { load refused; exit }

roof = real(meta("roofline_GLUP_per_s"))
ranks = int(meta("ranks"))
points(k) = 1.0 * column("columns") * column("rows")
rate(name) = 1e-6 * points(0) / level(name)
larger(a, b) = a > b ? a : b
x_unit = "points"
y_unit = "GLUP/s"
stats result using (points(0)) nooutput name "N"
stats result using (larger(rate("low_ms"), has_within ? rate("within_low_ms") : 0)) \
    nooutput name "R"
top = R_max > roof ? R_max : roof
serial = strstrt(meta("command"), "--ser")
low = N_min / 2
high = N_max * 2
set label 1 "Heat diffusion under the memory's roof" at screen 0.5, 0.955 center font title_font
set label 2 subtitle.", ".meta("precision")." precision" at screen 0.5, 0.915 center \
    font note_font noenhanced
set tmargin at screen 0.87
set xlabel "points of the plate"
set ylabel "points renewed per second"
set lmargin 15
set logscale x
set format x "10^{%L}"
set format y "%g"
set xrange [low:high]
if (serial) {
    stats result using (rate("serial_ms")) nooutput name "S"
    top = S_max > top ? S_max : top
}
set yrange [0:1.15 * top]
eval prefixed_linear("y", 1.15 * top, 1e9, "LUP/s")
own_title = sprintf("measured, %d rank%s", ranks, ranks > 1 ? "s" : "")
plot roof with lines linestyle 3 \
        title sprintf("memory: triad %s over %s bytes", \
        told_as(1e6 * real(meta("triad_MB_per_s")), "B/s"), meta("point_bytes")), \
    result using (points(0)):(rate("within_high_ms")):(0): \
        (rate("within_low_ms") - rate("within_high_ms")) @within_bars pale(measured) \
        title within_title, \
    result using (points(0)):"GLUP_per_s":(rate("high_ms")):(rate("low_ms")) \
        with yerrorbars linestyle 4 title interval_title, \
    result using (points(0)):"GLUP_per_s" with linespoints linestyle 1 pointsize 0.7 \
        title own_title, \
    result using (disturbed(points(0))):"GLUP_per_s" @open_marks measured title disturbed_title, \
    result using (hover_at(points(0), column("GLUP_per_s"))):(hover_y): \
        (hover_text(own_title, rate("high_ms"), rate("low_ms"))) @hover notitle, \
    beside_file using (beside(points(0))):"GLUP_per_s" @beside_look title beside_title, \
    result using (points(0)):(serial ? rate("serial_ms") : NaN) with linespoints linestyle 2 \
        pointtype 5 pointsize 0.5 title serial ? "plain program, 1 rank" : ""
