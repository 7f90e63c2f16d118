#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linkmap.sh: cm-linkmap: what it refuses, what its result holds, known answers, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=network/linkmap
. "$srcdir/figure.inc"
program=$(pwd)/../network/linkmap/cm-linkmap
lacks() { ! has "$@"; }
few='--warm-up 0 --time-limit 0.02 --quiet --repetitions 2 --trials 3'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'a message no longer than the small one' run 2 2 '^cm-linkmap: .*--size.*1' "$program" --size 1
ok 'messages of no bytes' run 2 2 '^cm-linkmap: .*--size.*0' "$program" --size 0
ok 'fewer than no pairs' run 2 2 '^cm-linkmap: .*--again.*-1' "$program" --again=-1
ok 'a size above the memory' run 2 2 '^cm-linkmap: --size 281474976710656 .*memory' \
    "$program" -s 281474976710656
ok 'a limit for no pairs' run 2 2 '^cm-linkmap: --again-limit 5 with --again 0: .*--again 1 or' \
    "$program" --again 0 --again-limit 5
ok 'one rank' run 1 2 '^cm-linkmap: needs at least 2 ranks, but this job has 1; .*[ =]2 ' "$program"

# ---- Results -----------------------------------------------------------------------------------

# rows_fit FILE RANKS AGAIN: every pair is measured once for each size, and at least the slowest
# again.
rows_fit()
{
    rows_of "$1" | awk -v ranks="$2" -v again="$3" '
    {
        if (NF != 20 || !($1 < $2 && $2 < ranks) || ($5 != 1 && $5 != 64)) { print "# " $0; bad++ }
        if ($6 == 1 && once[$1, $2, $5]++) { print "# again: " $0; bad++ }
        if ($6 == 1) { alone[$5]++; if (!(($1, $2, $5) in met)) { print "# alone: " $0; bad++ } }
        else if (met[$1, $2, $5]++) { print "# twice: " $0; bad++ }
        else pairs[$5]++
        if ($7 == 0) next
        if (!($8 > 0 && $8 <= $9 && $10 <= $9 && $9 <= $11)) { print "# times: " $0; bad++ }
        rate = 1e-6 * $5 / $9
        if ($18 < 0.999 * rate || $18 > 1.001 * rate) { print "# throughput: " $0; bad++ }
    }
    END {
        all = ranks * (ranks - 1) / 2
        if (again > all) again = all
        if (pairs[1] != all || pairs[64] != all || alone[1] < again || alone[64] < again ||
            alone[1] > all || alone[64] > all) {
            print "# pairs: " pairs[1] " " pairs[64] ", again: " alone[1] " " alone[64]
            bad++
        }
        exit bad > 0
    }'
}
for ranks in 2 3 4; do
    result=$work/$ranks.txt
    ok "$ranks ranks" run $ranks 0 '' "$program" $few -s 64 --again 2 -o "$result" || continue
    ok "$ranks ranks: all pairs" rows_fit "$result" $ranks 2
    ok "$ranks ranks: the inequality" has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    for metric in slowest_pair_us slowest_pair_MB_per_s; do
        ok "$ranks ranks: $metric" encloses "$result" $metric trials
    done
    # If all pairs are alike, measuring one again is enough; the ratio of a single pair is 1.
    for metric in spread bandwidth_spread; do
        ok "$ranks ranks: $metric" has "^# RESULT: PASS $metric [0-9.e+-]* 1" "$result"
        has "^# RESULT: PASS $metric 1 1\$" "$result" && continue
        ok "$ranks ranks: its interval" encloses "$result" $metric trials
    done
    ok "$ranks ranks: who is slow" has '^# slowest bandwidth: ranks [0-9] and [0-9] (' "$result"
    [ $ranks = 2 ] || ok "$ranks ranks: three trials tell no pair apart" \
        has '^# bandwidth: the slowest pair is not told apart from the others: ' "$result"
    for key in comm sample stopping_rule oversubscribed core_shared rounds again again_limit_s \
        pairs; do
        ok "$ranks ranks: metadata: $key" has "^# $key: ." "$result"
    done
