#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack.sh: cm-linpack: what it refuses, its results,
# matrices from files, singular ones, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
folder=linpack
program=$(pwd)/../linpack/cm-linpack
few='--quiet --repeat 2'
# The dummy backend has one rank that computes; its peers do not.
ranks() { if [ "$comm" = dummy ]; then echo 1; else echo "$1"; fi; }
two=$(ranks 2)

# cell FILE COLUMN: of the first row.
cell()
{
    awk -v want="$2" '/^#/ { next }
        !at { for (i = 1; i <= NF; i++) is[$i] = i; at = 1; next }
        { print $is[want]; exit }' "$1"
}

# ---- What it refuses ---------------------------------------------------------------------------

ok 'no equations' run 1 2 '^cm-linpack: .*--order.*0' "$program" -n 0
ok 'an order above the memory' \
    run $two 2 'order 900000 takes .* the largest that fits on these [12] ranks is --order' \
    "$program" -n 900000
ok 'an order beyond a million, whose bytes need 64 bits' \
    run $two 2 'order 40000000 takes (3[2-4]|6[4-6])[0-9]{14} bytes .* --order [0-9]*$' \
    "$program" -n 40000000

echo '# no table' >"$work/none.txt"
ok 'a result without the plain program' \
    run 1 2 '^cm-linpack: --serial-from .*none.txt: has no time of order 100' \
    "$program" -n 100 --serial-from "$work/none.txt"
printf 'order serial_s serial_cpu_s\n100 1\n' >"$work/few.txt"
ok 'a result with a damaged row' \
    run 1 2 '^cm-linpack: --serial-from .*few.txt: line 2: 2 cells, but the header has 3$' \
    "$program" -n 100 --serial-from "$work/few.txt"
for bad in 2x 0x2 2x2x1 1x-2 two ''; do
    ok "the grid '$bad'" \
        run 1 2 "^cm-linpack: --grid $bad: expected PxQ, such as 2x3 " "$program" --grid "$bad"
done
for algorithm in blocked classic; do
    ok "a grid for $algorithm" \
        run 1 2 "^cm-linpack: --grid 1x1: --algorithm $algorithm deals out rows only" \
        "$program" -a $algorithm --grid 1x1
done
[ "$comm" = dummy ] || ok 'a grid for other ranks' \
    run 5 2 ': --grid 3x2 has 6 ranks, but the job has 5; expected P times Q = 5$' \
    "$program" --grid 3x2
if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' run 2 2 '^cm-linpack: 2 ranks: .*CM_DUMMY=ranks=1' "$program" $few
fi

# ---- Results -----------------------------------------------------------------------------------

for way in 'blocked 1' 'blocked 3' 'classic 2' 'grid 3'; do
    set -- $way
    result=$work/$1$2.txt
    ok "$way" run "$(ranks "$2")" 0 '' \
        "$program" $few --bind -a "$1" --series 100,1,37 --serial --condition -o "$result" \
        || continue
    ok "$way: three orders" [ "$(rows_of "$result" | awk '{ printf "%s ", $1 }')" = '100 1 37 ' ]
    ok "$way: the inequality" \
        has '^# CHECK: order 37: |Ax-b| / (u (|A| |x| + |b|) n): [0-9.e-]* <= 16  PASS' "$result"
    ok "$way: and the plain program's" \
        has '^# CHECK: order 37, plain program: .* <= 16  PASS' "$result"
    ok "$way: the rate" has '^# RESULT: PASS single_Gflop_per_s [0-9.e+-]* Gflop/s low=' "$result"
    ok "$way: its share of the matrix product" encloses "$result" gemm_share trials
    # The plain program is the classic algorithm; only a ratio to that is a speed-up.
    if [ "$1" = classic ]; then over=speed_up other=over_plain
    else over=over_plain other=speed_up; fi
    ok "$way: $over" encloses "$result" $over trials
    ok "$way: has no $other" sh -c "! grep -w $other '$result'"
    ok "$way: the paper's time" [ "$(cell "$result" paper_2_s)" = 0.22 ]
    ok "$way: LINPACK's count" \
        sh -c "echo '$(cell "$result" total_s) $(cell "$result" Mflop_per_s)' \
        | awk '{ r = 0.68666667 / \$1; exit !(\$2 > 0.999 * r && \$2 < 1.001 * r) }'"
    ok "$way: two samples have a range" \
        [ "$(cell "$result" n) $(cell "$result" interval)" = '2 range' ]
    ok "$way: the rate's time" [ "$(cell "$result" median_s)" = "$(cell "$result" total_s)" ]
    ok "$way: shares make a whole" \
        sh -c "echo '$(cell "$result" search_share) $(cell "$result" exchange_share) \
        $(cell "$result" broadcast_share) $(cell "$result" update_share)' \
        | awk '{ s = \$1 + \$2 + \$3 + \$4; exit !(s > 0.997 && s < 1.003) }'"
    # Each draws the same figures.
    [ "$1" = blocked ] && [ "$2" = 1 ] || [ "${TEST_FIGURES-}" = all ] || continue
    drawings rate "$result" measured
    drawings speed_up "$result" measured
    drawings parts "$result" update
