#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# heat.sh: cm-heat: what it refuses, what it computes, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
folder=heat
program=$(pwd)/../heat/cm-heat
few='--no-stream --warm-up 0 --quiet'

# ---- What it refuses ---------------------------------------------------------------------------

# no REGEX ARGUMENT...: refused with this line.
no() { regex=$1; shift; ok "refused: $*" refuses "^cm-heat: $regex" "$program" $few "$@"; }
no '.*--size.*0' --size 0
no '--south file:[^ ]*: No such file' --south "file:$work/none"
printf '1\n2\n3\n' >"$work/three"
mkfifo "$work/fifo"
for path in /dev/zero "$work/fifo" "$work"; do
    no "--north file:$path: expected a regular file" --north "file:$path"
done
no '--north file:[^ ]* holds 3 temperatures; the side has 4 points' \
    --size 4 --north "file:$work/three"
printf '1\n# two\ntwo\n3\n' >"$work/words"
no "--west file:[^ ]*: line 3, 'two': expected a temperature" --size 3 --west "file:$work/words"
printf '1 100\n2 100\n3 100\n' >"$work/columns"
no "--north file:[^ ]*: line 1, '1 100': expected a temperature" \
    --size 3 --north "file:$work/columns"
{ echo '1 # a comment'; printf '#%0300d\n' 0; printf '2\n\n 3\t# C\n'; } >"$work/comments"
ok 'comments of any length' run 1 0 '' \
    "$program" $few --iterations 2 --size 3 --north "file:$work/comments"
printf '1\n2\n3\0004\n' >"$work/zero"
no "--north file:[^ ]*: line 3, '3': expected a temperature" --size 3 --north "file:$work/zero"
no '--frames and --collect 0' --collect 0 --frames "$work/f"
no '--frames [^ ]*/none/f cannot be created: folder' --frames "$work/none/f"
no '--frames [^ ]*/three is a file' --frames "$work/three"
if [ -d /proc/self ]; then
    no '--frames /proc/frames cannot be created: folder /proc: ' --frames /proc/frames
    no '--frames /proc: no file can be written there: ' --frames /proc
    no '--checkpoint /proc/frames cannot be created: folder /proc: ' --checkpoint /proc/frames
fi
no '--checkpoint and --output [^ ]*: give two different files' \
    --checkpoint "$work/one" -o "$work/one"
ok 'a plate above the memory' \
    refuses ': --size 1048576 takes [0-9]* bytes' "$program" $few --size 1048576
no '--repeat 2 and --checkpoint: that needs a single run' --repeat 2 --checkpoint "$work/one"
no '--repeat 2 and --frames: that needs a single run' --repeat 2 --frames "$work/f"
if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' run 2 2 '^cm-heat: 2 ranks: .*CM_DUMMY=ranks=1' "$program" $few
else
    ok 'more ranks than rows' \
        run 3 2 '^cm-heat: 2 rows for 3 ranks: .*--rows' "$program" $few --rows 2
fi

# ---- What it computes --------------------------------------------------------------------------

value() { awk -v name="$2" 'head && !/^#/ { print $at[name]; exit }
    !/^#/ && !head { for (k = 1; k <= NF; k++) at[$k] = k; head = 1 }' "$1"; }
metric() { sed -n "s/^# RESULT: PASS $2 \([^ ]*\) .*/\1/p" "$1"; }
# holds EXPRESSION: of awk.
holds() { awk "BEGIN { exit !($1) }" || { echo "# $1"; false; }; }

if [ "$comm" = dummy ]; then all=1 last=1; else all='1 2 3 4' last=2; fi
# Different numbers of ranks use different methods and precisions, with a size that no vector length
# divides.
for ranks in $all; do
    for method in jacobi gauss-seidel sor chebyshev multigrid; do
        case $ranks$method in
        1* | ?jacobi | 3multigrid | 2sor | 3chebyshev | 4gauss-seidel) ;;
        *) continue ;;
        esac
        precision=double
        [ $ranks != 2 ] || precision=single
        result=$work/$method.$ranks.txt
        ok "$method, $precision, $ranks ranks" \
            run $ranks 0 '' "$program" $few -n 45 --rows 21 --iterations 50 -m $method \
            -p $precision --checkpoint "$work/$method.$precision.$ranks.cp" \
            -o "$result" || continue
        for check in analytic_error order different_from_plain asymmetric beyond_range; do
            ok "$method, $ranks ranks: $check" has "^# CHECK: $check: .*PASS\$" "$result"
        done
    done
    [ $ranks = 1 ] || [ $ranks = 2 ] || ok "Jacobi on $ranks ranks: the bits of one" \
        cmp "$work/jacobi.double.1.cp" "$work/jacobi.double.$ranks.cp"
