# SPDX-License-Identifier: BSD-3-Clause
# beside.awk: cm-netpipe's curve and NetPIPE's by size. Reads ours or theirs, bytes, Mbit/s and us,
# and for ours also the us of its fastest trial. The fastest of several runs counts. Marks the sizes
# at which ours is lower, and says if it is also lower by the fastest trials of both.
$3 > best[$1, $2] { best[$1, $2] = $3; time[$1, $2] = $4 }
$1 == "ours" && (!(least[$2]) || $5 < least[$2]) { least[$2] = $5 }
$1 == "ours" && !seen[$2]++ { order[++sizes] = $2 }
END {
    close_by = 0.97
    printf "%10s %14s %14s %10s %10s %8s %10s %14s\n", "bytes", "ours_Mbit_s",
           "theirs_Mbit_s", "ours_us", "theirs_us", "ratio", "fastest_us", "fastest_ratio"
    for (k = 1; k <= sizes; k++) {
        b = order[k]
        if (!(("theirs", b) in best)) continue
        ratio = best["ours", b] / best["theirs", b]
        fastest = 8 * b / least[b] / best["theirs", b]
        common++
        printf "%10d %14.2f %14.2f %10.2f %10.2f %8.2f %10.2f %14.2f%s%s\n", b,
               best["ours", b], best["theirs", b], time["ours", b], time["theirs", b], ratio,
               least[b], fastest, ratio < close_by ? "  lower" : "",
               fastest < close_by ? ", fastest too" : ""
        lower += ratio < close_by
        both += fastest < close_by
    }
    printf "# ours is lower at %d of %d sizes, of fastest trials at %d%s\n", lower, common, both,
           lower ? "; README says why" : ""
}
