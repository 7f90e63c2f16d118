# SPDX-License-Identifier: BSD-3-Clause
# farm.gp: what time.gp, rate.gp, overhead.gp and speed_up.gp share. A figure over the batch size
# has a line for each number of workers. Loaded after name and here are set.
load here."../../suite/clustermark.gp"
kind = meta("work")
if (drawable && meta("workers")[1:4] eq "none") {
    drawable = 0
    why = "Not drawn: there were no workers (one rank)."
}
rows_ = "grep -v '^#' %s | awk 'NR > 1 { print $%d }' | sort -n -u | tr '\\n' ' '"
workers = system(sprintf(rows_, quote(result), 1))
batches = system(sprintf(rows_, quote(result), 2))
# At most four lines of a further result, as of the paper.
beside_workers = has_beside ? system(sprintf(rows_, quote(second), 1)." | cut -d ' ' -f 1-4") : ""
beside_of(k) = k <= words(beside_workers) ? word(beside_workers, k) + 0 : NaN
of_workers(w, v) = column("workers") == w ? v : NaN
of_batch(b, v) = column("batch_units") == b ? v : NaN
batch(k) = of_workers(word(workers, k) + 0, column("batch_units"))
# The paper's cell of a quantity, workers and batch is a line QUANTITY_WORKERS_BATCH of paper.dat;
# here as two columns, workers or batch and the value.
over_batches(quantity, w) = "< awk -F '\\t' '$1 ~ /^".quantity."_".w."_[0-9]+$/ ". \
    "{ split($1, k, \"_\"); print k[3], $2 }' ".quote(here."../paper.dat")
over_workers(quantity, b) = "< awk -F '\\t' '$1 ~ /^".quantity."_[0-9]+_".b."$/ ". \
    "{ split($1, k, \"_\"); print k[2], $2 }' ".quote(here."../paper.dat")
paper_workers = "1 3 7 19"
# Returns true if its cells of the quantity are not far from our values. (A loop over nothing would
# still be drawn once.)
is_near(quantity, least, most) = (ends_ = system("awk -F '\\t' '$1 ~ /^".quantity."_/ ". \
    "{ if (!n++ || $2 < low) low = $2; if ($2 > high) high = $2 } END { print low, high }' ". \
    quote(here."../paper.dat")), \
    low_ = real(word(ends_, 1)), high_ = real(word(ends_, 2)), !is_far(low_, high_, least, most))
theirs(v) = near ? v : NaN
their_title(k) = near ? "pelikan-2007, ".plural(word(paper_workers, k)) : ""
their_far_title = far_title("pelikan-2007")
plural(w) = w eq "1" ? "1 worker" : w." workers"
point(k) = mark(k)
open_point(k) = int(word("6 4 8 12", k))
x_unit = "units a batch"
set logscale xy
set format x "%g"
set format y "%g"
set xlabel "batch size (units)"
set xrange [0.8:125]
set xtics (1, 2, 4, 10, 100)
