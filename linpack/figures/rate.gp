# SPDX-License-Identifier: BSD-3-Clause
# rate.gp: the rate of cm-linpack over the order.
#     gnuplot -e "result='r.txt'; figure='x.svg'" rate.gp
# others='r1.txt r4.txt' adds results with other numbers of ranks.
# caption: Rate of solving equations over their number. Blue: measured medians; bars: the interval
# caption: of the median (column interval). Orange, dashed: the rate of the BLAS's own matrix
# caption: product on all ranks.
# caption [two workstations]: Grey, open: the numbers of warschko-1995 (section 6.3) for one and two
# caption [two workstations]: workstations.
name = "rate"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
is_alone = alone("order", "order")
if (!drawable) { load refused; exit }
if (!exists("others")) { others = "" }

gemm = 1e3 * real(meta("gemm_Gflop_per_s"))
stats result using "order" nooutput name "N"
of(file, key) = system("sed -n 's/^# ".key.": //p' ".quote(file)." | head -n 1")
precision(file) = strlen(of(file, "precision")) ? ", ".of(file, "precision") : ""
ranks(file) = sprintf("%s, %s rank%s%s", of(file, "algorithm"), of(file, "ranks"), \
    of(file, "ranks") eq "1" ? "" : "s", precision(file))
measured_title = "measured, ".ranks(result) # once: each of() starts a shell
paper_orders = "100 200 500 1000 1500"
paper_rate(order, count) = paper_value("linpack_".order."_".count."_Mflop")
# The paper's numbers are drawn only if its orders were measured.
with_paper = int(system("sed -n '/^ *order /p' ".quote(result)." | grep -c paper_1_s")) > 0
# No axis is stretched from today's rates to theirs.
stats result using "Mflop_per_s" nooutput name "R"
least_theirs = 1e300
most_theirs = 0
do for [count in "1 2"] { do for [order in paper_orders] {
    theirs = paper_rate(order, count)
    least_theirs = theirs < least_theirs ? theirs : least_theirs
    most_theirs = theirs > most_theirs ? theirs : most_theirs
} }
printed_far = with_paper && is_far(least_theirs, most_theirs, R_min, gemm > R_max ? gemm : R_max)
with_paper = with_paper && !printed_far
set logscale xy
set xrange [N_min * 0.8:N_max * 1.25]
set format x "%g"
set lmargin 15
eval prefixed_log_axis("y", with_paper ? least_theirs : R_min, gemm > R_max ? gemm : R_max, \
    1e6, "flop/s")
x_unit = "equations"
y_unit = "Mflop/s"
set xtics (100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000)
set title "Linear equations: rate\n{/*0.75 ".escape(subtitle)."}"
set xlabel "order of the matrix"
set ylabel "rate (of 2/3 n^3 + 2 n^2 operations)"
$paper << EOD
100 1 1
EOD
set print $paper
do for [k = 1:words(paper_orders)] {
    print sprintf("%s %g %g", word(paper_orders, k), paper_rate(word(paper_orders, k), "1"), \
                  paper_rate(word(paper_orders, k), "2"))
}
set print
also = either(others, result)
printed(v) = with_paper ? v : NaN
# The rate at another time than the median.
rate(time) = column("Mflop_per_s") * column("median_s") / level(time)
plot result using "order":(rate("within_high_s")):(0): \
        (rate("within_low_s") - rate("within_high_s")) @within_bars pale(measured) \
        title within_title, \
    result using "order":"Mflop_per_s":(rate("high_s")):(rate("low_s")) with yerrorbars \
        linestyle 4 title interval_title, \
    result using "order":"Mflop_per_s" with linespoints linestyle 1 pointsize 0.9 \
        title measured_title, \
    result using (disturbed(column("order"))):"Mflop_per_s" @open_marks measured \
        title disturbed_title, \
    result using (hover_at(column("order"), column("Mflop_per_s"))):(hover_y): \
        (hover_text(measured_title, rate("high_s"), rate("low_s"))) @hover notitle, \
    for [k = 1:2] $paper using (hover_at($1, printed(column(int(k) + 1)))):(hover_y): \
        (hover_text("warschko-1995, ".word("one two", k)." workstation".(k > 1 ? "s" : ""), \
        NaN, NaN)) @hover notitle, \
    beside_file using (beside(column("order"))):"Mflop_per_s" @beside_look title beside_title, \
    for [file in also] file using "order":(strlen(others) ? column("Mflop_per_s") : NaN) \
        with linespoints linewidth 1.4 pointtype 7 pointsize 0.7 \
        title strlen(others) ? "measured, ".ranks(file) : "", \
    @nowhere @far_look title printed_far ? far_title("warschko-1995") : "", \
    gemm with lines linestyle 2 title "the BLAS's matrix product, all ranks", \
    $paper using 1:(printed($3)) with linespoints linestyle 3 \
        title with_paper ? "warschko-1995, two workstations" : "", \
    $paper using 1:(printed($2)) with linespoints linestyle 3 pointtype 6 \
        title with_paper ? "warschko-1995, one workstation" : ""
