# SPDX-License-Identifier: BSD-3-Clause
# scale.gp: what the figures over the number of ranks share. FOLDER/figures/scale.gp sets here and
# name, loads this file, and exits unless drawable, because an exit here ends this file only. It is
# run as
#     gnuplot -e "results='heat-2.txt heat-16.txt heat-64.txt'; figure='x.svg'" scale.gp
# others='a.txt b.txt' and others_title='...' show further results in green. A model is drawn from
# loggp.txt and bspbench*.txt of the first result's folder, if they are there.

if (!exists("results") || words(results) == 0) {
    print "usage: gnuplot -e \"results='A.txt B.txt'; figure='FIGURE.svg'\" ".ARG0
    exit status 2
}
if (!exists("figure")) { figure = name.".svg" }
if (!exists("others")) { others = "" }
if (!exists("others_title")) { others_title = others }
if (!exists("papers_file")) { papers_file = "paper.dat" }
# Its own folder, whichever script loads it.
up_two = system("test -r ".here."../../suite/scale.gp && echo yes") eq "yes"
shared = here.(up_two ? "../../suite/" : "../../../suite/")
all_results = results
do for [k = words(all_results):1:-1] {
    result = word(all_results, k)
    load shared."clustermark.gp"
    if (!drawable) { why = result.": ".why; load refused; exit }
}
# The first result is loaded last: it says where and when.
subtitle = over.", ".meta("date")

# Rows "ranks y low high" of all results: rows("median_s ranks operation=bcast"). The columns of
# curves.awk that say what an interval is:
at_interval = 8
at_n = 9
scale_rows(curves, files) = "< awk -v joined=1 -v what=rows -v curves=".quote(curves). \
    " -v value=- -f ".quote(shared."curves.awk")." ".files
rows(curves) = scale_rows(curves, all_results)
other_rows(curves) = scale_rows(curves, words(others) ? others : all_results)
other(y) = words(others) ? y : NaN
other_look = 'with linespoints linestyle 5 linewidth 1 pointsize 0.8'
count_of(curves) = int(system("awk -v joined=1 -v what=rows -v value=- -v curves=".quote(curves). \
    " -f ".quote(shared."curves.awk")." ".all_results." | awk '$1 ~ /^[0-9]/' | wc -l"))
distinct(column_) = system("for file in ".all_results."; do awk -v name=".quote(column_). \
    " '/^#/ || !NF { next } !at { for (k = 1; k <= NF; k++) if ($k == name) at = k; next } ". \
    "{ print $at }' $file; done | sort -g -u | tr '\\n' ' '")

# ---- LogGP --------------------------------------------------------------------------------------

folder_end(s) = strstrt(s, "/") ? strstrt(s, "/") + folder_end(s[strstrt(s, "/") + 1:*]) : 0
first_result = word(all_results, 1)
folder = first_result[1:folder_end(first_result)]
if (!exists("loggp")) { loggp = folder."loggp.txt" }
has_loggp = strlen(system("grep -l '^# RESULT: PASS L_us' ".quote(loggp)." 2>/dev/null")) > 0 \
    && strlen(odd_line(quote(loggp))) == 0
long_from = 1e300
L_us = g_us = G_us = NaN
value_of(model, key) = fit_has(model, key) ? fit_value(model, key) : 0
if (has_loggp) {
    result = loggp
    L_us = value_of("loggp", "L_us")
    g_us = value_of("loggp", "g_us")
    G_us = 1e-3 * value_of("loggp", "G_ns_per_byte")
    if (fit_has("loggp_long", "first_bytes")) { long_from = fit_value("loggp_long", "first_bytes") }
    result = first_result
}
# A column of its rows over the size: as it is below the first and above the last size, and straight
# between two sizes of one protocol: "s < 2 ? a : s < 3 ? ...". It is evaluated, so it has numbers
# and no words of the file.
told_by_size(column_) = system(sprintf("awk -v CONVFMT=%%.15g -v name=%s -v long=%.17g ", \
    column_, long_from). \
    "'/^#/ || !NF { next } ". \
    "!at { for (k = 1; k <= NF; k++) if ($k == name) at = k; next } ". \
    "{ y = $at * 1e6; x = $1 + 0; ". \
    "if (n) slope = size < long && x >= long ? 0 : (y - last) / (x - size); ". \
    "text = text \" s < \" x \" ? \" (n ? last \" + (s - \" size \") * \" slope : y) \" :\"; ". \
    "last = y; size = x; n++ } ". \
    "END { print text \" \" last \" + (s - \" size \") * \" slope + 0 }' ".quote(loggp))
