# SPDX-License-Identifier: BSD-3-Clause
# relative.gp: the gain of one network over another, by algorithm, over the number of processes; as
# in figure 5 of ben-fradj-2003. results: of the faster network,
# others: of the slower one, in the same order.
#     gnuplot -e "results='s1.txt l1.txt'; others='s2.txt l2.txt'; figure='x.svg'" relative.gp
# titles='A B' names the two; without it their networks do. `clustermark compare` draws one
# benchmark at a time, the new result over the base. `clustermark report --beside` draws all of them
# and gives others_title: the network that saves cycles is then the first, whichever was beside.
# caption: Cycles per item that the first network saves, in percent of those of the second, at the
# caption: largest size that both have, over the number of processes. Grey: the gain that
# caption: ben-fradj-2003, section 4, gives for Myrinet over Fast Ethernet.
name = "relative"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
if (!exists("results") || !exists("others") || words(results) == 0 \
    || words(results) != words(others)) {
    print "usage: gnuplot -e \"results='A.txt B.txt'; others='A2.txt B2.txt'; ". \
        "figure='x.svg'\" ".ARG0
    exit status 2
}
if (!exists("figure")) { figure = name.".svg" }
do for [k = 1:2 * words(results)] {
    result = k <= words(results) ? word(results, k) : word(others, k - words(results))
    load here."../../../suite/clustermark.gp"
    if (!drawable) { why = result.": ".why; load refused; exit }
}
result = word(results, 1)
second = word(others, 1)
load here."axes.gp"
alike = network(result) eq network(second) && exists("others_title")
own_title = alike ? "these results" : network(result)
other_title = alike ? others_title : network(second)
unset logscale
set offsets 0, 0, 0, graph 0.04

if (exists("others_title")) {
    saved = "for pair in $(seq ".words(results)."); do awk -f ".quote(here."gain.awk"). \
        " $(echo ".results." | cut -d ' ' -f $pair) $(echo ".others." | cut -d ' ' -f $pair); done"
    if (real(system(saved." | awk '$1 > 1 { sum += $2 } END { print sum + 0 }'")) < 0) {
        swapped = results; results = others; others = swapped
        swapped = own_title; own_title = other_title; other_title = swapped
    }
}
if (!exists("titles")) { titles = sprintf('"%s" "%s"', own_title, other_title) }

gain(k) = "< awk -f ".quote(here."gain.awk")." ".quote(word(results, k))." ".quote(word(others, k))
program_of(k) = system("sed -n 's/^# program: //p' ".quote(word(results, k)))
claim(program) = system(sprintf("awk -F '\\t' '$1 == \"%s_gain\" { print $2 }' %s/*/paper.dat", \
                                program[4:*], quote(here."../..")))
claimed(k) = strlen(claim(program_of(k))) ? real(claim(program_of(k))) : NaN
size_of(k) = millions(real(system(gain(k)[3:*]." | awk '{ size = $3 } END { print size }'")))." ". \
    (program_of(k) eq "cm-matmul" ? "rows" : key_of(word(results, k), "item"))
last = 1
do for [k = 1:words(results)] {
    stats gain(k) using 1 nooutput name "G"
    last = G_max > last ? G_max : last
}
set title "Cycles per item saved: ".escape(word(titles, 1))." over ".escape(word(titles, 2)). \
          "\n{/*0.75 ".escape(subtitle)."}"
set xlabel "processes"
set ylabel "percent of ".escape(word(titles, 2))."'s cycles per item"
set xrange [0.8:last + 0.2]
unset xtics
set xtics 1 nomirror
set format x "%g"
unset ytics
set ytics nomirror
set yrange [*<0:100]
set xzeroaxis linestyle 9 linewidth 1.5
x_unit = "processes"
y_unit = "%"
own(k) = program_of(k).", ".size_of(k)
claim_title(k) = strlen(claim(program_of(k))) \
    ? sprintf("%s: ben-fradj-2003, %g %%", program_of(k), claimed(k)) : ""
array Own[words(results)]
array Claim[words(results)]
do for [k = 1:words(results)] { Own[k] = own(k); Claim[k] = claim_title(k) }
plot for [k = 1:words(results)] gain(k) using 1:2 with linespoints linestyle 1 \
        linecolor rgb colour(k) pointtype mark(k) pointsize 0.9 title Own[k], \
    for [k = 1:words(results)] gain(k) using 1:(claimed(k)) with linespoints linestyle 3 \
        pointtype mark(k) - 1 title Claim[k], \
    for [k = 1:words(results)] gain(k) using (hover_at($1, $2)):(hover_y): \
        (hover_text(Own[k], NaN, NaN)) @hover notitle, \
    for [k = 1:words(results)] gain(k) using (hover_at($1, claimed(k))):(hover_y): \
        (hover_text(Claim[k], NaN, NaN)) @hover notitle
