# SPDX-License-Identifier: BSD-3-Clause
# extrapolation.gp: what r, g and l of one run predict for more processes, and what was measured.
#     gnuplot -e "result='r.txt'; figure='x.svg'" extrapolation.gp
# caption: Time of each algorithm over the number of processes: as r, g and l of this run predict it
# caption: by formulas (dashed), and as measured (points), by this run and by those of the same
# caption: sizes in the same folder, with the error of the prediction. A run on one host is compared
# caption: with runs on one host, and ends with its cores.
name = "extrapolation"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (drawable && system("grep -c '^# extrapolation:' ".quote(result)) + 0 == 0) {
    why = "Not drawn: the run extrapolated nothing (one process, or no algorithm)."
    drawable = 0
}
# A fitted g or l may be below 0, and so may what it predicts.
algorithms = system("awk '$2 == \"extrapolation:\" && /predicted_s=[^-]/ && !seen[$3]++ ". \
    "{ sub(\"algorithm=\", \"\", $3); printf \"%s \", $3 }' ".quote(result))
if (drawable && words(algorithms) == 0) {
    why = "Not drawn: all predictions are below 0, because the fitted g or l is."
    drawable = 0
}
if (!drawable) { load refused; exit }

subtitle = subtitle.of_launch.disturbed_note
folder = system("dirname ".quote(result))
# Rows "processes seconds" of the curve, and "processes seconds error_in_percent" of the points: of
# all results of the folder, this one first, whose size is the curve's.
split_words = "{ for (k = 3; k <= NF; k++) { split($k, part, \"=\"); v[part[1]] = part[2] } }"
curve(a) = "< awk '$2 == \"extrapolation:\" && $3 == \"algorithm=".a."\" ".split_words. \
    " $2 == \"extrapolation:\" && $3 == \"algorithm=".a."\" && v[\"predicted_s\"] > 0 ". \
    "{ print v[\"processes\"], v[\"predicted_s\"], v[\"size\"] }' ".quote(result)
measured_rows(a) = "< for file in ".quote(result)." ".quote(folder)."/bspbench*.txt; do ". \
    "[ -r \"$file\" ] || continue; ". \
    "grep -qE '^# (oversubscribed: yes|core_shared: yes|RESULT: FAIL)' \"$file\" || ". \
    "sed 's/^# extrapolation:/# '$([ \"$file\" = ".quote(result)." ] && echo own || echo other)". \
    "':/' \"$file\"; done | awk '$3 != \"algorithm=".a."\" { next } ".split_words. \
    " $2 == \"own:\" { predicted[v[\"processes\"], v[\"size\"], v[\"hosts\"]] = ". \
    "v[\"predicted_s\"] } ". \
    "$2 == \"prediction:\" { n++; p[n] = v[\"processes\"]; s[n] = v[\"size\"]; ". \
    "h[n] = v[\"hosts\"]; t[n] = v[\"measured_s\"] } END { for (k = 1; k <= n; k++) ". \
    "if ((p[k], s[k], h[k]) in predicted && !seen[p[k], t[k]]++) ". \
    "print p[k], t[k], 100 * (predicted[p[k], s[k], h[k]] / t[k] - 1) }' | sort -n"
size_of(a) = system("awk '$2 == \"extrapolation:\" && $3 == \"algorithm=".a."\" ". \
    "{ sub(\"size=\", \"\", $5); print $5; exit }' ".quote(result))

set title sprintf("%s: predicted from %s processes\n{/*0.75 %s}", meta("program"), \
    meta("processes"), escape(subtitle))
x_unit = "processes"
y_unit = "ms"
set logscale xy
set xlabel "processes"
set ylabel "time"
set format x "%g"
unset xtics
set xtics nomirror (2, 4, 8, 16, 32, 64, 128, 256, 512, "1k" 1024)
set key font key_font
first = real(meta("processes"))
set xrange [first / 1.3:1400]
least = 1e300; most = 0
do for [a in algorithms] {
    stats curve(a) using 2 nooutput name "C"
    stats measured_rows(a) using 2 nooutput name "M"
    least = C_min < least ? C_min : least; least = M_min < least ? M_min : least
    most = C_max > most ? C_max : most; most = M_max > most ? M_max : most
}
eval prefixed_log_axis("y", 0.7e3 * least, 1.3e3 * most, 1e-3, "s")
title_of(a) = a.", n = ".size_of(a)
plot for [k = 1:words(algorithms)] curve(word(algorithms, k)) using 1:(1e3 * $2) \
        with linespoints linewidth 1.6 dashtype (12, 5) pointtype 1 pointsize 0.5 \
        linecolor rgb colour(k) title title_of(word(algorithms, k)).": predicted", \
    for [k = 1:words(algorithms)] measured_rows(word(algorithms, k)) using 1:(1e3 * $2) \
        with points pointtype 7 pointsize 0.9 linecolor rgb colour(k) \
        title title_of(word(algorithms, k)).": measured", \
    for [k = 1:words(algorithms)] measured_rows(word(algorithms, k)) \
        using 1:(1e3 * $2):(sprintf("%+.0f %%", $3)) with labels font key_font \
        textcolor rgb ink offset (k == 2 ? 3.6 : 0), (k == 1 ? 0.8 : k == 2 ? 0 : -0.8) \
        notitle, \
    for [k = 1:words(algorithms)] curve(word(algorithms, k)) \
        using (hover_at($1, 1e3 * $2)):(hover_y): \
        (hover_text(title_of(word(algorithms, k)).": predicted", NaN, NaN)) @hover notitle, \
    for [k = 1:words(algorithms)] measured_rows(word(algorithms, k)) \
        using (hover_at($1, 1e3 * $2)):(hover_y): \
        (hover_text(title_of(word(algorithms, k)).": measured", NaN, NaN). \
        sprintf("\nprediction: %+.0f %%", $3)) @hover notitle
