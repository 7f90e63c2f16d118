# SPDX-License-Identifier: BSD-3-Clause
# parts.gp: the parts of the time of cm-linpack's factorization.
#     gnuplot -e "result='r.txt'; figure='x.svg'" parts.gp
# caption: Parts of the time to factor, a column for each order. Update: arithmetic. Broadcast:
# caption: waiting for rows of U. Exchange: packing and moving rows. Search: finding pivots,
# caption: including the wait for other ranks.
name = "parts"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

set style data histogram
set style histogram rowstacked
set style fill solid 1 border rgb ground
set boxwidth 0.7
set yrange [0:100]
set format x "%s"
set title "Linear equations: where the time goes\n{/*0.75 ".escape(subtitle.disturbed_note)."}"
set xlabel "order of the matrix"
set ylabel "share of the time to factor (%)"
share_text(part) = sprintf("%s\n%s equations: %.3g %%", part, strcol("order"), \
    100 * column(part."_share"))
# The middle of a part: half of it above those below.
below(k) = k == 1 ? 0 : 100 * column(word(parts, k - 1)."_share") + below(k - 1)
middle(k) = below(k) + 50 * column(word(parts, k)."_share")
parts = "update broadcast exchange search"
plot result using (100 * column("update_share")):xtic(1) linecolor rgb measured title "update", \
    result using (100 * column("broadcast_share")) linecolor rgb light_blue title "broadcast", \
    result using (100 * column("exchange_share")) linecolor rgb light_orange title "exchange", \
    result using (100 * column("search_share")) linecolor rgb fitted title "search", \
    for [k = 1:4] result using (hover_at(column(0), middle(k))):(hover_y): \
        (share_text(word(parts, k))) @hover notitle
