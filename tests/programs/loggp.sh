#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# loggp.sh: cm-loggp: what it refuses, what its result holds, known parameters, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=network/loggp
. "$srcdir/figure.inc"
program=$(pwd)/../network/loggp/cm-loggp
few='--warm-up 0 --time-limit 0.02 --quiet --force'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'upper below lower' run 2 2 '^cm-loggp: --upper 3 .*--lower 7' "$program" -u 3 -l 7
ok 'messages of no bytes' run 2 2 '^cm-loggp: .*--lower.*0' "$program" --lower 0
ok 'a train of one message' run 2 2 '^cm-loggp: .*--train.*1' "$program" --train 1
ok 'a size above the memory' run 2 2 '^cm-loggp: --upper 281474976710656 .*memory' \
    "$program" -u 281474976710656
ok 'one rank' run 1 2 '^cm-loggp: needs .*2 ranks, but this job has 1' "$program"
ok 'three ranks' run 3 2 '^cm-loggp: needs .*2 ranks, but this job has 3' "$program"

# ---- A result ----------------------------------------------------------------------------------

lacks() { ! has "$@"; }
# The columns against each other, for --train 5. --trials odd: medians are samples.
rows_fit()
{
    rows_of "$1" | awk '
    function near(a, b) { return a - b < 2e-3 * size && b - a < 2e-3 * size }
    {
        size = $13 > $14 ? $13 : $14
        if (NF != 20 || !($5 <= $4 && $4 <= $6) || !near($13, 2 * $4) || !near(4 * $16, $14 - $13) \
            || !($15 > 0)) { print "# " $0; bad++ }
    }
    END { if (NR != 10) { print "# " NR " rows"; bad++ } exit bad > 0 }'
}
result=$work/r.txt
ok 'two ranks' run 2 0 '' "$program" $few --upper 32 --train 5 --trials 11 -o "$result"
ok 'rows fit together' rows_fit "$result"
ok 'the inequality' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
ok 'half a round trip' encloses "$result" half_trip_us trials

# value FILE METRIC LOW HIGH
value()
{
    awk -v metric="$2" -v low="$3" -v high="$4" '
        $2 == "RESULT:" && $4 == metric { found = $5 + 0 >= low && $5 + 0 <= high; print "# " $0 }
        END { exit !found }' "$1"
}
# A rank that checks for disturbances for 60 ms does so between two trains. On a busy machine the
# fastest of a few trains may take several milliseconds.
least_below() { rows_of "$1" | awk -v most="$2" '{ least = $3 } END { exit !(least < most) }'; }
if [ "$comm" != dummy ]; then
    ok 'ranks that prepare slowly' run 2 0 '' ./programs/loggp_slow $few --upper 1 --trials 5 \
        --time-limit 60 -o "$result"
    ok 'do so before the trains' least_below "$result" 40e-3
else skip 'ranks that prepare slowly' 'echo peers do not'
fi
# On a busy machine a parameter may come out at 0 or below; a comment then says so.
told()
{
    value "$result" "$1" 1e-6 1e9 || has "^# loggp: $1 is left out: " "$result"
}
# The fit begins at the smallest size that takes part in it.
first_size()
{
    # The comment may stand above its row or below.
    awk '/^# [0-9]* bytes take no part in the fit: / { out[$2] = 1; next }
        /^#/ || FNR == NR { next }
        !rows++ { next }
        !($1 in out) { print $1; exit }' "$1" "$1"
}
fitted_whole()
{
    least=$(first_size "$result")
    [ -n "$least" ] && has '^# RESULT: PASS prediction_error' "$result" \
        && has "^# predicted half round trip of $least to [0-9]* bytes: off by [0-9]" "$result" \
        && has "^# fit: model=loggp first_bytes=$least last_bytes=[0-9]" "$result"
}
parameters()
{
    for try in 1 2 3 4 5; do
        run 2 0 '' "$program" --warm-up 0.02 --time-limit 0.05 --quiet --force -u 4Ki \
            -o "$result" || return
        fitted_whole && break
    done
    told L_us && told o_send_us && told o_receive_us && told g_us && told G_ns_per_byte \
        && value "$result" prediction_error 0 1e9 && fitted_whole
}
ok 'parameters, their errors, and what they predict' parameters

# ---- Known answers -----------------------------------------------------------------------------

