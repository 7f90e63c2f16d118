# SPDX-License-Identifier: BSD-3-Clause
# report.awk: the parts of the report's page. Reads one result (text, as src/result/result.h says);
# part says which part is written from it. Needs html.awk.

function first_of(key, k) {
    for (k = 1; k <= metas; k++) if (meta_key[k] == key) return meta_value[k]
    return ""
}
function cell(text) {
    return "<td" (number(text) ? " class=\"number\"" : "") ">" html(text) "</td>"
}
function verdict_cell(word) {
    return "<td class=\"" (word == "PASS" ? "pass" : word == "FAIL" ? "fail" : "note") "\">" \
           html(word) "</td>"
}

# ---- Reading -----------------------------------------------------------------------------------

/^# RESULT: / {
    result_verdict[++results] = $3; result_metric[results] = $4; result_value[results] = $5
    result_unit[results] = $6
    measured[$4] = $5
    next
}
/^# CHECK/ { sub(/^# CHECK:? */, ""); check[++checks] = $0; next }
/^# fit: model=/ {
    model = $3; sub(/^model=/, "", model)
    for (k = 4; k <= NF; k++) {
        at = index($k, "=")
        if (!at) continue
        key = substr($k, 1, at - 1)
        fit_model[++fits] = model; fit_key[fits] = key; fit_value[fits] = substr($k, at + 1)
        measured["fit:" model ":" key] = fit_value[fits]
    }
    next
}
!rows_begun && /^# [a-z0-9_]+:/ {
    key = $2; sub(/:$/, "", key)
    value = $0; sub(/^# [a-z0-9_]+:[ ]*/, "", value)
    meta_key[++metas] = key; meta_value[metas] = value
    next
}
/^# fastest: / { sub(/^# fastest: */, ""); fastest[++winners] = $0; next }
/^#/ { sub(/^# ?/, ""); if ($0 != "") comment[++comments] = $0; next }
NF && !rows_begun { rows_begun = 1; columns = split($0, column); next }
NF { row[++rows] = $0 }

END {
    if (part == "head") head()
    else if (part == "summary_open") summary_open()
    else if (part == "summary") summary()
    else if (part == "summary_close") summary_close()
    else if (part == "bench_open") bench_open()
    else if (part == "bench_answers") bench_answers()
    else if (part == "bench_rest") bench_rest()
    else if (part == "machine") machine()
    else if (part == "foot") foot()
}

# ---- The page's head ---------------------------------------------------------------------------

function style(   line) {
    print "<style>"
    while ((getline line < ENVIRON["REPORT_STYLE"]) > 0) print line
    print "</style>"
}
function where() {
    return either(first_of("ranks_per_host"), either(first_of("host"), "unknown machine"))
}
function head(   line, at, told) {
    while ((getline line < run) > 0) {
        at = index(line, ": ")
        if (at) told[substr(line, 1, at - 1)] = substr(line, at + 2)
    }
    print "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>"
    print "<meta charset=\"utf-8\" />"
    print "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />"
    print "<title>clustermark: " html(where()) "</title>"
    style()
    print "</head>\n<body>\n<header>\n<h1>clustermark report</h1>"
    print "<p>Measured on <strong>" html(where()) "</strong>" \
          " (host:ranks" (first_of("cpu") != "" ? "; " html(first_of("cpu")) : "") ")" \
          " over the backend <strong>" html(either(first_of("comm"), told["comm"])) "</strong>" \
          (first_of("comm_version") != "" ? " (" html(first_of("comm_version")) ")" : "") \
          (first_of("transport") != "" ? ", transport " html(first_of("transport")) : "") \
          ", " html(either(first_of("date"), told["date"])) \
          (told["profile"] != "" ? ", profile " html(told["profile"]) : "") \
          ", clustermark " html(version) ".</p>"
    if (either(first_of("comm"), told["comm"]) == "dummy")
        print "<p class=\"note\">The dummy backend answers on a virtual clock: " \
              "these numbers test the measuring and say nothing about this machine.</p>"
    print "<p>Every benchmark checks its answer; where a verdict is FAIL there is no figure. " \
          "Intervals are 95&#160;% confidence intervals of medians within this launch or, " \
          "of fewer than six samples, the least and the greatest. MB/s is 10<sup>6</sup> bytes " \
          "and Mbit/s 10<sup>6</sup> bits a second; sizes are plain bytes.</p>\n" \
          "<p>What of the papers was measured here: <a href=\"#papers\">their tables, figures, " \
          "numbers and claims</a>.</p>\n</header>\n<main>"
}

