# SPDX-License-Identifier: BSD-3-Clause
# sum.gp: the time of a sum over all ranks, over the size of a rank's vector.
#     gnuplot -e "result='r.txt'; figure='x.svg'" sum.gp
# caption: Time until all ranks know the sum of their vectors, medians of the slowest rank; bars are
# caption: the rows' low and high.
name = "sum"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

set logscale xy
set title "Sum over all ranks\n{/*0.75 ".subtitle."}"
set xlabel "a rank's vector (bytes)"
set ylabel "time (microseconds)"
plot result using "size_bytes":(1e6 * column("median_s")):(1e6 * column("low_s")): \
        (1e6 * column("high_s")) with yerrorbars linestyle 4 title "low to high", \
    result using "size_bytes":(1e6 * column("median_s")) with linespoints linestyle 1 \
        title "measured"
