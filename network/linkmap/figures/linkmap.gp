# SPDX-License-Identifier: BSD-3-Clause
# linkmap.gp: latency and bandwidth of every pair of ranks as two heat maps.
#     gnuplot -e "result='r.txt'; figure='x.svg'" linkmap.gp
# caption: Half the round trip of one byte on the left, bandwidth of a long message on the right;
# caption: darker is slower in both. With one rank per host, below the diagonal: each pair in its
# caption: round, while other pairs communicated; above it: the pairs that were measured again,
# caption: alone. Only these are compared to find the slowest pair. With several ranks per host, or
# caption: more than 64 hosts, a box is the pairs between two hosts or groups of neighbours,
# caption: measured in their rounds: their median below and on the diagonal, the slowest of them
# caption: above it.
name = "linkmap"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
load here."../../../suite/clustermark.gp"
if (!drawable) { load refused; exit }

# Boxes, if the result has them: first and last host (or rank) of both sides, medians, the slowest.
in_boxes = int(system("grep -c '^# box: ' ".quote(result))) > 0
unit_name = in_boxes ? system("awk '/^# box: / { sub(/s$/, \"\", $3); print $3; exit }' ". \
                              quote(result)) : meta("hosts") eq meta("ranks") ? "host" : "rank"
units = int(meta(unit_name."s"))
box_words = "function last(r) { return r ~ /-/ ? substr(r, index(r, \"-\") + 1) : r } ". \
            "/^# box: / { line = $4 + 0 \" \" last($4) \" \" $5 + 0 \" \" last($5); ". \
            "for (k = 7; k <= 10; k++) { split($k, v, \"=\"); line = line \" \" v[2] }; ". \
            "print line }"
boxes = "< awk ".quote(box_words)." ".quote(result)

if (units < 3 && !in_boxes) {
    why = "Not drawn: two ranks are one pair; the table has its latency and bandwidth."
    load refused
    exit
}
# Pairs of ranks, from the rows.
stats result using "size_bytes" nooutput name "S"
small = S_min
long = S_max
amount(panel) = panel ? column("MB_per_s") : 1e6 * column("median_s")
of(panel) = column("size_bytes") == (panel ? long : small) ? amount(panel) : NaN
in(panel, name) = of(panel) == of(panel) ? column(name) : NaN
together(panel, name) = int(column("alone")) ? NaN : in(panel, name)
alone(panel, name) = int(column("alone")) ? in(panel, name) : NaN
shown(v) = v == v ? sprintf(v < 1000 ? "%.3g" : "%.0f", v) : ""
# With few ranks there is room for numbers in the boxes.
written = units <= 10

# The scale has a width even if all pairs are alike, and is logarithmic if they differ much.
array Lowest[2]
array Highest[2]
do for [panel = 0:1] {
    if (in_boxes) {
        stats boxes using (column(5 + panel)) nooutput name "M"
        stats boxes using (column(7 + panel)) nooutput name "W"
        Lowest[panel + 1] = M_min < W_min ? M_min : W_min
        Highest[panel + 1] = M_max > W_max ? M_max : W_max
    } else {
        stats result using (of(panel)) nooutput name "M"
        Lowest[panel + 1] = M_min
        Highest[panel + 1] = M_max
    }
}
much(panel) = Highest[panel + 1] > 10 * Lowest[panel + 1]
margin(panel) = Highest[panel + 1] > 1.001 * Lowest[panel + 1] ? 0 : 0.1 * Highest[panel + 1]

# Names of hosts where there is room: all of 16, and some of more.
names = unit_name eq "host" ? meta("ranks_per_host") : ""
host_(w) = w[1:strstrt(w, ":") - 1]
cut(w) = strlen(w) > 12 ? w[1:11]."..." : w
unit(k) = strlen(names) ? cut(host_(word(names, k + 1))) : sprintf("%d", k)
step = units > 16 ? int((units + 7) / 8) : 1

# The boxes say in a page what they are.
several(a, b) = int(a) == int(b) ? unit(int(a)) : unit(int(a))." to ".unit(int(b))
between(a, b) = a." and ".b
amount_text(panel, value) = three_digits(value).(panel ? " MB/s" : " µs")
pair_text(panel, how) = between(unit(int(column("first"))), unit(int(column("second")))).": ". \
    amount_text(panel, of(panel)).", ".how
box_text(panel, at, how) = between(several($1, $2), several($3, $4)).": ". \
    amount_text(panel, column(at)).", ".how

explanation = in_boxes ? "Below and on the diagonal: median of a box's pairs. Above: the slowest." \
    : "Below the diagonal: each pair in its round. Above: measured again, alone.". \
      (disturbed_rows ? " Circles: disturbed." : "")
