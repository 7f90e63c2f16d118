# SPDX-License-Identifier: BSD-3-Clause
# noise.gp: the time that each core loses, and what a barrier of many hosts makes of it.
#     gnuplot -e "result='r.txt'; figure='x.svg'" noise.gp
# caption: Left: share of the time of each core that its work did not get, by fixed work (filled)
# caption: and by fixed time (crosses), which are measured one after the other. Right: what a step
# caption: of one quantum of work and a barrier of all cores loses: expected for more and more hosts
# caption: like these (a model: independent draws from the measured gaps), and measured with the
# caption: hosts at hand.
name = "noise"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

ranks = int(meta("ranks"))
quantum_us = 1e6 * numeric(meta("quantum_s"))
stats result using "lost_percent" nooutput name "L"
stats result using "fixed_time_lost_percent" nooutput name "T"
highest = L_max > T_max ? L_max : T_max

# The model's hosts and what they are expected to lose.
model = "< awk '/^# fit: model=barrier / { for (i = 4; i <= NF; i++) ". \
        "if (split($i, word, /[_=]/) == 4 && word[1] == \"hosts\") print word[2], word[4] }' ". \
        quote(result)
has_measured = fit_has("barrier", "measured_us")
hosts = has_measured ? fit_value("barrier", "hosts") : NaN
measured_us = has_measured ? fit_value("barrier", "measured_us") : NaN
# What a logarithm can show; a model of which nothing is lost leaves the axis without a range.
shown(us) = us > 0 ? us : NaN
shows_lost = real(either(system(model[3:*]." | awk '$2 > 0' | wc -l"), "0")) > 0 || measured_us > 0

M_max = real(either(system(model[3:*]." | sort -n | tail -n 1 | cut -d ' ' -f 1"), "1"))
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.27
set label 1 "Time lost to the system" at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced

set lmargin at screen 0.1
set rmargin at screen 0.48
set label 4 sprintf("each core, quanta of %g microseconds", quantum_us) at graph 0.5, 1.05 center \
    font panel_font
set key at screen 0.28, 0.155 center top vertical maxrows 3 samplen 1.5 font key_font
hover_where(x) = sprintf("rank %g: ", x)
y_unit = "%"
set xlabel "rank"
set ylabel "time lost (%)"
set format x "%g"
set format y "%g"
set xrange [-0.5:ranks - 0.5]
set yrange [0:highest > 0 ? 1.1 * highest : 1]
set xtics 0, (ranks > 16 ? int(ranks / 8) : 1)
plot result using "rank":"lost_percent" with points linestyle 1 pointsize 0.8 \
        title "fixed work", \
    result using "rank":"fixed_time_lost_percent" with points linecolor rgb fitted pointtype 2 \
        pointsize 0.9 title "fixed time", \
    for [what in "lost_percent fixed_time_lost_percent"] result \
        using (hover_at(column("rank"), column(what))):(hover_y): \
        (hover_text(what eq "lost_percent" ? "fixed work" : "fixed time", NaN, NaN)) \
        @hover notitle, \
    beside_file using (beside(column("rank"))):"lost_percent" with points linestyle 5 \
        title beside_title

unset label 1
unset label 2
set lmargin at screen 0.615
set rmargin at screen 0.965
set label 4 "a step of a quantum and a barrier" at graph 0.5, 1.05 center font panel_font
set key at screen 0.775, 0.155 center top vertical maxrows 3 samplen 1.5 font key_font
hover_where(x) = sprintf("%g hosts: ", x)
y_unit = "us"
set xlabel "hosts"
set ylabel "time lost in a step"
set logscale xy
set xrange [0.8:1.25 * M_max]
if (shows_lost) { set yrange [*:*] }
if (!shows_lost) { set yrange [0.1:10]; set label 5 "nothing was lost" at graph 0.5, 0.5 center }
set xtics auto
set format x "%.0s%c"
eval prefixed_every("y", 1e-6, "s", 1)
plot model using 1:(shown($2)) with linespoints linestyle 2 pointtype 7 pointsize 0.4 \
        title "expected (model)", \
    model using (hover_at($1, $2)):(hover_y):(hover_text("expected (model)", NaN, NaN)) \
        @hover notitle, \
    result using (has_measured ? hosts : NaN):(shown(measured_us)) every ::0::0 \
        with points linestyle 1 pointsize 1.2 title has_measured ? "measured" : ""
unset multiplot
