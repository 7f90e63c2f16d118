# SPDX-License-Identifier: BSD-3-Clause
# gain.awk: awk -f gain.awk FIRST SECOND. Prints for each number of processes: the number, the
# cycles per item that the first result saves in percent of the second's, at the largest size that
# both have, and that size.
FNR == 1 { has_header = 0 } # not by name: both may be the same file
/^#/ || NF == 0 { next }
!has_header {
    for (k = 1; k <= NF; k++) at[$k] = k
    has_header = 1
    next
}
{
    cycles[FILENAME, $at["processes"], $at["size"]] = $at["cycles_per_item"]
    sizes[$at["size"]]
    if ($at["processes"] > most) most = $at["processes"]
}
END {
    for (s in sizes)
        for (p = 1; p <= most; p++)
            if ((ARGV[1], p, s) in cycles && (ARGV[2], p, s) in cycles && s + 0 > size) size = s + 0
    for (p = 1; p <= most; p++)
        if ((ARGV[1], p, size) in cycles && (ARGV[2], p, size) in cycles)
            print p, 100 * (1 - cycles[ARGV[1], p, size] / cycles[ARGV[2], p, size]), size
}
