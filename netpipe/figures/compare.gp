# SPDX-License-Identifier: BSD-3-Clause
# compare.gp: any number of results of cm-netpipe in one figure, as in figure 2 of halstead-1999.
#     gnuplot -e "results='a.txt b.txt'; titles='TCP MPI'; figure='x.svg'" compare.gp
# quantity='time' draws times instead of throughput. A name or title with blanks goes in double
# quotes: titles='"Fast Ethernet" GigE'. Without titles the key shows the files' names and modes.
# caption: Throughput of the medians over message size for several networks, modes or libraries.
# caption: Both scales are logarithmic, as in figure 2 of halstead-1999. A result that failed or had
# caption: more ranks than cores has no curve; the key says so. All sweeps of a result are drawn.
name = "compare"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
if (!exists("results") || words(results) == 0) {
    print "usage: gnuplot -e \"results='A.txt B.txt'; titles='A B'; figure='FIGURE.svg'\" ".ARG0
    exit status 2
}
if (!exists("titles")) titles = ""
if (words(titles) > 0 && words(titles) != words(results)) {
    print sprintf("figure: %d titles for %d results", words(titles), words(results))
    exit status 2
}
if (!exists("quantity")) quantity = "throughput"
if (quantity ne "throughput" && quantity ne "time") {
    print "figure: quantity '".quantity."': expected throughput or time"
    exit status 2
}
if (!exists("figure")) figure = "compare.svg"

# For each result: the number of sweeps to draw, its title and what levels.gp knows of its columns.
# For all: the range of sizes.
array Sweeps[words(results)]
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
    Sweeps[k] = drawable ? int(either(meta("sweeps"), "1")) : 0
    Title[k] = words(titles) ? word(titles, k) : \
               system("basename ".quote(result)." .txt").(described eq "" ? ": ".mode : described)
    Title[k] = escape(Title[k])
    Header[k] = header
    Disturbed[k] = disturbed_rows
    Counted[k] = value_word
    if (drawable) {
        stats result using "size_bytes" nooutput name "S"
        first = S_min < first || first != first ? S_min : first
        last = S_max > last || last != last ? S_max : last
    } else {
        Title[k] = Title[k].": ".why
    }
}
any = first == first
if (!any) {
    why = "Not drawn: none of the results can be (all oversubscribed, failed or without a metric)."
    load refused
    exit
}

timed = quantity eq "time"
y_unit = timed ? "us" : "Mbit/s"
set title (timed ? "Time of a message over its size" : "Throughput over message size"). \
          sprintf("\n{/*0.75 %d results}", words(results))
set logscale xy
set xlabel "message size"
set ylabel timed ? "time of a message" : "throughput"
eval prefixed_axis("y", timed ? 1e-6 : 1e6, timed ? "s" : "bit/s")
eval prefixed_log_axis("x", first, last, 1, "B")
set key maxrows 4
# The first column of each row chooses the result.
size_of(k, i) = choose(k) && int(column("sweep")) == i ? column("size_bytes") : NaN
amount(name) = timed ? 1e6 * level(name) \
    : column("throughput_Mbit_per_s") * column("median_s") / level(name)
plot for [k = 1:words(results)] for [i = 1:Sweeps[k]] word(results, k) \
        using (size_of(k, i)):(amount("within_low_s")):(0): \
        (amount("within_high_s") - amount("within_low_s")) @within_bars pale(colour(k)) \
        notitle, \
    for [k = 1:words(results)] for [i = 1:Sweeps[k]] word(results, k) \
        using (size_of(k, i)):(amount("median_s")):(amount("low_s")):(amount("high_s")) \
        with yerrorbars linecolor rgb colour(k) linewidth 0.7 pointtype -1 \
        notitle, \
    for [k = 1:words(results)] for [i = 1:Sweeps[k]] word(results, k) \
        using (size_of(k, i)):(amount("median_s")) with linespoints linecolor rgb colour(k) \
        linewidth 1.4 pointtype mark(k) pointsize 0.7 pointinterval -8 \
        title i == 1 ? Title[k] : "", \
    for [k = 1:words(results)] for [i = 1:Sweeps[k]] word(results, k) \
        using (disturbed(size_of(k, i))):(amount("median_s")) @open_marks colour(k) \
        notitle, \
    for [k = 1:words(results)] for [i = 1:Sweeps[k]] word(results, k) \
        using (hover_at(size_of(k, i), amount("median_s"))):(hover_y): \
        (hover_text(Title[k], amount("low_s"), amount("high_s"))) @hover notitle, \
    for [k = 1:words(results)] NaN with points linecolor rgb colour(k) pointtype mark(k) \
        title Sweeps[k] ? "" : Title[k], \
    @nowhere:(0):(0) @within_bars pale(papers) title any_within, \
    @nowhere:(0):(0) with yerrorbars linecolor rgb papers linewidth 0.7 pointtype -1 \
        title any_interval, \
    @nowhere @open_marks papers title any_disturbed