done
for other in blocked3 classic2 grid3; do
    ok "the same growth, $other" \
        sh -c "echo '$(cell "$work/blocked1.txt" growth) $(cell "$work/$other.txt" growth)' \
        | awk '{ exit !(\$1 > 0 && \$1 > 0.989 * \$2 && \$2 > 0.989 * \$1) }'"
done
# A given grid, one that the model chooses, and the paper's.
of_grid() { echo "$(cell "$1" grid_rows)x$(cell "$1" grid_columns)"; }
four=$(ranks 4)
for grid in 2x2 1x4 4x1; do
    [ "$comm" != dummy ] || grid=1x1
    for options in '--precision double --condition' '--refine --generator linpack'; do
        # In make check each grid has one of them.
        case ${TEST_TIER-},$grid,$options in ,2x2,--prec* | ,[14]x*,--refine*) continue ;; esac
        ok "grid $grid, $options" run "$four" 0 '' \
            "$program" $few --grid $grid $options -n 45 -p 8 -o "$work/given.txt" --force
        ok 'is that of the result' [ "$(of_grid "$work/given.txt")" = $grid ]
    done
done
# Three orders on each grid: with many panels and a partial one, and, with 64 columns, with a single
# one. The factors of all grids are compared with LAPACK's in linpack_factor.
for way in '2x2 --precision double -p 16' '4x1 -p 8 -l 2' 'rows -p 64'; do
    set -- $way
    grid=$1
    shift
    [ "$comm" != dummy ] || [ $grid = rows ] || grid=1x1
    result=$work/tournament.txt
    ok "a tournament, grid $grid, $*" run "$four" 0 '' "$program" $few --grid $grid \
        --pivoting tournament --series 200,45,33 "$@" -o "$result" --force
    ok 'is that of the result' has '^# pivoting: tournament$' "$result"
    for order in 200 45 33; do
        ok "a solution of order $order" has "^# CHECK: order $order: .* <= 16  PASS" "$result"
        ok 'has a row' has "^ *$order  *[0-9]" "$result"
    done
done
ok 'a grid that is chosen' run "$four" 0 '' "$program" $few -n 60 -o "$work/chosen.txt"
ok 'is the one that the model names' sh -c "[ '$comm' = dummy ] || [ \
    \$(sed -n 's/^# model: order=60 grid=\([^ ]*\) .* chosen$/\1/p' '$work/chosen.txt') = \
    $(of_grid "$work/chosen.txt") ]"
ok 'has no more rows, or less time, than the fastest' awk '
    /^# model: / { split($4, of, /[=x]/); rows = of[2]; sub(/.*predicted_s=/, ""); time = $1 + 0
        if (least == "" || time < least) { least = time; fastest = rows } }
    /^# model: / || / chosen$/ { if ($NF == "chosen") { is = time; its = rows } }
    END { exit !(is == least || its < fastest) }' "$work/chosen.txt"
ok 'has the predicted time beside it' awk -v dummy="$([ "$comm" = dummy ] && echo 1)" '
    /^ *order/ { for (i = 1; i <= NF; i++) is[$i] = i }
    /^ *60 / && ("predicted_s" in is) {
        s = $is["predicted_s"]; good = s > 0 && $is["low_predicted_s"] <= s \
            && s <= $is["high_predicted_s"] }
    END { exit !(dummy || good) }' "$work/chosen.txt"
