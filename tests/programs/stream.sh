#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# stream.sh: cm-stream: what it refuses, what its result holds, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
folder=stream
program=$(pwd)/../stream/cm-stream
few='--size 256Ki --passes 6 --quiet'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'arrays of half a number' run 1 2 '^cm-stream: --size 1028 .*try 1024$' "$program" --size 1028
ok 'arrays of nothing' run 1 2 '^cm-stream: .*--size.*0' "$program" --size 0
ok 'a size above the memory' run 2 2 '^cm-stream: --size 35184372088832 .*memory' \
    "$program" -s 35184372088832
ok 'more passes than its check bears' \
    run 1 2 '^cm-stream: .*--passes.*1000' "$program" --passes 1000
ok 'a time that is none' run 1 2 '^cm-stream: .*--time-limit.*soon' "$program" --time-limit soon
ok 'a result that exists' sh -c ": >'$work/there'" && ok 'is kept' \
    run 1 2 '^cm-stream: .*there' "$program" $few -o "$work/there"

if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' run 2 2 '^cm-stream: 2 ranks: .*CM_DUMMY=ranks=1' "$program" $few
fi

# ---- Results -----------------------------------------------------------------------------------

# rows_fit FILE RANKS: each kernel in each setting once, and the rates are those of the times.
rows_fit()
{
    size=$(sed -n 's/^# array_bytes: //p' "$1")
    cached=$(sed -n 's/^# cached_array_bytes: //p' "$1")
    rows_of "$1" | awk -v ranks="$2" -v size="$size" -v cached="${cached:-0}" '
    {
        if (NF != 21 || $1 !~ /^(copy|scale|add|triad)$/ || seen[$1, $2, $3, $4]++) {
            print "# " $0
            bad++
        }
        if ($6 != $4 || $5 != 0) { print "# ranks: " $0; bad++ }
        if (!($8 > 0 && $8 <= $9 && $10 <= $9 && $9 <= $11 && $19 >= $20)) {
            print "# times: " $0
            bad++
        }
        cache = $3 == "cache"; words = $1 ~ /^(add|triad)$/ ? 3 : 2
        rate = 1e-6 * $4 * words * (cache ? cached : size) / $8
        if ($19 < 0.999 * rate || $19 > 1.001 * rate) { print "# rate: " $0; bad++ }
        moved = $2 == "ordinary" ? rate * (words + 1) / words : rate
        if (!cache && ($21 < 0.999 * moved || $21 > 1.001 * moved)) { print "# moved: " $0; bad++ }
        settings[cache, $4]++
    }
    END {
        for (r = 1; r <= ranks; r += ranks > 1 ? ranks - 1 : 1) {
            if (settings[0, r] % 4 || settings[0, r] == 0) { print "# memory, " r " ranks"; bad++ }
            if (cached && settings[1, r] != 4) { print "# cache, " r " ranks"; bad++ }
        }
        exit bad > 0
    }'
}
for ranks in 1 2 3 4; do
    # The dummy backend has one rank that computes; its peers do not.
    [ "$comm" = dummy ] && [ $ranks -gt 1 ] && continue
    result=$work/$ranks.txt
    extra=; [ $ranks -lt 3 ] || extra=--no-cache
    ok "$ranks ranks" run $ranks 0 '' "$program" $few $extra -o "$result" || continue
    ok "$ranks ranks: all settings" rows_fit "$result" $ranks
    ok "$ranks ranks: the inequality" \
        has '^# CHECK: largest_mean_error: [0-9.e+-]* <= 1e-13  PASS$' \
        "$result"
    ok "$ranks ranks: triad_MB_per_s" \
        has '^# RESULT: PASS triad_MB_per_s [0-9.e+-]* MB/s ' "$result"
    ok "$ranks ranks: its interval" encloses "$result" triad_MB_per_s trials
    for key in comm sample stopping_rule oversubscribed array_per_cache arrays kernels stores; do
        ok "$ranks ranks: metadata: $key" has "^# $key: ." "$result"
    done
done
ok 'nobody takes the triad for that of STREAM' \
    has "^# not STREAM's figures: in huge pages the ordinary triad is up to 1.5 " "$work/1.txt"
ok 'arrays that a cache may hold are said to be' \
    has '^# the arrays are shorter than STREAM' "$work/1.txt"
if [ "$comm" != dummy ]; then
    ok 'one rank beside them' encloses "$work/2.txt" triad_one_rank_MB_per_s trials
    ok 'no cache: none' [ -z "$(rows_of "$work/4.txt" | awk '$3 == "cache"')" ]
fi
# A pass lasts longer than the limit, and ten are the least.
ok 'a time limit' run 1 0 '' "$program" --size 64Ki --no-cache --time-limit 1e-3 --half-width 0 \
    -o "$work/stopped.txt"
ok 'ends it after ten passes' [ -z "$(rows_of "$work/stopped.txt" | awk '$7 != 10')" ]
if [ "$comm" = dummy ]; then drawn=$work/1.txt; else drawn=$work/2.txt; fi
drawings stream "$drawn" 'innocente-1999'
finish
