# SPDX-License-Identifier: BSD-3-Clause
# modes.awk: the runs of two ways of streaming. Reads bytes, target, us per message of ours and of
# the other, and two more fields. Prints the runs' rates in ascending order for each size and way.
# It reports two modes if the largest step between neighbours is a factor of 1.5 or more.
function show(bytes, name, rate, n,  i, j, t, at, step, low, high) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && rate[j] < rate[j - 1]; j--) {
            t = rate[j]; rate[j] = rate[j - 1]; rate[j - 1] = t
        }
    printf "%9d %-9s", bytes, name
    for (i = 1; i <= n; i++) printf " %.1f", rate[i]
    for (i = 2; i <= n; i++)
        if (rate[i] / rate[i - 1] > step) { step = rate[i] / rate[i - 1]; at = i }
    if (step < 1.5) { printf "; one mode\n"; return }
    for (i = 1; i < at; i++) low += rate[i]
    for (i = at; i <= n; i++) high += rate[i]
    printf "; two modes: %d near %.1f, %d near %.1f\n", at - 1, low / (at - 1),
           n - at + 1, high / (n - at + 1)
}
{
    if (!runs[$1]++) order[++sizes] = $1
    mine[$1, runs[$1]] = 8e-3 * $1 / $3
    theirs[$1, runs[$1]] = 8e-3 * $1 / $4
}
END {
    for (k = 1; k <= sizes; k++) {
        bytes = order[k]
        for (i = 1; i <= runs[bytes]; i++) { a[i] = mine[bytes, i]; b[i] = theirs[bytes, i] }
        show(bytes, "netpipe", a, runs[bytes])
        show(bytes, "plain", b, runs[bytes])
    }
}
