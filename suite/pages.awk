# SPDX-License-Identifier: BSD-3-Clause
# pages.awk: makes C functions of the pieces in pages/*.html (how they are written: pages/README):
#     awk -v make=header -f pages.awk pages/*.html     their declarations
#     awk -v make=code -f pages.awk pages/*.html       the functions
# What is wrong in a piece is one line on stderr, and the exit status is 1.
BEGIN {
    c_type["text"] = c_type["html"] = "const char *"
    c_type["count"] = "size_t "
    c_type["real"] = "double "
    c_type["flag"] = "bool "
    print "/* SPDX-License-Identifier: BSD-3-Clause */"
    print "/* Made by pages.awk of the pieces in pages/. */"
    if (make == "header") {
        print "#ifndef SUITE_PAGES_H\n#define SUITE_PAGES_H\n"
        print "#include <stdbool.h>\n#include <stdio.h>\n"
    } else {
        print "#include \"config.h\"\n#include <math.h>\n#include \"common/html.h\""
        print "#include \"common/memory.h\"\n#include \"pages.h\""
    }
}

function wrong(why)
{
    printf "%s:%d: %s\n", FILENAME, FNR, why | "cat >&2"
    failed = 1
    exit 1
}

function emit(line) { body = body "    " line "\n" }

function quoted(text)
{
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\\&", text)
    gsub(/\n/, "\\n", text)
    return "\"" text "\""
}

function literal(text) { if (text != "") emit("fputs(" quoted(text) ", out);") }

function known(name)
{
    if (!(name in type)) wrong("'" name "' is no place of piece " piece)
    used[name] = 1
}

function condition(name)
{
    known(name)
    if (type[name] == "real") return "isfinite(" name ")"
    if (type[name] == "count" || type[name] == "flag") return name
    return name " && *" name
}

# {{NAME}}, {{NAME %FORMAT}}, {{if NAME}}, {{if not NAME}}, {{one NAME}}, {{else}}, {{end}}
function place(inner,   word, n)
{
    n = split(inner, word, " ")
    if (n == 1 && word[1] == "end") {
        if (depth-- == 0) wrong("{{end}} without {{if}}")
        emit("}")
    } else if (n == 1 && word[1] == "else") {
        if (depth == 0) wrong("{{else}} without {{if}}")
        emit("} else {")
    } else if (word[1] == "if" && (n == 2 || n == 3 && word[2] == "not")) {
        depth++
        emit("if (" (n == 3 ? "!(" : "") condition(word[n]) (n == 3 ? ")" : "") ") {")
    } else if (word[1] == "one" && n == 2) {
        known(word[2])
        if (type[word[2]] != "count") wrong("{{one}}: '" word[2] "' is no count")
        depth++
        emit("if (" word[2] " == 1) {")
    } else {
        known(word[1])
        if (type[word[1]] == "flag") wrong("flag '" word[1] "' can only stand behind {{if}}")
        if (type[word[1]] == "real") {
            if (n != 2 || word[2] !~ /^%\+?(\.[0-9]+)?[efg]$/)
                wrong("number '" word[1] "' needs a format such as %.3g")
            emit("fprintf(out, \"" word[2] "\", " word[1] ");")
        } else if (n != 1) wrong("'" inner "' is not understood")
        else if (type[word[1]] == "count") emit("fprintf(out, \"%zu\", " word[1] ");")
        else if (type[word[1]] == "html" || sentence) emit("html_put(out, " word[1] ");")
        else emit("html_escape(out, " word[1] ");")
    }
}

function finish(   at, name)
{
    if (piece == "") return
    if (sentence) sub(/\n$/, "", text)
    if (sentence && places == 0) {
        if (text ~ /\{\{/) wrong("sentence " piece " has no places")
        if (make == "header") print "#define SAID_" toupper(piece) " " quoted(text)
        piece = ""
        return
    }
    if (sentence) {
        emit("char *said = NULL;")
        emit("size_t length;")
        emit("FILE *out = suite_there(open_memstream(&said, &length));")
    }
    while ((at = index(text, "{{")) > 0) {
        literal(substr(text, 1, at - 1))
        text = substr(text, at + 2)
        at = index(text, "}}")
        if (at == 0) wrong("{{ without }}")
        place(substr(text, 1, at - 1))
        text = substr(text, at + 2)
    }
    literal(text)
    if (depth > 0) wrong("{{if}} without {{end}} in piece " piece)
    for (name in type)
        if (!(name in used)) wrong("piece " piece " does not use '" name "'")
    if (sentence) {
        emit("if (fclose(out) != 0) suite_there(NULL);")
        emit("return said;")
    }
    if (make == "code") print "\n" piece_of "\n{\n" body "}"
    else print piece_of ";"
    piece = ""
}

# == NAME: TYPE NAME, TYPE NAME ... or, for a sentence, -- NAME: TYPE NAME ...
function begin(line,   n, k, part, word, given)
{
    sentence = sub(/^-- /, "", line)
    sub(/^== /, "", line)
    given = ""
    if ((k = index(line, ":")) > 0) {
        given = substr(line, k + 1)
        line = substr(line, 1, k - 1)
    }
    piece = line
    if (piece !~ /^[a-z][a-z0-9_]*$/) wrong("'" piece "' is no name of a piece")
    if (piece in line_of) wrong("piece " piece " stands in line " line_of[piece] ", too")
    line_of[piece] = FNR
    split("", type)
    split("", used)
    body = text = ""
    depth = 0
    piece_of = sentence ? "char *said_" piece "(" : "void piece_" piece "(FILE *out"
    n = places = split(given, part, ",")
    for (k = 1; k <= n; k++) {
        if (split(part[k], word, " ") != 2 || !(word[1] in c_type))
            wrong("expected TYPE NAME, not '" part[k] "'")
        type[word[2]] = word[1]
        piece_of = piece_of (k == 1 && sentence ? "" : ", ") c_type[word[1]] word[2]
    }
    piece_of = piece_of ")"
}

FNR == 1 { finish() }
/^#( |$)/ || /^[ \t]*$/ { next }
# A line that ends with a backslash goes on in the next, without the blanks at that one's beginning.
continued { sub(/^ +/, "") }
/^(==|--) / || head != "" {
    if (head == "") finish()
    continued = sub(/\\$/, "")
    head = head $0
    if (continued) next
    begin(head)
    head = ""
    next
}
piece == "" { wrong("expected == NAME or -- NAME") }
{
    continued = sub(/\\$/, "")
    text = text $0 (continued ? "" : "\n")
}
END {
    if (failed) exit 1
    finish()
    if (make == "header") print "\n#endif"
}
