# SPDX-License-Identifier: BSD-3-Clause
# clustermark.gp: what all figures share: one look, and what a figure may be drawn from.
#
# A figure's script sets here (its own folder) and name, loads this file, and begins its plot with
# `if (drawable) {...} else { load refused }`. It is run as
#     gnuplot -e "result='r.txt'; figure='x.svg'" SCRIPT.gp
# figure ends in .svg or .png; without it the figure goes to the result's name with .NAME.svg.
# second='s.txt' shows a further result; second_title='...' says what it is.
# compare.gp loads it in a loop, where gnuplot takes no if without braces.

if (!exists("result")) {
    print "usage: gnuplot -e \"result='RESULT.txt'; figure='FIGURE.svg'\" ".ARG0
    exit status 2
}
quote_(s) = strstrt(s, "'") ? s[1:strstrt(s, "'") - 1]."'\\''".quote_(s[strstrt(s, "'") + 1:*]) : s
quote(s) = "'".quote_(s)."'"
if (system("test -r ".quote(result)." && echo yes") ne "yes") {
    print "figure: cannot read the result file: ".result
    exit status 2
}
# awk takes a name such as n=4/r.txt for a setting of its own, and would read none of the file.
is_setting(file) = strstrt(file, "=") > 0 && !strstrt("./", file[1:1])
setting_of(list, k) = k > words(list) ? "" : is_setting(word(list, k)) ? word(list, k) \
    : setting_of(list, k + 1)
as_setting = is_setting(result) ? result : exists("second") ? (is_setting(second) ? second : "") \
    : exists("others") ? setting_of(others, 1) : ""
if (strlen(as_setting)) {
    print "figure: a name with = must begin with / or ./: ".as_setting
    exit status 2
}
# Words of a result become words of commands and expressions. A result may come from anybody, so
# none is drawn that has other characters there than the programs write: in the table, and in the
# comments from which scripts take words, with whatever blanks. @ is gnuplot's macro.
odd_line(files) = system("awk '/^#/ && $2 !~ /^(program|extrapolation|box):$/ { next } ". \
    "/[^A-Za-z0-9 \t_.,:+\/%=#-]/ { print FILENAME \", line \" FNR; exit }' ".files)
quoted(list, k) = k > words(list) ? "" : " ".quote(word(list, k)).quoted(list, k + 1)
odd = odd_line(quote(result).(exists("second") ? " ".quote(second) : ""). \
    (exists("others") ? quoted(others, 1) : ""))
if (strlen(odd)) {
    print "figure: no program of clustermark writes such characters: ".odd
    exit status 2
}
if (!exists("figure")) { figure = result.".".name.".svg" }
# The suite sets it, and makes the SVG fit for a page (suite/figures/svg_finish.c).
if (!exists("for_page")) { for_page = 0 }

# Metadata, fitted numbers and the papers' numbers (of paper.dat, or what a script names before).
if (!exists("papers_file")) { papers_file = "paper.dat" }
meta(key) = system("sed -n 's/^# ".key.": //p' ".quote(result)." | head -n 1")
fit_words = "/^# fit: model=/ && $3 == model { for (i = 4; i <= NF; i++) ". \
            "if (index($i, key \"=\") == 1) { print substr($i, length(key) + 2); exit } }"
fit_text(model, key) = system("awk -v model=model=".model." -v key=".key." ". \
                              quote(fit_words)." ".quote(result))
fit_has(model, key) = strlen(fit_text(model, key)) > 0
# gnuplot 5.4 takes no "5e-10" for a number, but "5.0e-10".
exponent_(s) = strstrt(s, "e")
numeric(s) = real(exponent_(s) > 1 && !strstrt(s, ".") ? \
                  s[1:exponent_(s) - 1].".0".s[exponent_(s):*] : s)
fit_value(model, key) = numeric(fit_text(model, key))
paper_value(key) = numeric(system("awk -F '\\t' -v key=".key." '$1 == key { print $2 }' ". \
                               quote(here."../".papers_file)))
either(a, b) = strlen(a) ? a : b

