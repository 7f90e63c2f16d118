# SPDX-License-Identifier: BSD-3-Clause
# supersteps.gp: the trace of a BSP program (CM_BSP_TRACE): when each process worked and when it was
# in bsp_sync, and the h-relations.
#     gnuplot -e "result='t.txt'; figure='x.svg'" supersteps.gp
# part=K: the program's SPMD part K, from 0 (default: the last). from=, to=: supersteps (default:
# all).
name = "supersteps"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
# A trace has no metric, unlike a result.
if (meta("trace") eq "") {
    print "figure: not a trace of CM_BSP_TRACE: ".result
    exit status 2
}
if (!exists("part")) { part = int(system("awk '!/^#/ { k = $1 } END { print k }' ".quote(result))) }
if (!exists("from")) { from = 0 }
if (!exists("to")) { to = 1000000000 }

# The times of a process are the sums of its supersteps' times.
# The rows of a superstep are adjacent.
chosen = "awk -v part=".part." -v from=".from." -v to=".to." '!/^#/ && $1 == part && $2 <= to { "
bars = chosen."b = 0 + t[$3]; w = b + $5; t[$3] = w + $6; ". \
    "if ($2 >= from) print b, w, t[$3], $3 }' ".quote(result)
h = "function out() { if (n) print b, e, h, name } ". \
    "!/^#/ && $1 == part && $2 <= to { w = t[$3] + $5; t[$3] = w + $6; if ($2 < from) next; ". \
    "if (!n++ || $2 != step) { if (n > 1) out(); step = $2; name = $4; b = w; e = w; h = 0 } ". \
    "if (w > b) b = w; if (t[$3] > e) e = t[$3]; if ($4 != \"-\") name = $4; ". \
    "if ($7 > h) h = $7; if ($8 > h) h = $8 } END { out() }"
relations = "awk -v part=".part." -v from=".from." -v to=".to." '".h."' ".quote(result)
stats "< ".bars using 1:4 nooutput name "B"
stats "< ".bars using 3 nooutput name "E"
if (!exists("B_records") || B_records == 0) {
    print "figure: no such supersteps in ".result
    exit status 2
}
processes = int(B_max_y) + 1
stats "< ".relations using 3 nooutput name "H"

# Seconds, milliseconds or microseconds.
span = E_max - B_min_x
unit = span >= 1 ? 1 : (span >= 1e-3 ? 1e3 : 1e6)
unit_name = unit == 1 ? "s" : (unit == 1e3 ? "ms" : "µs")
at(t) = unit * (t - B_min_x)
set xrange [0:1.01 * unit * span]
set format x "%g"
unset grid
set grid xtics linestyle 9
set multiplot title sprintf("Supersteps: %d to %d of part %d, %d process%s\n{/*0.75 %s}", from, \
    from + int(H_records) - 1, part, processes, processes == 1 ? "" : "es", \
    escape("work outside of bsp_sync; h: the most bytes that one process sent or got"))
set style fill solid 0.85 noborder

sync_title = "in bsp\\\_sync"
time_text(title, s) = hover_told(title, sprintf("process %d: %.3g %s", column(4), unit * s, \
    unit_name))
h_text(h, s) = s ne "-" ? sprintf("%s: h = %.6g bytes", s, h) : sprintf("h = %.6g bytes", h)
set lmargin at screen 0.11
set rmargin at screen 0.96
set tmargin at screen 0.86
set bmargin at screen 0.50
set format x ""
set ylabel "process"
set yrange [processes - 0.4:-0.6]
set ytics 1
set key at screen 0.53, screen 0.045 center maxrows 1
plot "< ".bars using (at($1)):4:(at($1)):(at($2)):($4 - 0.38):($4 + 0.38) with boxxyerror \
        linecolor rgb measured title "work", \
    "< ".bars using (at($2)):4:(at($2)):(at($3)):($4 - 0.38):($4 + 0.38) with boxxyerror \
        linecolor rgb light_orange title sync_title, \
    "< ".bars using (hover_at(at(($1 + $2) / 2), $4)):(hover_y): \
        (time_text("work", $2 - $1)) @hover notitle, \
    "< ".bars using (hover_at(at(($2 + $3) / 2), $4)):(hover_y): \
        (time_text(sync_title, $3 - $2)) @hover notitle

set tmargin at screen 0.46
set bmargin at screen 0.17
set format x "%g"
set xlabel "time, ".unit_name
set ylabel "h, bytes"
set format y "%.1s%c"
set ytics autofreq
set grid ytics linestyle 9
set yrange [0:H_max > 0 ? 1.3 * H_max : 1]
unset key
# Only large supersteps have a name, so that names do not overlap.
name_of(h, s) = s ne "-" && h > 0.1 * H_max && H_records <= 24 ? escape(s) : ""
plot "< ".relations using (at($1)):3:(at($1)):(at($2)):(0):3 with boxxyerror \
        linecolor rgb fitted notitle, \
    "< ".relations using (at($1)):3 with impulses linecolor rgb fitted linewidth 1 notitle, \
    "< ".relations using (at(($1 + $2) / 2)):3:(name_of($3, strcol(4))) with labels center \
        offset 0, 0.7 font key_font notitle, \
    "< ".relations using (hover_at(at(($1 + $2) / 2), $3)):(hover_y): \
        (h_text($3, strcol(4))) @hover notitle
unset multiplot