ok 'of all grids' [ "$(grep -c '^# model: ' "$work/chosen.txt")" = \
    "$(if [ "$comm" = dummy ]; then echo 0; else echo 3; fi)" ]
ok 'a ring, and rows that go round' run "$four" 0 '' "$program" $few -n 60 -p 8 \
    --grid "$(if [ "$comm" = dummy ]; then echo 1x1; else echo 2x2; fi)" --broadcast chain:1024 \
    --exchange roll -o "$work/ring.txt"
ok 'the ring is in the result' has '^# broadcast: chain:1024$' "$work/ring.txt"
ok 'and how rows go' has '^# exchange: roll$' "$work/ring.txt"
if [ "$comm" != dummy ]; then
    ok 'two orders' run 2 0 '' "$program" $few --series 45,60 -o "$work/predicted.txt"
    drawings predicted "$work/predicted.txt" 'predicted by the model'
    sed 's/^# \(oversubscribed\|core_shared\): .*/# \1: no/' "$work/blocked1.txt" >"$work/one.txt"
    ! draws || ok 'not drawn without a prediction' draw "$work/one.txt" "$work/one.svg" predicted
    ! draws || ok 'and why' has 'Not drawn: the model predicted no time' "$work/one.svg"
    ok 'a row of four ranks' run 4 0 '' "$program" $few -n 60 -p 8 -g 1x4 -o "$work/row.txt"
    ok 'the way of panels is chosen from the network' has '^# ring_latency_us: ' "$work/row.txt"
    ok 'and told' has '^# model: order=60 grid=1x4 broadcast=\(auto\|chain:[0-9]*\) predicted_s=' \
        "$work/row.txt"
    ok 'no network is measured for a way that is given' run 4 0 '' "$program" $few -n 60 -g 1x4 \
        --broadcast binomial -o "$work/given_way.txt"
    ok 'and no model asked' sh -c "! grep -q '^# model: \|^# ring_latency_us' '$work/given_way.txt'"
    ok 'threads of the environment' run 2 0 '' "$(command -v env)" OMP_NUM_THREADS=1 \
        OPENBLAS_NUM_THREADS= BLIS_NUM_THREADS= MKL_NUM_THREADS= "$program" $few -n 60 \
        -o "$work/environment.txt"
    ok 'and which variable gave them' has '^# blas_threads_from: OMP_NUM_THREADS$' \
        "$work/environment.txt"
    ok 'more threads than cores' run 2 0 '' "$program" $few -n 60 \
        -t "$(unset OMP_NUM_THREADS OMP_THREAD_LIMIT; nproc)" -o "$work/shared.txt"
    ok 'have the rate of all products together' \
        has '^# gemm: all ranks, whose threads share cores: ' "$work/shared.txt"
fi
ok "the paper's" run "$four" 0 '' "$program" $few --grid rows -n 60 -o "$work/rows.txt"
ok 'has one column' [ "$(of_grid "$work/rows.txt")" = "${four}x1" ]
ok 'and is that of blocked' has '^# algorithm: blocked$' "$work/rows.txt"

ok 'double precision' run $two 0 '' "$program" $few -n 50 --precision double -o "$work/double.txt"
ok 'has a residual of double precision' has '^# precision: double$' "$work/double.txt"
ok 'refined' run $two 0 '' "$program" $few -n 200 --refine --condition -o "$work/refined.txt"
ok 'takes iterations' [ "$(cell "$work/refined.txt" iterations)" -ge 1 ]
ok 'with the matrix in memory' \
    has '^# refined: order=200 factors=single matrix=kept$' "$work/refined.txt"
ok 'is not HPL-MxP' sh -c "! grep -q hpl_mxp '$work/refined.txt'"
ok "HPL-MxP's matrix, refined" run $two 0 '' \
    "$program" $few -n 150 --generator hpl-mxp --refine -o "$work/mxp.txt"
ok 'is counted' has '^# hpl_mxp: order=150 iterations=[0-9]* residual=[0-9.e-]* counted$' \
    "$work/mxp.txt"