# ---- Verdicts ----------------------------------------------------------------------------------

function summary_open() {
    print "<section id=\"verdicts\">\n<h2>Verdicts</h2>\n<div class=\"wide\"><table>"
    print "<thead><tr><th scope=\"col\">Benchmark</th><th scope=\"col\">Verdict</th>" \
          "<th scope=\"col\">Metric</th><th scope=\"col\" class=\"number\">Value</th>" \
          "<th scope=\"col\">Unit</th><th scope=\"col\">What it means</th></tr></thead>\n<tbody>"
}
# Of a line "name, unit, better, meaning"; a * in the name stands for any characters.
function meaning(metric,   n, k, list, field, name) {
    n = split(ENVIRON["REPORT_METRICS"], list, "\n")
    for (k = 1; k <= n; k++) {
        split(list[k], field, "\t")
        name = field[1]
        gsub(/\*/, ".*", name)
        if (metric ~ "^" name "$") return field[4]
    }
    return ""
}
# One cell for metrics that follow each other and mean the same.
function meaning_cell(k,   text, n) {
    text = meaning(result_metric[k])
    if (k > 1 && text == meaning(result_metric[k - 1])) return ""
    for (n = 1; k + n <= results && meaning(result_metric[k + n]) == text; n++);
    return "<td" (n > 1 ? " rowspan=\"" n "\"" : "") ">" html(text) "</td>"
}
function summary(   k, name, why) {
    name = "<th scope=\"row\"><a href=\"#" html(bench) "\">" html(program) "</a></th>"
    if (problem != "") {
        why = ENVIRON["REPORT_TEXT"]
        sub(/\n.*/, "", why)
        print "<tr>" name verdict_cell(problem) "<td colspan=\"4\">" html(why) "</td></tr>"
        return
    }
    for (k = 1; k <= results; k++) {
        print "<tr>" name verdict_cell(result_verdict[k]) cell(result_metric[k]) \
              "<td class=\"number\">" html(result_value[k]) "</td>" \
              "<td class=\"unit\">" html(result_unit[k]) "</td>" meaning_cell(k) "</tr>"
    }
}
function summary_close() {
    print "</tbody></table></div>"
    if (gnuplot == "")
        print "<p class=\"note\">gnuplot was not there when this page was made: " \
              "it has the tables and no figures.</p>"
    print "</section>"
}

# ---- One benchmark -----------------------------------------------------------------------------

