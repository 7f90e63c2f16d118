# SPDX-License-Identifier: BSD-3-Clause
# hint.gp: QUIPS over time and memory, as in figure 1 of halstead-1999; one result or several.
#     gnuplot -e "result='r.txt'; figure='x.svg'" hint.gp
#     gnuplot -e "results='a.txt b.txt'; titles='here there'; figure='x.svg'" hint.gp
# caption: Quality improvements per second over the time (left) and the memory (right) that an
# caption: answer takes, all scales logarithmic, as in figure 1 of halstead-1999. Vertical lines:
# caption: this computer's caches. Each step down is a level of the memory hierarchy. Tuned kernels
# caption: (dashed) turn scattered accesses into streams; they show what the processor can do.
# caption: The curves of float and int32 end with the precision of these types. Published curves
# caption: compare with those of the kernel original only: the others keep more in registers, and
# caption: count all memory. Bars: interval of the median.
name = "hint"
here = strlen(ARG0) > strlen(name) + 3 ? ARG0[1:strlen(ARG0) - strlen(name) - 3] : "./"
# Of a further result (--beside).
if (exists("second") && exists("second_title") && !exists("results")) {
    results = '"'.result.'" "'.second.'"'
    titles = '"these results" "'.second_title.'"'
}
if (!exists("results")) { results = exists("result") ? '"'.result.'"' : "" }
if (words(results) > 0) { result = word(results, 1) }
if (!exists("titles")) { titles = "" }
load here."../../suite/clustermark.gp"

# The curves of all results, TYPE KERNEL RANKS each, and which rows of a file belong to a curve.
array Drawn[words(results)]
array Curves[words(results)]
array Header[words(results)]
array Disturbed[words(results)]
array Counted[words(results)]
first_why = why
any = 0
where_all = subtitle
caches = meta("l1d_bytes")." ".meta("l2_bytes")." ".meta("l3_bytes")
do for [k = 1:words(results)] {
    result = word(results, k)
    load here."../../suite/clustermark.gp"
    Drawn[k] = drawable
    Header[k] = header
    Disturbed[k] = disturbed_rows
    Counted[k] = value_word
    any = any || drawable
    Curves[k] = drawable ? system("awk '!/^#/ && $1 + 0 > 0 { c = $8 \":\" $9 \":\" $10; " . \
        "if (!seen[c]++) printf \"%s \", c }' ".quote(result)) : ""
}
if (!any) { why = first_why; load refused; exit }

field(c, i) = system("echo ".c." | cut -d: -f".i)
# Position of a word in a list, from 1.
place(list, w) = sum [i = 1:words(list)] (word(list, i) eq w ? i : 0)
kernel_name(kernel) = kernel eq "classic" ? "" : kernel eq "original" ? ", original" : \
    ", ".kernel." (tuned kernel)"
ranks_name(r) = r == 1 ? "" : sprintf(", %d ranks", r)
title_of(k, c) = (words(titles) >= k ? word(titles, k).": " : \
        words(results) > 1 ? system("basename ".quote(word(results, k))." .txt").": " : ""). \
    field(c, 1).kernel_name(field(c, 2)).ranks_name(int(field(c, 3)))
# Read once for each curve, not for each row. Each curve's rows are selected outside gnuplot, which
# takes seconds to pass over the rows of sixteen curves in each of their plots.
rows_of(file, curve) = "< awk -v curve=".curve." '!/^#/ && (!NF || !n++ || " . \
    "$8 \":\" $9 \":\" $10 == curve)' ".quote(file)
curves = 0
do for [k = 1:words(results)] { curves = curves + words(Curves[k]) }
array File[curves]
array Result[curves]
array Type[curves]
array Kernel[curves]
array Ranks[curves]
array Title[curves]
c = 0
do for [k = 1:words(results)] { do for [i = 1:words(Curves[k])] {
    c = c + 1
    File[c] = rows_of(word(results, k), word(Curves[k], i))
    Result[c] = k
    Type[c] = field(word(Curves[k], i), 1)
    Kernel[c] = field(word(Curves[k], i), 2)
    Ranks[c] = int(field(word(Curves[k], i), 3))
    Title[c] = escape(title_of(k, word(Curves[k], i)))
} }
own(c) = choose(Result[c]) && strcol("type") eq Type[c] && strcol("kernel") eq Kernel[c] \
    && column("ranks") == Ranks[c]
at(c, panel) = own(c) ? column(panel ? "memory_bytes" : "t_s") : NaN
# QUIPS at another time than the median.
quips(name) = column("quips") * column("median_s") / level(name)
# Each type has a colour and its kernels differ in dashes. Several results differ in colour.
number(c) = words(results) > 1 ? c : \
    place("double float int32 int64 longdouble int16 int8", Type[c])
