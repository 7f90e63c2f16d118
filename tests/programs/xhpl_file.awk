# SPDX-License-Identifier: BSD-3-Clause
# xhpl_file.awk: writes file number `want` of xhpl_files.txt; with want=0 the line of each: ranks,
# lines that cm-xhpl says, no newline at the end, name.
BEGIN { FS = "\t"; LINES = 31 }
/^#/ && !n { next }
/^== / {
    n++
    if (want == 0) print substr($0, 4)
    if (n == want) cut = $0 ~ /^== [0-9]+ [0-9]+ yes /
    next
}
{ text = substr($0, length($1) + 2) }
n == 1 { usual[$1] = text }
n == want { own[$1] = text; if ($1 > last) last = $1 + 0 }
END {
    if (want == 0) exit
    if (last < LINES) last = LINES
    for (k = 1; k <= last; k++) {
        text = k in own ? own[k] : usual[k]
        if (text == "\\none") continue
        gsub(/\\t/, "\t", text)
        printf "%s%s", (k > 1 ? "\n" : ""), text
    }
    if (!cut) print ""
}
