#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_low.sh: cm-linpack --refine-factors: its message about a BLAS without such products, and
# its results with those of low_blas.so, which are plain loops.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../linpack/cm-linpack
few='--quiet --repeat 2 --refine'
ranks() { if [ "$comm" = dummy ]; then echo 1; else echo "$1"; fi; }

# cell FILE COLUMN: of the first row.
cell()
{
    awk -v want="$2" '/^#/ { next }
        !at { for (i = 1; i <= NF; i++) is[$i] = i; at = 1; next }
        { print $is[want]; exit }' "$1"
}

# This machine's BLAS, which usually has no such products.
blas=$("$program" -q --repeat 1 -n 20 2>/dev/null | sed -n 's/^# blas: //p')
for factors in bfloat16 half; do
    if "$program" $few --refine-factors $factors -n 20 >/dev/null 2>&1; then
        skip "$factors, which the BLAS lacks" 'it has them'
    else
        ok "$factors, which the BLAS lacks" run 1 2 \
            "^cm-linpack: --refine-factors $factors: the BLAS .* $blas.*; expected .* MKL\$" \
            "$program" $few --refine-factors $factors -n 20 -o "$work/none.txt"
        ok 'leaves no result' [ ! -e "$work/none.txt" ]
    fi
done

LD_PRELOAD=$(pwd)/programs/low_blas.so${LD_PRELOAD:+:$LD_PRELOAD}
export LD_PRELOAD
awk 'BEGIN { print "%%MatrixMarket matrix array real general\n40 40"
    for (j = 1; j <= 40; j++) for (i = 1; i <= 40; i++)
        printf "%.17g\n", 1e6 * (i == j ? 21 : ((i * 37 + j * 101) % 67) / 67 - 0.5) }' \
    >"$work/dominant.mtx"
for factors in bfloat16 half; do
    case $factors in bfloat16) product=sbgemm ;; *) product=shgemm ;; esac
    for count in 1 2 3 4; do
        file=$work/$factors$count.txt
        ok "a dominant diagonal beyond 65504, $factors, $count ranks" run "$(ranks $count)" 0 '' \
            "$program" $few --refine-factors $factors --matrix "$work/dominant.mtx" -p 8 -o "$file"
        ok 'is refined from these factors' \
            has "^# refined: order=40 factors=$factors matrix=kept\$" "$file"
        ok 'in few iterations' [ "$(cell "$file" iterations)" -le 8 ]
    done
    ok 'the result names the precision' \
        has "^# precision: single, products in $factors, refined to double\$" "$file"
    ok 'and the product' has "^# refine_product: $product\$" "$file"
    ok "random numbers, $factors" run "$(ranks 2)" 0 '' "$program" $few --refine-factors $factors \
        -n 150 -p 16 -o "$work/$factors.txt"
    ok 'take more iterations than in single precision' \
        run "$(ranks 2)" 0 '' "$program" $few -n 150 -p 16 -o "$work/single.txt" --force
    ok 'as they must' \
        [ "$(cell "$work/$factors.txt" iterations)" -gt "$(cell "$work/single.txt" iterations)" ]
done

# Half of the singular values are 1e-6, between reflections: single precision resolves some of their
# digits, bfloat16 none.
awk 'BEGIN {
    n = 120; srand(1); print "%%MatrixMarket matrix array real general\n" n, n
    for (i = 0; i < n; i++) a[i, i] = i < n / 2 ? 1 : 1e-6
    for (turn = 0; turn < 8; turn++) {
        size = 0
        for (i = 0; i < n; i++) { v[i] = rand() - 0.5; size += v[i] * v[i] }
        for (j = 0; j < n; j++) {
            sum = 0
            for (i = 0; i < n; i++) sum += v[i] * (turn % 2 ? a[i, j] : a[j, i])
            for (i = 0; i < n; i++)
                if (turn % 2) a[i, j] -= 2 * v[i] * sum / size
                else a[j, i] -= 2 * v[i] * sum / size
        }
    }
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) printf "%.17g\n", a[i, j]
}' \
    >"$work/levels.mtx"
ok 'small singular values' run "$(ranks 3)" 0 '' \
    "$program" $few --matrix "$work/levels.mtx" -p 16 -o "$work/levels.txt"
ok 'are enough for single precision' has '^# refined: order=120 factors=single matrix=kept$' \
    "$work/levels.txt"
ok 'in bfloat16' run "$(ranks 3)" 0 '' "$program" $few --refine-factors bfloat16 \
    --matrix "$work/levels.mtx" -p 16 -o "$work/again.txt"
ok 'need double' has \
    '^# refined: order=120 factors=bfloat16 matrix=kept fell back to double 2 times: after ' \
    "$work/again.txt"
finish