# What was measured with two ranks on a core, or arrived wrong, is no performance and is not drawn.
passed = system("grep -c '^# RESULT: PASS' ".quote(result)) + 0
failed = system("grep -c '^# RESULT: FAIL' ".quote(result)) + 0
why = ""
if (meta("oversubscribed") eq "yes" || meta("core_shared") eq "yes") {
    why = "Not drawn: there were more ranks than cores (oversubscribed)."
}
if (failed > 0) { why = "Not drawn: a metric of the run is FAIL." }
if (passed + failed == 0) { why = "Not drawn: the result has no metric, so the run did not end." }
drawable = strlen(why) == 0
# A paper's numbers are drawn if they stretch a logarithmic axis by no more than some thirty times;
# else the key says that they are elsewhere. low and high are theirs, least and most ours.
is_far(low, high, least, most) = low < least / 30 || high > 30 * most
far_look = 'with points pointtype -1'
far_title(paper) = paper.": beyond this axis"
# One size alone makes no curve: is_alone = alone("size_bytes", "message size").
rows_where(name_, what) = int(system("awk -v name=".name_." '/^#/ || !NF { next } !at { ". \
    "for (k = 1; k <= NF; k++) if ($k == name) at = k; if (!at) at = NF + 1; next } ".what. \
    " { n++ } END { print n + 0 }' ".quote(result)))
values_of(name_) = rows_where(name_, "!seen[$at]++")
numbers_of(name_) = rows_where(name_, "$at ~ /[0-9]/") # stats fails where there is none
alone(name_, what) = drawable && values_of(name_) < 2 ? (drawable = 0, \
    why = "Not drawn: one ".what." makes no curve; the table has its numbers.", 1) : 0
suite = ARG0[1:strlen(ARG0) - strlen("clustermark.gp")]
refused = suite."refused.gp"
load suite."levels.gp"
load suite."edges.gp"

# One look (look.gp). Measured: blue, solid, its intervals as bars (levels.gp). Fitted: vermillion,
# dashed. Papers': grey, open symbols and dotted lines, with the citation in the key. A further
# result: green, drawn by
#     beside_file using (beside(x)):y @beside_look title beside_title
# which draws nothing if there is none.
load suite."look.gp"
set style line 1 linecolor rgb measured linewidth 1.8 pointtype 7 pointsize 0.4
set style line 2 linecolor rgb fitted linewidth 1.8 dashtype (12, 5)
set style line 3 linecolor rgb papers linewidth 1.6 dashtype (5, 4) pointtype 8 pointsize 1.3
set style line 5 linecolor rgb beside_color linewidth 1.4 pointtype 2 pointsize 0.6
has_beside = exists("second")
beside_file = has_beside ? second : result
beside(x) = has_beside ? x : NaN
beside_title = has_beside ? (exists("second_title") ? second_title : second) : ""
beside_look = 'with linespoints linestyle 5'
set style line 9 linecolor rgb lines_grey linewidth 0.6
set style line 4 linecolor rgb measured linewidth 0.7 pointtype -1
set border 3 linecolor rgb ink
set tics nomirror
set grid xtics ytics linestyle 9
set title font title_font
set key reverse Left samplen 2.5 spacing 1.05 font key_font
# The key begins below the label of x and has so many rows.
key_rows(n) = sprintf("set bmargin %g; set key at screen 0.52, character %g center top vertical ". \
    "maxrows %d; ", 0.9 * n + 3.6, 0.9 * n + 0.3, n)
eval key_rows(4)
set format x "10^{%L}"
set lmargin 12
set rmargin 3
set tmargin 5

set encoding utf8
page_only = for_page ? 'mouse' : ''
suffix = figure[strlen(figure) - 3:*]
if (suffix eq ".png") {
    set terminal pngcairo size 900, 640 font png_font background rgb ground
} else { if (suffix eq ".svg") {
    set terminal svg size wide_px, high_px font svg_font background rgb ground name name @page_only
} else {
    print "figure: the name must end in .svg or .png: ".figure
    exit status 2
} }
set output figure

# The line below every title: where, over what, when, so short that no edge cuts it. Open MPI tells
# of its package behind a comma.
where = either(meta("ranks_per_host"), meta("host"))
where = strlen(where) < 44 ? where : meta("ranks")." ranks on ".meta("hosts")." hosts"
over = either(meta("transport"), either(meta("comm_version"), meta("comm"))).","
over = over[1:strstrt(over, ",") - 1]
# Enhanced text takes these characters for instructions.
escape_(s, i) = i > strlen(s) ? "" : \
                (strstrt("_^{}@&~\\", s[i:i]) ? "\\" : "").s[i:i].escape_(s, i + 1)
escape(s) = escape_(s, 1)
subtitle = where.", ".over.", ".meta("date")

# In a page a point says its value and interval, after x_unit and y_unit are set:
#     FILE using (hover_at(x, y)):(hover_y):(hover_text(TITLE, low, high)) @hover notitle
# gnuplot 5.4 crashes where labels have no point at all. Therefore what is NaN is far outside, and
# the range of x must be set. Where a column has nothing but nan it crashes nevertheless, and the
# suite draws without them.
hover = for_page ? 'with labels hypertext point pointtype 7 pointsize 1 linecolor rgb ground' \
                 : 'with points pointtype -1'
