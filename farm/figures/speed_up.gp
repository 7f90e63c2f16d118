# SPDX-License-Identifier: BSD-3-Clause
# speed_up.gp: speed-up over the number of workers with its fits (cm-farm --all-batches).
#     gnuplot -e "result='r.txt'; figure='x.svg'" speed_up.gp
# caption: Speed-up over one worker, smallest and largest batch, over the number of workers.
# caption: Orange, dashed: Amdahl's law fitted to the largest batch; orange, dotted: the universal
# caption: scalability law fitted to the smallest. Fits outside 0 to 1 are left out.
# caption: Thin: linear speed-up. Grey and open: the times of pelikan-2007 for batches of 1 and 100,
# caption: Amdahl's law fitted to the latter, and the law with the 4 % of serial code that the paper
# caption: states.
name = "speed_up"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."farm.gp"
if (!drawable) { load refused; exit }
if (words(workers) < 2 || word(workers, 1) ne "1") {
    why = "Not drawn: a speed-up takes one worker and more (--workers 1,2)."
    load refused
    exit
}

small = word(batches, 1)
large = word(batches, words(batches))
ours = word(workers, words(workers)) + 0
most = ours < 19 ? 19 : ours
amdahl(f, w) = 1 / (f + (1 - f) / w)
usl(s, k, w) = w / (1 + s * (w - 1) + k * w * (w - 1))
has_amdahl = fit_has("amdahl_".large, "serial_fraction")
has_usl = fit_has("usl_".small, "contention")
f = has_amdahl ? fit_value("amdahl_".large, "serial_fraction") : NaN
s = has_usl ? fit_value("usl_".small, "contention") : NaN
c = has_usl ? fit_value("usl_".small, "coherence") : NaN
has_paper = fit_has("paper_amdahl_100", "serial_fraction")
pf = has_paper ? fit_value("paper_amdahl_100", "serial_fraction") : NaN
says = paper_value("serial_fraction")
one(b) = paper_value("time_1_".b)

set title sprintf("Speed-up over the number of workers\n{/*0.75 %s}", escape(subtitle))
x_unit = "workers"
y_unit = "times one worker"
set xlabel "workers"
set ylabel "speed-up over one worker"
set xrange [0.9:1.1 * most]
set yrange [0.5:1.2 * most]
set xtics (1, 2, 4, 7, 19, 64, 256, 1024)
set ytics (1, 2, 4, 7, 19, 64, 256, 1024)
eval key_rows(5)
plot x with lines linecolor rgb light_grey linewidth 0.8 title "linear speed-up", \
    over_workers("time", "1") using 1:(one("1") / $2) with points linecolor rgb papers \
        pointtype 6 pointsize 1.2 title "pelikan-2007, batches of 1", \
    over_workers("time", "100") using 1:(one("100") / $2) with points linecolor rgb papers \
        pointtype 4 pointsize 1.2 title "pelikan-2007, batches of 100", \
    for [b in "1 100"] over_workers("time", b) using (hover_at($1, one(b) / $2)):(hover_y): \
        (hover_text("pelikan-2007, batches of ".b, NaN, NaN)) @hover notitle, \
    amdahl(pf, x) with lines linestyle 3 \
        title has_paper ? sprintf("its fit: %.2g %% serial", 100 * pf) : "", \
    amdahl(says, x) with lines linestyle 3 dashtype 4 \
        title sprintf("its claim: %.2g %% serial", 100 * says), \
    result using "workers":(of_batch(small eq large ? -1 : small + 0, column("speed_up"))) \
        with points linecolor rgb purple pointtype 7 pointsize 1.1 \
        title small eq large ? "" : "batches of ".small, \
    result using "workers":(of_batch(large + 0, column("speed_up"))) with points \
        linecolor rgb measured pointtype 5 pointsize 1.1 title "batches of ".large, \
    for [b in small." ".large] result using (hover_at(column("workers"), \
        of_batch(b + 0, column("speed_up")))):(hover_y): \
        (hover_text("batches of ".b, NaN, NaN)) @hover notitle, \
    for [b in small." ".large] beside_file using (beside(column("workers"))): \
        (of_batch(b + 0, column("speed_up"))) @beside_look title b eq small ? beside_title : "", \
    for [b in small." ".large] result using (disturbed(of_batch(b + 0, column("workers")))): \
        "speed_up" @open_marks measured title b eq small ? disturbed_title : "", \
    (x <= ours ? amdahl(f, x) : NaN) with lines linestyle 2 \
        title has_amdahl ? sprintf("Amdahl, of %s: %.2g %% serial", large, 100 * f) : "", \
    (x <= ours ? usl(s, c, x) : NaN) with lines linestyle 2 dashtype 3 \
        title has_usl ? sprintf("USL, of %s: contention %.2g, coherence %.2g", small, s, c) : ""
