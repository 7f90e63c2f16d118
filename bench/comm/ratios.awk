# SPDX-License-Identifier: BSD-3-Clause
# ratios.awk: a table of the times of two ways. Each line of input is a round: label, target, our
# time, the other's, and the same two for undisturbed trials (the minimum). For each label it prints
# medians over the rounds, the median of ours/other's with its range, and the ratio of the
# undisturbed times. -v ours=NAME -v other=NAME: column headings; -v invert=1: print the ratio of
# rates instead, other's time / ours.
function median(values, key, n,  i, j, t) {
    for (i = 1; i <= n; i++) s[i] = values[key, i]
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && s[j] < s[j - 1]; j--) { t = s[j]; s[j] = s[j - 1]; s[j - 1] = t }
    return n % 2 ? s[(n + 1) / 2] : (s[n / 2] + s[n / 2 + 1]) / 2
}
function divide(a, b) { return invert ? b / a : a / b }
NF == 6 && $3 > 0 && $4 > 0 && $5 > 0 && $6 > 0 {
    if (!n[$1]++) order[++labels] = $1
    target[$1] = $2
    mine[$1, n[$1]] = $3; theirs[$1, n[$1]] = $4; ratio[$1, n[$1]] = divide($3, $4)
    my_least[$1, n[$1]] = $5; their_least[$1, n[$1]] = $6
}
END {
    printf "%-18s %12s %12s %8s %16s %12s %8s %7s\n", "#", ours "_us", other "_us", "ratio",
           "range", "undisturbed", "target", "rounds"
    for (k = 1; k <= labels; k++) {
        key = order[k]
        r = median(ratio, key, n[key]); low = s[1]; high = s[n[key]]
        printf "%-18s %12.2f %12.2f %8.3f %7.3f..%-7.3f %12.3f %8s %7d\n", key,
               median(mine, key, n[key]), median(theirs, key, n[key]), r, low, high,
               divide(median(my_least, key, n[key]), median(their_least, key, n[key])),
               target[key], n[key]
    }
}
