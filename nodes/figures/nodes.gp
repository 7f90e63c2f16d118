# SPDX-License-Identifier: BSD-3-Clause
# nodes.gp: every host's figures as ratios to the median host; slow ones stand out and have a name.
#     gnuplot -e "result='r.txt'; figure='x.svg'" nodes.gp
# caption: Each host's figures over those of the median host, by cm-nodes' model, which takes the
# caption: rounds and the partners out. Dots: hosts that are like the others. Triangles, with names:
# caption: those that the findings call slow in that figure. For latency up is slow, else down.
name = "nodes"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
# A finding is what the figure is for; only other failed metrics count.
found = system("grep -c '^# RESULT: FAIL findings ' ".quote(result)) + 0
if (found > 0 && failed == found && passed > 0 && meta("oversubscribed") ne "yes") { drawable = 1 }
is_alone = alone("host", "host")
if (!drawable) { load refused; exit }

kinds = "triad gemm quiet latency send receive"
heading(kind) = kind eq "triad" ? "memory (triad)" : kind eq "gemm" ? "matrix product" : \
    kind eq "quiet" ? "time that fixed work gets" : kind eq "latency" ? "latency" : \
    kind eq "send" ? "rate of sending" : "rate of receiving"
# Rows "host ratio slow name", in which slow says whether a finding names the host in this figure.
row_words = "FILENAME == \"-\" { if ($2 == kind) slow[$1] = 1; next } ". \
    "/^# ranks_per_host: / { for (k = 3; k <= NF; k++) { sub(/:[^:]*$/, \"\", $k); ". \
    "name[k - 3] = $k } next } ". \
    "/^#/ || !NF { next } ". \
    "!at { for (k = 1; k <= NF; k++) if ($k == column) at = k; next } ". \
    "$at != \"nan\" { print $1, $at, (slow[name[$1]] ? 1 : 0), ". \
    "(name[$1] == \"\" ? $1 : name[$1]) }"
rows_of(kind) = "awk -f ".quote(suite."findings.awk")." ".quote(result)." | awk -v kind=".kind. \
    " -v column=".kind."_ratio ".quote(row_words)." - ".quote(result)
count_of(kind, condition) = int(system(rows_of(kind)." | awk '".condition." { n++ } ". \
    "END { print n + 0 }'"))
shown = ""
do for [kind in kinds] { if (count_of(kind, "1") > 1) { shown = shown." ".kind } }
if (words(shown) == 0) { why = "Not drawn: no figure was measured."; load refused; exit }

n = words(shown)
wide = n < 4 ? n : 3
high = (n + wide - 1) / wide
hosts = int(meta("hosts"))
set multiplot
set label 1 sprintf("%d hosts beside the median host", hosts) at screen 0.5, 0.965 center \
    font title_font
set label 2 over.", ".meta("date") at screen 0.5, 0.932 center font note_font noenhanced
set label 3 "ratio to the median host" at screen 0.02, 0.52 center rotate by 90
set xrange [-0.03 * hosts:1.03 * hosts - 1]
set format x "%g"
set format y "%g"
set ytics nomirror font key_font
set xtics font key_font 0, (hosts > 500 ? 256 : hosts > 16 ? int(hosts / 8) * 2 : 1)
# Of more hosts only the slow ones answer to the mouse.
answering = hosts <= 256
unset key
left = 0.09
bottom = 0.16
width = (0.985 - left) / wide
height = (0.9 - bottom) / high
like_title = "like the others"
slow_title = "slow, with its name"
# Some names; the page has all of them. The edge cuts none: at the right they end at their hosts.
named = 8
told_name(k) = slow <= named ? strcol(4) : ""
at_right(host) = host > 0.6 * hosts
name_look = 'noenhanced font key_font textcolor rgb fitted_letters notitle'
dot_size = hosts > 256 ? 0.25 : hosts > 32 ? 0.45 : 0.8
do for [k = 1:n] {
    kind = word(shown, k)
    rows = "< ".rows_of(kind)
    slow = count_of(kind, "$3 > 0")
    set lmargin at screen left + ((k - 1) % wide) * width + (wide > 1 ? 0.02 : 0)
    set rmargin at screen left + ((k - 1) % wide + 1) * width - 0.04
    set tmargin at screen 0.9 - ((k - 1) / wide) * height - 0.045
    set bmargin at screen 0.9 - ((k - 1) / wide + 1) * height + 0.05
    set label 5 heading(kind).(slow ? sprintf(": %d slow", slow) : "") at graph 0, 1.06 left \
        font panel_font
    if (k + wide > n) { set xlabel "host" } else { unset xlabel }
    set xrange [*:*]
    set yrange [*:*]
    stats rows using 2 nooutput name "R"
    room = R_max - R_min > 0.02 ? 0.12 * (R_max - R_min) : 0.02
    set xrange [-0.03 * hosts - 0.5:1.03 * hosts - 0.5]
    set yrange [R_min - room:R_max + room]
    hover_where(x) = strcol(4).": "
    y_unit = "of the median host"
    plot 1 with lines linestyle 3 notitle, \
        rows using ($3 == 0 ? $1 : NaN):2 with points pointtype 7 pointsize dot_size \
            linecolor rgb measured title like_title, \
        rows using ($3 > 0 ? $1 : NaN):2 with points pointtype 11 pointsize 1.2 \
            linecolor rgb fitted title slow_title, \
        rows using (hover_at($3 > 0 && !at_right($1) ? $1 : NaN, $2)):(hover_y):(told_name(0)) \
            with labels left offset 1, 0 @name_look, \
        rows using (hover_at($3 > 0 && at_right($1) ? $1 : NaN, $2)):(hover_y):(told_name(0)) \
            with labels right offset -1, 0 @name_look, \
        rows using (hover_at($3 == 0 && answering ? $1 : NaN, $2)):(hover_y): \
            (hover_text(like_title, NaN, NaN)) @hover notitle, \
        rows using (hover_at($3 > 0 ? $1 : NaN, $2)):(hover_y): \
            (hover_text(slow_title, NaN, NaN)) @hover notitle
    unset label 1
    unset label 2
    unset label 3
}
# One key for all panels.
unset border
unset tics
unset grid
unset label 5
unset xlabel
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen 0.09
set bmargin at screen 0.005
set xrange [0:1]
set yrange [0:1]
set key inside center center horizontal maxcols 2 samplen 1.5 font key_font
plot @nowhere with points pointtype 7 pointsize 0.7 linecolor rgb measured title like_title, \
    @nowhere with points pointtype 11 pointsize 1.2 linecolor rgb fitted title slow_title
unset multiplot
