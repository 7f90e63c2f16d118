# SPDX-License-Identifier: BSD-3-Clause
# choice.awk: for bench-choice: rows of cm-collective of several launches, a file each. Prints for
# each operation and number of ranks the greatest ratio of auto's time to the best algorithm's.

function median(list, n,    value, i, k, t)
{
    n = split(list, value, " ")
    for (i = 2; i <= n; i++)
        for (k = i; k > 1 && value[k] + 0 < value[k - 1] + 0; k--) {
            t = value[k]; value[k] = value[k - 1]; value[k - 1] = t
        }
    low = value[1]
    high = value[n]
    return n % 2 ? value[(n + 1) / 2] : (value[n / 2] + value[n / 2 + 1]) / 2
}

/^#/ || NF < 20 || $4 != "separated" { next }
{
    where = $1 " " $(NF - 1) " " $5
    name = $2 ($2 == "tree" || $2 == "chain" ? ":" $3 : "")
    if (!((where, name) in times) && name != "auto") names[where] = names[where] " " name
    times[where, name] = times[where, name] " " $8
    if (!(where in seen)) order[++cases] = where
    seen[where]
}
END {
    for (i = 1; i <= cases; i++) {
        where = order[i]
        split(where, part, " ")
        group = part[1] " " part[2]
        if (!(group in worst)) groups[++many] = group
        auto_us = 1e6 * median(times[where, "auto"])
        auto_low = low
        best = ""
        n = split(names[where], each, " ")
        for (k = 1; k <= n; k++) {
            us = 1e6 * median(times[where, each[k]])
            if (best == "" || us < best_us) { best = each[k]; best_us = us; best_high = high }
        }
        counts = auto_low > best_high
        ratio = auto_us / best_us
        if (counts && ratio > (part[2] <= cores ? 1.3 : 2)) {
            beyond++
            text[beyond] = sprintf("beyond its bar: %-14s %2d ranks, %7d bytes: %.2f (%s)", part[1],
                                   part[2], part[3], ratio, best)
        }
        if (!(group in worst) || (counts ? ratio : 0) > worst[group]) {
            worst[group] = counts ? ratio : 0
            line[group] = sprintf("%9d %10.1f %10.1f  %-18s", part[3], auto_us, best_us, best)
        }
    }
    printf "%-14s %5s %7s %9s %10s %10s  %-18s\n", "operation", "ranks", "loss", "bytes", "auto_us",
           "best_us", "best"
    for (i = 1; i <= many; i++) {
        split(groups[i], part, " ")
        w = worst[groups[i]]
        printf "%-14s %5d %7s %s\n", part[1], part[2], (w ? sprintf("%.2f", w) : "-"),
               (w ? line[groups[i]] : "")
        if (w > most) most = w
    }
    for (i = 1; i <= beyond; i++) print text[i]
    printf "worst %.2f, %d beyond the bars (1.3 with a core for each rank, 2 otherwise) of %d\n",
           most, beyond, cases
}