# The second protocol's overheads contain the transfer, so its times are taken as measured.
eval "o_send(s) = ".(has_loggp ? told_by_size("send_s") : "NaN")
eval "o_receive(s) = ".(has_loggp ? told_by_size("receive_s") : "NaN")
eval "half_trip_us(s) = ".(has_loggp ? told_by_size("half_trip_s") : "NaN")
eval "gap_us(s) = ".(has_loggp ? told_by_size("gap_s") : "NaN")
larger(a, b) = a > b ? a : b
# Microseconds: a message from one rank to another; its part beside the overheads; from one message
# to the next of many.
bytes_us(s) = larger(s - 1, 0) * G_us
message(s) = s < long_from ? o_send(s) + o_receive(s) + L_us + bytes_us(s) : half_trip_us(s)
flight(s) = larger(message(s) - o_send(s) - o_receive(s), 0)
spacing(s) = s < long_from ? larger(larger(o_send(s), o_receive(s)), g_us + bytes_us(s)) : gap_us(s)
rounds(p) = ceil(log(p) / log(2) - 1e-9)

# ---- BSP ----------------------------------------------------------------------------------------

# Rows "processes l g", seconds and seconds a word of 8 bytes.
bsp_words = "/^# ranks: / { p = $3 } /^# RESULT: PASS l_s / { l[p] = $5 } ". \
    "/^# RESULT: PASS g_s_per_word / { g[p] = $5 } ". \
    "END { for (p in l) if (p in g) print p, l[p], g[p] }"
bsp_command = "awk ".quote(bsp_words)." ".(strlen(folder) ? quote(folder) : "")."bspbench*.txt ". \
    "2>/dev/null | sort -n"
has_bsp = int(system(bsp_command." | wc -l")) > 0
bsp_rows = has_bsp ? "< ".bsp_command : "< echo NaN NaN NaN"

# ---- The look -----------------------------------------------------------------------------------

set logscale xy
set format x "%g"
set xlabel "ranks"
unset xtics
set xtics nomirror (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, "1k" 1024, "2k" 2048, "4k" 4096)
set mxtics 1
model_look = 'with lines linewidth 1.6 dashtype (12, 5) linecolor rgb'
bsp_look = 'with linespoints linewidth 1.2 dashtype (2, 4) pointtype 2 pointsize 0.6 '. \
    'linecolor rgb papers'
# Models are drawn at powers of two, from the first to the last number of ranks:
#     $powers using (within($1)):(f($1)) @model_look colour
$powers << EOD
1
2
4
8
16
32
64
128
256
512
1024
2048
4096
8192
16384
32768
65536
EOD
first_number = 2
last_number = 2
within(p) = p >= first_number && p <= 1.05 * last_number ? p : NaN
# To be called with the column of the numbers.
span(name_) = (numbers = distinct(name_), numbers = either(numbers, numbers_of_results(0)), \
    first_number = real(word(numbers, 1)), last_number = real(word(numbers, words(numbers))), 1)
numbers_of_results(x) = system("sed -n 's/^# ranks: //p' ".all_results." | sort -n | tr '\n' ' '")

# Two panels side by side: half(1) and half(2) set the margins; the key stands below each.
two_panels = "set multiplot; set tmargin at screen 0.85; set bmargin at screen 0.3; ". \
    "set label 2 subtitle at screen 0.5, 0.915 center font note_font noenhanced"
panel_1 = "set lmargin at screen 0.13; set rmargin at screen 0.48; ". \
    "set key at screen 0.285, 0.19 center top vertical maxrows 6 samplen 2 font key_font"
panel_2 = "unset label 1; unset label 2; ". \
    "set lmargin at screen 0.62; set rmargin at screen 0.975; ". \
    "set key at screen 0.785, 0.19 center top vertical maxrows 6 samplen 2 font key_font"
simulated_word = measured_word
x_unit = "ranks"
with_model = has_loggp ? 1 : NaN
