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
ok 'several sizes of random pairings' run 2 2 '^cm-bisection: --lower 7 with --random: ' \
    "$program" --random -l 7
ok 'no pairings' run 2 2 '^cm-bisection: .*--pairings.*from 1 to' "$program" --random --pairings 0
ok 'a split of random pairings' run 2 2 '^cm-bisection: --split 64 with --random: .*leave --split' \
    "$program" --random --split 64
for option in pairings seed; do
    ok "--$option without --random" run 2 2 "^cm-bisection: --$option 3: needs --random" \
        "$program" --$option 3
done
ok 'one rank' run 1 2 '^cm-bisection: needs at least 2 ranks, an even number, .*[ =]2 ' "$program"
ok 'three ranks' run 3 2 '^cm-bisection: needs .* an even number, .* has 3; .*[ =]4 ' "$program"

# ---- Results -----------------------------------------------------------------------------------

rows_fit()
{
    rows_of "$1" | awk -v pairs="$2" '
    function is(got, want) { return got >= 0.999 * want && got <= 1.001 * want }
    {
        if (NF != 22 || $20 != 0 || $2 < 1 || $15 != 2 || $1 <= last) { print "# " $0; bad++ }
        if (!($3 > 0 && $3 <= $4 && $5 <= $4 && $4 <= $6)) { print "# times: " $0; bad++ }
        if (!is($13, 1e-6 * $1 / $4) || !is($14, pairs * $13)) { print "# throughput: " $0; bad++ }
        if (!($16 >= 0 && $16 < pairs) || !($17 >= $18) || !is($19, $17 / $18)) {
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
    ok "$ranks ranks: latency_us" encloses "$result" latency_us trials
    # Short messages alone rarely determine a line.
    over=sizes
    ! has '^# bandwidth: that of 64 bytes;' "$result" || over=trials
    ok "$ranks ranks: bandwidth" encloses "$result" bandwidth_MB_per_s $over
    ok "$ranks ranks: where short ones end" has '^# split_bytes: 8$' "$result"
    for key in comm sample throughput stopping_rule oversubscribed core_shared pairing; do
        ok "$ranks ranks: metadata: $key" has "^# $key: ." "$result"
    done
    ok "$ranks ranks, every message checked" \
        run $ranks 0 '' "$program" $few -l 300000 -u 300000 -i -o "$work/checked.txt" --force
done

# ---- Random pairings ---------------------------------------------------------------------------

# One row for each pairing, whose throughput lies between those of its slowest and fastest pair; the
# metrics follow from the rows.
random_fit()
{
    awk -v pairs="$2" -v n="$3" '
    function is(got, want) { return got >= 0.998 * want && got <= 1.002 * want }
    $2 == "RESULT:" { metric[$4] = $5 }
    /^#/ || !rows++ { next }
    {
        slow = 1e-6 * $1 / $17; fast = 1e-6 * $1 / $18
        if (NF != 22 || $20 != rows - 1) { print "# " $0; bad++ }
        if ($13 < 0.998 * slow || $13 > 1.002 * fast || !is($14, pairs * $13)) {
            print "# throughput: " $0
            bad++
        }
        if (pairs == 2 && !is($13, (slow + fast) / 2)) { print "# average: " $0; bad++ }
        sum += $13
        if (rows == 2 || $13 < least) least = $13
        if (rows == 2 || $13 > most) most = $13
    }
    END {
        if (rows != n + 1) { print "# " rows " rows"; bad++ }
        if (!is(metric["effective_MB_per_s"], sum / n) \
            || !is(metric["effective_least_MB_per_s"], least) \
            || !is(metric["effective_greatest_MB_per_s"], most)) { print "# metrics"; bad++ }
        exit bad > 0
    }' "$1"
}
for ranks in 2 4; do
    result=$work/random$ranks.txt
    ok "$ranks ranks at random" run $ranks 0 '' "$program" $few --random --pairings 7 -u 3000 \
        -o "$result" || continue
    ok "$ranks ranks at random: rows" random_fit "$result" $((ranks / 2)) 7
    ok "$ranks ranks at random: the inequality" \
        has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    ok "$ranks ranks at random: no split" [ "$(grep -c '^# split_bytes: ' "$result")" = 0 ]
    ok "$ranks ranks at random: interval" encloses "$result" effective_MB_per_s pairings
    ok "$ranks ranks at random: a distribution" has '^# pairings: 7: .* a tenth below' "$result"
done

# ---- Known answers, wrong data -----------------------------------------------------------------

lacks() { ! has "$@"; }
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
    ok 'crossover' near "$(sed -n 's/^# RESULT: PASS crossover_bytes \(.*\) B .*/\1/p' \
        "$work/known.txt")" 66785
    ok 'and its interval' encloses "$work/known.txt" crossover_bytes sizes
    ok 'no pair is slower than another' \
        [ -z "$(rows_of "$work/known.txt" | awk '$19 != 1')" ]
    drawn=$work/known.txt
    # The lines meet at 10^8 bytes, and at 1000 with the smallest of 4 Ki.
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=150,rendezvous_bandwidth_MB_per_s=100.01
    ok 'lines that meet above the sizes' run 4 0 '' "$program" --quiet -o "$work/above.txt"
    ok 'two lines' has '^# fit: model=two_lines rendezvous_latency_us=' "$work/above.txt"
    ok 'no crossover' lacks crossover_bytes= "$work/above.txt"
    ok 'no RESULT of it' lacks '^# RESULT: [A-Z]* crossover_bytes' "$work/above.txt"
    ok 'which is said' has '^# fit: two_lines: the crossover is left out: .* 1 to 4194304 bytes$' \
        "$work/above.txt"
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=60,rendezvous_bandwidth_MB_per_s=1000
    ok 'lines that meet below the sizes' \
        run 4 0 '' "$program" --quiet -l 4Ki -o "$work/below.txt"
    ok 'two lines there' has '^# fit: model=two_lines rendezvous_latency_us=' "$work/below.txt"
    ok 'no RESULT of that either' lacks '^# RESULT: [A-Z]* crossover_bytes' "$work/below.txt"
    # 65536 bytes arrive at 95 MB/s, 4194304 bytes at 20.
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=50,rendezvous_bandwidth_MB_per_s=20
    ok 'fast short messages' run 4 0 '' "$program" --quiet -o "$work/fast.txt"
    ok 'the bandwidth is that of long messages' near "$(sed -n \
        's/^# RESULT: PASS bandwidth_MB_per_s \(.*\) MB\/s .*/\1/p' "$work/fast.txt")" 20
    # The line of long messages falls below 0 at 0 bytes: from 8 KiB at 10 MB/s to 16 Mi at 5.
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=50,rendezvous_bandwidth_MB_per_s=20
    ok 'a split that is too low' \
        run 4 0 '' "$program" --quiet -s 32Ki -u 98304 -l 49152 -o "$work/negative.txt"
    ok 'a latency below 0 is left out' lacks 'model=long .*latency_us=-' "$work/negative.txt"
    ok 'one line starts below 0' \
        has '^# fit: long: latency_us is left out: the line comes out at -' "$work/negative.txt"
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok 'one protocol' run 4 0 '' "$program" --quiet -o "$work/one.txt"
    ok 'has no crossover' sh -c "! grep -q crossover_bytes '$work/one.txt'"
    # 1048576 bytes in 50 us and at 100 MB/s.
    # Noise must not look like a change of protocol: at most one of 20 runs may show one by chance.
    invented=0
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9,jitter=0.05,seed=$seed
        run 2 0 '' "$program" --quiet --force -o "$work/noisy.txt"
        has 'model=two_lines' "$work/noisy.txt" && invented=$((invented + 1))
    done
    ok "5 % of noise, two lines in $invented of 20" [ "$invented" -le 1 ]
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok 'pairings that are alike' run 8 0 '' "$program" --quiet --random -u 1Mi -o "$work/alike.txt"
    ok 'have a known throughput' near "$(sed -n \
        's/^# RESULT: PASS effective_MB_per_s \(.*\) MB\/s low.*/\1/p' "$work/alike.txt")" 99.525
    ok '100 of them' [ "$(rows_of "$work/alike.txt" | wc -l)" -eq 100 ]
    dummy=corrupt=1
    ok 'random pairings, all damaged' \
        run 4 1 '' "$program" $few --random -u 64 -o "$work/random_wrong.txt"
    ok 'fail' has '^# RESULT: FAIL effective_MB_per_s nan' "$work/random_wrong.txt"
    dummy=
    ok 'a message damaged' damaged
else
    skip 'known answers, corruption' 'needs --with-comm=dummy'
fi
drawings bisection "$drawn" 'innocente-1999, 16 nodes'
drawings bisection_random "$work/random4.txt" '7 random pairings of 4 ranks'
finish
