#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# heat_blocks.sh: cm-heat --blocks: refused options; every grid gives the same bits as one rank.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../heat/cm-heat
few='--no-stream --warm-up 0 --quiet --force'

# ---- What it refuses ---------------------------------------------------------------------------

# no REGEX ARGUMENT...: refused with this line.
no() { regex=$1; shift; ok "refused: $*" refuses "^cm-heat: $regex" "$program" $few "$@"; }
for blocks in 2 2x 0x2 2x-1 2x2x2 99999999x1 columns; do
    no "--blocks $blocks: expected PxQ, such as 2x3 for 6 ranks" --blocks $blocks
done
no '--blocks 2x3 has 6 blocks, but the job has 1 ranks; expected P times Q = 1' --blocks 2x3
ok 'the only block of one rank' run 1 0 '' "$program" $few -n 9 --iterations 3 --blocks 1x1
ok 'which auto chooses too' run 1 0 '' "$program" $few -n 9 --iterations 3 --blocks auto
if [ "$comm" = dummy ]; then finish; exit; fi
ok 'more blocks than columns' run 2 2 \
    '^cm-heat: --blocks 1x2: each block needs a point; the plate has 5 rows and 1 col' \
    "$program" $few -n 1 --rows 5 --blocks 1x2
ok 'than rows' run 2 2 '^cm-heat: --blocks 2x1: each block needs a point; the plate has 1 r' \
    "$program" $few -n 5 --rows 1 --blocks 2x1
ok 'fewer rows than ranks' run 4 2 \
    '^cm-heat: 2 rows for 4 ranks: .*; use a larger --rows, --blocks auto or fewer ranks$' \
    "$program" $few -n 40 --rows 2
for options in '' '-S 2' '-m multigrid' '-m sor'; do
    ok "auto has blocks for them $options" run 4 0 '' "$program" $few -n 40 --rows 2 \
        --iterations 3 --blocks auto $options -o "$work/few.txt" --force
    ok 'of those that fit' sh -c "grep -q '^# model: 40 x 2 blocks=1x4 ' '$work/few.txt' &&
        ! grep -q '^# model: .* blocks=4x1 ' '$work/few.txt'"
done
ok 'fewer points than ranks' run 3 2 '^cm-heat: 1 rows for 3 ranks: .*--size or fewer ranks$' \
    "$program" $few -n 1 --blocks auto
ok 'than columns of the smallest plate' run 2 2 '^cm-heat: --blocks 1x2: .* 1 columns' \
    "$program" $few --series 8,1 --blocks 1x2
ok 'more steps than columns of the smallest block' run 2 2 \
    '^cm-heat: --steps-per-sweep 5: the smallest block of --blocks 1x2 has 12 rows and 4 col' \
    "$program" $few -n 9 --rows 12 --blocks 1x2 -S 5
ok 'than rows' run 2 2 '^cm-heat: --steps-per-sweep 5: .* has 4 rows and 9 columns; use at most 4' \
    "$program" $few -n 9 --rows 9 --blocks 2x1 -S 5

# ---- The same bits -----------------------------------------------------------------------------

