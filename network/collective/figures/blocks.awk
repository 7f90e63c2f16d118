# SPDX-License-Identifier: BSD-3-Clause
# blocks.awk: the rows of cm-collective as a data block of gnuplot, in one pass: a block for each
# operation and each algorithm with its parameter (kinds: "linear:0 tree:3"), in their order, with
# an empty line between sweeps. One without rows has a row of zeros. gnuplot loads the block: with a
# blank before it no row ends it, and so none is a command.
{
    if ($4 != repetition || $19 != ranks) next
    block = $1 " " $2 ":" $3
    if (block in rows && sweep[block] != $20) rows[block] = rows[block] "\n"
    sweep[block] = $20
    rows[block] = rows[block] " " $0 "\n"
    columns = NF
}
END {
    for (k = 0; k < columns; k++) zeros = zeros "0 "
    print "$" name " << EOD"
    n = split(operations, operation, " ")
    m = split(kinds, kind, " ")
    for (o = 1; o <= n; o++)
        for (k = 1; k <= m; k++) {
            block = operation[o] " " kind[k]
            printf "%s\n\n", block in rows ? rows[block] : zeros "\n"
        }
    print "EOD"
}
