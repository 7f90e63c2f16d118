#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hint.sh: cm-hint: what it refuses, what its result holds, its limits, several ranks, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
folder=hint
program=$(pwd)/../hint/cm-hint
# A disturbance must not end a curve.
few='--warm-up 0 --trial-seconds 1e-5 --trials 2 --stop-below 0 --quiet'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'an unknown type' refuses '^cm-hint: .*--type.*quad' "$program" --type quad
ok 'a limit below the first lap' \
    refuses '^cm-hint: --lap-limit 1e-09 leaves 1 of 1 curves without a size: .* greater limit' \
    "$program" $few --type double --kernel classic --lap-limit 1e-9 -o "$work/cut.txt"
ok 'is no wrong answer' sh -c "! grep -q FAIL '$work/cut.txt'"
if [ "$comm" = dummy ]; then
    ok 'echoes for ranks' \
        run 2 2 '^cm-hint: 2 ranks: ranks of the dummy backend' "$program" --upper 100
else
    ok 'fewer subintervals than strips' \
        run 2 2 '^cm-hint: --upper 7 is below 8, the first size that has the 8 strips of 2 ranks' \
        "$program" --upper 7
    ok 'fewer than the first size with as many' \
        run 3 2 '^cm-hint: --upper 12 is below 13, the first size' "$program" --upper 12
    ok 'a size to begin with that 3 ranks do not have' run 3 2 \
        '^cm-hint: --lower 100: --kernel original in --type int16 ends below 96 .* on 3 ranks' \
        "$program" --kernel original --type int16 --lower 100
    ok 'no memory for the strips of 2 ranks' run 2 2 \
        '^cm-hint: --max-memory leaves 300 bytes for each rank, below the 416 .* 8 subintervals' \
        "$program" --max-memory 600
fi

# ---- Results -----------------------------------------------------------------------------------

# rows_fit FILE CURVES: each row is consistent with itself and with the row before it.
rows_fit()
{
    rows_of "$1" | awk -v want="$2" '
    {
        curve = $8 ":" $9 ":" $10
        if (!(curve in n)) curves++
        else if ($1 <= n[curve] || $2 < memory[curve] || $4 < quality[curve]) {
            print "# order: " $0
            bad++
        }
        n[curve] = $1; memory[curve] = $2; quality[curve] = $4
        if (NF != 22 || !($3 > 0) || !($6 < 0.3862943611 && $7 > 0.3862943612)) {
            print "# " $0
            bad++
        }
        q = 1 / ($7 - $6)
        if ($4 < 0.999 * q || $4 > 1.001 * q) { print "# quality: " $0; bad++ }
        quips = ($4 - 1) / $3
        if ($5 < 0.999 * quips || $5 > 1.001 * quips) { print "# quips: " $0; bad++ }
        if (!($3 <= $15 && $15 <= $14 && $14 <= $16 && $3 <= $18 && $19 >= 0)) {
            print "# times: " $0
            bad++
        }
        if ($17 != ($12 < 6 ? "range" : "95%") || ($17 == "range" && $15 != $3)) {
            print "# interval: " $0
            bad++
        }
        if ($8 !~ /^(double|float|int32|int64)$/ || $9 !~ /^(classic|lean|wide|original)$/) {
            print "# words: " $0
            bad++
        }
    }
    END { if (curves != want) print "# curves: " curves; exit bad > 0 || curves != want }'
}
# The same sizes have the same bounds whatever the kernel is.
bounds_agree()
{
    rows_of "$1" | awk '
    { key = $1 ":" $8 ":" $10; both = $6 " " $7 }
    key in bounds && bounds[key] != both { print "# " $0; bad++ }
    { if (key in bounds) again++; bounds[key] = both }
    END { exit bad > 0 || again == 0 }'
}
checks()
{
    for check in sizes_without_the_area_between sizes_of_falling_quality curves_without_a_size; do
        has "^# CHECK: $check: 0 == 0  PASS\$" "$1" || return 1
    done
    has '^# CHECK: highest_lower_bound: .* <= .*  PASS$' "$1" \
        && has '^# CHECK: lowest_upper_bound: .* >= .*  PASS$' "$1"
}

