# SPDX-License-Identifier: BSD-3-Clause
# sweep.gp: the triad over the size of its arrays, from the first cache to memory.
#     gnuplot -e "result='r.txt'; figure='x.svg'" sweep.gp
# caption: The triad's bandwidth over the bytes of the three arrays of a rank, fastest passes, both
# caption: scales logarithmic. Left: one rank alone. Right: all ranks of a host at once (the first
# caption: host, if there are several). Each step down is a level of the memory hierarchy; the
# caption: vertical lines are this computer's caches, the last one shared by the ranks at work.
# caption: The height at the right end is the roof of memory. Full lines and filled marks: ordinary
# caption: stores. Dashes and open marks: stores past the caches, which are fast only where data
# caption: must go to memory in any case. Colours: the pages of the arrays, or the farthest NUMA
# caption: node. STREAM measures one point of these curves.
name = "sweep"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("array_bytes", "size")
if (!drawable) { load refused; exit }

bytes(k) = 3.0 * column("array_bytes")
GB(name) = 1e-3 * column(name)
place(list, w) = sum [i = 1:words(list)] (word(list, i) eq w ? i : 0)
# The curves that the result has: PAGES:NUMA:STORES, in the order of the table below.
kinds = "transparent:local small:local explicit:local transparent:remote"
names = '"transparent huge pages" "small pages" "explicit huge pages" "farthest NUMA node"'
there = system("awk '!/^#/ && $3 == \"sweep\" { print $22 \":\" $23 \":\" $2 }' ".quote(result). \
               " | sort -u | tr '\\n' ' '")
curves = ""
do for [kind in kinds] { do for [stores in "ordinary non-temporal"] {
    if (place(there, kind.":".stores)) { curves = curves." ".kind.":".stores }
} }
field(c, i) = system("echo ".word(curves, c)." | cut -d: -f".i)
n = words(curves)
if (n == 0) { why = "Not drawn: the result has no sweep (--sweep)."; load refused; exit }
array Pages[n]
array Numa[n]
array Stores[n]
array Kind[n]
array Title[n]
do for [c = 1:n] {
    Pages[c] = field(c, 1)
    Numa[c] = field(c, 2)
    Stores[c] = field(c, 3)
    Kind[c] = place(kinds, Pages[c].":".Numa[c])
    Title[c] = word(names, Kind[c]).", ".Stores[c]." stores"
}
stats result using "ranks_on_host" nooutput name "R"
ranks(panel) = panel ? R_max : 1
# A line is drawn between rows that follow each other, so each curve has a file of its own.
of(name, value) = sprintf(" && $%d == \"%s\"", number_of(name), value)
file(c, panel) = "< awk '/^#/ { next } !rows++ || (1".of("host", "0"). \
    of("ranks_on_host", sprintf("%d", ranks(panel))).of("pages", Pages[c]).of("numa", Numa[c]). \
    of("stores", Stores[c]).")' ".quote(result)
past(c) = Stores[c] eq "ordinary" ? 0 : 1
text_of(c) = hover_between(Title[c], GB("best_MB_per_s"), GB("median_MB_per_s"))

stats result using (GB("best_MB_per_s")) nooutput name "Y"
stats result using (bytes(0)) nooutput name "X"
panels = R_max > 1 ? 2 : 1
rows = (n + 1) / 2
bottom = 0.18 + 0.035 * rows
x_unit = "bytes"
y_unit = "GB/s"
caches = either(meta("l1d_bytes"), "0")." ".either(meta("l2_bytes"), "0")." ". \
    either(meta("l3_bytes"), "0")
set multiplot
set tmargin at screen 0.84
set bmargin at screen bottom
unset key
set logscale xy
set xrange [X_min / 1.4:X_max * 1.4]
eval prefixed_log_axis("y", Y_min, Y_max, 1e9, "B/s")
eval prefixed_every("x", 1, "B", 2)
set label 1 "Bandwidth from the first cache to memory (STREAM's triad)" at screen 0.5, 0.955 \
    center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set xlabel "three arrays of a rank"
set ylabel "bandwidth, bytes as STREAM counts them"
do for [panel = 0:panels - 1] {
    set lmargin at screen panel ? 0.605 : 0.125
    set rmargin at screen panels == 1 ? 0.975 : (panel ? 0.975 : 0.48)
    set label 4 (panel ? sprintf("all %d ranks of a host at once", int(R_max)) \
        : "one rank alone") at graph 0.5, 1.08 center font panel_font
    do for [level = 1:3] {
        # Cores have their own first and second level.
        size = real(word(caches, level)) / (level == 3 ? ranks(panel) : 1)
        unset arrow 10 + level
        unset label 10 + level
        if (size > X_min && size < X_max) {
            set arrow 10 + level from first size, graph 0 to first size, graph 1 nohead \
                linecolor rgb papers dashtype (3, 3) linewidth 1.2 back
            set label 10 + level sprintf("L%d", level) at first size, graph 1.025 center \
                font key_font textcolor rgb papers
        }
    }
    plot for [c = 1:n] file(c, panel) using (bytes(0)):(GB("best_MB_per_s")) with linespoints \
            linecolor rgb colour(Kind[c]) linewidth 1.6 dashtype past(c) + 1 \
            pointtype mark(Kind[c]) - past(c) pointsize 0.6 title Title[c], \
        for [c = 1:n] file(c, panel) using (disturbed(bytes(0))):(GB("best_MB_per_s")) \
            @open_marks colour(Kind[c]) title both(Title[c], disturbed_title), \
        for [c = 1:n] file(c, panel) using (hover_at(bytes(0), GB("best_MB_per_s"))):(hover_y): \
            (text_of(c)) @hover notitle
    unset label 1
    unset label 2
    set ylabel ""
}
# The key has a plot of its own over the whole width.
do for [level = 1:3] {
    unset arrow 10 + level
    unset label 10 + level
}
unset label 4
unset border
unset tics
unset grid
unset logscale xy
set xlabel ""
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen bottom - 0.1
set bmargin at screen 0.01
set key at screen 0.5, bottom - 0.1 center top horizontal maxcols 2 samplen 3 font key_font
plot [0:1] [0:1] for [c = 1:n] 2 with linespoints linecolor rgb colour(Kind[c]) linewidth 1.6 \
        dashtype past(c) + 1 pointtype mark(Kind[c]) - past(c) pointsize 0.6 \
        title Title[c], \
    @nowhere @open_marks ink title disturbed_title
unset multiplot
