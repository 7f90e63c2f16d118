# SPDX-License-Identifier: BSD-3-Clause
# levels.gp: which level of variation a figure's bars show, and which of its rows were disturbed.
# clustermark.gp loads it.
#
# A result of several launches has medians and intervals over them, and beside these the interval
# within a launch. A thin bar is the interval of low_... and high_..., a wide pale one that of
# within_low_... and within_high_..., an open mark is a disturbed row:
#     plot ... @within_bars pale(measured) title within_title, \
#         ... with yerrorbars linestyle 4 title interval_title, \
#         ... with linespoints linestyle 1 title median_title, \
#         ... using (disturbed(x)):y @open_marks measured title disturbed_title

# The names of the columns, and the value of one that not every result has: 1/0 is no point.
header = " ".system("awk '!/^#/ && NF { $1 = $1; print; exit }' ".quote(result))." "
level(name) = strstrt(header, " ".name." ") ? column(name) : 1/0
# Its number, for rows that a command has chosen; 0: there is none.
number_of(name) = words(header) == 0 ? 0 : \
                  sum [i = 1:words(header)] (word(header, i) eq name ? i : 0)

launches = int(either(meta("launches"), "1"))
has_within = strstrt(header, " within_low_") > 0
measured_word = meta("transport") eq "simulated by SimGrid" ? "simulated" : "measured"
median_title = measured_word.", median".(launches > 1 ? sprintf(" over %d launches", launches) : "")
# With fewer than six launches there is no 95 % interval.
interval_title = launches == 1 ? "interval of the median" : \
    (launches < 6 ? "range" : "95 % interval").sprintf(" over %d launches", launches)
within_title = has_within ? "interval within a launch" : ""
# The end of a transparent colour: what stands behind remains visible.
pale(colour) = "#a0".colour[2:*]
within_bars = 'with vectors nohead linewidth 5 linecolor rgb'

# A row whose disturbed samples could not be replaced is summarized over all of them.
at_disturbed = number_of("disturbed")
at_summarized = number_of("summarized")
disturbed_rows = at_disturbed && at_summarized ? \
    int(system(sprintf("awk '/^#/ || !NF || !rows++ { next } $%d > 0 && $%d == \"all\" { n++ } ". \
                       "END { print n + 0 }' %s", at_disturbed, at_summarized, quote(result)))) : 0
is_disturbed(x) = disturbed_rows > 0 && column(at_disturbed) > 0 \
                  && strcol(at_summarized) eq "all"
disturbed(value) = is_disturbed(0) ? value : 1/0
disturbed_title = disturbed_rows ? "disturbed" : ""
# Behind the ends of a row's interval: a star if they are a range, as on the page, and how many
# launches or trials it is of.
at_interval = number_of("interval")
at_n = number_of("n")
value_word = launches > 1 ? "launch" : "trial"
many_of(n) = sprintf(", %d %s%s", n, value_word, n == 1 ? "" : value_word eq "launch" ? "es" : "s")
with_marks = 1
row_mark(x) = !with_marks ? "" : (at_interval > 0 && strcol(at_interval) eq "range" ? "*" : ""). \
    (at_n > 0 && column(at_n) >= 1 ? many_of(column(at_n)) : "")
# For a figure that draws comments, which are of one launch, and for one without marks.
of_launch = launches > 1 ? sprintf(", launch %s of %d", meta("launch_of_comments"), launches) : ""
disturbed_note = disturbed_rows ? sprintf(", %d row%s disturbed", disturbed_rows, \
                                          disturbed_rows == 1 ? "" : "s") : ""

# For a figure of several results, which loads this for each of them: the titles of what it shows,
# and choose(k), by which level(), disturbed() and row_mark() are of result k. It sets Header[k],
# Disturbed[k] and Counted[k].
if (!exists("any_within")) { any_within = ""; any_disturbed = ""; any_interval = "" }
if (drawable) {
    any_within = either(any_within, within_title)
    any_disturbed = either(any_disturbed, disturbed_title)
    any_interval = any_interval eq "" || any_interval eq interval_title ? interval_title \
        : launches == 1 ? any_interval : "interval over launches"
}
choose(k) = (header = Header[k], disturbed_rows = Disturbed[k], \
             at_disturbed = number_of("disturbed"), at_summarized = number_of("summarized"), \
             at_interval = number_of("interval"), at_n = number_of("n"), value_word = Counted[k], 1)

set style circle radius screen 0.004
# For a key of its own: @nowhere:(0):(0) @within_bars pale(measured) title within_title
$nothing << EOD
0
EOD
nowhere = '$nothing using (NaN):(NaN)'
open_marks = 'with circles linecolor rgb ground fillstyle solid border linecolor rgb'
