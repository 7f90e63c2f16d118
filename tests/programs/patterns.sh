#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# patterns.sh: cm-patterns: what it refuses, what its
# result holds, that wrong data fail, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=network/patterns
. "$srcdir/figure.inc"
program=$(pwd)/../network/patterns/cm-patterns
paper=$srcdir/../network/patterns/paper.dat
few='--warm-up 0 --time-limit 0.02 --quiet --repetitions 4 --trials 3'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'an unknown pattern' run 2 2 '^cm-patterns: .*--pattern.*pong' "$program" -p pong
ok 'messages of no bytes' run 2 2 '^cm-patterns: .*--upper.*0' "$program" -u 0
ok 'a size above the memory' run 2 2 '^cm-patterns: --upper 281474976710656 .*memory' \
    "$program" -u 281474976710656
ok 'no block so small' run 2 2 '^cm-patterns: --upper 3 .*--transfer block .*4 bytes' \
    "$program" -u 3 -t block
ok 'an order for those who have none' run 2 2 '^cm-patterns: --both-send 8 with --pattern ping' \
    "$program" -p ping --both-send 8
[ "$comm" = mpi ] || ok 'an exchange that would hang' \
    run 2 2 '^cm-patterns: --both-send 1000000000000: above the eager limit' \
    "$program" -p exchange --both-send 1000000000000
for ranks in 1 3; do
    ok "$ranks ranks" \
        run $ranks 2 '^cm-patterns: needs exactly 2 ranks, .*; start it with: ' "$program"
done

# ---- Results -----------------------------------------------------------------------------------

# rows_fit FILE MESSAGES: rows are consistent with each other and with the paper's definitions.
rows_fit()
{
    key=$(echo "$pattern" | tr -d -)
    awk -v messages="$2" -v pattern="$key" '
    FNR == NR { split($0, f, "\t"); printed[f[1]] = f[2]; next }
    /^#/ { next }
    !header { header = 1; fields = NF; next }
    {
        rows++
        if (NF != fields || $3 < 1 || $15 < 1) { print "# " $0; bad++ }
        if (!($4 > 0 && $4 <= $5 && $6 <= $5 && $5 <= $7)) { print "# times: " $0; bad++ }
        rate = 1e-6 * messages * $1 / $5
        if ($14 < 0.999 * rate || $14 > 1.001 * rate) { print "# throughput: " $0; bad++ }
        at = pattern "_" $2 "_" $1
        us = at "_us" in printed ? printed[at "_us"] : "nan"
        MB = at "_MB" in printed ? printed[at "_MB"] : "nan"
        if ($16 "" != us "" || $17 "" != MB "") {
            print "# the paper has " us ", " MB ": " $0
            bad++
        }
    }
    END { exit bad > 0 || rows == 0 }' "$paper" "$1"
}
sizes_of() { rows_of "$1" | awk '{ printf "%s%s ", $1, $2 == "word" ? "w" : "" }'; }

for pattern in ping ping-pong exchange; do
    result=$work/$pattern.txt messages=2
    [ $pattern = ping ] && messages=1
    ok "$pattern" run 2 0 '' "$program" $few -p $pattern -u 2Ki -o "$result" || continue
    ok "$pattern: rows, and the paper's beside them" rows_fit "$result" $messages
    ok "$pattern: words and blocks" [ "$(sizes_of "$result")" = \
        '1w 2w 4w 8w 4 8 16 32 64 128 256 508 1024 2048 ' ]
    ok "$pattern: the paper has 12 of them" \
        [ "$(rows_of "$result" | awk '$16 != "nan"' | wc -l)" -eq 12 ]
    ok "$pattern: the inequality" has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    ok "$pattern: latency_us" has '^# RESULT: PASS latency_us [0-9.e+-]* us low=.* n=' "$result"
    ok "$pattern: peak_MB_per_s" has '^# RESULT: PASS peak_MB_per_s [0-9.e+-]* MB/s low=' "$result"
    for key in comm sample throughput stopping_rule oversubscribed core_shared pattern; do
        ok "$pattern: metadata: $key" has "^# $key: ." "$result"
    done
    ok "$pattern, every message checked" \
        run 2 0 '' "$program" $few -p $pattern -u 1Mi -i -o "$work/checked.txt" --force
