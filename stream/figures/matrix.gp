# SPDX-License-Identifier: BSD-3-Clause
# matrix.gp: the triad's bandwidth from a core, a third-level cache and each socket to each NUMA
# node.
#     gnuplot -e "result='r.txt'; figure='x.svg'" matrix.gp
# caption: Bandwidth of the triad in GB/s (10^9 B/s) by one core, by all ranks of its third-level
# caption: cache and by all ranks of each socket, to each NUMA node of the first host that has
# caption: memory, fastest passes. The colour compares a row with its own best node, because one
# caption: core never takes what a socket takes; darker is slower. A cell with a dash was not
# caption: measured, because the node had too little free memory.
name = "matrix"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
field(column_) = sprintf("$%d", number_of(column_))
if (drawable && number_of("on_node_share") == 0) {
    drawable = 0
    why = "Not drawn: the result has no matrix (--matrix)."
}
if (!drawable) { load refused; exit }

# Sources are the figure's rows, nodes its columns, both in the order of the result.
skip = "/^#/ || !NF || !seen++ { next } "
source_key = field("source").' ":" '.field("socket")
first_of(key, what) = system("awk '".skip."!had[".key."]++ { print ".what." }' ".quote(result). \
    " | tr '\\n' ' '")
sources = first_of(source_key, field("source"))
sockets = first_of(source_key, field("socket"))
ranks = first_of(source_key, field("ranks"))
nodes = first_of(field("node"), field("node"))
kinds = first_of(field("node"), field("kind"))
m = words(sources)
n = words(nodes)
# Column, row, GB/s, share of the row's best (-1: not measured), median in GB/s.
cells = "< awk '".skip."{ s = ".source_key."; k = ".field("node"). \
    "; if (!(s in row)) row[s] = ++m; if (!(k in col)) col[k] = ++n; best[row[s], col[k]] = v = ". \
    field("best_MB_per_s")."; median[row[s], col[k]] = ".field("median_MB_per_s"). \
    "; if (v > most[row[s]]) most[row[s]] = v } END { for (r = 1; r <= m; r++) ". \
    "for (c = 1; c <= n; c++) if ((r, c) in best) print c, m + 1 - r, best[r, c] / 1e3, ". \
    "best[r, c] / most[r], median[r, c] / 1e3; else print c, m + 1 - r, 0, -1, 0 }' ".quote(result)
stats cells using ($4 > 0 ? $4 : NaN) nooutput name "S"
shown(v) = sprintf(v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v)
kind_text(w) = w eq "processors" ? "with processors" : w eq "hbm" ? "HBM" : w eq "cxl" ? "CXL" \
    : w eq "gpu" ? "GPU" : w eq "unknown" ? "unknown" : w
node_text(k) = word(nodes, k) eq "-1" ? "nodes unknown" \
    : sprintf("node %s%s%s", word(nodes, k), n > 8 ? ", " : "\n", kind_text(word(kinds, k)))
ranks_text(w) = sprintf("%s rank%s", w, w eq "1" ? "" : "s")
who(k) = word(sources, k) eq "core" ? "one core" : word(sources, k) eq "l3" ? "one L3 cache" \
    : "socket ".word(sockets, k)
row(k) = m + 1 - int(column(2))
cell_text(k) = sprintf("%s, %s\nnode %s: %.3g GB/s, median %.3g, %.0f %% of the best node", \
    who(row(0)), ranks_text(word(ranks, row(0))), word(nodes, int(column(1))), column(3), \
    column(5), 100 * column(4))

set title "Bandwidth from cores to NUMA nodes (STREAM's triad, GB/s)\n{/*0.75 ".escape(subtitle)."}"
if (n == 1) {
    has_one = word(nodes, 1) eq "-1" ? "The NUMA nodes of this machine are not known." \
        : meta("numa_nodes") eq "1" \
        ? "This machine has one NUMA node: there is no other to compare with." \
        : "One NUMA node had memory to measure: there is no other to compare with."
    set label 3 has_one at screen 0.5, 0.06 center font key_font
}
unset grid
unset key
set border 0
set lmargin 15
set rmargin 4
set xrange [0.5:n + 0.5]
set yrange [0.5:m + 0.5]
set xlabel ""
unset xtics
unset ytics
set xtics nomirror font tiny_font scale 0 ()
set ytics nomirror font tiny_font scale 0 ()
if (n > 8) { set xtics rotate by 40 right }
do for [k = 1:n] { set xtics add (node_text(k) k) }
do for [k = 1:m] {
    set ytics add (sprintf("%s\n%s", who(k), ranks_text(word(ranks, k))) m + 1 - k)
}
set palette defined @bandwidths
if (n > 1) {
    low = S_min < 0.98 ? S_min : 0.98
    set cbrange [low:1]
    set cbtics font key_font
    set cbtics (sprintf("%.0f %%%%", 100 * low) low, "the row's best" 1)
    set colorbox horizontal user origin 0.33, 0.075 size 0.4, 0.022
} else {
    set cbrange [0:1]
    unset colorbox
}
set style fill solid 1 noborder
written = n <= 24 && m <= 24
plot cells using ($4 > 0 ? $1 : NaN):2:($1 - 0.49):($1 + 0.49):($2 - 0.48):($2 + 0.48):4 \
        with boxxyerror linecolor palette, \
    cells using (written && $4 > 0 ? $1 : NaN):2:(shown($3)) with labels font key_font \
        textcolor rgb ink, \
    cells using ($4 > 0 ? NaN : $1):2:("–") with labels font key_font textcolor rgb ink, \
    cells using (hover_at($4 > 0 ? $1 : NaN, $2)):(hover_y):(cell_text(0)) @hover
