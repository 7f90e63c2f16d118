# SPDX-License-Identifier: BSD-3-Clause
# curves.awk: what curves.gp draws of results: awk -v curves="Y X [PANEL] [COLUMN=VALUE] ..."
# -v what=WHAT [-v value=VALUE] [-v names=NAMES] [-v joined=1] -f curves.awk FILE...
#   panels  the panel's column, then its values in their order; "-" for each if there is none
#   names   the values of x that are no numbers, in their order
#   rows    x y low high within_low within_high disturbed interval n, of the rows with value in the
#           panel's column, in ascending order of x, with an empty line where an x comes again. A
#           name of x is its place in names. A file without such rows has one that is not drawn.
#           joined: the rows of all files together. Where there is no column ranks, the metadata
#           say ranks.
BEGIN {
    words = split(curves, word, " ")
    y = word[1]
    x = word[2]
    first = 3
    if (words > 2 && index(word[3], "=") == 0) panel = word[first++]
}
FNR == 1 { files++; has_header = 0 }
/^# ranks: / { ranks[files] = $3 }
/^#/ || NF == 0 { next }
!has_header {
    for (k = 1; k <= NF; k++) at[files, $k] = k
    has_header = 1
    next
}
{
    for (k = 1; k <= NF; k++) cell[files, n[files] + 1, k] = $k
    n[files]++
}
function get(f, r, column) {
    if ((f, column) in at) return cell[f, r, at[f, column]]
    return column == "ranks" && f in ranks ? ranks[f] : "nan"
}
function is_number(text) { return text ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ }
# Leaves out the rows of a file that do not meet a condition; COLUMN=max: those below the largest.
function select_rows(f, condition, column, value, r, most) {
    column = value = condition
    sub(/=.*/, "", column)
    sub(/[^=]*=/, "", value)
    for (r = 1; r <= n[f]; r++)
        if (!((f, r) in left_out) && get(f, r, column) + 0 > most + 0) most = get(f, r, column)
    if (value == "max") value = most
    for (r = 1; r <= n[f]; r++) if (get(f, r, column) "" != value "") left_out[f, r]
}
# An end of the interval. Those of times stand for all else that follows from them: what is per
# second is the smaller the longer they are.
function end_of(f, r, which, other) {
    if ((f, which "_" y) in at) return get(f, r, which "_" y)
    if ((f, which "_" unit[f]) in at && (y == time[f]))
        return get(f, r, which "_" unit[f])
    if (y ~ /(_per_s|quips)$/) {
        other = get(f, r, (which ~ /low$/ ? substr(which, 1, length(which) - 3) "high" \
                                          : substr(which, 1, length(which) - 4) "low") "_" unit[f])
        return is_number(other) && other + 0 > 0 ? get(f, r, y) * get(f, r, time[f]) / other : "nan"
    }
    other = get(f, r, which "_" unit[f])
    return is_number(other) && get(f, r, time[f]) + 0 > 0 \
        ? get(f, r, y) * other / get(f, r, time[f]) : "nan"
}
function once(text) {
    if (!(text in told)) print text
    told[text]
}
# Rows are collected in ascending order of x, and printed when an x comes again or none is left.
function flush(k) {
    for (k = 1; k <= collected; k++) print place[k], row[k]
    print collected || printed ? "" : "NaN NaN NaN NaN NaN NaN 0 nan nan"
    printed = collected
    collected = 0
    split("", seen)
}
function collect(f, r, now, k) {
    now = get(f, r, x)
    if (!is_number(now)) now = number[now]
    if (now in seen) flush()
    seen[now]
    for (k = ++collected; k > 1 && place[k - 1] > now + 0; k--) {
        place[k] = place[k - 1]
        row[k] = row[k - 1]
    }
    place[k] = now + 0
    row[k] = get(f, r, y) " " end_of(f, r, "low") " " end_of(f, r, "high") " " \
        end_of(f, r, "within_low") " " end_of(f, r, "within_high") " " \
        (get(f, r, "disturbed") + 0 > 0 && get(f, r, "summarized") == "all") " " \
        get(f, r, "interval") " " get(f, r, "n")
}
END {
    if (what == "panels") print panel == "" ? "-" : panel
    for (count = split(names, list, " "); count; count--) number[list[count]] = count
    for (f = 1; f <= files; f++) {
        for (k = first; k <= words; k++) select_rows(f, word[k])
        time[f] = (f, "median_s") in at ? "median_s" : (f, "half_trip_s") in at ? "half_trip_s" \
            : "median_ms"
        unit[f] = time[f] == "median_ms" ? "ms" : "s"
        for (r = 1; r <= n[f]; r++) {
            if ((f, r) in left_out || !is_number(get(f, r, y)) || get(f, r, y) <= 0) continue
            # A size of 0 has no place on the axis.
            if (is_number(get(f, r, x)) && get(f, r, x) <= 0) continue
            if (what == "names" && !is_number(get(f, r, x))) once(get(f, r, x))
            if (what == "panels") once(panel == "" ? "-" : get(f, r, panel))
            if (what == "rows" && (panel == "" || get(f, r, panel) "" == value "")) collect(f, r)
        }
        if (!joined) printed = 0
        if (what == "rows" && (!joined || f == files)) flush()
    }
}