ok 'by its operations' awk '
    /^# RESULT: PASS hpl_mxp_Gflop_per_s/ { rate = 1e9 * $5 }
    /^ *order/ { for (i = 1; i <= NF; i++) is[$i] = i }
    /^ *150 / { time = $is["total_s"] }
    END { flop = 2 / 3 * 150 ^ 3 + 1.5 * 150 ^ 2; r = rate * time / flop
          exit !(r > 0.999 && r < 1.001) }' "$work/mxp.txt"
ok 'and by no other rate' sh -c "! grep -q 'RESULT: .*refined_Gflop' '$work/mxp.txt'"
ok 'the same in double' run $two 0 '' \
    "$program" $few -n 150 --generator hpl-mxp --precision double -o "$work/mxp_double.txt"
ok "has double's rate" has '^# RESULT: PASS rate_Gflop_per_s ' "$work/mxp_double.txt"
ok 'refined with a matrix made anew' \
    run $two 0 '' "$program" $few -n 60 --refine --refine-matrix generate \
    -o "$work/refined.txt" --force
ok 'says so' has '^# refined: order=60 factors=single matrix=generated$' "$work/refined.txt"
ok 'the times of an earlier run' \
    run $two 0 '' "$program" $few -n 100 --serial-from "$work/blocked1.txt" -o "$work/from.txt"
ok 'are its own' [ "$(cell "$work/from.txt" serial_s)" = "$(cell "$work/blocked1.txt" serial_s)" ]
if "$program" $few -n 20 --serial --json "$work/plain.json" -o "$work/plain.txt" \
    >"$work/said" 2>&1; then
    ok 'the times of an earlier JSON' run $two 0 '' \
        "$program" $few -n 20 --serial-from "$work/plain.json" -o "$work/json.txt"
    ok 'are those of its text' \
        [ "$(cell "$work/json.txt" serial_s)" = "$(cell "$work/plain.txt" serial_s)" ]
else
    ok 'only a build without jansson has no JSON' grep -q 'this build has no JSON' "$work/said"
fi
# Six runs always count as precise enough here; fewer have no interval.
ok 'runs until they are precise' \
    run $two 0 '' "$program" $few --repeat 50 --half-width 1 -n 200 --warm-up 0.01 \
    -o "$work/precise.txt"
ok 'are more than five, and not all' \
    sh -c "n=$(cell "$work/precise.txt" n); [ \$n -ge 6 ] && [ \$n -le 50 ]"
ok 'with a 95 % interval' [ "$(cell "$work/precise.txt" interval)" = 95% ]
ok 'and say what ended them' \
    has '^# stopped: precision [01], count [01], time 0 rows; ' "$work/precise.txt"
ok 'no time' run $two 0 '' "$program" $few --time-limit 0 -n 50 -o "$work/time.txt"
ok 'is time for one run' [ "$(cell "$work/time.txt" n)" = 1 ]
ok 'which says so' has '^# stopped: precision 0, count 0, time 1 rows; 1 samples' "$work/time.txt"
ok 'an order without a solution between others' run $two 1 'order 60 grow by a factor of ' \
    "$program" $few --series 12,60,8 --precision double --generator wilkinson -o "$work/between.txt"
ok 'does not end them' [ "$(rows_of "$work/between.txt" | awk '{ printf "%s ", $1 }')" = '12 8 ' ]
ok 'and the result has failed' has '^# RESULT: FAIL rate_Gflop_per_s [0-9]' "$work/between.txt"
ok "LINPACK's matrix" run $two 0 '' "$program" $few -n 100 --generator linpack
ok 'a small part of the memory' \
    run $two 0 '' "$program" $few --repeat 1 --fit memory=0.01% -o "$work/fit.txt"
ok 'gives some order' [ "$(cell "$work/fit.txt" order)" -ge 2 ]
# Free memory is no more than there is.
most=$(awk '/^MemTotal:/ { printf "%d", sqrt(1e-4 * 1024 * $2 / 4) }' /proc/meminfo 2>/dev/null)
[ -z "$most" ] || ok 'and no larger one than that holds' \
    [ "$(cell "$work/fit.txt" order)" -le "$most" ]

