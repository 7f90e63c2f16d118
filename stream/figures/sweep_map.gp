# SPDX-License-Identifier: BSD-3-Clause
# sweep_map.gp: the triad's bandwidth by the size of its arrays and the number of ranks.
#     gnuplot -e "result='r.txt'; figure='x.svg'" sweep_map.gp
# caption: Bandwidth of the triad in GB/s (10^9 B/s), all ranks at work together, fastest passes, in
# caption: transparent huge pages; darker is slower. To the right the arrays grow from the first
# caption: cache to memory, upwards more ranks of a host work at once (the first host, if there are
# caption: several). Where a row is not darker than the one above it, its ranks already take all
# caption: that this level of the memory hierarchy gives. Above: ordinary stores. Below: stores past
# caption: the caches.
name = "sweep_map"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("array_bytes", "size")
if (!drawable) { load refused; exit }

place(list, w) = sum [i = 1:words(list)] (word(list, i) eq w ? i : 0)
list_of(k) = system(sprintf("awk '!/^#/ && $3 == \"sweep\" && !seen[$%d]++ { print $%d }' %s ", \
    k, k, quote(result))." | sort -n | tr '\\n' ' '")
# Sizes and numbers of ranks are as far from each other as their places in these lists.
at_ranks = number_of("ranks_on_host")
at_bytes = number_of("array_bytes")
ranks = list_of(at_ranks)
sizes = list_of(at_bytes)
n = words(sizes)
if (n == 0) { why = "Not drawn: the result has no sweep (--sweep)."; load refused; exit }
m = words(ranks)
is_drawn(panel) = column("host") == 0 && strcol("pages") eq "transparent" \
    && strcol("numa") eq "local" && strcol("stores") eq (panel ? "non-temporal" : "ordinary")
x(panel) = is_drawn(panel) ? place(sizes, strcol(at_bytes)) : NaN
y(panel) = place(ranks, strcol(at_ranks))
rate(k) = 1e-3 * column("best_MB_per_s")
shown(v) = sprintf(v < 10 ? "%.1f" : "%.0f", v)
# IEC's prefixes, as caches have them.
bytes_text(b) = b < 1024 ** 2 ? sprintf("%.3g KiB", b / 1024) \
    : b < 1024 ** 3 ? sprintf("%.3g MiB", b / 1024 ** 2) : sprintf("%.3g GiB", b / 1024 ** 3)
ranks_text(k) = sprintf("%d rank%s", k, k > 1 ? "s" : "")
cell_text(k) = sprintf("%s\n%s of each rank: %.3g GB/s, median %.3g", \
    ranks_text(column("ranks_on_host")), bytes_text(3.0 * column("array_bytes")), rate(0), \
    1e-3 * column("median_MB_per_s"))

has_past = system("awk '!/^#/ && $2 == \"non-temporal\"' ".quote(result)." | wc -l") + 0
panels = has_past ? 2 : 1
stats result using (is_drawn(0) || is_drawn(1) ? rate(0) : NaN) nooutput name "M"
written = n <= 34 && m <= 24
set multiplot
set label 1 "Bandwidth by size and number of ranks (STREAM's triad, GB/s)" \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
unset grid
unset key
set lmargin at screen 0.09
set rmargin at screen 0.975
set xrange [0.5:n + 0.5]
set yrange [0.5:m + 0.5]
set ylabel "ranks at once"
set format cb "%g"
set logscale cb
set palette defined @bandwidths
set cbrange [M_min:M_max > 1.01 * M_min ? M_max : 1.1 * M_min]
set cbtics font key_font
set cbtics (shown(M_min) M_min, shown(M_max) M_max)
do for [e = ceil(log10(M_min) + 0.2):floor(log10(M_max) - 0.2)] {
    set cbtics add (sprintf("%g", 10.0**e) 10.0**e)
}
set colorbox horizontal user origin 0.33, 0.055 size 0.4, 0.022
set style fill solid 1 noborder
step = n > 18 ? 2 : 1
unset xtics
unset ytics
set ytics nomirror font tiny_font scale 0
set ytics ()
do for [k = 1:m] { set ytics add (word(ranks, k) k) }
height = 0.6 / panels
do for [panel = 0:panels - 1] {
    set tmargin at screen 0.845 - panel * (height + 0.045)
    set bmargin at screen 0.845 - panel * (height + 0.045) - height + 0.03
    set label 4 (panel ? "stores past the caches" : "ordinary stores") at graph 0.5, 1.06 center \
        font panel_font
    if (panel == panels - 1) {
        set xlabel "three arrays of a rank"
        set xtics nomirror font tiny_font scale 0 rotate by 40 right
        set xtics ()
        do for [k = 1:n:step] { set xtics add (bytes_text(3.0 * real(word(sizes, k))) k) }
    }
    plot result using (x(panel)):(y(panel)):(x(panel) - 0.49):(x(panel) + 0.49): \
            (y(panel) - 0.48):(y(panel) + 0.48):(rate(0)) with boxxyerror linecolor palette, \
        result using (written ? x(panel) : NaN):(y(panel)):(shown(rate(0))) with labels \
            font tiny_font textcolor rgb ink, \
        result using (disturbed(x(panel)) + 0.4):(y(panel) + 0.4) @open_marks ink, \
        result using (hover_at(x(panel), y(panel))):(hover_y):(cell_text(0)) @hover notitle
    unset label 1
    unset label 2
    unset colorbox
}
unset multiplot
