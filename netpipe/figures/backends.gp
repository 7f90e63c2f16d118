# SPDX-License-Identifier: BSD-3-Clause
# backends.gp: results of cm-netpipe over several backends: time and throughput over message size.
#     gnuplot -e "results='a.txt b.txt'; titles='mpi sockets'; figure='x.svg'" backends.gp
# with_papers=1 also draws the two lines that innocente-1999 gives for MPICH over Fast Ethernet.
# caption: The same messages over each backend: half the round trip, and throughput, over message
# caption: size, both medians over launches with their interval.
name = "backends"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
if (!exists("results") || !exists("titles") || words(titles) != words(results) \
    || words(results) == 0) {
    print "usage: gnuplot -e \"results='A.txt B.txt'; titles='A B'; figure='FIGURE.svg'\" ".ARG0
    exit status 2
}
if (!exists("figure")) { figure = "backends.svg" }
if (!exists("with_papers")) { with_papers = 0 }

array Drawn[words(results)]
array Title[words(results)]
array Header[words(results)]
array Disturbed[words(results)]
array Counted[words(results)]
first = NaN
last = NaN
do for [k = 1:words(results)] {
    result = word(results, k)
    load here."../../suite/clustermark.gp"
    load here."mode.gp"
    Drawn[k] = drawable
    Title[k] = word(titles, k).(drawable ? "" : ": ".why)
    Header[k] = header
    Disturbed[k] = disturbed_rows
    Counted[k] = value_word
    if (drawable) {
        stats result using "size_bytes" nooutput name "S"
        first = S_min < first || first != first ? S_min : first
        last = S_max > last || last != last ? S_max : last
    }
}
if (first != first) {
    why = "Not drawn: none of the results can be (all oversubscribed, failed or without a metric)."
    load refused
    exit
}
S_min = first
S_max = last
papers_time = with_papers
load here."models.gp"
their_us(x) = x < their_crossover ? their_latency_1 + x / their_bandwidth_1 \
    : their_latency_2 + x / their_bandwidth_2

set output
if (suffix eq ".png") {
    set terminal pngcairo size 1100, 460 font png_font background rgb ground
} else {
    set terminal svg size 900, 440 font svg_font background rgb ground name name @page_only
}
set output figure
size_of(k) = choose(k) && Drawn[k] && int(column("sweep")) == 1 ? column("size_bytes") : NaN
us(name) = 1e6 * level(name)
Mbit(name) = column("throughput_Mbit_per_s") * column("median_s") / level(name)
amount(p, name) = p == 1 ? us(name) : Mbit(name)
theirs(p, x) = p == 1 ? their_us(x) : 8 * x / their_us(x)
least(p) = p == 1 ? "low_s" : "high_s"
greatest(p) = p == 1 ? "high_s" : "low_s"

set multiplot
set logscale xy
set xlabel "message size" offset 0, 0.4
set samples 200
set key off
do for [p = 1:2] {
    left = p == 1 ? 0.1 : 0.605
    set lmargin at screen left
    set rmargin at screen left + 0.37
    set tmargin at screen 0.88
    set bmargin at screen 0.275
    set title (p == 1 ? "Time of a message (half the round trip)" : "Throughput") font panel_font
    y_unit = p == 1 ? "us" : "Mbit/s"
    eval prefixed_every("y", p == 1 ? 1e-6 : 1e6, p == 1 ? "s" : "bit/s", 1)
    eval prefixed_log_axis("x", first, last, 1, "B")
    set xtics font key_font
    set ytics font key_font
    plot sample [first:last] NaN notitle, \
        for [k = 1:words(results)] word(results, k) using (size_of(k)):(amount(p, "median_s")): \
            (amount(p, least(p))):(amount(p, greatest(p))) with yerrorbars linecolor rgb colour(k) \
            linewidth 0.7 pointtype -1 title Title[k], \
        for [k = 1:words(results)] word(results, k) using (size_of(k)):(amount(p, "median_s")) \
            with linespoints linecolor rgb colour(k) linewidth 1.4 dashtype dashes_of(k) \
            pointtype mark(k) pointsize 0.5 title Title[k], \
        [first:last] theirs(p, x) with lines linestyle 3 \
            title their("innocente-1999: MPICH over Fast Ethernet"), \
        for [k = 1:words(results)] word(results, k) \
            using (hover_at(size_of(k), amount(p, "median_s"))):(hover_y): \
            (hover_text(Title[k], amount(p, least(p)), amount(p, greatest(p)))) @hover notitle
}
# One key for both panels.
unset title
unset border
unset tics
unset grid
unset xlabel
unset logscale
set lmargin at screen 0.03
set rmargin at screen 0.97
set tmargin at screen 0.14
set bmargin at screen 0.005
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, 0.135 center top horizontal maxcols 4 font note_font
plot for [k = 1:words(results)] @nowhere with linespoints linecolor rgb colour(k) linewidth 1.4 \
        dashtype dashes_of(k) pointtype mark(k) title Title[k], \
    @nowhere with lines linestyle 3 title with_papers \
        ? "innocente-1999: MPICH over Fast Ethernet" : ""
unset multiplot
