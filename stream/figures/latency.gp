# SPDX-License-Identifier: BSD-3-Clause
# latency.gp: the time of a load that waits for the one before: over the bytes that are loaded, and
# over what the other ranks load meanwhile.
#     gnuplot -e "result='r.txt'; figure='x.svg'" latency.gp
# caption: Left: the time of a load over the length of the chain that it is part of, on an idle
# caption: host (the first, if there are several), both scales logarithmic. Each step up is a level
# caption: of the memory hierarchy, and the right end is memory. Small pages cost more where the
# caption: TLB does not hold their addresses. The vertical lines are this computer's caches. Right:
# caption: the time of a load from memory over the bandwidth that the other ranks of the host take
# caption: meanwhile by the triad. It rises where memory saturates. Squares: another NUMA node's
# caption: memory. Lines are medians, bars the intervals of these.
name = "latency"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("chain_bytes", "size")
if (!drawable) { load refused; exit }

pages = "transparent small explicit"
names = '"transparent huge pages" "small pages" "explicit huge pages"'
# Rows of a kind: a line is drawn between rows that follow each other.
at(column_, value) = sprintf(" && $%d == \"%s\"", number_of(column_), value)
rows(more) = "< awk '/^#/ || !NF { next } !seen++ || (1".at("host", "0").more.")' ".quote(result)
count(more) = int(system("awk '/^#/ || !NF || !seen++ { next } 1".at("host", "0").more. \
                         "' ".quote(result)." | wc -l"))
idle(kind) = at("state", "idle").at("pages", word(pages, kind)).at("node", "-1")
far = at("state", "idle").sprintf(" && $%d >= 0", number_of("node"))
loaded = at("state", "loaded")
there = ""
do for [kind = 1:3] { if (count(idle(kind))) { there = there." ".kind } }
n = words(there)
if (n == 0) { why = "Not drawn: the result has no idle rows (--latency)."; load refused; exit }
array Kind[n]
array Title[n]
do for [c = 1:n] { Kind[c] = int(word(there, c)); Title[c] = word(names, Kind[c]) }
far_rows = count(far)
far_points = far_rows ? 'rows(far) using (x(0)):(column("median_ns")) with points pointtype 4 '. \
    'pointsize 1.2 linecolor rgb ink title "other NUMA nodes",' : ""
loaded_rows = count(loaded)
panels = loaded_rows ? 2 : 1
load_ranks = system("awk '/^#/ || !NF || !seen++ { next } 1".loaded." { print $". \
                    number_of("load_ranks")."; exit }' ".quote(result))
load_title = sprintf("memory, %s other rank%s loading it", load_ranks, load_ranks eq "1" ? "" : "s")

stats result using (column("high_ns")) nooutput name "Y"
stats result using (column("low_ns")) nooutput name "L"
stats result using (column("chain_bytes")) nooutput name "X"
caches = either(meta("l1d_bytes"), "0")." ".either(meta("l2_bytes"), "0")." ". \
    either(meta("l3_bytes"), "0")
y_unit = "ns"
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.27
unset key
set label 1 "Memory latency" at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced

# ---- Idle, over the length of the chain ----------------------------------------------------------
set lmargin at screen 0.13
set rmargin at screen panels == 1 ? 0.975 : 0.56
set logscale xy
set xrange [X_min / 1.4:X_max * 1.4]
eval prefixed_log_axis("y", L_min, Y_max, 1e-9, "s")
eval prefixed_every("x", 1, "B", 2)
set xlabel "size of the chain"
set ylabel "time of a load"
set label 4 "idle" at graph 0.5, 1.08 center font panel_font
do for [level = 1:3] {
    size = real(word(caches, level))
    if (size > X_min && size < X_max) {
        set arrow 10 + level from first size, graph 0 to first size, graph 1 nohead \
            linecolor rgb papers dashtype (3, 3) linewidth 1.2 back
        set label 10 + level sprintf("L%d", level) at first size, graph 1.025 center \
            font key_font textcolor rgb papers
    }
}
x(k) = column("chain_bytes")
text_of(title) = hover_text(title, column("low_ns"), column("high_ns"))
plot for [c = 1:n] rows(idle(Kind[c])) using (x(0)):(column("median_ns")):(column("low_ns")): \
        (column("high_ns")) with yerrorbars linecolor rgb colour(Kind[c]) pointtype 0 \
        title Title[c], \
    for [c = 1:n] rows(idle(Kind[c])) using (x(0)):(column("median_ns")) with linespoints \
        linecolor rgb colour(Kind[c]) linewidth 1.6 pointtype mark(Kind[c]) pointsize 0.6 \
        title Title[c], \
    @far_points \
    for [c = 1:n] rows(idle(Kind[c])) using (disturbed(x(0))):(column("median_ns")) @open_marks \
        colour(Kind[c]) title both(Title[c], disturbed_title), \
    for [c = 1:n] rows(idle(Kind[c])) using (hover_at(x(0), column("median_ns"))):(hover_y): \
        (text_of(Title[c])) @hover notitle
unset label 1
unset label 2
do for [level = 1:3] { unset arrow 10 + level; unset label 10 + level }

# ---- Loaded --------------------------------------------------------------------------------------
if (panels == 2) {
    set lmargin at screen 0.685
    set rmargin at screen 0.96
    unset logscale xy
    set format x "%g"
    x_unit = "GB/s"
    G(k) = 1e-3 * column("load_MB_per_s")
    set xrange [*:*] # of the left panel: stats would leave out what lies beyond
    set yrange [*:*]
    stats rows(loaded) using (G(0)) nooutput name "G"
    stats rows(loaded) using (column("high_ns")) nooutput name "H"
    set xrange [0:G_max > 0 ? 1.1 * G_max : 1]
    set yrange [0:1.15 * H_max]
    eval prefixed_linear("x", G_max > 0 ? 1.1 * G_max : 1, 1e9, "B/s")
    eval prefixed_linear("y", 1.15 * H_max, 1e-9, "s")
    set ylabel "time of a load from memory"
    set xlabel "load by the others"
    set label 4 load_title at graph 0.5, 1.08 center font panel_font
    plot rows(loaded) using (G(0)):(column("median_ns")):(column("low_ns")):(column("high_ns")) \
            with yerrorbars linecolor rgb colour(1) pointtype 0 notitle, \
        rows(loaded) using (G(0)):(column("median_ns")) with linespoints linecolor rgb colour(1) \
            linewidth 1.6 pointtype mark(1) pointsize 0.6 notitle, \
        rows(loaded) using (disturbed(G(0))):(column("median_ns")) @open_marks colour(1) notitle, \
        rows(loaded) using (hover_at(G(0), column("median_ns"))):(hover_y): \
            (text_of("loaded")) @hover notitle
}

# ---- The key has a plot of its own over the whole width ------------------------------------------
unset label 4
unset border
unset tics
unset grid
unset logscale xy
set xlabel ""
set ylabel ""
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.17
set bmargin at screen 0.01
set key at screen 0.5, 0.16 center top horizontal maxcols 4 samplen 3 font key_font
plot [0:1] [0:1] for [c = 1:n] 2 with linespoints linecolor rgb colour(Kind[c]) linewidth 1.6 \
        pointtype mark(Kind[c]) pointsize 0.6 title Title[c], \
    @nowhere with points pointtype 4 pointsize 1.2 linecolor rgb ink \
        title far_rows ? "other NUMA nodes" : "", \
    @nowhere @open_marks ink title disturbed_title
unset multiplot