# solve NAME RANKS OPTION...: a run; one rank uses the plain loops.
solve()
{
    made=$1 on=$2
    shift 2
    run $on 0 '' "$program" $few --north parabola:9 --east linear:100:-3 --south sine:7 \
        --west step:1:4 --iterations 23 -k 6 --collect-points 10 --plate \
        --frames "$work/$made.frames" --checkpoint "$work/$made.cp" -o "$work/$made.txt" "$@"
}
plate() { grep '^# plate:' "$work/$1.txt"; }
same()
{
    cmp "$work/one.cp" "$work/all.cp" && diff -r "$work/one.frames" "$work/all.frames" \
        && [ "$(plate one)" = "$(plate all)" ]
}
# Grid, columns, rows, method, precision, stores, steps a sweep. Blocks of one row or column, and of
# both; colours that begin differently; vectors with and without a rest; as many steps as a block
# has columns; more than a pass has; several windows beside each other; so many ranks that two
# teams of them verify windows.
while read -r grid columns rows method precision stores steps; do
    ranks=$((${grid%x*} * ${grid#*x}))
    # More ranks than cores are slow with an MPI that spins.
    [ "$comm" != mpi ] || [ $ranks -le 4 ] || continue
    plate="-n $columns --rows $rows -m $method -p $precision"
    steps=${steps:+-S $steps}
    rm -rf "$work/all.frames" "$work/one.frames"
    ok "$grid blocks of $plate, $stores $steps" \
        solve all $ranks $plate --stores $stores --blocks $grid $steps
    ok 'one rank' solve one 1 $plate --stores plain
    ok 'the same plate, frames and checkpoint' same
    ok 'verified' [ "$(grep -c '^# CHECK: .*PASS$' "$work/all.txt")" = 5 ]
done <<EOF
1x2 45 21 jacobi double auto
1x2 33 2 sor single ordinary
2x1 45 21 jacobi double non-temporal
2x2 45 21 jacobi double non-temporal
2x2 101 7 chebyshev double ordinary
1x3 3 1 chebyshev single ordinary
1x4 70 9 gauss-seidel double plain
1x5 5 33 jacobi single ordinary
2x3 13 40 sor double ordinary
3x2 201 19 jacobi single non-temporal
1x6 6 1 sor double ordinary
7x1 19 7 chebyshev single plain
1x7 7 7 chebyshev double ordinary
1x2 45 21 jacobi double non-temporal 5
1x2 1701 33 jacobi single non-temporal 4
2x1 31 40 jacobi double ordinary 20
2x2 22 24 jacobi single ordinary 11
2x2 90 81 jacobi double non-temporal 40
1x3 40 9 jacobi double auto auto
1x4 9 9 jacobi double non-temporal 2
2x3 200 14 jacobi double non-temporal 7
3x2 15 60 jacobi single non-temporal 6
1x7 170 23 jacobi single ordinary 23
8x3 192 512 jacobi single ordinary 64
EOF

# A checkpoint of a run with blocks continues with rows, and the other way round.
begin="$program $few -n 31 --rows 17 -m chebyshev --collect 0"
ok 'forty iterations on one rank' run 1 0 '' $begin --iterations 40 --checkpoint "$work/forty"
ok 'twenty in blocks' \
    run 2 0 '' $begin --iterations 20 --blocks 1x2 --checkpoint "$work/blocks"
ok 'twenty more in rows' run 2 0 '' $begin --iterations 40 --restart "$work/blocks" \
    --checkpoint "$work/rows"
ok 'are forty' cmp "$work/forty" "$work/rows"
ok 'twenty in rows' run 2 0 '' $begin --iterations 20 --checkpoint "$work/rows"
ok 'twenty more in blocks' run 2 0 '' $begin --iterations 40 --restart "$work/rows" \
    --blocks 1x2 --checkpoint "$work/blocks"
ok 'are forty too' cmp "$work/forty" "$work/blocks"

# ---- Auto --------------------------------------------------------------------------------------

# as_modelled FILE: two ranks choose rows unless columns take less than 0.98 of the rows' time.
# Times are printed with four digits.
as_modelled()
{
    awk '/^# model: [0-9]* x [0-9]* blocks=/ {
            sub(/blocks=/, "", $6)
            sub(/.*=/, "", $8)
            time[$6] = $8
        }
        !/^#/ && NF > 9 { made = $4 "x" $5 }
        END {
            if (!(time["2x1"] > 0 && time["1x2"] > 0)) exit 1
            share = time["1x2"] / time["2x1"]
            print "# " made ", columns by rows " share
            exit !(made == (share < 0.98 ? "1x2" : "2x1") || (share - 0.98) ^ 2 < 1e-6)
        }' "$1"
}

if ok 'auto' run 2 0 '' "$program" $few -n 64 --iterations 20 --blocks auto -o "$work/auto"; then
    ok 'says what it knows of the network' has '^# model: latency_us=[^ ]* MB_per_s=' "$work/auto"
    ok 'and of several steps' [ "$(grep -c '^# model: steps=[0-9]* point_ns=[0-9.e-]* column_poi' \
        "$work/auto")" = 5 ]
    ok 'and takes the grid that the model says' as_modelled "$work/auto"
fi
# Sending a row takes far longer than all computing of these ranks.
ok 'auto with steps that only some grids have' run 4 0 '' "$program" $few -n 6 --rows 200 \
    --iterations 20 -S 5 --blocks auto -o "$work/some"
ok 'says those' [ "$(grep -c '^# model: 6 x 200 blocks=4x1 steps=5' "$work/some")/$(grep -c \
    '^# model: 6 x 200 blocks=' "$work/some")" = 1/1 ]
ok 'auto on a wide plate' run 2 0 '' "$program" $few -n 200000 --rows 2 --iterations 2 --collect 0 \
    --blocks auto -o "$work/wide"
ok 'takes the grid that the model says there' as_modelled "$work/wide"
finish