if [ "$comm" = dummy ]; then
    # predicted FILE PERCENT: the worst prediction of each protocol is off by at most PERCENT.
    predicted()
    {
        awk -v most="$2" '/^# predicted half round trip / {
            worst = $0
            sub(/.*at worst by /, "", worst)
            worst += 0
            found++
            bad += worst > most || worst < -most
            print
        } END { exit !found || bad }' "$1"
    }
    # A message costs 30 us and 1 ns a byte. Each call costs 10 ns, and a message has two calls at
    # either end. Calls and flight overlap by three calls, because the receiver's calls are made
    # before the message arrives. Short messages are spaced by the calls.
    dummy=latency_us=30,bandwidth_MB_per_s=1000
    ok 'the dummy' run 2 0 '' "$program" $few --trials 3 -o "$result"
    ok 'L: 30 us, 1 ns, less three calls' value "$result" L_us 29.970 29.972
    ok 'g: a byte' value "$result" g_us 0.00099 0.00101
    ok 'G: 1 ns' value "$result" G_ns_per_byte 0.99 1.01
    ok 'o_send: two calls' value "$result" o_send_us 0.0199 0.0201
    ok 'o_receive: two calls' value "$result" o_receive_us 0.0199 0.0201
    ok 'the prediction is right' value "$result" prediction_error 0 1e-6
    ok 'at all sizes' predicted "$result" 1
    ok 'parameters have errors' has '^# fit: model=loggp L_us=.* L_us_error=[0-9]' "$result"
    ok 'the network limits the longer trains' \
        has '^# loggp: the network limits the trains at 24 of 32 sizes' "$result"
    dummy=latency_us=30,bandwidth_MB_per_s=1000,call_us=1
    ok 'a slow processor' run 2 0 '' "$program" $few --trials 3 -l 16 -u 1Ki -o "$result"
    ok 'o_send: two calls of 1 us' value "$result" o_send_us 1.99 2.01
    ok 'o_receive, too' value "$result" o_receive_us 1.99 2.01
    ok 'G: 1 ns, by the round trips' value "$result" G_ns_per_byte 0.99 1.01
    ok 'its interval is of the fit' encloses "$result" G_ns_per_byte sizes
    ok 'that of an overhead of its trials' encloses "$result" o_send_us trials
    ok 'that of the prediction of the sizes' encloses "$result" prediction_error sizes
    ok 'g is not the processor'"'"'s' lacks '^# RESULT: [A-Z]* g_us' "$result"
    ok 'which is said' \
        has '^# loggp: g_us is left out: sending or receiving limits .* all 13 sizes' "$result"
    dummy=latency_us=3,bandwidth_MB_per_s=1000,call_us=2
    ok 'calls longer than the flight' run 2 0 '' "$program" $few --trials 3 -o "$result"
    ok 'L is left out' lacks '^# RESULT: [A-Z]* L_us' "$result"
    ok 'which is said, too' has '^# loggp: L_us is left out: it comes out at -3 us; half' "$result"
    ok 'G is right' value "$result" G_ns_per_byte 0.99 1.01
    ok 'and so is the prediction' predicted "$result" 1
    dummy=latency_us=30,bandwidth_MB_per_s=1000,eager_bytes=2048
    dummy=$dummy,rendezvous_latency_us=60,rendezvous_bandwidth_MB_per_s=2000
    ok 'two protocols' run 2 0 '' "$program" $few --trials 3 -o "$result"
    ok 'the parameters are those of the first' value "$result" G_ns_per_byte 0.99 1.01
    ok 'up to the eager limit' has '^# fit: model=loggp first_bytes=1 last_bytes=2048$' "$result"
    ok 'the second is told apart' \
        has '^# fit: model=loggp_long first_bytes=3072 last_bytes=65536$' "$result"
    dummy=latency_us=30,bandwidth_MB_per_s=100,jitter=0.2
    ok 'jitter of 20 %' \
        run 2 0 '' "$program" --warm-up 0 --quiet --force --trials 300 --half-width 0 \
        --time-limit 100 -l 64 -u 8Ki --train 8 -o "$result"
    ok 'L within 3 %' value "$result" L_us 29.1 30.9
    ok 'G within 5 %' value "$result" G_ns_per_byte 9.5 10.5
    dummy=corrupt=1
    ok 'a bit that the dummy flips: status 1' \
        run 2 1 '' "$program" $few --trials 3 -u 64 -o "$work/f.txt"
    ok 'it is named' has '^# wrong data: message .* expected 0x.*, got 0x' "$work/f.txt"
    ok 'the metric is FAIL' has '^# RESULT: FAIL half_trip_us nan us' "$work/f.txt"
    unset dummy
    # The corruption may hit messages that control the run; repeat until it hits a measured one.
    damaged()
    {
        for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            CM_DUMMY=ranks=2,corrupt=0.1,seed=$seed \
                "$program" $few --trials 3 --train 2 -l 99 -u 99 >"$work/damaged.txt"
            status=$?
            # A corrupted count may be too large for plain digits.
            wrong=1
            ! has '^# CHECK: wrong_bytes: 0 == 0 ' "$work/damaged.txt" || wrong=0
            [ "$status" = $wrong ] || { echo "# seed $seed: status $status"; return 1; }
            has '^# wrong data: message [0-9]* of size 99 bytes at rank 0, ' \
                "$work/damaged.txt" && return
        done
        false
    }
    ok 'a message damaged' damaged
fi

drawings loggp "$result" 'LogGP: predicted and measured'
finish
