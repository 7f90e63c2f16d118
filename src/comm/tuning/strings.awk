# SPDX-License-Identifier: BSD-3-Clause
# strings.awk: makes {"NAME", "text"}, of each NAME.tab. Comments are left out: programs need none.
# Uses only what every awk has.
FNR == 1 {
    if (NR > 1) print "},"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.tab$/, "", name)
    print "{\"" name "\","
}
!/^#/ {
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    print "\"" $0 "\\n\""
}
END { print "}," }
