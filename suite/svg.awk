# SPDX-License-Identifier: BSD-3-Clause
# svg.awk: gnuplot's SVG as a part of an HTML page. id: prefix that makes its ids its own; title and
# caption, HTML-escaped: what a screen reader says.
function own_ids(line, out, at, head) {
    out = ""
    while (match(line, /( id=['"]|href=['"]#|url\(#)/)) {
        at = RSTART + RLENGTH
        head = substr(line, 1, at - 1)
        out = out head id "-"
        line = substr(line, at)
    }
    return out line
}
/^<\?xml/ || /^<!DOCTYPE/ { next }
/^[ \t]*"-\/\/W3C/ || /^[ \t]*"http.*dtd">/ { next }
!begun && /<svg/ {
    begun = 1
    sub(/<svg/, "<svg role=\"img\" aria-labelledby=\"" id "-title " id "-desc\"")
}
/^<title>/ && !titled { titled = 1; print "<title id=\"" id "-title\">" title "</title>"; next }
/^<desc>/ && !described { described = 1; print "<desc id=\"" id "-desc\">" caption "</desc>"; next }
begun { print own_ids($0) }