# On a terminal. The progress line appears after half a second, between two columns, each of which
# may take long on a busy machine.
progress() # ALGORITHM
{
    for limit in 0.6 3 20; do
        timeout 100 script -qec "'$program' -a $1 -n 500 -t 1 --repeat 99999 --half-width 0 \
            --time-limit $limit" /dev/null >"$work/terminal" 2>&1 </dev/null || break
        tr '\r' '\n' <"$work/terminal" |
            grep -q '^ *[0-9]* %  order 500, column [0-9]*, [0-9]* s left' && return 0
    done
    show "$work/terminal"
    return 1
}
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    for algorithm in blocked classic; do
        ok "a line of progress, $algorithm" progress $algorithm
    done
else
    skip 'a line of progress' 'no script command'
fi

# ---- Files -------------------------------------------------------------------------------------

# The condition of Hilbert's matrix of order 4 in the 1-norm is 28375.
awk 'BEGIN { print "%%MatrixMarket matrix array real symmetric\n% Hilbert\n4 4"
    for (j = 1; j <= 4; j++) for (i = j; i <= 4; i++) printf "%.17g\n", 1 / (i + j - 1) }' \
    >"$work/hilbert.mtx"
ok 'a symmetric array' run "$(ranks 3)" 0 '' \
    "$program" $few --matrix "$work/hilbert.mtx" --precision double --condition \
    -o "$work/hilbert.txt"
ok "has Hilbert's condition" [ "$(cell "$work/hilbert.txt" condition)" = 2.84e+04 ]
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 1\n2 1 2\n3 3 1.5\n3 3 1.5\n' \
    >"$work/sparse.mtx"
ok 'coordinates, one of them twice' \
    run $two 0 '' "$program" $few --matrix "$work/sparse.mtx" --condition -o "$work/sparse.txt"
ok 'add up' [ "$(cell "$work/sparse.txt" condition)" = 3.00e+00 ]
{
    printf '%%%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\n%%'
    awk 'BEGIN { for (k = 0; k < 4000; k++) printf " long" }'
    printf ' 9 9 9\n3 3 3\n1 2 1\n2 1 2\n3 3 3\n'
} >"$work/capitals.mtx"
ok 'a header in capitals, a comment longer than any buffer' \
    run $two 0 '' "$program" $few --matrix "$work/capitals.mtx" --condition -o "$work/capitals.txt"
ok 'is the same matrix' [ "$(cell "$work/capitals.txt" condition)" = 3.00e+00 ]
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 1\n2 2\n1 3\n2 3\n' \
    >"$work/singular.mtx"
for algorithm in grid blocked classic; do
    ok "no pivot in column 3, $algorithm" \
        run $two 1 '^cm-linpack: the matrix of order 3 is singular: column 3 has no pivot' \
        "$program" $few -a $algorithm --matrix "$work/singular.mtx" -o "$work/$algorithm.singular"
    ok 'and no row, no number that is none' \
        sh -c "! grep -qi 'nan\|RESULT: PASS' '$work/$algorithm.singular'"
done
ok 'no pivot in column 3, a tournament' \
    run $two 1 '^cm-linpack: the matrix of order 3 is singular: column 3 has no pivot' \
    "$program" $few --grid rows --pivoting tournament --matrix "$work/singular.mtx"
# Rank 0 reads the file; another host may not have it.
cat >"$work/elsewhere" <<'END'
#!/bin/sh
cd "$(dirname "$0")" || exit 99
[ "${PMI_RANK:-0}" = 0 ] || cd /
exec "$@"
END
chmod +x "$work/elsewhere"
ok 'a file that only rank 0 has' run $two 0 '' "$work/elsewhere" "$program" $few --matrix sparse.mtx
# Another rank waits for the first, which reads.
ranks=$two
for bad in '1 2 1\n4 1 1' '1 2 1\n2 1 x' '1 2 1\n2 1 nan' '1 2 1' '1 2 1\n2 1 1e300'; do
    printf "%%%%MatrixMarket matrix coordinate real general\n3 3 2\n$bad\n" >"$work/bad.mtx"
    ok "a file with $bad" run $ranks 2 '(--matrix .*bad.mtx: (line 4|it ends))' \
        "$program" $few --matrix "$work/bad.mtx"
    ranks=$(tier 1 $two)
done
printf '%%%%MatrixMarket matrix array real general\n2 2\n3\n1\n1\n2\n\n%% the end\n5\n' \
    >"$work/bad.mtx"
