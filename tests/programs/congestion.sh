#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# congestion.sh: cm-congestion: refused options, its result, that the load surrounds the samples,
# wrong data, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=network/congestion
. "$srcdir/figure.inc"
program=$(pwd)/../network/congestion/cm-congestion
faulty=$(pwd)/programs/congestion_faulty
brief='--warm-up 0 --time-limit 0.02 --batch-seconds 1e-4 --load-size 4Ki --quiet --force'
few="$brief --bandwidth-size 4Ki"

# ---- What it refuses ---------------------------------------------------------------------------

ok 'an unknown victim' run 4 2 '^cm-congestion: --victims pingpong,ring: expected all, or a list' \
    "$program" --victims pingpong,ring
ok 'an unknown aggressor' run 4 2 '^cm-congestion: --aggressors alone: expected all, or a list' \
    "$program" --aggressors alone
ok 'an empty list' run 4 2 '^cm-congestion: --victims : expected all' "$program" --victims ''
ok 'no ranks that load' run 4 2 '^cm-congestion: .*--share.* 0' "$program" --share 0
ok 'no time' run 4 2 '^cm-congestion: --time-limit 0: expected a time above 0' \
    "$program" --time-limit 0
ok 'windows above the memory' run 4 2 '^cm-congestion: --bandwidth-size .* --window 4096.*memory' \
    "$program" --bandwidth-size 1Gi --window 4096
ok 'a seed of what is not drawn' run 4 2 '^cm-congestion: --seed 3: needs --placement random, ' \
    "$program" --placement alternate --seed 3
for option in window bandwidth-size; do
    ok "--$option of a ping-pong" run 4 2 \
        "^cm-congestion: --$option 9: needs --victims bandwidth or all, .* --victims pingpong$" \
        "$program" --victims pingpong --$option 9
done
ok 'the size of what is not measured' run 4 2 \
    '^cm-congestion: --size 9: needs --victims pingpong, allreduce or all, ' \
    "$program" --victims bandwidth --size 9
ok 'three ranks' run 3 2 '^cm-congestion: needs at least 4 ranks' "$program"
[ "$comm" = dummy ] ||
    ok 'whole hosts, of which there is one' run 4 2 \
        '^cm-congestion: --whole-hosts: expected ranks on at least 4 hosts, .*; they are on 1' \
        "$program" --whole-hosts
if [ "$comm" = dummy ]; then
    ok 'peers that do not load a network' run 4 2 'do not load a network' "$program"
    finish
fi

# ---- Results -----------------------------------------------------------------------------------

# Columns by their names: the quantiles are in order, ratios are of the quantiles, the histogram has
# all samples, and a load did something.
rows_fit()
{
    awk '
    function is(got, want) { return got >= 0.998 * want && got <= 1.002 * want }
    function cell(name) { return $(at[name]) }
    function complain(what) { print "# " what ": " $0; bad++ }
    /^# histogram: / {
        counted = 0
        for (k = 5; k <= NF; k++) { split($k, part, ":"); counted += part[2] }
        if (counted != n) complain("histogram")
        next
    }
    /^#/ { next }
    !at["n"] { for (k = 1; k <= NF; k++) at[$k] = k; next }
    {
        rows++
        n = cell("n")
        if (NF != 34 || n < 1 || !(cell("min_s") > 0) || cell("min_s") > 1.001 * cell("max_s"))
            complain("times")
        if (cell("p50_s") != "nan" && (cell("p50_s") < 0.999 * cell("min_s") \
            || cell("p50_s") > 1.001 * cell("max_s"))) complain("median")
        if (cell("p99_s") != "nan" && cell("p99_s") < cell("p50_s")) complain("percentiles")
        if ((n >= 100) != (cell("p99_s") != "nan") || (n >= 1000) != (cell("p999_s") != "nan"))
            complain("percentiles of few")
        if (cell("aggressor") == "alone") alone = cell("p50_s")
        if (alone != "nan" && cell("p50_s") != "nan" \
            && !is(cell("p50_ratio"), cell("p50_s") / alone)) complain("ratio")
        if ((cell("load_operations") > 0) != (cell("aggressor") != "alone")) complain("load")
        if ((cell("load_MB_per_s") > 0) != (cell("aggressor") != "alone")) complain("rate")
    }
    END { if (rows != 12) print "# " rows " rows"; exit bad > 0 || rows != 12 }' "$1"
}
# More ranks than cores are slow with an MPI.
most=5 rounds=6 faults='pingpong allreduce bandwidth alltoall incast broadcast'
[ "$comm" != mpi ] || { most=4 rounds=3 faults='pingpong alltoall'; }
for ranks in $(seq 4 $most); do
    result=$work/$ranks.txt
    ok "$ranks ranks" run "$ranks" 0 '' "$program" $few --rounds $rounds -o "$result" || continue
    ok "$ranks ranks: rows" rows_fit "$result"
    ok "$ranks ranks: two aggressors or three" \
        has "^# aggressors: $((ranks / 2 + ranks % 2))\$" "$result"
    ok "$ranks ranks: the inequality" has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