result=$work/one.txt
ok 'one curve' run 1 0 '' "$program" $few -u 2000 -o "$result"
ok 'its rows' rows_fit "$result" 1
ok 'its checks' checks "$result"
ok 'net QUIPS' has '^# RESULT: PASS net_quips [0-9.e+]* QUIPS ' "$result"
ok 'and its interval' encloses "$result" net_quips trials
ok 'peak QUIPS' has '^# RESULT: PASS peak_quips [0-9.e+]* QUIPS ' "$result"
ok 'and its interval' encloses "$result" peak_quips trials
# Sizes that were measured again included.
peak_is_the_highest()
{
    highest=$(rows_of "$1" | awk '$5 > most { most = $5 } END { print most }')
    near "$(sed -n 's/^# RESULT: PASS peak_quips \([^ ]*\) .*/\1/p' "$1")" "$highest"
}
ok 'it is the highest of the rows' peak_is_the_highest "$result"
ok 'the range is said' \
    has '^# curve: type=double kernel=classic .* from_n=2 to_n=2000 .* ended_by=upper$' \
    "$result"
ok 'quality of n subintervals is n at first' [ "$(rows_of "$result" | awk \
    '$1 <= 100 && ($4 < 0.9999 * $1 || $4 > 1.0001 * $1)')" = '' ]
for key in types kernels decomposition sample stopping_rule interval trial_s warm_up_s \
    memory_limit_of_rank_bytes oversubscribed; do
    ok "metadata: $key" has "^# $key: ." "$result"
done
ok 'six trials' run 1 0 '' "$program" $few --trials 6 -u 4 -o "$work/six.txt"
ok 'six trials: rows' rows_fit "$work/six.txt" 1
ok 'have a 95 % interval' \
    [ "$(rows_of "$work/six.txt" | awk '$17 == "95%" { print $1 }' | tr '\n' ' ')" = '2 3 4 ' ]
ok 'a tuned kernel' run 1 0 '' "$program" $few -u 100 -k wide -o "$work/wide.txt"
ok 'is called so' has '^# kernels: wide (tuned kernel)$' "$work/wide.txt"
ok 'nobody takes classic for the original' \
    has '^# comparable: classic with results of cm-hint only; ' "$result"
metrics() { "$program" --print-metrics | awk -F '\t' '$2 != "labels"' | grep -c "$1"; }
ok 'nor its metrics' \
    [ "$(metrics 'only that of the kernel original is comparable')" -eq "$(metrics quips)" ]
ok 'and its metric, too' has '^# RESULT: PASS net_quips_wide ' "$work/wide.txt"

result=$work/original.txt
ok 'the original' run 1 0 '' "$program" $few -u 100 -k original -o "$result"
ok 'its sizes, and 88 bytes each' \
    [ "$(rows_of "$result" | awk '{ printf "%s:%s ", $1, $2 / $1 }' | cut -c 1-50)" \
    = '2:88 3:88 4:88 5:88 6:88 7:88 8:88 10:88 12:88 15:' ]
ok 'it is no tuned kernel' has '^# kernels: original$' "$result"
ok 'it may be compared' has '^# comparable: original with HINT 1.0 ' "$result"
ok 'int8' run 1 0 '' "$program" $few -t int8 -k original -o "$work/int8.txt"
ok 'has 8 columns' has '^# curve: type=int8 .* to_n=7 .*ended_by=precision$' "$work/int8.txt"

result=$work/all.txt
ok 'all types, all kernels' run 1 0 '' "$program" $few -t all -k all -u 60000 -o "$result"
ok 'sixteen curves' rows_fit "$result" 16
ok 'kernels agree' bounds_agree "$result"
ok 'that was checked' has '^# CHECK: sizes_with_bounds_unlike_classic: 0 == 0  PASS$' "$result"
ok 'float ends with its columns' \
    has '^# curve: type=float .* to_n=4096 .*ended_by=precision$' "$result"
