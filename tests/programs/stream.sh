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
ok 'a size above the memory' run 2 2 '^cm-stream: --size 35184372088832 .*memory' \
    "$program" -s 35184372088832
ok 'a result that exists' sh -c ": >'$work/there'" && ok 'is kept' \
    run 1 2 '^cm-stream: .*there' "$program" $few -o "$work/there"

if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' run 2 2 '^cm-stream: 2 ranks: .*CM_DUMMY=ranks=1' "$program" $few
fi

# ---- Results -----------------------------------------------------------------------------------

# rows_fit FILE RANKS: each kernel occurs once in each setting, and the rates follow from the times.
rows_fit()
{
    size=$(sed -n 's/^# array_bytes: //p' "$1")
    cached=$(sed -n 's/^# cached_array_bytes: //p' "$1")
    rows_of "$1" | awk -v ranks="$2" -v size="$size" -v cached="${cached:-0}" '
    {
        if (NF != 24 || $1 !~ /^(copy|scale|add|triad)$/ || seen[$1, $2, $3, $4]++) {
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
        if ($24 != (cache ? cached : size)) { print "# length: " $0; bad++ }
        if (!cache && ($21 < 0.999 * moved || $21 > 1.001 * moved)) { print "# moved: " $0; bad++ }
        settings[$3, $4]++
    }
    END {
        for (r = 1; r <= ranks; r += ranks > 1 ? ranks - 1 : 1) {
            if (settings["memory", r] % 4 || settings["memory", r] == 0) {
                print "# memory, " r " ranks"
                bad++
            }
            if (cached && settings["cache", r] != 4) { print "# cache, " r " ranks"; bad++ }
            if (settings["plain", r] != 4) { print "# plain, " r " ranks"; bad++ }
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
# A virtual machine may see its host's last-level cache. The second level is the processor's own.
ok 'arrays in the cache fill half of it' awk '
    /^# virtualization: / { virtual = $3 != "none" }
    /^# l[0-9]*_bytes: / { last = $3; if ($2 == "l2_bytes:") second = $3 }
    /^# cached_array_bytes: / { arrays = 3 * $3 }
    /^# cached: half of the second-level cache/ { said = 1 }
    END {
        most = virtual && second ? second / 2 : last / 2
        exit !(said == (virtual && second > 0) && (!last || arrays <= most && arrays > most - 2000))
    }' "$work/1.txt"
ok 'nobody takes the triad for that of STREAM' \
    has "^# triad_.* are not STREAM's figures: huge pages gain up to 1.5, " "$work/1.txt"
ok 'arrays that a cache may hold are said to be' \
    has '^# the arrays are shorter than STREAM' "$work/1.txt"
if [ "$comm" != dummy ]; then
    ok 'one rank beside them' encloses "$work/2.txt" triad_one_rank_MB_per_s trials
    ok 'no cache: none' [ -z "$(rows_of "$work/4.txt" | awk '$3 == "cache"')" ]
fi
# A single pass lasts longer than the limit, but at least ten are made.
ok 'a time limit' run 1 0 '' "$program" --size 64Ki --no-cache --time-limit 1e-3 --half-width 0 \
    -o "$work/stopped.txt"
ok 'ends it after ten passes' \
    [ -z "$(rows_of "$work/stopped.txt" | awk '$7 != 10 && $3 != "plain"')" ]

# ---- STREAM compiled plainly -------------------------------------------------------------------

# metric_is FILE METRIC CONDITION: the best triad of the rows that meet the condition.
metric_is()
{
    near "$(sed -n "s/^# RESULT: PASS $2 \([^ ]*\) .*/\1/p" "$1")" \
        "$(rows_of "$1" | awk '$1 == "triad" && '"$3"' && $19 > most { most = $19 }
            END { print most + 0 }')"
}
ok 'STREAM has its own rule: nine passes count' \
    [ -z "$(rows_of "$work/1.txt" | awk '$3 == "plain" && $7 != 9')" ]
ok 'and the pages that the system gives' \
    [ -z "$(rows_of "$work/1.txt" | awk '$3 == "plain" && $22 != "default"')" ]
ok 'its triad' metric_is "$work/1.txt" stream_triad_MB_per_s '$3 == "plain"'
if [ "$comm" != dummy ]; then
    ok 'its triad, all ranks' metric_is "$work/2.txt" stream_triad_MB_per_s \
        '$3 == "plain" && $4 == 2'
    ok 'and one' metric_is "$work/2.txt" stream_triad_one_rank_MB_per_s '$3 == "plain" && $4 == 1'
    ok 'on one rank only' run 2 0 '' "$program" $few --plain one -o "$work/one.txt"
    ok 'there is its row' [ "$(rows_of "$work/one.txt" | grep -c ' plain ')" = 4 ]
    ok 'and the metric' has '^# RESULT: PASS stream_triad_one_rank_MB_per_s ' "$work/one.txt"
    ok 'but not that of all' sh -c "! grep -q ' stream_triad_MB_per_s ' '$work/one.txt'"
fi
ok 'without it' run 1 0 '' "$program" $few --plain no -o "$work/without.txt"
ok 'there is none' sh -c "! grep -q 'plain  \| stream_triad_MB' '$work/without.txt'"

# ---- All sizes ---------------------------------------------------------------------------------

# swept FILE RANKS PER_OCTAVE: each size occurs with each kind of stores once in each setting, from
# 3 arrays in the first cache to --size, a factor of 2^(1 / per octave) apart; the rates follow from
# the times.
swept()
{
    rows_of "$1" | awk -v ranks="$2" -v each="$3" '
    {
        if (NF != 24 || $1 != "triad" || $3 != "sweep" || $23 !~ /^(local|remote)$/) {
            print "# " $0
            bad++
        }
        if (seen[$2, $4, $22, $23, $24]++) { print "# twice: " $0; bad++ }
        rate = 24e-6 * $4 * $24 / 8 / $8
        if ($19 < 0.999 * rate || $19 > 1.001 * rate) { print "# rate: " $0; bad++ }
        setting = $2 " " $4 " " $22 " " $23
        if (setting in last) {
            step = last[setting] / $24
            if (step < 0.97 * 2 ^ (1 / each) || step > 1.03 * 2 ^ (1 / each)) {
                print "# step: " $0
                bad++
            }
        } else if ($24 != 262144) { print "# longest: " $0; bad++ }
        last[setting] = $24
    }
    END {
        for (s in last) if (last[s] > 32768) { print "# shortest of " s ": " last[s]; bad++ }
        for (r = 1; r <= ranks; r = r < ranks && 2 * r > ranks ? ranks : 2 * r)
            if (!(("ordinary " r " transparent local") in last)) { print "# ranks: " r; bad++ }
        if (!(("ordinary " ranks " small local") in last)) { print "# no small pages"; bad++ }
        exit bad > 0
    }'
}
for ranks in 1 3; do
    [ "$comm" = dummy ] && [ $ranks -gt 1 ] && continue
    result=$work/sweep$ranks.txt
    ok "a sweep, $ranks ranks" run $ranks 0 '' "$program" --size 256Ki --passes 3 --quiet \
        --sweep --per-octave $ranks --trial-seconds 1e-5 -o "$result" || continue
    ok "$ranks ranks: each size once" swept "$result" $ranks $ranks
    ok "$ranks ranks: the longest arrays" metric_is "$result" triad_MB_per_s \
        '$4 == '$ranks' && $24 == 262144 && $23 == "local"'
    ok "$ranks ranks: what huge pages gain" has '^# RESULT: PASS huge_pages_gain [0-9.]* 1' \
        "$result"
    ok "$ranks ranks: what the system granted" \
        has "^# pages small: 0 % of rank 0's arrays are in huge pages" "$result"
    ok "$ranks ranks: explicit pages are measured, or the result says why not" \
        sh -c "grep -q ' explicit  *local' '$result' || grep -q '^# pages explicit: not' '$result'"
    ok "$ranks ranks: and so is far memory" \
        sh -c "grep -q ' remote ' '$result' || grep -q '^# numa remote: not measured' '$result'"
    ok "$ranks ranks: the inequality" \
        has '^# CHECK: largest_mean_error: [0-9.e+-]* <= 1e-13  PASS$' "$result"
done
if [ "$comm" != dummy ]; then
    ok 'ranks that saturate memory' has '^# RESULT: PASS saturating_ranks [123] 1$' \
        "$work/sweep3.txt"
fi

# ---- Latency -----------------------------------------------------------------------------------

ok 'a matrix and a sweep' run 1 2 '^cm-stream: --matrix and --sweep: expected one of them$' \
    "$program" --sweep --matrix
for ranks in 1 2; do
    if [ "$comm" = dummy ] && [ $ranks = 2 ]; then continue; fi
    result=$work/matrix$ranks.txt
    ok "a matrix, $ranks ranks" run $ranks 0 '' "$program" --size 256Ki --passes 3 --quiet \
        --matrix -o "$result"
    for source in core l3 socket; do
        if [ $source = l3 ] && ! grep -q '^# l3_bytes' "$result"; then
            ok 'no cache, no row' has '^# l3: not measured, because ' "$result"
            continue
        fi
        ok "a row from a $source" has "^ *$source  *[0-9]*  *[12]  *-*[0-9]*  *[a-z]*  *[01]\\." \
            "$result"
    done
    ok 'the arrays are where they should be' \
        awk '/^#/ || $1 == "source" { next } { n++; wrong += $6 < 0.95 || $8 <= 0 }
            END { exit !n || wrong }' "$result"
    ok 'and right' has '^# CHECK: largest_mean_error: .* PASS$' "$result"
done
# Two sockets; the second's ranks are never in a team with rank 0, which writes the metrics.
faulty=$(pwd)/programs/stream_faulty
if [ "$comm" = dummy ]; then many=1; else many=2; fi
ok 'a matrix of two sockets' run $many 0 '' "$faulty" --size 256Ki --passes 3 --quiet --matrix \
    -o "$work/sockets.txt"
[ $many = 1 ] || ok 'the second has rows' has '^ *socket  *1  *1 ' "$work/sockets.txt"
ok 'from both, to no node that is not there' \
    [ "$(grep -c '^# node 1000 (hbm) from .*: not measured, because none of' "$work/sockets.txt")" \
        = $((2 + many)) ]
[ $many = 2 ] || ok 'a socket without ranks is told' \
    has '^# socket 1: not measured, because no rank runs there$' "$work/sockets.txt"
ok 'short arrays are told' has '^# the arrays of [3-6] rows are shorter than ' "$work/sockets.txt"
ok 'the metrics are those of a socket and a core' \
    [ "$(sed -n 's/^# RESULT: PASS \([^ ]*\) .* n=[0-9]* disturbed=.*/\1/p' "$work/sockets.txt" |
        tr '\n' ' ')" = 'triad_socket_MB_per_s triad_core_MB_per_s ' ]
ok 'latency and memory that is elsewhere' run $many 0 '' "$faulty" --size 64Ki --passes 3 --quiet \
    --latency --trial-seconds 1e-5 -o "$work/elsewhere.txt"
ok 'has no row' [ -z "$(rows_of "$work/elsewhere.txt" | awk '$3 == 1000')" ]
ok 'and a line' has '^# node 1000: not measured, because only 0 % of the memory' \
    "$work/elsewhere.txt"
ok 'a sweep likewise' run $many 0 '' "$faulty" --size 64Ki --passes 3 --quiet --sweep \
    --trial-seconds 1e-5 --force -o "$work/elsewhere.txt"
ok 'has no row, either' [ -z "$(rows_of "$work/elsewhere.txt" | grep remote)" ]
ok 'but a line' has '^# numa remote: not measured, because only 0 % of' "$work/elsewhere.txt"
wrong_triad() # RANK ARGUMENT...: the program ends with status 1 if this rank's triad is wrong
{
    TEST_FAULT=$1; shift
    export TEST_FAULT
    run $many 1 '' "$faulty" --size 256Ki --passes 3 --quiet -o "$work/wrong.txt" --force "$@"
    outcome=$?
    unset TEST_FAULT
    return $outcome
}
for wrong in $(seq 0 $((many - 1))); do
    ok "a wrong triad on rank $wrong: status 1" wrong_triad $wrong --matrix
    ok 'by the check' has '^# CHECK: largest_mean_error: [0-9.e+-]* <= 1e-13  FAIL$' \
        "$work/wrong.txt"
done
ok 'in a sweep, too' wrong_triad 0 --sweep --trial-seconds 1e-5
ok 'by the same check' has '^# CHECK: largest_mean_error: [0-9.e+-]* <= 1e-13  FAIL$' \
    "$work/wrong.txt"
# chased FILE RANKS: each chain occurs once in each setting, half as long as the one before, from
# --size to the first cache; rows under load have the other ranks' bandwidth.
chased()
{
    rows_of "$1" | awk -v others=$(($2 - 1)) '
    {
        if (NF != 19 || !($9 > 0 && $9 <= $10 && $10 <= $16)) { print "# " $0; bad++ }
        if (seen[$1, $2, $3, $6, $7]++) { print "# twice: " $0; bad++ }
        if ($1 == "idle" && ($5 != 0 || $6 != 0 || $19 != 0)) { print "# idle: " $0; bad++ }
        if ($1 == "loaded") {
            if ($5 != others || !($19 > 0) || $7 != 262144) { print "# loaded: " $0; bad++ }
            shares += $6
            loaded++
            next
        }
        if ($3 != -1) next # another node, memory alone
        if ($2 in last && ($7 > 0.51 * last[$2] || $7 < 0.49 * last[$2])) {
            print "# step: " $0
            bad++
        } else if (!($2 in last) && $7 != 262144) { print "# longest: " $0; bad++ }
        last[$2] = $7
    }
    END {
        if (!("small" in last && "transparent" in last)) { print "# no pages"; bad++ }
        for (p in last) if (last[p] > 32768) { print "# shortest of " p ": " last[p]; bad++ }
        if (others > 0 && (loaded != 5 || shares != 1.9375)) { print "# loads: " loaded; bad++ }
        exit bad > 0
    }'
}
for ranks in 1 2 3; do
    [ "$comm" = dummy ] && [ $ranks -gt 1 ] && continue
    result=$work/latency$ranks.txt
    ok "latency, $ranks ranks" run $ranks 0 '' "$program" --size 256Ki --passes 3 --quiet \
        --latency --trial-seconds 1e-5 -o "$result" --json "$work/latency$ranks.json" || continue
    ok "$ranks ranks: each chain once" chased "$result" $ranks
    ok "$ranks ranks: chains go through all lines" has '^# CHECK: missed_lines: 0 == 0  PASS$' \
        "$result"
    for metric in memory_latency_ns memory_latency_small_pages_ns first_cache_latency_ns; do
        ok "$ranks ranks: $metric" encloses "$result" $metric trials
    done
    if [ $ranks -gt 1 ]; then
        ok "$ranks ranks: loads store the triad" \
            has '^# CHECK: wrong_numbers: 0 == 0  PASS$' "$result"
        ok "$ranks ranks: under load" encloses "$result" loaded_memory_latency_ns trials
    else
        ok 'one rank: no load, and why' has '^# loaded: not measured, because no host' "$result"
        ok 'and no check of it' [ -z "$(grep wrong_numbers "$result")" ]
    fi
done
ok 'latency without a rank that loads is drawn' draw "$work/latency1.txt" "$work/alone.svg" latency
if [ "$comm" = dummy ]; then drawn=$work/1.txt; else drawn=$work/2.txt; fi
drawings stream "$drawn" 'innocente-1999'
sed 's/^# oversubscribed: .*/# oversubscribed: no/' "$drawn" >"$work/nosweep.txt"
for figure in sweep sweep_map; do
    ok "$figure without a sweep" draw "$work/nosweep.txt" "$work/nosweep.svg" $figure
    ok 'says so' has 'Not drawn: the result has no sweep' "$work/nosweep.svg"
done
ok 'latency without chains' draw "$work/nosweep.txt" "$work/nolatency.svg" latency
ok 'says so, too' has 'Not drawn: ' "$work/nolatency.svg"
if [ "$comm" = dummy ]; then drawn=$work/sweep1.txt; else drawn=$work/sweep3.txt; fi
drawings sweep "$drawn" 'transparent huge pages, ordinary stores'
if [ "$comm" = dummy ]; then latency=$work/latency1.txt; else latency=$work/latency2.txt; fi
drawings latency "$latency" 'transparent huge pages'
# A made-up host of two sockets with HBM; one cell was not measured.
awk '
    /^# CHECK/ { rows = 0 }
    !rows { print }
    /^source / {
        rows = split("core:0:1:13100:8900:12100:8100 l3:0:8:62000:41000:70000:45000 " \
            "socket:0:48:251000:92000:712000:103000 socket:1:48:93000:249000:101000:-", row, " ")
        for (k = 1; k <= rows; k++) {
            split(row[k], c, ":")
            for (node = 0; node < 4; node++) if (c[4 + node] != "-")
                print c[1], c[2], c[3], node, node < 2 ? "processors" : "hbm", 1, 262144,
                    c[4 + node], c[4 + node]
        }
    }' "$work/matrix1.txt" >"$work/sockets2.txt"
drawings matrix "$work/sockets2.txt" '>712<'
if draws; then
    ok 'a cell that was not measured' grep -q '>–<' "$work/figure.svg"
    ok 'no word of one node' sh -c "! grep -q 'one NUMA node' '$work/figure.svg'"
    # On the test's host the model may report other nodes.
    sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# numa_nodes: .*/# numa_nodes: 1/
        / [1-3] \(processors\|hbm\) /d' "$work/sockets2.txt" >"$work/node1.txt"
    ok 'a machine of one node is drawn' draw "$work/node1.txt" "$work/node1.svg" matrix
    ok 'and said to be' grep -q 'This machine has one NUMA node' "$work/node1.svg"
    ok 'without a matrix' draw "$work/nosweep.txt" "$work/nomatrix.svg" matrix
    ok 'it says so' has 'Not drawn: the result has no matrix' "$work/nomatrix.svg"
fi
drawings sweep_map "$drawn" 'stores past the caches\|ordinary stores'
finish
