# SPDX-License-Identifier: BSD-3-Clause
# beside.awk: cm-netpipe's curve and NetPIPE's by size. Reads ours or theirs, bytes, Mbit/s and us; of several, the
# fastest counts. A size where ours is lower is marked.
$3 > best[$1, $2] { best[$1, $2] = $3; time[$1, $2] = $4 }
$1 == "ours" && !seen[$2]++ { order[++sizes] = $2 }
END {
    printf "%10s %14s %14s %10s %10s %8s\n", "bytes", "ours_Mbit_s", "theirs_Mbit_s", "ours_us", "theirs_us", "ratio"
    for (k = 1; k <= sizes; k++) {
        b = order[k]
        if (!(("theirs", b) in best)) continue
        ratio = best["ours", b] / best["theirs", b]
        common++
        printf "%10d %14.2f %14.2f %10.2f %10.2f %8.2f%s\n", b, best["ours", b], best["theirs", b],
               time["ours", b], time["theirs", b], ratio, ratio < 0.97 ? "  lower" : ""
        lower += ratio < 0.97
    }
    printf "# ours is lower at %d of %d sizes%s\n", lower, common, lower ? "; README says why" : ""
}