done
if [ "$comm" != dummy ]; then
    ok 'Chebyshev on 3 ranks: the bits of one' \
        cmp "$work/chebyshev.double.1.cp" "$work/chebyshev.double.3.cp"
    ok 'Gauss-Seidel on 4 ranks: the bits of one' \
        cmp "$work/gauss-seidel.double.1.cp" "$work/gauss-seidel.double.4.cp"
    ok 'multigrid on 3 ranks: the bits of one' \
        cmp "$work/multigrid.double.1.cp" "$work/multigrid.double.3.cp"
fi
for stores in plain ordinary non-temporal; do
    ok "stores $stores" \
        run 1 0 '' "$program" $few -n 45 --rows 21 --iterations 50 --stores $stores \
        --checkpoint "$work/$stores.cp" || continue
    ok "stores $stores: the same bits" cmp "$work/jacobi.double.1.cp" "$work/$stores.cp"
done
# Several steps a sweep: some sweeps are cut short by collections, some have more steps than a wave,
# some as many as rows.
for steps in 2 5 9 21 auto; do
    for precision in double single; do
        case $steps$precision in 2single | 5single | autosingle) continue ;; esac
        ranks=1
        case $steps in 5) ranks=$last ;; 2) [ "$comm" = dummy ] || ranks=4 ;; esac
        made=$steps.$precision
        ok "$steps steps a sweep, $precision" \
            run $ranks 0 '' "$program" $few -n 45 --rows 21 --iterations 50 \
            -S $steps -p $precision -k 19 --checkpoint "$work/steps.$made.cp" \
            -o "$work/steps.$made" || continue
        ok "$steps steps, $precision: as the plain program" \
            has '^# CHECK: different_from_plain: .*PASS$' "$work/steps.$made"
        [ $precision = single ] || ok "$steps steps: the same bits" \
            cmp "$work/jacobi.double.1.cp" "$work/steps.$made.cp"
    done
done
ok '100 steps, several windows' \
    run $last 0 '' "$program" $few -n 1601 --rows 200 --iterations 150 -S 100 \
    -p single --checkpoint "$work/100.cp"
ok 'in single steps' run 1 0 '' "$program" $few -n 1601 --rows 200 --iterations 150 -p single \
    --checkpoint "$work/1.cp"
ok 'are the same bits' cmp "$work/1.cp" "$work/100.cp"
# Split rows: halves that begin at a cache line or not, with and without a remainder.
for columns in $(tier '16 30 127' '16 30 37 64 127'); do
    for precision in single double; do
        ranks=1
        case $columns in 30) ranks=$last ;; 127) [ "$comm" = dummy ] || ranks=4 ;; esac
        for stores in plain ordinary; do
            ok "SOR, $columns columns, $precision, $ranks ranks, $stores" \
                run $ranks 0 '' "$program" $few -n $columns --rows 13 --iterations 23 -k 6 \
                -m sor --stores $stores -p $precision --checkpoint "$work/split.$stores" --force
        done
        ok "SOR, $columns columns, $precision: the same bits" \
            cmp "$work/split.plain" "$work/split.ordinary"
    done
done
# Blocks of one row to four, on two ranks.
if [ "$comm" != dummy ]; then
    for rows in $(tier '2 5' '2 3 5 8'); do
        for method in jacobi sor; do
            for ranks in 1 2; do
                ok "$method, $rows rows, $ranks ranks" \
                    run $ranks 0 '' "$program" $few -n 19 --rows $rows \
                    --iterations 20 -m $method --checkpoint "$work/small.$ranks" --force
            done
            ok "$method, $rows rows: the same bits" cmp "$work/small.1" "$work/small.2"
        done
    done
fi
# One iteration computed by hand: tests where each side is, and in which direction it is read.
printf '40\n80\n# hottest\n120\n' >"$work/south"
ok 'one iteration' \
    run 1 0 '' "$program" $few -n 3 --iterations 1 --initial 0 --north linear:0:16 --east step:0:8 \
    --south "file:$work/south" --west 32 --plate -o "$work/once.txt"
ok 'is what it is by hand' \
    [ "$(sed -n 's/^# plate: //p' "$work/once.txt" | tr '\n' '/')" = '9 2 3/8 0 2/18 20 32/' ]
