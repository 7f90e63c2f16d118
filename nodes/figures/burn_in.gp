# SPDX-License-Identifier: BSD-3-Clause
# burn_in.gp: what every host reached over the minutes of a burn-in; who got slower has a name.
#     gnuplot -e "result='r.txt'; figure='x.svg'" burn_in.gp
# caption: Each host over the minutes of the burn-in, a line for each: means over parts of it.
# caption: Thick, with names: hosts that the findings say got slower in that figure. For latency up
# caption: is slow, else down. Clock and temperature are there where hosts tell them.
name = "burn_in"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
# A finding is what the figure is for, and so are hosts that share a core; only other failed
# metrics count.
found = system("grep -c '^# RESULT: FAIL findings ' ".quote(result)) + 0
if (failed == found && passed > 0) { drawable = 1 }
if (!drawable) { load refused; exit }
parts = int(system("grep -c '^# part of the burn-in: ' ".quote(result)))
if (parts == 0) { why = "Not drawn: the result has no burn-in (--minutes)."; load refused; exit }

kinds = "triad_MB_per_s gemm_Mflop_per_s quiet latency_us send_MB_per_s receive_MB_per_s ". \
    "clock_MHz temperature_C"
headings = '"memory (triad), MB/s" "matrix product, Mflop/s" "time that fixed work gets" '. \
    '"latency, µs" "sending, MB/s" "receiving, MB/s" "clock, MHz" "temperature, C"'
quantity(kind) = kind[1:strstrt(kind, "_") ? strstrt(kind, "_") - 1 : strlen(kind)]."_over_time"
# Rows "minute value slow host name", an empty one between two hosts.
row_words = "FILENAME == \"-\" { if ($2 == quantity) slow[$1] = 1; next } ". \
    "/^# ranks_per_host: / { for (k = 3; k <= NF; k++) { sub(/:[^:]*$/, \"\", $k); ". \
    "name[k - 3] = $k } next } ". \
    "!/^# part of the burn-in: / { next } ". \
    "{ for (k = 6; k < NF; k += 2) { if ($k == \"minute\") minute = $(k + 1); ". \
    "if ($k == \"host\") host = $(k + 1); if ($k == kind) value = $(k + 1) } } ". \
    "value != \"nan\" { if (seen != \"\" && host != seen) print \"\"; seen = host; ". \
    "print minute, value, (slow[name[host]] ? 1 : 0), host, ". \
    "(name[host] == \"\" ? host : name[host]) }"
rows_of(kind) = "awk -f ".quote(suite."findings.awk")." ".quote(result)." | awk -v kind=".kind. \
    " -v quantity=".quantity(kind)." ".quote(row_words)." - ".quote(result)
# The last row of each slow host, or one that is not slow: labels need a row.
names_of(rows) = rows." | awk 'NF && $3 > 0 { last[$5] = $0 } ". \
    "END { for (k in last) { print last[k]; n++ } if (!n) print 0, 0, 0, 0, 0 }'"
count_of(kind, condition) = int(system(rows_of(kind)." | awk 'NF && (".condition.") { n++ } ". \
    "END { print n + 0 }'"))
shown = ""
titles = ""
do for [k = 1:words(kinds)] {
    if (count_of(word(kinds, k), "1") > 1) {
        shown = shown." ".word(kinds, k)
        titles = titles.' "'.word(headings, k).'"'
    }
}
n = words(shown)
if (n == 0) { why = "Not drawn: no rate was measured."; load refused; exit }
wide = n < 3 ? n : n == 4 ? 2 : 3
high = (n + wide - 1) / wide
hosts = int(meta("hosts"))
minutes = system("awk '/^# part of the burn-in: / && $7 > most { most = $7 } ". \
    "END { print most }' ".quote(result)) + 0
set multiplot
set label 1 sprintf("%d host%s in a burn-in", hosts, hosts == 1 ? "" : "s") at screen 0.5, 0.965 \
    center font title_font
set label 2 over.", ".meta("date") at screen 0.5, 0.932 center font note_font noenhanced
set format x "%g"
set format y "%g"
set ytics nomirror font key_font
set xtics nomirror font key_font
unset key
left = 0.05
bottom = 0.06
width = (0.99 - left) / wide
height = (0.9 - bottom) / high
do for [k = 1:n] {
    kind = word(shown, k)
    rows = "< ".rows_of(kind)
    set lmargin at screen left + ((k - 1) % wide) * width + 0.05
    set rmargin at screen left + ((k - 1) % wide + 1) * width - 0.02
    set tmargin at screen 0.9 - ((k - 1) / wide) * height - 0.045
    set bmargin at screen 0.9 - ((k - 1) / wide + 1) * height + 0.06
    if (k + wide > n) { set xlabel "minutes" } else { unset xlabel }
    set xrange [*:*]
    set yrange [*:*]
    stats rows using 2 nooutput name "R"
    mega = strstrt(word(titles, k), ", M")
    scale = mega && R_max >= 1000 ? 1e-3 : 1
    heading = scale < 1 ? word(titles, k)[1:mega - 1].", G".word(titles, k)[mega + 3:*] \
        : word(titles, k)
    R_min = scale * R_min
    R_max = scale * R_max
    set label 5 heading at graph 0, 1 left offset 0, 0.6 font panel_font
    set xrange [0:1.02 * minutes]
    room = R_max - R_min > 0.02 * R_max ? 0.08 * (R_max - R_min) : 0.02 * R_max
    set yrange [R_min - room:R_max + room]
    hover_where(x) = strcol(5).", minute ".strcol(1).": "
    y_unit = ""
    plot rows using 1:($3 == 0 ? scale * $2 : NaN) \
            with lines linewidth 1 linecolor rgb measured notitle, \
        rows using 1:($3 > 0 ? scale * $2 : NaN) \
            with lines linewidth 2.5 linecolor rgb fitted notitle, \
        rows using (hover_at($1, scale * $2)):(hover_y):(hover_text(heading, NaN, NaN)) @hover \
            notitle, \
        names_of(rows) using (hover_at($3 > 0 ? $1 : NaN, scale * $2)):(hover_y):(strcol(5)) \
            with labels right offset 0, 0.8 noenhanced font key_font \
            textcolor rgb fitted_letters notitle
    unset label 1
    unset label 2
}
unset multiplot