done
# metrics_fit FILE ALONE: slowest pairs and spreads are those of the rows with this value of alone,
# and of no other.
metrics_fit()
{
    awk -v alone="$2" '
    function near(a, b) { return a >= 0.998 * b && a <= 1.002 * b }
    /^# RESULT: PASS / { value[$4] = $5 }
    !/^#/ && $6 == alone && $7 > 0 {
        if (!($5 in most) || $9 > most[$5]) most[$5] = $9
        if (!($5 in least) || $9 < least[$5]) least[$5] = $9
        if ($5 > size) size = $5
    }
    END {
        if (!near(value["slowest_pair_us"], 1e6 * most[1]) || \
            !near(value["spread"], most[1] / least[1]) || \
            !near(value["slowest_pair_MB_per_s"], 1e-6 * size / most[size]) || \
            !near(value["bandwidth_spread"], most[size] / least[size])) {
            for (name in value) print "# " name " " value[name]
            exit 1
        }
    }' "$1"
}
for ranks in 2 3 4; do
    ok "$ranks ranks: metrics compare times taken alone" metrics_fit "$work/$ranks.txt" 1
done
ok 'none again, every message checked' \
    run 3 0 '' "$program" $few -s 300000 -k 0 -i -o "$work/checked.txt"
ok 'none is alone' [ -z "$(rows_of "$work/checked.txt" | awk '$6')" ]
ok 'metrics compare times taken together' metrics_fit "$work/checked.txt" 0
ok 'which is said' has '^# slowest bandwidth: .*, measured with other pairs \[' "$work/checked.txt"
ok 'no time to measure alone' \
    run 4 0 '' "$program" $few -s 64 --again-limit 0 -o "$work/limit.txt"
ok 'is said' has '^# latency: --again-limit 0 s was reached before the slowest pairs were known' \
    "$work/limit.txt"
ok 'and that none was' lacks '^# .*; 0 pairs' "$work/limit.txt"
# The first pair alone takes longer than that. Its ratio to itself is not that of all pairs.
ok 'time for one pair alone' run 4 0 '' "$program" --warm-up 0 --quiet --trial-seconds 0.01 \
    --trials 3 --half-width 0 -s 64 --again-limit 0.005 -o "$work/one.txt"
ok 'is said, too' lacks '; 0 pairs that' "$work/one.txt"
for metric in spread bandwidth_spread; do
    [ "$comm" = dummy ] \
        || ok "and tells no $metric" lacks "^# RESULT: PASS $metric 1 1\$" "$work/one.txt"
done

# Ranks wait while others are measured, and then meet one whose last pair they were.
ok 'all pairs again, each alone' \
    run 4 0 '' "$program" $few -s 64 --again 6 --again-limit 60 -o "$work/again.txt"

# ---- A part of the pairs -----------------------------------------------------------------------

ok 'no time for all rounds' run 5 0 '' "$program" $few -s 64 --map-limit 0 -k 1 -o "$work/part.txt"
ok 'one round was measured' [ "$(rows_of "$work/part.txt" | awk '!$6' | wc -l)" = 4 ]
ok 'which is said' has \
    '^# measured: [0-2] of 10 pairs in 1 of 5 rounds, each [a-z]* with others 0 to [01] times$' \
    "$work/part.txt"
ok 'and its share' has '^# RESULT: PASS share_of_pairs 0\.[12] 1$' "$work/part.txt"
ok 'another seed' run 5 0 '' "$program" $few -s 64 -k 1 --seed 8 --json "$work/8.json" \
    -o "$work/8.txt"
ok 'another order' [ "$(rows_of "$work/8.txt" | awk '{ print $1, $2 }')" != \
    "$(rows_of "$work/4.txt" | awk '{ print $1, $2 }')" ]
ok 'all pairs' rows_fit "$work/8.txt" 5 1
if [ "$comm" != dummy ]; then
    ok 'all of them' has '^# measured: 10 of 10 pairs in 5 of 5 rounds, .* 4 to 4 times$' \
        "$work/8.txt"
    ok 'the share is 1' has '^# RESULT: PASS share_of_pairs 1 1$' "$work/8.txt"
    for metric in median_pair_us median_pair_MB_per_s; do
        ok "the interval of $metric" encloses "$work/8.txt" $metric pairs
    done