ok 'another' \
    run 1 0 '' "$program" $few -n 3 --iterations 1 --initial 4 --north parabola:16 --east sine:8 \
    --south 0 --west 0 --plate -o "$work/another.txt"
plate=$(sed -n 's/^# plate: //p' "$work/another.txt" | tr '\n' '/')
ok 'too' [ "$plate" = '5 7 6.414/3 4 5/2 3 3.414/' ]
for key in comm method precision side initial sample stopping_rule interval stores collect_every \
    point_bytes bound; do
    ok "metadata: $key" has "^# $key: ." "$work/jacobi.1.txt"
done

# The steady state of a sine is known (cm-heat checks small plates only): at the middle of the side
# that it is on, row 1: sinh(mu rows) / sinh(mu (rows + 1)), cosh(mu) = 2 - cos(pi / (columns + 1)).
if ok 'a sine until nothing changes' \
        run 1 0 '' "$program" $few -n 31 -m sor -t 1e-12 --north sine:1 --east 0 \
        --south 0 --west 0 --initial 0 --plate -o "$work/sine.txt"; then
    sed -n 's/^# plate: //p' "$work/sine.txt" | head -n 1 >"$work/first"
    ok 'gives the plate of the difference equations' awk '{
        x = 2 - cos(atan2(0, -1) / 32)
        u = log(x + sqrt(x * x - 1))
        e = exp(-u) * (1 - exp(-62 * u)) / (1 - exp(-64 * u))
        if (NF != 31 || ($16 - e) ^ 2 > 1e-7) { print "# " $16 " instead of " e; exit 1 }
    }' "$work/first"
fi
# The factor by which a cycle reduces the residual, from the third to the seventh, for sizes of all
# kinds and for ranks that send their coarse grids to others.
residual() { sed -n 's/^# [0-9]* x [0-9]*: residual \([^,]*\),.*/\1/p' "$1"; }
cycles()
{
    run $1 0 '' "$program" $few -n $2 --rows $3 -m multigrid --collect 0 --iterations $5 \
        --north "$4" --east linear:100:-3 --south sine:7 -o "$work/cycles.$5" --force
}
for plate in '1 31 31 step:0:100' '1 32 32 sine:1' '1 45 21 parabola:9' '1 101 99 5' \
    '2 1 1000 step:0:100' '3 64 97 linear:-1:1' '4 7 300 step:0:9' '5 63 63 sine:1' \
    '6 96 95 step:-5:100' '7 257 255 parabola:1'; do
    # make check uses odd and even sizes, and as many ranks as elsewhere.
    case ${TEST_TIER-},$plate in ,1' '[34]* | ,[56]*) continue ;; esac
    set -- $plate
    [ "$comm" != dummy ] || set -- 1 $2 $3 $4
    # More ranks than cores are slow with an MPI that spins.
    [ "$comm" != mpi ] || [ $1 -le 3 ] || set -- 2 $2 $3 $4
    ok "$2 x $3, $4, on $1 ranks: three cycles" cycles "$@" 3
    ok 'seven' cycles "$@" 7
    three=$(residual "$work/cycles.3") seven=$(residual "$work/cycles.7")
    ok 'less than a tenth is left by each' holds "${three:-0} > 0 && ${seven:-1} < $three / 1e4"
done
ok 'every method' run $last 0 '' "$program" $few -n 31 -t 1e-7 --methods all --collect 0 \
    -o "$work/methods.txt"
for metric in jacobi gauss_seidel sor chebyshev multigrid; do
    ok "$metric has its time" has "^# RESULT: PASS ${metric}_solve_s [0-9.e-]* s low=" \
        "$work/methods.txt"
done
iterations() { awk -v m="$1" '!/^#/ { for (k = 1; k <= NF; k++) if ($k == m) print $(k + 1) }' \
    "$work/methods.txt"; }
drawings methods "$work/methods.txt" 'steady state'
jacobi=$(iterations jacobi) gauss_seidel=$(iterations gauss-seidel) sor=$(iterations sor)
chebyshev=$(iterations chebyshev) multigrid=$(iterations multigrid)
ok 'in the order of what is known of them' holds "$jacobi > $gauss_seidel \
    && $gauss_seidel > 3 * $chebyshev && $chebyshev > $sor && $sor > 5 * $multigrid"
for method in jacobi sor chebyshev; do
    ok "$method to a tolerance" \
        run 1 0 '' "$program" $few -n 63 -m $method -t 1e-6 --check 1 --collect 0 \
        -o "$work/steady.$method"
