#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bisection.sh: cm-bisection: what it refuses, what its result holds, known answers, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=network/bisection
. "$srcdir/figure.inc"
program=$(pwd)/../network/bisection/cm-bisection
few='--warm-up 0 --time-limit 0.02 --quiet --repetitions 2 --trials 3'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'upper below lower' run 2 2 '^cm-bisection: --upper 3 .*--lower 7' "$program" -u 3 -l 7
ok 'messages of no bytes' run 2 2 '^cm-bisection: .*--lower.*0' "$program" --lower 0
ok 'a size above the memory' run 2 2 '^cm-bisection: --upper 281474976710656 .*memory' \
    "$program" -u 281474976710656
ok 'one rank' run 1 2 '^cm-bisection: needs at least 2 ranks, an even number, .*[ =]2 ' "$program"
ok 'three ranks' run 3 2 '^cm-bisection: needs .* an even number, .* has 3; .*[ =]4 ' "$program"

# ---- Results -----------------------------------------------------------------------------------

rows_fit()
{
    rows_of "$1" | awk -v pairs="$2" '
    function is(got, want) { return got >= 0.999 * want && got <= 1.001 * want }
    {
        if (NF != 16 || $2 < 1 || $12 != 2 || $1 <= last) { print "# " $0; bad++ }
        if (!($3 > 0 && $3 <= $4 && $5 <= $4 && $4 <= $6)) { print "# times: " $0; bad++ }
        if (!is($10, 1e-6 * $1 / $4) || !is($11, pairs * $10)) { print "# throughput: " $0; bad++ }
        if (!($13 >= 0 && $13 < pairs) || !($14 >= $15) || !is($16, $14 / $15)) {
            print "# pairs: " $0
            bad++
        }
        last = $1
    }
    END { exit bad > 0 || NR == 0 }'
}
for ranks in 2 4; do
    result=$work/$ranks.txt
    ok "$ranks ranks" run $ranks 0 '' "$program" $few -u 64 -s 8 -o "$result" || continue
    ok "$ranks ranks: rows" rows_fit "$result" $((ranks / 2))
    ok "$ranks ranks: pairs" has "^# pairs: $((ranks / 2))\$" "$result"
    ok "$ranks ranks: the inequality" has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    ok "$ranks ranks: latency_us" has '^# RESULT: PASS latency_us [0-9.e+-]* us$' "$result"
    ok "$ranks ranks: bandwidth" has '^# RESULT: PASS bandwidth_MB_per_s [0-9.e+-]* MB/s$' "$result"
    ok "$ranks ranks: where short ones end" has '^# split_bytes: 8$' "$result"
    for key in comm sample throughput stopping_rule oversubscribed core_shared pairing; do
        ok "$ranks ranks: metadata: $key" has "^# $key: ." "$result"
    done
    ok "$ranks ranks, every message checked" \
        run $ranks 0 '' "$program" $few -l 300000 -u 300000 -i -o "$work/checked.txt" --force
done

# ---- Known answers, wrong data -----------------------------------------------------------------

fitted() { sed -n "s/^# fit: model=$1 .*\\<$2=\\([^ ]*\\).*/\\1/p" "$work/known.txt"; }
damaged()
{
    for seed in 1 2 3 4 5 6 7 8; do
        CM_DUMMY=ranks=4,corrupt=0.2,seed=$seed "$program" $few -u 64 >"$work/damaged.txt"
        status=$?
        wrong=$(sed -n 's/^# CHECK: wrong_bytes: \([0-9]*\) .*/\1/p' "$work/damaged.txt")
        [ "$status" = $((wrong > 0)) ] || { echo "# seed $seed: status $status"; return 1; }
        has '^# wrong data: message [0-9]* of size [0-9]* bytes at rank 0, ' "$work/damaged.txt" \
            && has '^# RESULT: FAIL latency_us' "$work/damaged.txt" && return
    done
    false
}
drawn=$work/2.txt
if [ "$comm" = dummy ]; then
    dummy=latency_us=107,bandwidth_MB_per_s=5.64,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=5600,rendezvous_bandwidth_MB_per_s=10.52
    ok 'the two protocols of innocente-1999' run 8 0 '' "$program" --quiet -o "$work/known.txt"
    ok 'short: latency' near "$(fitted short latency_us)" 107
    ok 'short: bandwidth' near "$(fitted short bandwidth_MB_per_s)" 5.64
    ok 'long: latency' near "$(fitted long latency_us)" 5600
    ok 'long: bandwidth' near "$(fitted long bandwidth_MB_per_s)" 10.52
    # where 107 + x / 5.64 = 5600 + x / 10.52
    ok 'crossover' near "$(sed -n 's/^# RESULT: PASS crossover_bytes \(.*\) B$/\1/p' \
        "$work/known.txt")" 66785
    ok 'no pair is slower than another' \
        [ -z "$(rows_of "$work/known.txt" | awk '$16 != 1')" ]
    drawn=$work/known.txt
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok 'one protocol' run 4 0 '' "$program" --quiet -o "$work/one.txt"
    ok 'has no crossover' sh -c "! grep -q crossover_bytes '$work/one.txt'"
    dummy=
    ok 'a message damaged' damaged
else
    skip 'known answers, corruption' 'needs --with-comm=dummy'
fi
drawings bisection "$drawn" 'innocente-1999, 16 nodes'
finish
