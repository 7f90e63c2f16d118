# SPDX-License-Identifier: BSD-3-Clause
# commands.awk: the examples of a chapter as typed: for each @example the line "== LINE MARK", then
# its commands. The mark is the comment on the line before: "@c runs ...". Where a line begins with
# "$ ", only such lines and their continuations are commands; the others are output.

function plain(text) {
    gsub(/@r\{[^}]*\}|@dots\{\}/, "", text)
    gsub(/@value\{VERSION\}/, version, text)
    gsub(/@@/, "\001", text)
    gsub(/@\{/, "{", text)
    gsub(/@\}/, "}", text)
    gsub(/\001/, "@", text)
    return text
}
function end_of_example(k, prompts, going) {
    for (k = 1; k <= n; k++) prompts += line[k] ~ /^\$ /
    for (k = 1; k <= n; k++) {
        if (prompts && line[k] !~ /^\$ / && !going) continue
        going = line[k] ~ /\\$/
        sub(/^\$ /, "", line[k])
        print line[k]
    }
}
/^@c prepare / { print "== " FNR " prepare"; print substr($0, 12); last = ""; next }
/^@example$/ {
    mark = last ~ /^@c (runs|needs|tested|shown)/ ? substr(last, 4) : "unmarked"
    print "== " FNR " " mark
    inside = 1
    n = 0
    next
}
/^@end example$/ { end_of_example(); inside = 0 }
inside { line[++n] = plain($0) }
{ last = $0 }
