# SPDX-License-Identifier: BSD-3-Clause
# bspbench.gp: time of a superstep over h, and the lines l + g h.
#     gnuplot -e "result='r.txt'; figure='x.svg'" bspbench.gp
# caption: Time of a superstep in which every process sends and receives h words of 8 bytes, word
# caption: by word and in one block to each process: medians and their intervals. Dashed: l + g h,
# caption: fitted with relative weights.
name = "bspbench"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

set title sprintf("%s: time of a superstep over h, %s process%s\n{/*0.75 %s}", meta("program"), \
    meta("processes"), meta("processes") eq "1" ? "" : "es", escape(subtitle))
x_unit = "words"
set logscale xy
set xlabel "h, words of 8 bytes"
set ylabel "time of a superstep"
set key width -4 samplen 1.5
stats result using "h_words" nooutput name "H"
set xrange [0.7:1.4 * H_max]
us(what) = 1e6 * level(what)
of(way) = strcol("way") eq way && column("h_words") > 0 ? column("h_words") : NaN
filled(way) = way eq "words" ? 7 : 5
line(model, h) = 1e6 * (fit_value(model, "l_s") + fit_value(model, "g_s_per_word") * h)
error(x) = sprintf(x < 9.5 ? "%.1g" : "%.0f", x)   # 30, not 3e+01
title_of(model, what) = sprintf("%s: g = %.3g ± %s ns, l = %.3g ± %s µs", what, \
    1e9 * fit_value(model, "g_s_per_word"), error(1e9 * fit_value(model, "g_s_per_word_error")), \
    1e6 * fit_value(model, "l_s"), error(1e6 * fit_value(model, "l_s_error")))
l0 = 1e6 * fit_value("bsp_words", "l_s"); g0 = 1e6 * fit_value("bsp_words", "g_s_per_word")
l1 = 1e6 * fit_value("bsp_blocks", "l_s"); g1 = 1e6 * fit_value("bsp_blocks", "g_s_per_word")
stats result using (strcol("way") eq "words" ? column("h_words") : NaN) nooutput name "W"
stats result using (us("low_s")) nooutput name "L"
stats result using (us("high_s")) nooutput name "U"
eval prefixed_log_axis("y", L_min, U_max, 1e-6, "s")
plot for [way in "words blocks"] result using (of(way)):(us("within_low_s")):(0): \
        (us("within_high_s") - us("within_low_s")) @within_bars pale(measured) \
        title way eq "words" ? within_title : "", \
    for [way in "words blocks"] result \
        using (of(way)):(us("median_s")):(us("low_s")):(us("high_s")) with yerrorbars linestyle 4 \
        dashtype 1 title way eq "words" ? interval_title : "", \
    result using (of("words")):(us("median_s")) with points linestyle 1 pointtype 7 \
        pointsize 0.7 title "word by word", \
    result using (of("blocks")):(us("median_s")) with points linestyle 1 pointtype 5 \
        pointsize 0.7 title "in blocks", \
    for [way in "words blocks"] result using (disturbed(of(way))):(us("median_s")) with points \
        pointtype filled(way) pointsize 0.9 linecolor rgb ground notitle, \
    for [way in "words blocks"] result using (disturbed(of(way))):(us("median_s")) with points \
        linestyle 1 pointtype filled(way) - 1 pointsize 0.8 \
        title way eq "words" ? disturbed_title : "", \
    for [way in "words blocks"] result using (hover_at(of(way), us("median_s"))):(hover_y): \
        (hover_text(way eq "words" ? "word by word" : "in blocks", us("low_s"), us("high_s"))) \
        @hover notitle, \
    for [way in "words blocks"] beside_file using (beside(of(way))):(1e6 * column("median_s")) \
        with points linestyle 5 pointtype filled(way) pointsize 0.7 \
        title way eq "words" ? beside_title : "", \
    x <= 1.2 * W_max ? l0 + g0 * x : NaN with lines linestyle 2 \
        title title_of("bsp_words", "words"), \
    x >= 400 ? l1 + g1 * x : NaN with lines linestyle 2 dashtype 3 \
        title title_of("bsp_blocks", "blocks")
