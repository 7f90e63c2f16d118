# SPDX-License-Identifier: BSD-3-Clause
# collective_overlap.gp: the part of non-blocking operations that computing hides, over size.
#     gnuplot -e "result='r.txt'; figure='x.svg'" collective_overlap.gp
# caption: Part of a non-blocking operation's time that computing hides (100 %: all of it; below 0:
# caption: both together take longer than one after the other), with an interval, over the size of
# caption: the message, vector or block. Each operation has a panel. Blue: the computing does not
# caption: call the layer. Orange: it does now and then. Open marks: disturbed. One algorithm is
# caption: drawn, the result's first. Triangles at an edge: points beyond it.
name = "collective_overlap"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
rows = "grep -v '^#' ".quote(result)." | tail -n +2 | "
operations = system(rows."awk '$4 == \"non-blocking\" && !seen[$1]++ { print $1 }'")
if (drawable && words(operations) == 0) {
    why = "Not drawn: the result has no non-blocking operations (--overlap)."
    drawable = 0
}
if (!drawable) { load refused; exit }

first = system(rows."awk '!n++ { print $2 }'")
ranks = int(system(rows."awk '{ print $19 }' | sort -n | tail -n 1"))
n = words(operations)
wide = n > 8 ? 5 : n > 4 ? 4 : n
high = (n + wide - 1) / wide
of(o, x) = strcol("operation") eq o && strcol("algorithm") eq first && column("ranks") == ranks \
    ? (x > 0 ? x : 1) : NaN
percent(name) = 100 * column(name)
stats result using (column("size_bytes") > 0 ? column("size_bytes") : 1) nooutput name "S"
silent_look = 'linecolor rgb measured pointtype 7 pointsize 0.5'
progress_look = 'linecolor rgb fitted pointtype 9 pointsize 0.6'
silent_title = "computing without calls"
progress_title = "computing calls the layer now and then"
y_unit = "%"
edge_low = -50
edge_high = 110
do for [o in operations] {
    stats result using (count_beyond(of(o, column("size_bytes")), percent("overlap")) \
        + count_beyond(of(o, column("size_bytes")), percent("progress_overlap"))) \
        nooutput name "E"
}
below_title = told_beyond(points_below, "below")
above_title = told_beyond(points_above, "above")
set logscale x
set xrange [S_min / 1.6:(S_max > S_min ? S_max : 2 * S_max) * 1.6]
set yrange [edge_low:edge_high]
set ytics 50
set mxtics 1
set xtics 100 font note_font
unset key
set multiplot
set label 1 \
    sprintf("Overlap of non-blocking operations with computing: %s, %d ranks", first, ranks) \
    at screen 0.5, 0.965 center font title_font
set label 2 subtitle at screen 0.5, 0.932 center font note_font noenhanced
set label 3 "part of the operation that computing hides (%)" at screen 0.018, 0.53 center \
    rotate by 90
set label 4 "size of message, vector or block" at screen 0.5, 0.115 center
left = 0.085
bottom = 0.155
width = (0.985 - left) / wide
height = (0.9 - bottom) / high
do for [k = 1:n] {
    o = word(operations, k)
    row_ = (k - 1) / wide
    column_ = (k - 1) % wide
    set lmargin at screen left + column_ * width
    set rmargin at screen left + (column_ + 1) * width - 0.028
    set tmargin at screen 0.9 - row_ * height - 0.035
    set bmargin at screen 0.9 - (row_ + 1) * height + 0.03
    set label 5 o at graph 0.0, 1.09 left font panel_font noenhanced
    if (column_ == 0) { set format y "%g" } else { set format y "" }
    if (k + wide > n) { eval prefixed_every("x", 1, "B", 3) } \
    else { unset xtics; set xtics 100 nomirror; set format x "" }
    set xtics font note_font
    plot result using (of(o, column("size_bytes"))):(percent("overlap")): \
            (percent("overlap_low")):(percent("overlap_high")) with yerrorbars pointtype -1 \
            linewidth 0.7 linecolor rgb measured title silent_title, \
        result using (of(o, column("size_bytes"))):(percent("progress_overlap")): \
            (percent("progress_overlap_low")):(percent("progress_overlap_high")) \
            with yerrorbars pointtype -1 linewidth 0.7 linecolor rgb fitted \
            title progress_title, \
        result using (of(o, column("size_bytes"))):(percent("overlap")) with linespoints \
            @silent_look title silent_title, \
        result using (of(o, column("size_bytes"))):(percent("progress_overlap")) \
            with linespoints @progress_look title progress_title, \
        result using (disturbed(of(o, column("size_bytes")))):(percent("overlap")) \
            @open_marks measured title both(silent_title, disturbed_title), \
        result using (disturbed(of(o, column("size_bytes")))):(percent("progress_overlap")) \
            @open_marks fitted title both(progress_title, disturbed_title), \
        result using (below(of(o, column("size_bytes")), percent("overlap"))): \
            (edge_bottom(0)) @below_marks measured title both(silent_title, below_title), \
        result using (above(of(o, column("size_bytes")), percent("overlap"))): \
            (edge_top(0)) @above_marks measured title both(silent_title, above_title), \
        result using (below(of(o, column("size_bytes")), percent("progress_overlap"))): \
            (edge_bottom(0)) @below_marks fitted pointsize 0.6 \
            title both(progress_title, below_title), \
        result using (above(of(o, column("size_bytes")), percent("progress_overlap"))): \
            (edge_top(0)) @above_marks fitted pointsize 0.6 \
            title both(progress_title, above_title), \
        result using (hover_at(of(o, column("size_bytes")), percent("overlap"))):(hover_y): \
            (hover_text(silent_title, percent("overlap_low"), percent("overlap_high"))) \
            @hover notitle, \
        result using (hover_at(of(o, column("size_bytes")), percent("progress_overlap"))): \
            (hover_y):(hover_text(progress_title, percent("progress_overlap_low"), \
            percent("progress_overlap_high"))) @hover notitle
    unset label 1
    unset label 2
    unset label 3
    unset label 4
}
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen 0.09
set bmargin at screen 0.005
unset border
unset tics
unset grid
unset logscale
unset label 5
set xrange [0:1]
set yrange [0:1]
set key inside center center horizontal maxcols 3 samplen 2.5 font note_font
plot NaN with linespoints @silent_look title silent_title, \
    NaN with linespoints @progress_look title progress_title, \
    @nowhere @open_marks measured title disturbed_title, \
    @nowhere @below_marks papers title below_title, \
    @nowhere @above_marks papers title above_title
unset multiplot