done
jacobi=$(metric "$work/steady.jacobi" sweeps) sor=$(metric "$work/steady.sor" sweeps)
chebyshev=$(metric "$work/steady.chebyshev" sweeps)
ok 'SOR takes a small part of the sweeps' holds "${sor:-0} > 0 && ${jacobi:-0} > 15 * ${sor:-0}"
ok 'and so does Chebyshev' holds "${chebyshev:-0} > 0 && ${jacobi:-0} > 8 * ${chebyshev:-0}"
ok 'a tolerance that is not reached' \
    run 1 0 '' "$program" $few -n 63 -t 1e-9 --iterations 30 -o "$work/early.txt"
ok 'is said' has '^# the tolerance was not reached' "$work/early.txt"
ok 'and no more than the sides differ by is left' \
    has '^# 63 x 63: .* no temperature is farther than 100 from' \
    "$work/early.txt"

# In single precision the iteration stands still 0.0012 away from the steady state (of multigrid in
# double precision to 1e-11).
ok 'sweeps that change nothing more' run 1 0 '' \
    "$program" $few -n 63 -p single --iterations 60000 --collect 0 -o "$work/still.txt"
far=$(sed -n 's/^# 63 x 63: residual 0, .* is farther than \([^ ]*\) from.*/\1/p' "$work/still.txt")
ok 'may be as far from the steady state as they are' holds "${far:-0} >= 0.0012 && ${far:-1} < 0.1"

# ---- Figures of results that lack something ------------------------------------------------------

if draws; then
    sides='--north 20 --east 20 --south 20 --west 20'
    ok 'a plate of one temperature' run 1 0 '' \
        "$program" $few -n 31 --iterations 20 $sides --plate -o "$work/even.txt"
    ok 'is drawn' draw "$work/even.txt" "$work/even.svg" plate
    ok 'no method to its tolerance' run 1 0 '' \
        "$program" $few -n 31 --iterations 3 -t 1e-6 --methods all -o "$work/none.txt"
    ok 'is not' draw "$work/none.txt" "$work/none.svg" methods
    ok 'and says why' grep -q 'Not drawn: no method reached the tolerance' "$work/none.svg"
    ok 'sizes that the paper has not' \
        run 1 0 '' "$program" $few --series 8,16 --iterations 20 -o "$work/sizes.txt"
    ok 'are drawn' draw "$work/sizes.txt" "$work/sizes.svg" speed_up
    ok 'without the paper' sh -c "! grep -q 'warschko-1995' '$work/sizes.svg'"
fi

# ---- Samples and runs ----------------------------------------------------------------------------

few="$few --half-width 0 --steps-per-sweep 1"
if ok 'a run of 60 iterations' \
        run 1 0 '' "$program" $few -n 33 --iterations 60 --stores non-temporal \
            -o "$work/run.txt"; then
    ok 'has a batch of three iterations, or what is left to a collection' \
        [ "$(value "$work/run.txt" n)/$(value "$work/run.txt" runs)" = 21/1 ]
    ok 'enough for a confidence interval' [ "$(value "$work/run.txt" interval)" = 95% ]
    ok 'names its stores' [ "$(value "$work/run.txt" stores)" = non-temporal ]
    ok 'in order' holds "$(value "$work/run.txt" min_ms) <= $(value "$work/run.txt" low_ms) \
        && $(value "$work/run.txt" low_ms) <= $(value "$work/run.txt" median_ms) \
        && $(value "$work/run.txt" median_ms) <= $(value "$work/run.txt" high_ms)"
    ok 'says what ended it' has '^# stopped: .*count 1, .* 21 samples' "$work/run.txt"
fi
if ok 'three runs' \
        run $last 0 '' "$program" $few -n 33 --iterations 60 --time-limit 100 --repeat 3 --plate \
        -o "$work/three.txt"; then
    ok 'have the samples of three' \
        [ "$(value "$work/three.txt" n)/$(value "$work/three.txt" runs)" = 63/3 ]
    ok 'and three collections each' [ "$(value "$work/three.txt" collected)" = 9 ]
    ok 'are of 60 iterations each' [ "$(value "$work/three.txt" iterations)" = 60 ]
    ok 'each begins anew' \
        run 1 0 '' "$program" $few -n 33 --iterations 60 --plate -o "$work/single.txt"
    plates()
    {
        grep '^# plate:' "$work/single.txt" >"$work/a"
        grep '^# plate:' "$work/three.txt" | cmp "$work/a"
    }
    ok 'and ends with the same plate' plates
