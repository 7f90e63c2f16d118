# SPDX-License-Identifier: BSD-3-Clause
# papers.awk: the papers' tables, figures, numbers and claims, each with what was measured here.
# part=section: what BENCH answers; part=index: all of them, paper by paper.
# Reads, separated by tabs,
#   result BENCHMARK FILE     a complete result
#   figure ID                 a figure that stands on the page
#   items BENCHMARK FILE      a file of items; their sources without a name are this benchmark's
# An item: key, value, unit, paper, place, answer, what; the value of a table, figure or claim is -
# and its unit says which of them it is. Needs html.awk and answers.awk.

BEGIN { FS = "\t" }
$1 == "result" { read_result($2, $3) }
$1 == "figure" { figure[$2] = 1 }
$1 == "items" { read_items($2, $3) }
END {
    if (part == "section") section()
    else index_of_all()
}

function read_items(owner, file,   line, f) {
    while ((getline line < file) > 0) {
        if (line ~ /^#/ || split(line, f, "\t") < 7) continue
        items++
        item_owner[items] = owner
        value[items] = f[2]; unit[items] = f[3]; paper_of[items] = f[4]; place[items] = f[5]
        ours[items] = f[6]; what[items] = f[7]
        kind[items] = f[2] == "-" ? f[3] : "number"
    }
    close(file)
}
# The benchmark under whose heading an item stands: the first that its answer names.
function home(i,   word) {
    word = ours[i]
    sub(/^[^;:]*: /, "", word)
    sub(/^(section|figure) /, "", word)
    sub(/[ ;].*/, "", word)
    if (word ~ /^[a-z][a-z0-9_-]*:/ && word !~ /^fit:/) return substr(word, 1, index(word, ":") - 1)
    if (ours[i] ~ /^(section|figure) /) return word
    return item_owner[i]
}
function ratio(i) {
    if (kind[i] != "number" || asked != 1 || !number(value_here) || value[i] + 0 == 0) return ""
    return sprintf("%.3g", value_here / value[i])
}

# ---- Under a benchmark's heading: the numbers ---------------------------------------------------

function section(   i, any, here) {
    for (i = 1; i <= items; i++) {
        if (kind[i] != "number" || home(i) != bench) continue
        if (!any) {
            any = 1
            print "<h3>Beside the papers' numbers</h3>\n<div class=\"wide\"><table><caption>" \
                  "The papers measured other machines; " \
                  "the ratio says how far this one is from theirs." \
                  "</caption>\n<thead><tr><th scope=\"col\">What</th><th scope=\"col\">Paper</th>" \
                  "<th scope=\"col\" class=\"number\">Theirs</th>" \
                  "<th scope=\"col\" class=\"number\">Here</th><th scope=\"col\">Unit</th>" \
                  "<th scope=\"col\" class=\"number\">Here / theirs</th></tr></thead>\n<tbody>"
        }
        here = answer(ours[i], item_owner[i])
        print "<tr><th scope=\"row\">" html(what[i]) "</th><td>" \
              link("paper-" paper_of[i], paper_of[i]) ", " html(place[i]) \
              "</td><td class=\"number\">" html(value[i]) "</td><td class=\"number\">" \
              either(here, "&#8211;") "</td><td class=\"unit\">" html(unit[i]) \
              "</td><td class=\"number\">" ratio(i) "</td></tr>"
    }
    if (any) print "</tbody></table></div>"
}

# ---- The index ----------------------------------------------------------------------------------

# Places in the order of the paper: the abstract, then sections by their numbers.
function rank_of(text,   f, n, k, key) {
    if (!match(text, /section [0-9.]+/)) return "0"
    n = split(substr(text, RSTART + 8, RLENGTH - 8), f, ".")
    for (k = 1; k <= n; k++) if (f[k] != "") key = key sprintf("%03d", f[k])
    return key
}
function sort_items(   i, k, at) {
    for (i = 1; i <= items; i++) {
        order_key[i] = rank_of(place[i])
        for (k = i - 1; k >= 1 && order_key[sorted[k]] > order_key[i] ""; k--)
            sorted[k + 1] = sorted[k]
        sorted[k + 1] = i
    }
}
function table_place(i,   at) { at = place[i]; return match(at, /table( [0-9]+)?/) \
    ? substr(at, 1, RSTART + RLENGTH - 1) : "" }
# How many numbers of a table have an answer.
function of_table(i,   k, n, all) {
    for (k = 1; k <= items; k++) {
        if (kind[k] != "number" || paper_of[k] != paper_of[i] || table_place(k) != table_place(i))
            continue
        all++
        answer(ours[k], item_owner[k])
        n += asked > 0 && answered == asked
    }
    return all ? (n + 0) " of its " all " numbers" : ""
}
function write_item(i,   here, numbers, where) {
    if (kind[i] == "table") numbers = of_table(i)
    here = answer(ours[i], item_owner[i])
    if (numbers != "") here = html(numbers) (here == "" ? "" : "; " here)
    where = place[i]
    sub(/^section /, "", where)
    print "<tr><td class=\"place\">" html(where) "</td>" \
          "<td>" html(kind[i]) "</td><th scope=\"row\">" \
          html(what[i]) "</th><td class=\"number\">" (kind[i] == "number" ? html(value[i]) : "") \
          "</td><td class=\"here" (kind[i] == "number" ? " number" : "") "\">" \
          either(here, "&#8211;") "</td><td class=\"unit\">" \
          (kind[i] == "number" ? html(unit[i]) : "") \
          "</td><td class=\"number\">" ratio(i) "</td></tr>"
}
function open_table() {
    print "<div class=\"wide\"><table class=\"index\"><thead><tr><th scope=\"col\">Section</th>" \
          "<th scope=\"col\">Kind</th><th scope=\"col\">What</th>" \
          "<th scope=\"col\" class=\"number\">Theirs</th><th scope=\"col\">Here</th>" \
          "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"number\">Here / theirs</th></tr>" \
          "</thead>\n<tbody>"
}
function index_of_paper(name,   k, i, inside, any) {
    for (inside = 0; inside <= 1; inside++) {
        any = 0
        for (k = 1; k <= items; k++) {
            i = sorted[k]
            if (paper_of[i] != name) continue
            if ((kind[i] == "number" && table_place(i) != "") != inside) continue
            if (!any && inside)
                print "<details><summary>The numbers of its tables, one by one</summary>"
            if (!any++) open_table()
            write_item(i)
        }
        if (any) print "</tbody></table></div>"
        if (any && inside) print "</details>"
        if (!any && !inside)
            print "<p class=\"note\">No benchmark of this installation answers to it.</p>"
    }
}
function index_of_all(   line, f) {
    sort_items()
    print "<section id=\"papers\">\n<h2>The papers</h2>"
    print "<p>Their tables, figures, numbers and claims in the order of their sections, " \
          "each with what this run has beside it. The papers measured other machines; " \
          "the ratio says how far this one is from theirs. &#8211;: nothing here measures that.</p>"
    while ((getline line < papers) > 0) {
        if (line ~ /^#/ || split(line, f, "|") < 2) continue
        print "<h3 id=\"paper-" html(f[1]) "\">" html(f[1]) "</h3>\n<p>" html(f[2]) "</p>"
        index_of_paper(f[1])
    }
    close(papers)
    print "</section>"
}