else
    # With 1000 ranks, rows are those of a few rounds; all other pairs are summarized in boxes.
    dummy=latency_us=50
    ok '1000 ranks' run 1000 0 '' "$program" --quiet --repetitions 1 --trials 2 --half-width 0 \
        --warm-up 0 -s 64 -o "$work/many.txt" --json "$work/many.json"
    dummy=
    ok 'all pairs of rank 0 are measured' has '^# measured: 499500 of 499500 pairs' "$work/many.txt"
    ok 'there are few rows' [ "$(rows_of "$work/many.txt" | wc -l)" -lt 5000 ]
    ok 'all pairs are in boxes' awk '
        /^# box: hosts [0-9]*-[0-9]* [0-9]*-[0-9]* pairs=/ { split($6, n, "="); pairs += n[2] }
        END { exit pairs != 499500 }' "$work/many.txt"
    ok 'the JSON is small' [ "$(wc -c <"$work/many.json")" -lt 10000000 ]
fi

# ---- Known answers, wrong data -----------------------------------------------------------------

damaged()
{
    for seed in 1 2 3 4 5 6 7 8; do
        CM_DUMMY=ranks=4,corrupt=0.2,seed=$seed "$program" $few -s 64 >"$work/damaged.txt"
        status=$?
        wrong=$(sed -n 's/^# CHECK: wrong_bytes: \([0-9]*\) .*/\1/p' "$work/damaged.txt")
        [ "$status" = $((wrong > 0)) ] || { echo "# seed $seed: status $status"; return 1; }
        has '^# wrong data: message [0-9]* of size [0-9]* bytes at rank 0, ' "$work/damaged.txt" \
            && has '^# RESULT: FAIL slowest_pair_us' "$work/damaged.txt" && return
    done
    false
}
# Two ranks are one pair and no map.
drawn=$work/checked.txt
if [ "$comm" = dummy ]; then
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok '50 us and 100 MB/s' run 6 0 '' "$program" --quiet -s 100000 -o "$work/known.txt"
    ok 'is what the slowest pair has' near \
        "$(sed -n 's/^# RESULT: PASS slowest_pair_us \([^ ]*\) us .*/\1/p' "$work/known.txt")" 50
    ok 'all alike' has '^# RESULT: PASS spread 1 1$' "$work/known.txt"
    # 100000 bytes in 50 us + 1000 us
    ok 'bandwidth' near "$(rows_of "$work/known.txt" | awk '$5 > 1 { print $18; exit }')" 95.24
    drawn=$work/known.txt
    dummy=
    ok 'a message damaged' damaged
else
    skip 'known answers, corruption' 'needs --with-comm=dummy'
fi
drawings linkmap "$drawn" 'half the round trip of'

# The figure of a result with boxes has the names of its hosts and both halves.
cat >"$work/boxes.txt" <<'EOF'
# ranks: 4
# hosts: 2
# ranks_per_host: red:2 blue:2
# oversubscribed: no
# core_shared: no
# transport: tcp
# date: 2026-01-01T00:00:00Z
first second size_bytes alone median_s MB_per_s
0 1 1 0 1e-5 0.1
0 1 64 0 1e-4 0.64
# box: hosts 0 0 pairs=1 latency_us=10 MB_per_s=90 slowest_us=10 slowest_MB_per_s=90
# box: hosts 0 1 pairs=4 latency_us=20 MB_per_s=50 slowest_us=40 slowest_MB_per_s=30
# box: hosts 1 1 pairs=1 latency_us=11 MB_per_s=80 slowest_us=11 slowest_MB_per_s=80
# RESULT: PASS slowest_pair_us 40 us
EOF
sed 's/hosts 1 1/hosts 1-16 1-16/; s/hosts 0 1/hosts 0 1-16/; s/hosts: 2/hosts: 17/' \
    "$work/boxes.txt" >"$work/wide.txt"
if draws; then
    for kind in boxes wide; do
        ok "a figure of $kind" draw "$work/$kind.txt" "$work/$kind.svg" linkmap
        ok "$kind: its words" grep -q "median of a box's pairs" "$work/$kind.svg"
        ok "$kind: names of hosts" grep -q '>red<' "$work/$kind.svg"
    done
else
    skip 'a figure of boxes' 'gnuplot is not there'
fi
finish
