# SPDX-License-Identifier: BSD-3-Clause
# help-to-man.awk: the --help of a script, laid out as GNU programs do it, to a page of man(7).
# version: the line that --version prints.
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    if (text ~ /^\./) text = "\\&" text
    return text
}
function trim(text) { sub(/^ +/, "", text); sub(/ +$/, "", text); return text }
function section(name) { print ".SH " toupper(name); in_section = name }

BEGIN {
    program = version
    sub(/ .*/, "", program)
    number = version
    sub(/.* /, "", number)
    printf ".TH \"%s\" 1 \"\" \"clustermark %s\" \"clustermark\"\n", toupper(program), number
}

/^(Usage:|  or:)/ {
    sub(/^(Usage:|  or:) +/, "")
    usage[++usages] = $0
    next
}
usages && !described && NF {
    print ".SH NAME\n" program " \\- " roff($0)
    print ".SH SYNOPSIS\n.nf"
    for (k = 1; k <= usages; k++) print ".B " roff(usage[k])
    print ".fi\n.SH DESCRIPTION"
    print roff($0)
    described = 1
    next
}
/^[A-Z][a-z ]*:/ {
    text = $0
    sub(/:.*/, "")
    section($0)
    sub(/^[^:]*: */, "", text)
    if (text != "") print roff(text)
    next
}
/^        / { print roff(trim($0)); next }
/^ / {
    # TERM  TEXT; only a single blank where the term is an option with its argument and fills its
    # column.
    text = trim($0)
    at = match(text, /  +/)
    if (!at && text ~ /^--[a-z-]+ [A-Z][^ ]* /) {
        match(text, /^--[a-z-]+ [A-Z][^ ]* /)
        at = RLENGTH
        RLENGTH = 1
    }
    length_of_gap = RLENGTH
    print ".TP\n.B " roff(at ? substr(text, 1, at - 1) : text)
    if (at) print roff(substr(text, at + length_of_gap))
    next
}
NF { print roff($0); next }

END {
    print ".SH ENVIRONMENT\nThe command\n.B " program " env"
    print "lists the variables of the communication layer: values, defaults, and what they mean."
    print ".SH SEE ALSO\n.BR cmrun (1)\n.PP\nThe manual:\n.B info clustermark"
}
