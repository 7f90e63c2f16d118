# SPDX-License-Identifier: BSD-3-Clause
# findings.awk: who stands out in a result's text, for figures: awk -f findings.awk RESULT prints a
# line "HOST QUANTITY" for each host of a finding, of a pair "HOST-HOST QUANTITY". It reads the data
# that src/result/finding.c writes in brackets, never the words; who stands before the first colon.
!/^# finding: / || !match($0, /quantity=[^]]*\]$/) { next }
{
    quantity = substr($0, RSTART + 9, RLENGTH - 10)
    who = substr($0, 12, index(substr($0, 12), ": ") - 1)
    sub(/ and [0-9]+ others$/, "", who)
    n = split(who, host, /, /)
    for (k = 1; k <= n; k++) print host[k], quantity
}