# Three digits of it.
bar_digits(v) = 10.0**(floor(log10(v)) - 2)
bar_number(v) = prefixed(bar_digits(v) * floor(v / bar_digits(v) + 0.5) * (panel ? 1e6 : 1e-6), \
    panel ? "B/s" : "s")
set multiplot
set tmargin at screen 0.84
set bmargin at screen 0.29
set label 1 "Latency and bandwidth of every pair of ".unit_name."s" \
    at screen 0.5, 0.955 center font title_font
set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced
set label 3 explanation at screen 0.5, 0.04 center font note_font
unset grid
unset key
set format x "%g"
set format y "%g"
set format cb "%g"
set cbtics font key_font
set xlabel unit_name
set ylabel unit_name
set xrange [-0.5:units - 0.5]
set yrange [units - 0.5:-0.5]
unset xtics
unset ytics
set xtics nomirror font tiny_font
set ytics nomirror font tiny_font
if (strlen(names)) { set xtics rotate by 60 right noenhanced; set ytics noenhanced }
set xtics ()
set ytics ()
do for [k = 0:units - 1:step] { set xtics add (unit(k) k); set ytics add (unit(k) k) }
set colorbox horizontal user size 0.34, 0.025
set style fill solid 1 noborder
do for [panel = 0:1] {
    set lmargin at screen panel ? 0.605 : 0.105
    set rmargin at screen panel ? 0.975 : 0.475
    set colorbox origin panel ? 0.62 : 0.12, 0.115
    set label 4 (panel ? sprintf("bandwidth of %d bytes", long) \
                       : sprintf("half the round trip of %d byte", small)) \
        at graph 0.5, 1.05 center font panel_font
    if (panel) {
        set palette defined @bandwidths
    } else {
        set palette defined @latencies
    }
    set cbtics (bar_number(Lowest[panel + 1]) Lowest[panel + 1], \
        bar_number(Highest[panel + 1]) Highest[panel + 1])
    if (!much(panel)) {
        middle_ = (Lowest[panel + 1] + Highest[panel + 1]) / 2
        set cbtics add (bar_number(middle_) middle_)
    } else {
        first_ = ceil(log10(Lowest[panel + 1]) + 0.3)
        do for [e = first_:floor(log10(Highest[panel + 1]) - 0.3)] {
            set cbtics add (bar_number(10.0**e) 10.0**e)
        }
    }
    if (much(panel)) { set logscale cb } else { unset logscale cb }
    set cbrange [Lowest[panel + 1] - margin(panel):Highest[panel + 1] + margin(panel)]
    if (in_boxes) {
        plot boxes using 1:3:($1 - 0.5):($2 + 0.5):($3 - 0.5):($4 + 0.5):(column(5 + panel)) \
                with boxxyerror linecolor palette, \
            boxes using ($1 < $3 ? $3 : NaN):1:($3 - 0.5):($4 + 0.5):($1 - 0.5):($2 + 0.5): \
                (column(7 + panel)) with boxxyerror linecolor palette, \
            boxes using (hover_at(($1 + $2) / 2, ($3 + $4) / 2)):(hover_y): \
                (box_text(panel, 5 + panel, "median")) @hover notitle, \
            boxes using (hover_at($1 < $3 ? ($3 + $4) / 2 : NaN, ($1 + $2) / 2)):(hover_y): \
                (box_text(panel, 7 + panel, "the slowest pair")) @hover notitle
    } else {
        plot result using (together(panel, "first")):"second": \
                (column("first") - 0.5):(column("first") + 0.5): \
                (column("second") - 0.5):(column("second") + 0.5):(of(panel)) \
                with boxxyerror linecolor palette, \
            result using (alone(panel, "second")):"first": \
                (column("second") - 0.5):(column("second") + 0.5): \
                (column("first") - 0.5):(column("first") + 0.5):(of(panel)) \
                with boxxyerror linecolor palette, \
            result using (written ? together(panel, "first") : NaN):"second":(shown(of(panel))) \
                with labels font tiny_font textcolor rgb ink, \
            result using (written ? alone(panel, "second") : NaN):"first":(shown(of(panel))) \
                with labels font tiny_font textcolor rgb ink, \
            result using (disturbed(together(panel, "first")) + 0.4):(column("second") - 0.4) \
                @open_marks ink, \
            result using (disturbed(alone(panel, "second")) + 0.4):(column("first") - 0.4) \
                @open_marks ink, \
            result using (hover_at(together(panel, "first"), column("second"))):(hover_y): \
                (pair_text(panel, "in its round")) @hover notitle, \
            result using (hover_at(alone(panel, "second"), column("first"))):(hover_y): \
                (pair_text(panel, "alone")) @hover notitle
    }
    unset label 1
    unset label 2
    unset label 3
}
unset multiplot