fi
ok 'no run begins after the time limit' \
    run 1 0 '' "$program" $few -n 33 --iterations 60 --time-limit 0 --repeat 9 \
    -o "$work/limit.txt"
ok 'so that there is one' [ "$(value "$work/limit.txt" runs)" = 1 ]
ok 'of as many iterations as were asked for' [ "$(value "$work/limit.txt" iterations)" = 60 ]
ok 'five batches' run 1 0 '' "$program" $few -n 33 --iterations 5 -o "$work/five.txt"
ok 'are no 95 % interval' [ "$(value "$work/five.txt" interval)" = range ]
# 1024 batches of one iteration become 512 of two, and these 512 of four after 2048 iterations; 238
# more follow.
ok 'a long run' run 1 0 '' "$program" $few -n 9 --iterations 3000 --collect 1 -o "$work/long.txt"
ok 'has a bounded number of batches' [ "$(value "$work/long.txt" n)" = 750 ]

ok 'one rank alone' run 1 0 '' "$program" $few --half-width 0.5 -n 9 --serial -o "$work/one.txt"
ok 'is no faster and no slower than itself' [ "$(value "$work/one.txt" speed_up)" = 1.000 ]
ok 'and says what its kernel gains' encloses "$work/one.txt" gain_over_plain trials
# The last event is that of the check, which uses split rows and several steps like the run.
for way in '-m sor -t 1e-3' '-S 3 --collect 0' '-m multigrid -t 1e-3'; do
    ok "the kernel alone, $way" run $last 0 '' "$program" $few --half-width 0.5 -n 20 \
        --serial $way -o "$work/alone.txt" --force
    ok "its speed-up, $way" encloses "$work/alone.txt" speed_up trials
done

# ---- A series, the roofline, figures -------------------------------------------------------------

if ok 'the series of the paper' \
        run $last 0 '' "$program" -q --series 32,64 --iterations 40 --plate \
        -o "$work/series.txt"; then
    ok 'has its row for each size' [ "$(grep -c '^ *\(32\|64\) ' "$work/series.txt")" = 2 ]
    ok "has the paper's numbers" holds "$(value "$work/series.txt" paper_1_ms) == 5.16 \
        && $(value "$work/series.txt" paper_2_ms) == 3.4 \
        && $(value "$work/series.txt" paper_speed_up) == 1.52"
    ok 'has collected twice' [ "$(value "$work/series.txt" collected)" = 2 ]
    ok 'the rate is that of the time' holds "($(value "$work/series.txt" GLUP_per_s) \
        / (1024e-6 / $(value "$work/series.txt" median_ms)) - 1) ^ 2 < 1e-5"
    # Compares three decimal places, because the quotients are of rounded numbers: five digits, and
    # whole MB/s.
    triad=$(sed -n 's/^# triad_MB_per_s: //p' "$work/series.txt")
    share="$(value "$work/series.txt" MB_per_s) / $triad"
    said=$(value "$work/series.txt" roofline_share)
    ok 'the share is that of the triad' holds \
        "($said - $share) ^ 2 < (1e-3 + (1e-4 + 1 / $triad) * $share) ^ 2"
    # ratio NAME OVER UNDER: a column is the quotient of two others.
    ratio()
    {
        times="$(value "$work/series.txt" "$2") / $(value "$work/series.txt" "$3")"
        holds "($(value "$work/series.txt" "$1") - $times) ^ 2 < (1e-3 + 1e-3 * $times) ^ 2"
    }
    ok 'the speed-up is over one rank with this kernel' ratio speed_up alone_ms median_ms
    ok 'also with collecting' ratio total_speed_up alone_ms total_ms
    ok "the kernel's gain is over plain loops on one rank" ratio gain_over_plain serial_ms alone_ms
    for name in speed_up gain_over_plain; do
        ok "$name has an interval" encloses "$work/series.txt" $name trials
    done
    median=$(sed -n 's/^# triad_median_MB_per_s: //p' "$work/series.txt")
    passes=$(sed -n 's/^# triad_passes: //p' "$work/series.txt")
    ok 'the triad is sampled' [ "$median" -gt 0 -a "$median" -le "$triad" -a "$passes" -ge 6 ]
    drawings plate "$work/series.txt" \
        "after $(rows_of "$work/series.txt" | awk 'END { print $7 }') iterations"
    drawings speed_up "$work/series.txt" 'warschko-1995'
    drawings roofline "$work/series.txt" 'memory: triad'
fi
finish