done
drawn=$work/4.txt
# An interval needs ten samples, and four spinning ranks on two cores may get fewer; unit/congestion
# tests the intervals themselves.
if [ "$comm" = mpi ]; then skip 'the time alone has an interval' 'there may be too few samples'
else ok 'the time alone has an interval' encloses "$drawn" pingpong_alone_p50_us rounds
fi
ok 'one victim, one aggressor' run 4 0 '' "$program" $few --rounds 2 --time-limit 0.002 \
    --victims bandwidth --aggressors incast,broadcast --placement alternate -o "$work/some.txt"
ok 'are three rows' [ "$(rows_of "$work/some.txt" | wc -l)" -eq 3 ]
ok 'and ranges over two rounds' sh -c "grep -v '^#' '$work/some.txt' | grep -q range"
ok 'metrics of percentiles beyond the samples are left out' \
    has '^# bandwidth_[a-z]*_p999_[a-z]* is left out: too few samples' "$work/some.txt"
ok 'no time is enough for a median' run 4 0 '' "$program" $brief --rounds 1 --victims pingpong \
    --aggressors incast --time-limit 1e-9 --batch-seconds 1e-6 -o "$work/short.txt"

# ---- The load surrounds the samples ------------------------------------------------------------

# Every allreduce of a case with a load begins after an alltoall of each aggressor has begun, and
# ends before the last of each has ended. Cases alternate; a barrier comes before the first.
surrounded()
{
    rm -f "$work"/log.*
    TEST_LOG=$work/log
    export TEST_LOG
    run 4 0 '' "$faulty" $brief --rounds 3 --time-limit 0.06 --victims allreduce \
        --aggressors alltoall -o "$work/log.txt" || return
    unset TEST_LOG
    cat "$work"/log.? | awk '
        $2 == "A" && !(($1, $3) in begun) {
            begun[$1, $3] = $4
            if ($4 > first[$1]) first[$1] = $4
        }
        $2 == "A" { ended[$1, $3] = $5; who[$3]; loads++ }
        $2 == "V" { n++; of[n] = $1; from[n] = $4; to[n] = $5 }
        END {
            for (k = 1; k <= n; k++) {
                if (of[k] % 2) { # alone
                    alone++
                    if (of[k] in first) { print "# a load in case " of[k]; bad++ }
                    continue
                }
                loaded++
                if (!(of[k] in first)) { print "# no load in case " of[k]; bad++; continue }
                if (from[k] < first[of[k]]) { print "# began before the load"; bad++ }
                for (rank in who) if (to[k] > ended[of[k], rank]) {
                    print "# ended after the load of rank " rank
                    bad++
                }
            }
            print "# " alone " alone, " loaded " loaded, " loads " operations of the load"
            exit bad > 0 || !alone || !loaded
        }'
}
ok 'the load surrounds the samples' surrounded

# ---- Places ------------------------------------------------------------------------------------

# Which ranks are aggressors, as they log it.
aggressors()
{
    rm -f "$work"/log.*
    TEST_LOG=$work/log
    export TEST_LOG
    run 4 0 '' "$faulty" $brief --rounds 1 --time-limit 0.001 --victims allreduce \
        --aggressors alltoall -o "$work/log.txt" "$@" >&2
    unset TEST_LOG
    cat "$work"/log.? | awk '
        $2 == "A" { is[$3] }
        END { for (k = 0; k < 4; k++) if (k in is) printf "%d ", k }'
}
ok 'alternate: every second rank' [ "$(aggressors --placement alternate)" = '1 3 ' ]
places()
{
    for seed in 1 2 3 4 5 6 7 8; do aggressors --seed $seed; echo; done >"$work/places"
    [ "$(aggressors --seed 3)" = "$(sed -n 3p "$work/places")" ] \
        && [ "$(sort -u "$work/places" | wc -l)" -gt 1 ] || { show "$work/places"; false; }
}
if [ "$comm" = mpi ]; then skip 'random: by the seed' 'nine runs of four ranks are slow'
else ok 'random: by the seed' places
fi

# ---- Wrong data --------------------------------------------------------------------------------

found()
{
    TEST_FAULT=$1
    export TEST_FAULT
    run 4 1 '' "$faulty" $few --rounds 1 -o "$work/wrong.txt" || return
    unset TEST_FAULT
    has '^# wrong data: message [0-9]* of size [0-9]* bytes at rank [0-3], ' "$work/wrong.txt" \
        && has '^# RESULT: FAIL pingpong_alone_p50_us nan us' "$work/wrong.txt"
}
for fault in $faults; do
    ok "a bit of $fault goes wrong" found $fault
done

drawings congestion "$drawn" 'Congestion: 2 victims, 2 aggressors'
finish