hover_at(x, y) = (hover_is = x == x && y == y, hover_value = y, \
                  hover_y = hover_is ? within_edges(y) : 1e200, hover_x = hover_is ? x : 1e200)
x_unit = "bytes"
y_unit = "us"
# The digits that an interval allows, as on the page (suite_digits_of): three, or up to five.
place_(v) = int(floor(log10(abs(v))))
digits_within(n) = n < 3 ? 3 : n > 5 ? 5 : n
has_ends(low, high) = low == low && high == high && low != high
decimals_of(v, low, high) = v == 0 || v != v ? 0 : (has_ends(low, high) \
    ? digits_within(place_(v) - place_(high - low) + 1) : 3) - 1 - place_(v)
grained(v, grain) = grain * floor(v / grain + 0.5)
decimal_text(v, decimals) = v == 0 ? "0" : abs(v) < 1e-4 || abs(v) >= 1e6 ? sprintf("%.3g", v) \
    : decimals < 0 ? sprintf("%.0f", grained(v, 10.0**-decimals)) \
    : sprintf(sprintf("%%.%df", decimals), v)
value_text(v, low, high) = !has_ends(low, high) && v == floor(v) && abs(v) < 1e6 \
    ? sprintf("%.0f", v) : decimal_text(v, decimals_of(v, low, high))
three_digits(v) = value_text(v, NaN, NaN)
end_text(end, v, decimals) = abs(end) >= abs(v) / 10 && abs(end) < abs(v) * 10 \
    ? decimal_text(end, decimals) : three_digits(end)
ends_text(v, low, high) = has_ends(low, high) \
    ? ", ".end_text(low < high ? low : high, v, decimals_of(v, low, high))." to ". \
      end_text(low < high ? high : low, v, decimals_of(v, low, high)).row_mark(0) : ""
said_in(v, low, high, size, unit) = value_text(v / size, low / size, high / size)." ". \
    unit_word(unit). \
    ends_text(v / size, low / size, high / size)
# Units that take prefixes get the one with which the value is easy to read: 54.3 Gbit/s of a figure
# in Mbit/s.
prefixed_units = " s bit/s B/s flop/s LUP/s "
takes_prefix(u) = strstrt(prefixed_units, " ".u." ") > 0
prefix_of(u) = takes_prefix(u) ? 0 : strlen(u) > 1 && takes_prefix(u[2:*]) \
    && strstrt("num.kMG", u[1:1]) ? 3 * strstrt("num.kMG", u[1:1]) - 12 : NaN
said_prefixed(v, low, high, power, unit) = (said_power = prefix_power(v * 10.0**power, unit), \
    said_in(v, low, high, 10.0**(said_power - power), prefix_word(said_power).unit))
said(v, low, high, unit) = v > 0 && prefix_of(unit) == prefix_of(unit) \
    ? said_prefixed(v, low, high, prefix_of(unit), takes_prefix(unit) ? unit : unit[2:*]) \
    : said_in(v, low, high, 1, unit)
hover_where(x) = strlen(x_unit) ? sprintf("%.10g %s: ", x, unit_word(x_unit)) : ""
# A title without the marks of enhanced text, as gnuplot writes it into the SVG.
plain_(s, i) = i > strlen(s) ? "" : s[i:i] eq "\\" ? s[i + 1:i + 1].plain_(s, i + 2) : \
               (strstrt("_^{}", s[i:i]) ? "" : s[i:i]).plain_(s, i + 1)
plain(s) = strstrt(s, "{") || strstrt(s, "\\") ? plain_(s, 1) : s
hover_text(title, low, high) = plain(title)."\n".hover_where(hover_x). \
    said(hover_value, low, high, y_unit)
# With ends that are no interval of the row's own, and so have no mark.
hover_between(title, low, high) = (with_marks = 0, hover_said = hover_text(title, low, high), \
    with_marks = 1, hover_said)
# In words of its own, where the place of a point is not its value.
hover_told(title, text) = plain(title)."\n".text

# A logarithmic axis over less than two and a half decades has numbers at 1, 2 and 5 as well:
#     eval log_axis("y", low, high)
# sets the range, with some room at its ends.
axis_scale = NaN
axis_number(v) = axis_scale == axis_scale ? prefixed(v * axis_scale, axis_unit) \
    : v < 1e-2 || v >= 1e5 ? short_number(v) : sprintf("%g", v)
