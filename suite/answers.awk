# SPDX-License-Identifier: BSD-3-Clause
# answers.awk: reads results, and finds in them what answers to an item of a paper.
# An answer is a list
#     [LABEL: ]EXPRESSION; [LABEL: ]EXPRESSION ...
# An expression is sources and the operators + - * / as words of their own, taken from left to
# right; or `figure BENCHMARK FIGURE`, `section BENCHMARK` or `machine`, parts of the page.
# A source is a number or
#     [BENCHMARK:]METRIC            of a RESULT line, or a metadata key
#     [BENCHMARK:]fit:MODEL:KEY
#     [BENCHMARK:]COLUMN[KEY=VALUE,KEY=max,...]   of the first row that meets all conditions,
#         from left to right: max is the highest of the rows that those before it leave

function read_result(bench, file,   line, f, n, k, at, model) {
    while ((getline line < file) > 0) {
        n = split(line, f, " ")
        if (line ~ /^# RESULT: /) {
            if (f[3] == "FAIL") wrong[bench] = 1
            else if (!(bench in wrong)) verdict[bench] = f[3]
            known[bench, f[4]] = f[5]
        } else if (line ~ /^# fit: model=/) {
            model = substr(f[3], 7)
            for (k = 4; k <= n; k++) {
                at = index(f[k], "=")
                if (!at) continue
                known[bench, "fit:" model ":" substr(f[k], 1, at - 1)] = substr(f[k], at + 1)
            }
        } else if (line ~ /^# [a-z0-9_]+:/ && !columns[bench]) {
            sub(/:$/, "", f[2])
            sub(/^# [a-z0-9_]+:[ ]*/, "", line)
            if (!((bench, f[2]) in known)) known[bench, f[2]] = line
        } else if (line !~ /^#/ && n) {
            if (columns[bench]) { row[bench, ++rows[bench]] = line; continue }
            columns[bench] = n
            for (k = 1; k <= n; k++) place_of[bench, f[k]] = k
        }
    }
    close(file)
    if (known[bench, "oversubscribed"] == "yes" || known[bench, "core_shared"] == "yes")
        crowded[bench] = 1
}
function equal(a, b) { return number(a) && number(b) ? a + 0 == b + 0 : a == b }

# Leaves in kept the rows whose column has this value, or for "max" the highest number among them.
function keep(bench, column, value, kept,   r, f, highest) {
    if (value == "max") {
        for (r = 1; r <= rows[bench]; r++) {
            if (!(r in kept)) continue
            split(row[bench, r], f, " ")
            if (!number(f[column])) continue
            if (highest == "" || f[column] + 0 > highest + 0) highest = f[column]
        }
        value = highest
    }
    for (r = 1; r <= rows[bench]; r++) {
        if (!(r in kept)) continue
        split(row[bench, r], f, " ")
        if (!equal(f[column], value)) delete kept[r]
    }
}
# The field of the first row that meets all conditions, or "". They apply from left to right.
function field(bench, name, conditions,   want, n, k, r, f, at, key, kept) {
    if (!((bench, name) in place_of)) return ""
    for (r = 1; r <= rows[bench]; r++) kept[r] = 1
    n = split(conditions, want, ",")
    for (k = 1; k <= n; k++) {
        at = index(want[k], "=")
        key = substr(want[k], 1, at - 1)
        if (!((bench, key) in place_of)) return ""
        keep(bench, place_of[bench, key], substr(want[k], at + 1), kept)
    }
    for (r = 1; r <= rows[bench]; r++) {
        if (!(r in kept)) continue
        split(row[bench, r], f, " ")
        return f[place_of[bench, name]]
    }
    return ""
}
# The value of a source; "" and the reason in `problem` when there is none.
function source(word, owner,   at, bench, name, value) {
    if (number(word)) return word
    bench = owner; name = word
    at = index(word, ":")
    if (at && word !~ /^fit:/) { bench = substr(word, 1, at - 1); name = substr(word, at + 1) }
    if (bench in wrong) { problem = "wrong answer (FAIL)"; return "" }
    if (!(bench in verdict)) { problem = "not measured in this run"; return "" }
    if ((bench, name) in known) value = known[bench, name]
    else if (match(name, /\[.*\]$/))
        value = field(bench, substr(name, 1, RSTART - 1), substr(name, RSTART + 1, RLENGTH - 2))
    if (value == "" || value == "nan") { problem = "not in this run's result"; return "" }
    if (bench in crowded) doubtful = 1
    return value
}
function expression(text, owner,   f, n, k, value, other) {
    n = split(text, f, " ")
    value = source(f[1], owner)
    if (n == 1) return value
    for (k = 2; k < n; k += 2) {
        other = source(f[k + 1], owner)
        if (problem != "") return ""
        if (!number(value) || !number(other)) { problem = "not a number"; return "" }
        if (f[k] == "+") value += other
        else if (f[k] == "-") value -= other
        else if (f[k] == "*") value *= other
        else if (f[k] == "/" && other != 0) value /= other
        else { problem = "not to be calculated"; return "" }
    }
    return sprintf("%.4g", value)
}
function link(id, text) { return "<a href=\"#" html(id) "\">" html(text) "</a>" }

# What answers, as HTML; the plain value of the last expression in `value_here`, the number of
# expressions that have one in `answered`, and of all in `asked`.
function answer(list, owner,   part, n, k, f, label, text, shown, all, same) {
    value_here = ""; answered = asked = 0; doubtful = 0; same = ""
    n = split(list, part, /; */)
    for (k = 1; k <= n; k++) {
        text = trim(part[k]); label = ""
        if (match(text, /: /)) {
            label = substr(text, 1, RSTART - 1) ": "
            text = substr(text, RSTART + 2)
        }
        problem = shown = ""
        asked++
        split(text, f, " ")
        if (text == "-" || text == "") { asked--; continue }
        if (f[1] == "machine") shown = link("machine", "the machine")
        else if (f[1] == "section" && f[2] in verdict) shown = link(f[2], "its rows")
        else if (f[1] == "figure" && (f[2] "-" f[3]) in figure)
            shown = link(f[2] "-" f[3], "figure")
        else if (f[1] == "section" || f[1] == "figure") problem = "not measured in this run"
        else { value_here = expression(text, owner); shown = html(value_here) }
        if (problem == "") answered++
        else shown = "<span class=\"none\">" problem "</span>"
        if (asked == 1) same = problem
        else if (problem != same) same = ""
        all = all (all == "" ? "" : "; ") html(label) shown
    }
    # Said once where it holds for every part.
    if (asked > 1 && answered == 0 && same != "") return "<span class=\"none\">" same "</span>"
    if (doubtful) all = all " <span class=\"none\">(more ranks than cores)</span>"
    return all
}