function bench_open() {
    print "<section id=\"" html(bench) "\">\n<h2>" html(heading) "</h2>"
    print "<p>" html(question) "</p>"
    if (problem == "skipped")
        print "<p class=\"note\">Skipped: " html(ENVIRON["REPORT_TEXT"]) "</p>"
    else if (problem != "")
        print "<p class=\"fail\">This benchmark did not run to its end.</p>\n<pre>" \
              html(ENVIRON["REPORT_TEXT"]) "</pre>"
    if (first_of("oversubscribed") == "yes" || first_of("core_shared") == "yes")
        print "<p class=\"note\">There were more ranks than cores (oversubscribed): the numbers " \
              "are no measure of performance, and the figures show none.</p>"
}
function bench_answers() {
    write_checks()
    write_fits()
    write_fastest()
}
function bench_rest() {
    if (problem == "") {
        write_how()
        write_rows()
    }
    print "</section>"
}
function write_checks(   k) {
    print "<h3>Verification and remarks</h3>\n<ul>"
    for (k = 1; k <= checks; k++)
        print "<li class=\"" (check[k] ~ /FAIL/ ? "fail" : "pass") "\">" html(check[k]) "</li>"
    for (k = 1; k <= comments; k++) print "<li>" html(comment[k]) "</li>"
    print "</ul>"
}
function write_fits(   k, error) {
    if (!fits) return
    print "<h3>Fitted models</h3>\n<table><thead><tr><th scope=\"col\">Model</th>" \
          "<th scope=\"col\">Parameter</th><th scope=\"col\" class=\"number\">Value</th>" \
          "<th scope=\"col\" class=\"number\">Standard error</th></tr></thead>\n<tbody>"
    for (k = 1; k <= fits; k++) {
        if (fit_key[k] ~ /_error$/) continue
        error = measured["fit:" fit_model[k] ":" fit_key[k] "_error"]
        print "<tr><th scope=\"row\">" html(fit_model[k]) "</th><td>" html(fit_key[k]) "</td>" \
              "<td class=\"number\">" html(fit_value[k]) "</td>" \
              "<td class=\"number\">" html(error) "</td></tr>"
    }
    print "</tbody></table>"
}
# Lines of words, the first of them the heads.
function write_fastest(   k, c, n, f) {
    if (!winners) return
    print "<h3>What is the fastest where</h3>\n<div class=\"wide\"><table><caption>Next: the " \
          "second; ratio: how many times as long it takes. Where the intervals overlap, " \
          "this run does not tell which of the two is faster.</caption>\n<thead><tr>"
    n = split(fastest[1], f)
    for (c = 1; c <= n; c++) print "<th scope=\"col\">" html(f[c]) "</th>"
    print "</tr></thead>\n<tbody>"
    for (k = 2; k <= winners; k++) {
        n = split(fastest[k], f)
        printf "<tr>"
        for (c = 1; c <= n; c++) printf "%s", cell(f[c])
        print "</tr>"
    }
    print "</tbody></table></div>"
}
# Keys that describe the computer; everything else says how this was measured.
function is_machine(key) {
    return key ~ /^(host|cpu|cores|threads|l[0-9][a-z]?_bytes|l[0-9][a-z]?_.*|numa_nodes)$/ \
        || key ~ /^(memory_.*|clock_.*|tsc_hz|kernel|virtualization|container|governor)$/ \
        || key ~ /^(huge_pages|nic|infiniband|cpu_quota)$/
}
function table_of(caption, machines,   k) {
    print "<div class=\"wide keys\"><table><caption>" caption "</caption>\n<tbody>"
    for (k = 1; k <= metas; k++)
        if (is_machine(meta_key[k]) == machines)
            print "<tr><th scope=\"row\">" html(meta_key[k]) "</th><td>" html(meta_value[k]) \
                  "</td></tr>"
    print "</tbody></table></div>"
}
function write_how() {
    print "<h3>How it was measured</h3>"
    table_of("Units stand in the names.", 0)
}
function write_rows(   k, c, n, f) {
    if (!rows) return
    print "<details><summary>All " rows " rows of the result" \
          "</summary>\n<p>" \
          "The same numbers: <a href=\"" html(bench) ".txt\">" html(bench) ".txt</a>" \
          (json != "" ? "; with every sample: <a href=\"" html(json) "\">" html(json) "</a>" : "") \
          ".</p>\n<div class=\"wide\"><table><thead><tr>"
    for (c = 1; c <= columns; c++)
        print "<th scope=\"col\" class=\"number\">" html(column[c]) "</th>"
    print "</tr></thead>\n<tbody>"
    for (k = 1; k <= rows; k++) {
        n = split(row[k], f)
        printf "<tr>"
        for (c = 1; c <= n; c++) printf "%s", cell(f[c])
        print "</tr>"
    }
    print "</tbody></table></div></details>"
}

# ---- The machine, and the end ------------------------------------------------------------------

function machine() {
    print "<section id=\"machine\">\n<h2>The machine</h2>"
    if (metas) table_of("Of rank 0's host; units stand in the names.", 1)
    else print "<p class=\"note\">No benchmark ran to its end, so nothing is known of it.</p>"
    print "</section>"
}
function foot() {
    print "</main>\n<footer><p>Made by clustermark " html(version) \
          ". Numbers of two machines compare only where backend, transport, buffers and binding " \
          "are the same.</p></footer>\n</body>\n</html>"
}
