# SPDX-License-Identifier: BSD-3-Clause
# rails.gp: one rail and several rails in one figure, drawn by compare.gp from this result and the
# netpipe.txt beside it.
#     gnuplot -e "result='netpipe-rails.txt'; figure='x.svg'" rails.gp
# caption: Throughput of the medians over message size, both scales logarithmic. One curve uses one
# caption: connection; the other spreads messages longer than CM_STRIPE_THRESHOLD over several
# caption: (CM_RAILS), as figure 2 of halstead-1999 shows one and two cards.
name = "rails"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
if (!exists("result")) {
    print "usage: gnuplot -e \"result='RESULT.txt'; figure='FIGURE.svg'\" ".ARG0
    exit status 2
}
if (!exists("figure")) figure = "rails.svg"
load here."../../suite/clustermark.gp"
over = either(meta("rails"), "several")." rails"
rails_result = result
one = system("dirname ".quote(result))."/netpipe.txt"
has_one = system("test -f ".quote(one)." && echo yes") eq "yes"
results = (has_one ? '"'.one.'" ' : "").'"'.rails_result.'"'
titles = (has_one ? '"one rail" ' : "").'"'.over.'"'
load here."compare.gp"