ok 'a file with a number too many' \
    run 1 2 '--matrix .*: line 9 comes after the last of 4 numbers' \
    "$program" $few --matrix "$work/bad.mtx"
printf '%%%%MatrixMarket matrix array integer general\n2 2\n3\n1\n1\n7.5\n' >"$work/bad.mtx"
ok 'a file of integers with another number' \
    run 1 2 '--matrix .*: line 6: expected an integer' "$program" $few --matrix "$work/bad.mtx"
printf '%%%%MatrixMarket matrix array real general\n2 2\n0.3D+01\n1\n1\n2d0\n' >"$work/fortran.mtx"
ok "Fortran's exponents" \
    run 1 0 '' "$program" $few --matrix "$work/fortran.mtx" --condition -o "$work/fortran.txt"
# ((3, 1), (1, 2)) has norm 4, and its inverse norm 4 / 5.
ok 'are read' [ "$(cell "$work/fortran.txt" condition)" = 3.20e+00 ]

printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e-400\n' >"$work/bad.mtx"
ok 'a number that is rounded to zero' \
    run 1 2 '--matrix .*: line 3: expected a finite number that double precision has' \
    "$program" $few --matrix "$work/bad.mtx"
mkfifo "$work/pipe.mtx"
ok 'a pipe' run 1 2 '^cm-linpack: --matrix .*pipe.mtx: expected a regular file' \
    "$program" $few --matrix "$work/pipe.mtx"

# Wright's matrices (SIAM J. Sci. Comput. 14, 1993) are regular and well conditioned, but their
# elements grow like exp(n / 8). For order 502, LAPACK's sgetrf finds a last pivot of zero; for
# order 802 it finds infinite ones. wright N: I on the diagonal and in the upper corner, -exp(M h)
# below, M = ((-1/6, 1), (1, -1/6)).
wright()
{
    awk -v n="$1" 'BEGIN {
        print "%%MatrixMarket matrix coordinate real general"
        h = 0.3
        c = exp(-h / 6) * (exp(h) + exp(-h)) / 2
        s = exp(-h / 6) * (exp(h) - exp(-h)) / 2
        print n, n, n + 2 * (n - 2) + 2
        for (i = 1; i <= n; i++) print i, i, 1
        print 1, n - 1, 1
        print 2, n, 1
        for (i = 1; i < n - 2; i += 2) {
            print i + 2, i, -c
            print i + 2, i + 1, -s
            print i + 3, i, -s
            print i + 3, i + 1, -c
        }
    }'
}
wright 502 >"$work/grows.mtx"
wright 802 >"$work/overflows.mtx"
for algorithm in grid blocked classic; do
    ok "elements that grow, $algorithm" \
        run $two 1 'order 502 grow by a factor of at least [57].*: in single precision column 502' \
        "$program" $few -a $algorithm --matrix "$work/grows.mtx" -o "$work/$algorithm.grows"
    ok 'are told so' grep -q '^# growth: order=502 column=502 precision=single' \
        "$work/$algorithm.grows"
    ok "elements that overflow, $algorithm" \
        run $two 1 'order 802 overflows single precision: the pivot of column [78]' \
        "$program" $few -a $algorithm --matrix "$work/overflows.mtx" -o "$work/$algorithm.overflows"
    ok 'are told so' grep -q '^# overflow: order=802' "$work/$algorithm.overflows"
done
# Generated matrices: the reason why there is no solution, in words and numbers, and no row.
while read -r generator order precision word said; do
    # All report it by the same code, so make check runs only one of the rows.
    algorithms=$(tier grid 'grid classic')
    [ "$generator" != foster ] || algorithms='grid classic'
    for algorithm in $algorithms; do
        result=$work/$generator.$algorithm
        ok "$generator, $order, $precision, $algorithm: $word" run $two 1 "$said" \
            "$program" $few -a $algorithm --generator "$generator" -n "$order" \
            --precision "$precision" -o "$result" --force
        ok 'with numbers' has "^# $word: order=$order column=[1-9][0-9]* precision=$precision \
growth=[0-9.e+i]*n*f* largest=[0-9.e+-]* least=[0-9.e+-]*" "$result"
        ok 'without a row' sh -c "! grep -q '^ *[0-9]\|RESULT: PASS' '$result'"
    done