ok 'int32, too' has '^# curve: type=int32 .* to_n=32768 .*ended_by=precision$' "$result"

# ---- Limits ------------------------------------------------------------------------------------

ok '100000 bytes' run 1 0 '' "$program" $few -m 100000 -k all -o "$work/memory.txt"
ok 'are enough' [ "$(rows_of "$work/memory.txt" | awk '$2 > 100000')" = '' ]
ok 'and are used up' \
    has '^# curve: .*kernel=classic .* to_n=796 .*ended_by=memory$' "$work/memory.txt"
ok 'to the peak' \
    run 1 0 '' "$program" --warm-up 0 --trial-seconds 1e-4 --stop-below 1 -u 100000 --quiet \
    -o "$work/slow.txt"
ok 'and no further' has '^# curve: .*ended_by=slow$' "$work/slow.txt"

# ---- Ranks -------------------------------------------------------------------------------------

ok 'strips of one rank' run 1 0 '' "$program" $few --scatter -u 1000 -o "$work/p1.txt"
ok 'strips of one rank: rows' rows_fit "$work/p1.txt" 1
if [ "$comm" = dummy ]; then skip 'several ranks' 'the dummy backend has one process'
else
    for ranks in 2 3 4; do
        result=$work/p$ranks.txt
        ok "$ranks ranks" run $ranks 0 '' "$program" $few -k all -u 300 --trials 1 -o "$result"
        ok "$ranks ranks: rows" rows_fit "$result" 4
        ok "$ranks ranks: kernels agree" bounds_agree "$result"
        ok "$ranks ranks: checks" checks "$result"
    done
    # As users start it: the warm-up has its strips, too.
    ok '2 ranks, warmed up' run 2 0 '' \
        "$program" -u 20 --trials 1 --trial-seconds 1e-5 --warm-up 0.001 --stop-below 0 --quiet \
        -o "$work/warm.txt"
    ok '2 ranks begin with 8 subintervals' has '^# curve: .* from_n=8 to_n=20 ' "$work/warm.txt"
    ok 'copies' run 2 0 '' "$program" $few --copies -u 100 --trials 1 -o "$work/copies.txt"
    ok 'copies: bounds of one' [ "$(rows_of "$work/copies.txt" | awk '{ print $6, $7 }')" \
        = "$(rows_of "$work/one.txt" | awk '$1 <= 100 { print $6, $7 }')" ]
    ok 'copies: alike' \
        has '^# CHECK: sizes_with_copies_unlike_each_other: 0 == 0  PASS$' "$work/copies.txt"
    ok 'copies: more together than the slowest' [ "$(rows_of "$work/copies.txt" | awk \
        '$11 < 1.999 * $5')" = '' ]
    ok 'speed-up' run 2 0 '' "$program" $few --speed-up -u 300 --trials 1 -o "$work/speedup.txt"
    ok 'speed-up: one rank and two' rows_fit "$work/speedup.txt" 2
    ok 'speed-up: both named' has '^# RESULT: PASS net_quips_p2 ' "$work/speedup.txt"
    drawings speedup "$work/speedup.txt" 'efficiency (speed-up'
fi
drawings hint "$work/all.txt" 'wide (tuned kernel)'
if draws; then
    sed 's/^# oversubscribed: .*/# oversubscribed: no/' "$work/one.txt" >"$work/here.txt"
    cp "$work/here.txt" "$work/there.txt"
    ok 'two results in one figure' \
        gnuplot -d -e "results='$work/here.txt $work/there.txt'; titles='A B'; \
figure='$work/two.svg'" "$srcdir/../hint/figures/hint.gp"
    ok 'each is named' \
        sh -c "grep -q 'A: double' '$work/two.svg' && grep -q 'B: double' '$work/two.svg'"
fi
finish