axis_tic(v) = sprintf(", '%s' %.10g", axis_number(v), v)
axis_tics(e, last) = e > last ? "" : axis_tic(10.0**e).axis_tic(2 * 10.0**e). \
    axis_tic(5 * 10.0**e).axis_tics(e + 1, last)
axis_more(e, last) = e > last ? "" : axis_tic(1.5 * 10.0**e).axis_tic(3 * 10.0**e). \
    axis_tic(4 * 10.0**e).axis_tic(7 * 10.0**e).axis_more(e + 1, last)
axis_room(low, high) = high / low < 2 ? 1.6 : 1.25
log_axis(axis, low, high) = sprintf("set %srange [%.10g:%.10g]; ", axis, \
    low / axis_room(low, high), high * axis_room(low, high)). \
    (high / low >= 300 ? "" : sprintf("unset %stics; set %stics nomirror ('' 1e-99%s)", \
     axis, axis, \
     axis_tics(floor(log10(low)) - 1, ceil(log10(high))). \
     (high / low < 6 ? axis_more(floor(log10(low)) - 1, ceil(log10(high))) : "")))
# The values of a logarithmic axis are of a unit that is `size` times `unit`, "bit/s"; a label at
# each decade, or each `every` decades, has the prefix that people say, 10 Gbit/s:
#     eval prefixed_axis("y", 1e6, "bit/s")
# For panels, whose margins are set, and where there is little room:
#     eval prefixed_every("x", 1, "B", 2)
# Of seconds there are no thousands.
prefix_power(v, unit) = unit eq "s" && v >= 1 ? 0 : 3 * int(floor(log10(v) / 3 + 1e-9))
# Scripts name units as results do, "us"; letters of a figure, as those of the page, have µs.
prefix_word(e) = e == -6 ? "µ" : e ? gprintf("%c", 10.0**e) : ""
unit_word(u) = u[1:2] eq "us" ? "µ".u[2:*] : u
# 20k, 5µ
short_number(v) = gprintf("%.0s", v).prefix_word(gprintf("%S", v) + 0)
prefixed(v, unit) = sprintf("%.6g %s%s", v / 10.0**prefix_power(v, unit), \
    prefix_word(prefix_power(v, unit)), unit)
# In a text: 27.2 µs, 5.43 GB/s; v is in units without a prefix.
told_as(v, unit) = v == v && v > 0 ? three_digits(v / 10.0**prefix_power(v, unit))." ". \
    prefix_word(prefix_power(v, unit)).unit : sprintf("%g %s", v, unit)
prefixed_small(e, k) = k > 9 ? "" : sprintf(", '' %.10g 1", k * 10.0**e).prefixed_small(e, k + 1)
prefixed_tics(e, last, size, unit, every) = e > last ? "" : \
    sprintf(", '%s' %.10g", int(floor(e + log10(size) + 0.5)) % every ? "" \
        : prefixed(10.0**e * size, unit), 10.0**e). \
    (every > 1 ? "" : prefixed_small(e, 2)).prefixed_tics(e + 1, last, size, unit, every)
prefixed_every(axis, size, unit, every) = \
    sprintf("unset %stics; set %stics nomirror ('' 1e-99%s)", \
    axis, axis, prefixed_tics(-6, 12, size, unit, every))
prefixed_axis(axis, size, unit) = (axis eq "y" ? "set lmargin 15; " : ""). \
    prefixed_every(axis, size, unit, 1)
# The same, with numbers at 1, 2 and 5 as well where log_axis has them; it sets the range.
prefixed_log_axis(axis, low, high, size, unit) = (axis_scale = size, axis_unit = unit, \
    axis_text = log_axis(axis, low, high), axis_scale = NaN, axis_text). \
    (high / low < 300 ? "" : "; ".prefixed_every(axis, size, unit, 1))
# Labels of a linear axis from 0 to high, with one prefix for all: 0, 2 ms, 4 ms.
#     eval prefixed_linear("y", high, 1e-6, "s")
linear_step(power, high) = high / power < 3 ? power / 2 : high / power < 5 ? power : 2 * power
linear_tics(k, step, high, size, unit, e) = k * step > high ? "" : \
    sprintf(", '%g %s%s' %.10g", k * step * size / 10.0**e, prefix_word(e), unit, k * step). \
    linear_tics(k + 1, step, high, size, unit, e)
prefixed_linear(axis, high, size, unit) = sprintf("unset %stics; set %stics nomirror ('0' 0%s)", \
    axis, axis, linear_tics(1, linear_step(10.0**floor(log10(high)), high), high, size, unit, \
    prefix_power(high * size, unit)))
# The title of what belongs to two series, where there is no key: a click on either hides it.
both(a, b) = strlen(b) ? a."|".b : a
