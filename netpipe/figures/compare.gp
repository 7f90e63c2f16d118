# SPDX-License-Identifier: BSD-3-Clause
# compare.gp: any number of results of cm-netpipe in one figure, as halstead-1999, figure 2.
#     gnuplot -e "results='a.txt b.txt'; titles='TCP MPI'; figure='x.svg'" compare.gp
# quantity='time' draws times instead of throughput. A name or title with blanks goes in double
# quotes: titles='"Fast Ethernet" GigE'. Without titles: the files' names and modes.
# caption: Throughput of the medians over message size for several networks, modes or libraries,
# caption: both scales logarithmic, as halstead-1999's figure 2. A result that failed or had more
# caption: ranks than cores has no curve; the key says so. With several sweeps: all of them.
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
    print "figure: quantity is throughput or time, not ".quantity
    exit status 2
}
if (!exists("figure")) figure = "compare.svg"

# Of each result: how many sweeps are drawn of it, its title; the extent of all.
array Sweeps[words(results)]
array Title[words(results)]
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
    why = "Not drawn: none of the results can be (oversubscribed, failed, or without a verdict)."
    load refused
    exit
}

timed = quantity eq "time"
set title (timed ? "Time of a message over its size" : "Throughput over message size"). \
          sprintf("\n{/*0.8 %d results}", words(results))
set logscale xy
set xlabel "message size (bytes)"
set ylabel timed ? "time of a message (microseconds)" : "throughput (Mbit/s; 10^6 bit/s)"
set format y "10^{%L}"
set xrange [first:last]
set key maxrows 4
# Told apart without colours too. Colours: Okabe and Ito's, which the colour-blind tell apart.
colours = "#1b5e9e #d55e00 #009e73 #cc79a7 #56b4e9 #e69f00 #000000 #7f7f7f"
colour(k) = word(colours, (k - 1) % words(colours) + 1)
amount(k) = timed ? 1e6 * column("median_s") : column("throughput_Mbit_per_s")
size_of(i) = int(column("sweep")) == i ? column("size_bytes") : NaN
plot for [k = 1:words(results)] for [i = 1:Sweeps[k]] word(results, k) \
        using (size_of(i)):(amount(k)) with linespoints linecolor rgb colour(k) linewidth 1.4 \
        pointtype k pointsize 0.7 pointinterval -8 title i == 1 ? Title[k] : "", \
    for [k = 1:words(results)] NaN with points linecolor rgb colour(k) pointtype k \
        title Sweeps[k] ? "" : Title[k]