done <<'END'
wilkinson 60 double growth order 60 grow by a factor of .*lost digits .residual [0-9.e+]*, expected
foster 60 single growth order 60 grow by a factor of .*try --precision double$
wilkinson 200 single overflow order 200 overflows single precision: the pivot of column .*above 1;
huge 30 single overflow overflows single precision: it has elements up to [89].*e.307, .*3.4e.38
huge 60 double overflow overflows double precision: the pivot of column [0-9]* is infinite
graded 120 single underflow underflows single precision: it has elements down to .*e-7
END
ok 'graded in double precision' run $two 0 '' "$program" $few --generator graded -n 120 \
    --precision double
ok "Hilbert's" run $two 0 '' "$program" $few --generator hilbert -n 12 --condition \
    -o "$work/hilbert12.txt"
ok 'is singular to working precision' has '^# ill_conditioned: order=12 condition=' \
    "$work/hilbert12.txt"
printf '%%%%MatrixMarket matrix array integer general\n1 1\n9223372036854775808\n' \
    >"$work/bad.mtx"
ok 'an integer of more than 64 bits' \
    run 1 2 '--matrix .*: line 3: expected an integer of at most 64 bits' \
    "$program" $few --matrix "$work/bad.mtx"
printf '%%%%MatrixMarket matrix array real general\n1 1\n0x10\n' >"$work/bad.mtx"
ok 'a hexadecimal number' run 1 2 '--matrix .*: line 3: expected a finite number' \
    "$program" $few --matrix "$work/bad.mtx"
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1 1\n1 1 1\n' >"$work/bad.mtx"
ok 'a line of sizes with a fourth number' run 1 2 '--matrix .*: line 2 should have ' \
    "$program" $few --matrix "$work/bad.mtx"
printf '%%%%MatrixMarket matrix array real general\n%% c\n\n2 2\n3\n%% c\n1\n\n1\n2\n' |
    awk '{ printf "%s\r\n", $0 }' >"$work/crlf.mtx"
ok 'CRLF, comments and blank lines' \
    run 1 0 '' "$program" $few --matrix "$work/crlf.mtx" --condition -o "$work/crlf.txt"
ok 'are read' [ "$(cell "$work/crlf.txt" condition)" = 3.20e+00 ]
ok 'in double precision the answer has no digit' \
    run $two 1 '' "$program" $few --matrix "$work/grows.mtx" --precision double \
    -o "$work/grown.txt"
# It depends on the order of the BLAS's sums whether the last pivot is zero.
ok 'and is told so' grep -q '^# CHECK: order 502: .*FAIL\|^# growth: order=502' "$work/grown.txt"

# Refining: an order that single precision cannot solve continues in double precision.
awk 'BEGIN { print "%%MatrixMarket matrix array real symmetric\n12 12"
    for (j = 1; j <= 12; j++) for (i = j; i <= 12; i++) printf "%.17g\n", 1 / (i + j - 1) }' \
    >"$work/hilbert12.mtx"
ok "Hilbert's matrix of order 12, refined" run "$(ranks 3)" 0 '' \
    "$program" $few --matrix "$work/hilbert12.mtx" --refine -o "$work/refined12.txt"
ok 'needs no double precision' has '^# refined: order=12 factors=single matrix=kept$' \
    "$work/refined12.txt"
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n1.0000000001\n' \
    >"$work/near.mtx"
for matrix in auto generate; do
    ok "a matrix that is singular in single precision, $matrix" \
        run $two 0 '' "$program" $few --matrix "$work/near.mtx" --refine --refine-matrix $matrix \
        --condition -o "$work/near.txt" --force
    ok 'is solved in double' \
        has '^# refined: order=2 .* fell back to double 2 times: .* column 2 is zero$' \
        "$work/near.txt"
    # ((1, 1), (1, 1 + d)): the norms of both are 2 and 2 / d.
    ok 'whose factors these are' [ "$(cell "$work/near.txt" condition)" = 4.00e+10 ]
done
ok 'a singular one remains so' \
    run $two 1 '^cm-linpack: the matrix of order 3 is singular: column 3 has no pivot' \
    "$program" $few --matrix "$work/singular.mtx" --refine -o "$work/still.txt"
ok 'after both were tried' has '^# refined: .* fell back to double' "$work/still.txt"
finish