colour(c) = word(colours, (number(c) - 1) % words(colours) + 1)
dashes(c) = place("classic lean wide original", Kernel[c])

point(c) = mark(number(c)) - (words(results) > 1 || dashes(c) == 1 ? 0 : 1)
y_unit = "QUIPS"
least = NaN
most = NaN
do for [k = 1:words(results)] { if (Drawn[k]) {
    is_chosen = choose(k)
    stats word(results, k) using (quips("high_s")) nooutput name "L"
    stats word(results, k) using (quips("low_s")) nooutput name "H"
    least = L_min < least || least != least ? L_min : least
    most = H_max > most || most != most ? H_max : most
} }
set multiplot
rows = (curves + 2) / 3
bottom = 0.16 + 0.032 * (rows > 4 ? 4 : rows)
set tmargin at screen 0.85
set bmargin at screen bottom
set logscale xy
# The key has a plot of its own; the titles here are of the parts of a series.
unset key
set label 1 "HINT: quality improvements per second" at screen 0.5, 0.955 center font title_font
set label 2 (words(results) > 1 ? sprintf("%d results", words(results)) : where_all) \
    at screen 0.5, 0.915 center font note_font noenhanced
do for [panel = 0:1] {
    set lmargin at screen panel ? 0.605 : 0.12
    set rmargin at screen panel ? 0.975 : 0.49
    x_unit = panel ? "bytes" : "s"
    set xrange [*:*] # stats leaves out what is beyond a range
    set yrange [*:*]
    stats File[1] using (at(1, panel)) nooutput name "X"
    first = X_min
    last = X_max
    do for [c = 2:curves] {
        stats File[c] using (at(c, panel)) nooutput name "X"
        first = X_min < first ? X_min : first
        last = X_max > last ? X_max : last
    }
    set xrange [first / 1.5:last * 1.5]
    eval prefixed_log_axis("y", least, most, 1, "")
    eval prefixed_every("x", 1, panel ? "B" : "s", last / first < 1e4 ? 1 : 2)
    set xlabel panel ? "memory of a rank" : "time of an answer"
    set ylabel panel ? "" : "QUIPS"
    if (panel) {
        do for [level = 1:3] {
            bytes = level <= words(caches) ? real(word(caches, level)) : 0
            if (bytes > 0) {
                set arrow 10 + level from first bytes, graph 0 to first bytes, graph 1 nohead \
                    linecolor rgb papers dashtype (3, 3) linewidth 1.2 back
                set label 10 + level sprintf("L%d", level) at first bytes, graph 1.03 center \
                    font key_font textcolor rgb papers
            }
        }
    }
    plot for [c = 1:curves] File[c] using (at(c, panel)):(quips("within_high_s")):(0): \
        (quips("within_low_s") - quips("within_high_s")) @within_bars pale(colour(c)) \
        title both(Title[c], any_within), \
        for [c = 1:curves] File[c] using (at(c, panel)):"quips": \
        (quips("high_s")):(quips("low_s")) with yerrorbars linecolor rgb colour(c) \
        linewidth 0.7 pointtype -1 title both(Title[c], any_interval), \
        for [c = 1:curves] File[c] using (at(c, panel)):(own(c) ? column("quips") : NaN) \
        with linespoints linecolor rgb colour(c) linewidth 1.5 dashtype dashes(c) \
        pointtype point(c) pointsize 0.45 title Title[c], \
        for [c = 1:curves] File[c] using (disturbed(at(c, panel))):"quips" \
        @open_marks colour(c) title both(Title[c], any_disturbed), \
        for [c = 1:curves] File[c] using (hover_at(at(c, panel), column("quips"))):(hover_y): \
        (hover_text(Title[c], quips("low_s"), quips("high_s"))) @hover notitle
    unset label 1
    unset label 2
}
# The key has a plot of its own over the whole width, because a key has only as many columns as fit
# beside its plot.
do for [level = 1:3] {
    unset arrow 10 + level
    unset label 10 + level
}
unset border
unset tics
unset grid
unset logscale xy
set xlabel ""
set ylabel ""
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen bottom - 0.1
set bmargin at screen 0.01
set key at screen 0.535, bottom - 0.1 center top horizontal maxcols 3 samplen 2 font key_font
plot [0:1] [0:1] for [c = 1:curves] 2 with linespoints linecolor rgb colour(c) linewidth 1.5 \
    dashtype dashes(c) pointtype point(c) pointsize 0.45 \
    title Title[c], \
    @nowhere:(0):(0) @within_bars pale(measured) title any_within, \
    @nowhere:(0):(0) with yerrorbars linestyle 4 title any_interval, \
    @nowhere @open_marks measured title any_disturbed
unset multiplot
