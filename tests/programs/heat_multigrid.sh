#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# heat_multigrid.sh: cm-heat --method multigrid on blocks of every grid: a direct solution of the
# same equations, what a cycle leaves, the bits of one rank.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../heat/cm-heat
few='--no-stream --warm-up 0 --quiet --force --collect 0'
multigrid="$few -m multigrid"

# set_grid GRID: sets the ranks of this grid, or one if the backend has no more. An MPI that spins
# is slow with more ranks than cores, and runs only some of the grids.
set_grid()
{
    grid=$1
    [ "$comm" != dummy ] || grid=1x1
    ranks=$((${grid%x*} * ${grid#*x}))
    [ "$comm" != mpi ] || [ $ranks -le 4 ]
}

# ---- A direct solution -------------------------------------------------------------------------

# direct COLUMNS ROWS NORTH EAST SOUTH WEST: the steady state row by row, by Gaussian elimination
# inside the band of 4 u - neighbours = sides. The matrix is diagonally dominant, so no pivoting is
# needed.
direct()
{
    awk -v columns=$1 -v rows=$2 -v north=$3 -v east=$4 -v south=$5 -v west=$6 '
    function side(text, k, n,    part, t, line, value) {
        split(text, part, ":")
        t = k / (n + 1)
        if (part[1] == "linear") return part[2] + (part[3] - part[2]) * t
        if (part[1] == "step") return 2 * k <= n ? part[2] : part[3]
        if (part[1] == "sine") return part[2] * sin(atan2(0, -1) * t)
        if (part[1] == "parabola") return part[2] * 4 * t * (1 - t)
        if (part[1] != "file") return text
        for (line = 1; line <= k; line++) getline value <part[2]
        close(part[2])
        return value
    }
    BEGIN {
        n = rows * columns
        for (i = 1; i <= rows; i++) for (j = 1; j <= columns; j++) {
            at = (i - 1) * columns + j
            a[at, 0] = 4
            if (i == 1) b[at] += side(north, j, columns)
            else a[at, -columns] = -1
            if (i == rows) b[at] += side(south, j, columns)
            else a[at, columns] = -1
            # Where there is one column, a row is the next number.
            if (j == 1) b[at] += side(west, i, rows)
            else a[at, -1] += -1
            if (j == columns) b[at] += side(east, i, rows)
            else a[at, 1] += -1
        }
        for (k = 1; k <= n; k++) for (r = k + 1; r <= n && r <= k + columns; r++) {
            if (!(factor = a[r, k - r] / a[k, 0])) continue
            for (c = k; c <= n && c <= k + columns; c++) a[r, c - r] -= factor * a[k, c - k]
            b[r] -= factor * b[k]
        }
        for (k = n; k >= 1; k--) {
            for (c = k + 1; c <= n && c <= k + columns; c++) b[k] -= a[k, c - k] * u[c]
            u[k] = b[k] / a[k, 0]
        }
        for (k = 1; k <= n; k++) printf "%.15g\n", u[k]
    }'
}

# temperatures FILE POINTS: the temperatures of a checkpoint in double precision, after its header.
temperatures() { od -A n -v -t f8 -w8 -j 104 -N $((8 * $2)) "$1"; }
# near FILE FILE: both have the same count of numbers, and no two differ by more than 1e-10, which
# with sides of up to 100 is some thousand roundings.
near()
{
    paste "$1" "$2" | awk '
        NF != 2 || !(($1 - $2) ^ 2 < 1e-20) { print "# line " NR ": " $0; bad = 1; exit }
        END { exit bad || NR == 0 }'
}

awk 'BEGIN { for (k = 1; k <= 19; k++) print (k * 37 % 11) - 4 }' >"$work/side"
while read -r on columns rows north east south west; do
    set_grid $on || continue
    ok "$columns x $rows in $grid blocks, $north $east $south $west" \
        run $ranks 0 '' "$program" $multigrid -n $columns --rows $rows --iterations 14 \
        --blocks $grid --north $north --east $east --south $south --west $west \
        --checkpoint "$work/state"
    temperatures "$work/state" $((columns * rows)) >"$work/iterated"
    direct $columns $rows $north $east $south $west >"$work/direct"
    ok 'the direct solution' near "$work/iterated" "$work/direct"
done <<EOF
1x1 17 15 10 -20 30 100
1x2 19 15 linear:0:100 step:3:-8 sine:50 parabola:-7
2x1 15 19 sine:100 file:$work/side step:0:100 linear:5:-5
1x3 19 7 file:$work/side 1 file:$work/side 0
3x1 9 17 parabola:30 sine:-3 linear:-1:1 step:8:0
2x2 13 11 step:1:0 linear:2:30 parabola:40 sine:5
1x4 21 9 0 100 0 0
4x1 3 23 100 0 sine:1 25
1x5 11 13 linear:9:1 parabola:99 7 step:-9:9
2x3 14 12 sine:1 sine:10 sine:-100 sine:3
3x2 15 16 parabola:5 0 step:100:50 linear:0:60
6x1 5 19 step:0:100 file:$work/side 20 sine:9
1x7 19 3 linear:0:1 2 parabola:3 step:4:5
7x1 2 15 4 3 2 1
EOF

# ---- What a cycle leaves -----------------------------------------------------------------------

# From the third to the seventh cycle. Plates whose coarse grids are on all ranks, and small ones.
residual() { sed -n 's/^# [0-9]* x [0-9]*: residual \([^,]*\),.*/\1/p' "$1"; }
cycles()
{
    run $ranks 0 '' "$program" $multigrid -n $2 --rows $3 --iterations $1 --blocks $grid \
        --north $4 --east linear:100:-3 --south sine:7 -o "$work/cycles.$1"
}
while read -r on columns rows north; do
    set_grid $on || continue
    ok "$columns x $rows in $grid blocks: three cycles" cycles 3 $columns $rows $north
    ok 'seven' cycles 7 $columns $rows $north
    three=$(residual "$work/cycles.3") seven=$(residual "$work/cycles.7")
    ok 'less than a tenth is left by each' \
        awk "BEGIN { exit !(${three:-0} > 0 && ${seven:-1} < $three / 1e4) }"
done <<EOF
1x2 255 257 step:0:100
2x2 333 301 parabola:9
1x3 1000 5 sine:1
2x3 97 301 5
1x5 31 33 step:-5:100
3x2 511 301 linear:-1:1
1x7 77 75 sine:40
EOF

# ---- The same bits -----------------------------------------------------------------------------

# Blocks of single rows and columns; blocks that begin on odd and on even points; grids that move to
# fewer ranks at once, late, and twice.
while read -r on columns rows precision; do
    set_grid $on || continue
    plate="-n $columns --rows $rows -p $precision --north parabola:9 --east linear:100:-3"
    ok "$grid blocks of $plate" run $ranks 0 '' "$program" $multigrid $plate --west step:1:4 \
        --iterations 4 --blocks $grid --checkpoint "$work/blocks" -o "$work/blocks.txt"
    ok 'one rank' run 1 0 '' "$program" $multigrid $plate --west step:1:4 --iterations 4 \
        --stores plain --checkpoint "$work/one"
    ok 'the same bits' cmp "$work/one" "$work/blocks"
    ok 'verified' [ "$(grep -c '^# CHECK: .*PASS$' "$work/blocks.txt")" = 5 ]
done <<EOF
1x2 2 9 double
1x2 181 350 single
2x2 2 2 double
2x2 45 21 single
2x2 402 399 double
1x3 3 1 double
1x4 9 140 single
1x5 5 5 double
2x3 400 301 double
3x2 41 7 single
3x2 1023 95 double
1x6 13 13 double
1x7 1000 301 single
7x1 37 7 double
EOF

if [ "$comm" != dummy ]; then
    ok 'by several methods, the grid by the model' run 2 0 '' "$program" $few -n 40 -t 1e-6 \
        --methods sor,multigrid --blocks auto -o "$work/auto"
    ok 'which is told for each' [ "$(grep -c '^# model: 40 x 40 blocks=' "$work/auto")" = 4 ]
fi
finish