done
ok 'the slower end of a ping counts' [ -z "$(rows_of "$work/ping.txt" | awk \
    '{ slower = $20 > $21 ? $20 : $21 } NF != 21 || $5 < 0.999 * slower')" ]
ok 'the order of an exchange is said' has '^# order: .*hang' "$work/exchange.txt"
ok 'an exchange that only starts its sends' \
    run 2 0 '' "$program" $few -p exchange -u 300000 --both-send 0 -o "$work/started.txt"
ok 'it says so' has '^# both_send_bytes: 0$' "$work/started.txt"
ok 'words alone' run 2 0 '' "$program" $few -t word -o "$work/words.txt"
ok 'four of them' [ "$(sizes_of "$work/words.txt")" = '1w 2w 4w 8w ' ]

# The paper's throughputs must follow from its times, which reveals typing errors.
ok "the paper's tables agree with themselves" awk -F '\t' '
    split($1, k, "_") == 4 && k[4] == "us" { us = $2 }
    split($1, k, "_") == 4 && k[4] == "MB" {
        rows++
        ratio = $2 * us / (k[3] * (k[1] == "ping" ? 1 : 2))
        if (ratio < 0.985 || ratio > 1.015) { print "# " ratio ": " $0; bad++ }
    }
    END { exit bad > 0 || rows != 36 }' "$paper"

# ---- Known answers, wrong data -----------------------------------------------------------------

fitted() { sed -n "s/^# fit: model=one_line.* $1=\\([^ ]*\\).*/\\1/p" "$2"; }
damaged()
{
    for seed in 1 2 3 4 5 6 7 8; do
        CM_DUMMY=ranks=2,corrupt=0.2,seed=$seed "$program" $few -p "$1" -u 64 >"$work/damaged.txt"
        status=$?
        wrong=$(sed -n 's/^# CHECK: wrong_bytes: \([0-9]*\) .*/\1/p' "$work/damaged.txt")
        [ "$status" = $((wrong > 0)) ] || { echo "# seed $seed: status $status"; return 1; }
        has '^# wrong data: message [0-9]* of size [0-9]* bytes at rank 0, ' "$work/damaged.txt" \
            && has '^# RESULT: FAIL latency_us' "$work/damaged.txt" && return
    done
    false
}
if [ "$comm" = dummy ]; then
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    for pattern in ping-pong exchange; do
        # The peer sends when it has the whole message, so an
        # exchange lasts as long as a round trip.
        ok "$pattern of 50 us and 100 MB/s" run 2 0 '' "$program" --quiet -p $pattern -t block \
            -o "$work/known.txt" --force
        ok "$pattern: two latencies" near "$(fitted latency_us "$work/known.txt")" 100
        ok "$pattern: the metric counts both" near \
            "$(sed -n 's/^# RESULT: PASS bandwidth_MB_per_s \([^ ]*\) .*/\1/p' \
                "$work/known.txt")" 100
        ok "$pattern: two transfers" near "$(fitted bandwidth_MB_per_s "$work/known.txt")" 50
    done
    # Above the eager limit a send ends when its last byte has left.
    dummy=rendezvous_latency_us=50,rendezvous_bandwidth_MB_per_s=100,eager_bytes=0
    ok 'ping at 100 MB/s' \
        run 2 0 '' "$program" --quiet -p ping -t block -o "$work/known.txt" --force
    ok 'gets them' near "$(fitted bandwidth_MB_per_s "$work/known.txt")" 100
    dummy=
    for pattern in ping ping-pong exchange; do
        ok "a message damaged: $pattern" damaged $pattern
    done
else
    skip 'known answers, corruption' 'needs --with-comm=dummy'
fi

for pattern in ping ping-pong exchange; do
    drawings patterns "$work/$pattern.txt" 'warschko-1995, block'
done
finish
