# SPDX-License-Identifier: BSD-3-Clause
# plate.gp: the temperatures of the plate at the end of a run with --plate.
#     gnuplot -e "result='r.txt'; figure='x.svg'" plate.gp
# caption: Temperatures of the plate at the end of the run (thinned), with lines of equal
# caption: temperature. North is up. The given temperatures are written along the sides.
name = "plate"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (drawable && system("grep -c '^# plate:' ".quote(result)) + 0 == 0) {
    why = "Not drawn: the run had no --plate."
    drawable = 0
}
if (!drawable) { load refused; exit }

subtitle = subtitle.of_launch
points = "< sed -n 's/^# plate: //p' ".quote(result)
stats points matrix nooutput name "T"
across = T_size_x
down = T_size_y
# A column of the last row.
last_of(name) = system("awk '/^#/ { next } !c { while ($(++c) != \"".name."\") {} next } ". \
                       "{ last = $c } END { print last }' ".quote(result))
columns_ = last_of("columns")
rows_ = last_of("rows")
iterations = last_of("iterations")
side(which) = system("sed -n 's/^# side: ".which." //p' ".quote(result)." | head -n 1")
# A plate of one temperature has no lines, and a range is needed all the same.
is_even = T_max == T_min
if (is_even) {
    set zrange [T_min - 1:T_max + 1]
    set cbrange [T_min - 1:T_max + 1]
}
# At most ten lines, at round temperatures.
span = T_max > T_min ? T_max - T_min : 1.0
rough = span / 10
power = 10 ** floor(log10(rough))
step = (rough <= power ? 1 : rough <= 2 * power ? 2 : rough <= 5 * power ? 5 : 10) * power
x(i) = (i + 0.5) / across
y(j) = 1 - (j + 0.5) / down

set contour base
set cntrparam levels incremental step * ceil(T_min / step), step, T_max
unset surface
set format x "%g"
set format y "%g"
set table $lines
splot points matrix using (x($1)):(y($2)):3 with lines
unset table
unset contour
set surface

set label 1 sprintf("Temperatures of the plate after %s iterations", iterations) \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set label 3 sprintf("%s x %s points, %s", columns_, rows_, meta("method")) \
    at screen 0.5, 0.03 center font panel_font noenhanced
set label 4 "north: ".side("north") at graph 0.5, 1.03 center font panel_font noenhanced
set label 5 "south: ".side("south") at graph 0.5, -0.04 center font panel_font noenhanced
set label 6 "west: ".side("west") at graph -0.03, 0.5 center rotate by 90 font panel_font noenhanced
set label 7 "east: ".side("east") at graph 1.03, 0.5 center rotate by -90 font panel_font noenhanced
set lmargin at screen 0.18
set rmargin at screen 0.74
set tmargin at screen 0.85
set bmargin at screen 0.12
set xrange [0:1]
set yrange [0:1]
unset tics
unset grid
set border 15
set cbtics
set cblabel "temperature"
set colorbox user origin screen 0.84, 0.12 size screen 0.03, 0.73
set palette defined @temperatures
set key off
# At most twelve points each way say their temperatures.
every_(n) = int((n + 11) / 12)
right_ = every_(across)
down_ = every_(down)
hover_part(k, n) = sprintf("%.0f", 100.0 * (k + 0.5) / n)
plate_text(i, j, value) = sprintf("%s %% from the west, %s %% from the north: %.3g", \
    hover_part(i, across), hover_part(j, down), value)
# Many lines end in one corner; their temperatures would cover each other there.
inside(x, y) = x > 0.06 && x < 0.94 && y > 0.06 && y < 0.94 ? x : NaN
lines = is_even ? '' : \
    '$lines using 1:2 with lines linecolor rgb ground linewidth 1, '. \
    '$lines using (inside($1, $2)):2:(sprintf("%g", $3)) every 60::25 '. \
    'with labels font tiny_font textcolor rgb ink,'
plot points matrix using (x($1)):(y($2)):3 with image, \
    @lines \
    points matrix every right_:down_:right_ / 2:down_ / 2 using (hover_at(x($1), y($2))): \
        (hover_y):(plate_text($1, $2, $3)) @hover notitle
