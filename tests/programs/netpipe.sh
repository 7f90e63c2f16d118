#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# netpipe.sh: cm-netpipe: what it refuses, what its result holds, that wrong data fail, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
program=$(pwd)/../netpipe/cm-netpipe
scripts=$srcdir/../netpipe/figures
quick='--warm-up 0 --time-limit 0.02 --trial-seconds 1e-4 --quiet'

# ---- What it refuses: status 2, one line that names option and value ---------------------------

ok 'an unknown option' run 2 2 "^cm-netpipe: .*--frobnicate" "$program" --frobnicate
ok 'a negative size' refuses "^cm-netpipe: .*--lower.*-5" "$program" --lower=-5
ok 'a size above the memory' run 2 2 "^cm-netpipe: --upper 281474976710656 .*memory" \
    "$program" -u 281474976710656
ok 'an output that cannot be written' run 2 2 "^cm-netpipe: --output .*/none/r.txt" \
    "$program" -o "$work/none/r.txt"
for other in 'trials 9' 'time-limit 2'; do
    ok "turns in known number, and --$other" refuses \
        "^cm-netpipe: --$other with --round-trips --repetitions 50: .*give only one" \
        "$program" --round-trips --repetitions 50 --${other% *} ${other#* }
done
for other in stream round-trips pairs both integrity; do
    ok "overlap and --$other" refuses "^cm-netpipe: --overlap and --$other: " \
        "$program" --overlap --$other
done
for flag in both early overlap; do
    ok "one buffer and --$flag" refuses "^cm-netpipe: --$flag and --buffers one: a message would" \
        "$program" --$flag --buffers one
done
for offsets in 3 3,x -1,2 3, 2,1 ,2 4Mi,0; do
    policy=reused; [ $offsets = 2,1 ] && policy=alternating
    ok "offsets $offsets, buffers $policy" refuses "^cm-netpipe: --offsets $offsets" \
        "$program" "--offsets=$offsets" --buffers $policy
done
case $comm in
sockets | hybrid) ;;
*)
    ok 'socket buffers without sockets' \
        refuses "^cm-netpipe: --socket-buffer 65536: .* $comm; " "$program" -b 64Ki
    ;;
esac
case $comm in
shm | hybrid) ;;
*)
    ok 'shared memory without ranks that share' \
        refuses "^cm-netpipe: --memory shared: .* $comm; " "$program" --memory shared
    ;;
esac
echo kept >"$work/kept.txt"
ok 'an output that exists' refuses "^cm-netpipe: --output .*kept.txt" "$program" -o "$work/kept.txt"
ok 'and it is left as it was' [ "$(cat "$work/kept.txt")" = kept ]
ok 'three ranks' run 3 2 "^cm-netpipe: needs exactly 2 ranks, .* has 3; start it with: " "$program"
for ranks in 1 3; do
    ok "$ranks in pairs" run $ranks 2 \
        "^cm-netpipe: --pairs needs .*, an even .* has $ranks; start .*$((ranks + 1)) .*--pairs" \
        "$program" --pairs
done

# ---- A small run -------------------------------------------------------------------------------

# rows_fit FILE [FACTOR COLUMN EXTRA]: the columns of a result are consistent. Throughput is 8
# FACTOR bytes / time; COLUMN is the mode's name for its iterations.
rows_fit()
{
    grep -v '^#' "$1" | awk -v comm="$comm" -v factor="${2:-1}" \
        -v column="${3:-round_trips}" -v extra="${4-}" '
    NR == 1 {
        wanted = "size_bytes n min_s median_s low_s high_s interval mean_s deviation_s"
        wanted = wanted " max_s disturbed summarized throughput_Mbit_per_s " column " sweep"
        wanted = wanted (extra == "" ? "" : " " extra)
        wanted = wanted " cpu_user_us cpu_system_us cpu_ns_per_byte cpu_share"
        wanted = wanted " pair_distance_first_ns pair_distance_last_ns"
        $1 = $1
        fields = NF
        if ($0 != wanted) { print "# columns: " $0; bad++ }
        next
    }
    {
        if (NF != fields) bad++
        # Readings are in whole microseconds, and trials here may last only a few.
        share = $(NF - 2); per_byte = $(NF - 3); cpu_us = $(NF - 4) + $(NF - 5)
        if (comm == "dummy" ? share != "nan" : share < 0 || share > 1.5 \
            || cpu_us < 0.998e-3 * $1 * per_byte || cpu_us > 1.002e-3 * $1 * per_byte + 1e-9) {
            print "# CPU time: " $0
            bad++
        }
        if ($1 <= last && $15 == sweep) { print "# sizes do not ascend: " last " " $1; bad++ }
        if ($2 < 1 || $14 < 1) bad++
        if (!($3 > 0 && $3 <= $4 && $5 <= $4 && $4 <= $6)) { print "# times: " $0; bad++ }
        rate = 8e-6 * factor * $1 / $4
        if ($13 < 0.999 * rate - 0.001 || $13 > 1.001 * rate + 0.001) {
            print "# throughput: " $0
            bad++
        }
        last = $1
        sweep = $15
    }
    END { exit bad > 0 || NR < 2 }'
}
result_of() { sed -n "s/^# RESULT: PASS $1 \\([^ ]*\\) .*/\\1/p" "$2"; } # METRIC FILE
sizes_of() { grep -v '^#' "$1" | awk 'NR > 1 { printf "%s ", $1 }'; }

result=$work/r.txt json=$work/r.json
set -- $quick --upper 4Ki --output "$result"
[ "$have_json" = yes ] && set -- "$@" --json "$json"
if ok 'a run up to 4 KiB passes' run 2 0 '' "$program" "$@"; then
    ok 'columns, ascending sizes, times in order, throughput of the median' rows_fit "$result"
    ok 'the sizes are those of NetPIPE' \
        [ "$(sizes_of "$result" | cut -d ' ' -f 1-14)" = '1 2 3 4 6 8 12 13 16 19 21 24 27 29' ]
    ok 'the inequality with both sides' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    ok 'latency_us' has '^# RESULT: PASS latency_us [0-9.e+-]* us low=.* over=trials n=' "$result"
    ok 'peak_Mbit_per_s' has '^# RESULT: PASS peak_Mbit_per_s [0-9.e+-]* Mbit/s low=' "$result"
    for key in comm command date host buffers sample timing stopping_rule trial_s cpus_of_rank_0 \
        cpus_of_rank_1 oversubscribed core_shared sweeps perturbation_bytes; do
        ok "metadata: $key" has "^# $key: ." "$result"
    done
    ok 'what ended how many sizes' \
        has '^# stopped: precision [0-9]*, count [0-9]*, time [0-9]* rows' "$result"
    sizes=$(sizes_of "$result" | wc -w)
    if [ "$have_json" != yes ]; then skip 'the JSON' 'this build has no jansson'
    elif ! command -v jq >/dev/null 2>&1; then skip 'the JSON' 'jq is not there'
    else
        quietly() { "$@" >"$work/quiet"; }
        ok 'the JSON has the samples of every row' quietly jq -e --argjson rows "$sizes" \
            '(.rows | length) == $rows and (.samples | length) == $rows
             and ([.samples[].values | length] | min) >= 1 and (.samples[0].unit == "s")
             and ([.results[].pass] | all) and ([.checks[].name] == ["wrong_bytes"])' \
            "$json"
    fi
fi

for policy in reused alternating one; do
    ok "--buffers $policy --integrity" run 2 0 '' "$program" $quick -u 1000 -p 0 -i \
        --buffers $policy -o "$work/$policy.txt"
    ok "it says so ($policy)" has "^# buffers: $policy$" "$work/$policy.txt"
    ok "and what the timing includes ($policy)" has '^# timing: .*--integrity' "$work/$policy.txt"
done
free_kB=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null)
cache=$(sed -n 's/^# l[34]_bytes: //p' "$result" | sort -n | tail -n 1)
if [ "${free_kB:-0}" -gt $((${cache:-67108864} / 1024 * 6)) ]; then
    ok '--buffers cold' run 2 0 '' "$program" $quick -u 1000 -p 0 --buffers cold -o "$work/cold.txt"
else
    skip '--buffers cold' 'too little memory for pools larger than the cache'
fi
ok 'fixed repetitions, two sweeps' \
    run 2 0 '' "$program" $quick --repetitions 5 --repeat 2 -u 8 -p 0 \
    --trials 7 --half-width 0 -o "$work/two.txt"
ok 'a sweep after the other' [ "$(sizes_of "$work/two.txt")" = '1 2 3 4 6 8 1 2 3 4 6 8 ' ]
ok 'rows of both sweeps fit' rows_fit "$work/two.txt"
ok 'each sweep is told apart' has '^# sweep 2: latency_us=' "$work/two.txt"
ok 'five round trips a trial' [ "$(rows_of "$work/two.txt" | awk '{ print $14 }' | sort -u)" = 5 ]
# One core for two ranks: rank 0 has the core's cache to itself at first, and this state must not
# enter a result.
if command -v taskset >/dev/null 2>&1 && [ -x ../src/cmrun ]; then
    taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" ../src/cmrun -n 2 "$program" \
        --time-limit 0.02 --bind=per-numa >"$work/none.txt" 2>"$work/err" </dev/null
    ok '--bind=per-numa, too few: status 2' [ $? = 2 ]
    ok 'one line says so, and no result is begun' \
        [ "$(cat "$work/none.txt" "$work/err" | grep -c .)" = 1 ]
fi
ok '--bind' run 2 0 '' "$program" $quick -u 8 --bind -o "$work/bind.txt"

# ---- Modes -------------------------------------------------------------------------------------

few='--warm-up 0 --time-limit 0.02 --quiet --repetitions 4 --trials 3 -p 0'

# mode NAME RANKS FACTOR COLUMN EXTRA OPTION...: both ways of posting, data checked.
mode()
{
    mode=$1 ranks_of_mode=$2 factor=$3 column=$4 extra=$5; shift 5
    for early in '' --early; do
        file=$work/mode$early.txt
        # Corrupts the data of each size's verification, and then of every message.
        for integrity in '' --integrity; do
            # make check has each of both once.
            case ${TEST_TIER-},$early$integrity in , | ,--early--integrity) continue ;; esac
            rm -f "$file"
            ok "$mode $early $integrity" run "$ranks_of_mode" 0 '' "$program" $few -u 24 "$@" \
                $early $integrity -o "$file" || return
        done
        ok "$mode: columns, times, throughput" rows_fit "$file" "$factor" "$column" "$extra"
        ok "$mode: says how receives were posted" \
            has "^# receives: posted ${early:+early}" "$file"
    done
}
says() { has "^# $1: $2" "$work/mode.txt"; }

mode 'one way' 2 1 messages '' --stream
ok 'its direction' says direction '0 to 1$'
ok 'its metric is no latency' has '^# RESULT: PASS gap_us' "$work/mode.txt"
if [ "$comm" = dummy ]; then
    # A peer that has received no data sends zeros, which are not the expected data.
    ok 'the wrong data of a stream that is made up' run 2 1 '' "$program" $few -s --reverse -u 24 \
        -o "$work/made_up.txt"
    ok 'are named' has '^# wrong data: message 0 of size 1 bytes at rank 0, ' "$work/made_up.txt"
else
    mode 'the other way' 2 1 messages '' --stream --reverse
    ok 'its direction' says direction '1 to 0$'
fi
mode 'both ways' 2 2 exchanges '' --both
ok 'whose bytes are counted' says throughput "counts both directions' bytes"
ok 'its peak is told apart' has '^# RESULT: PASS both_peak_Mbit_per_s' "$work/mode.txt"
# window FACTOR RANKS OPTION...: several messages in flight.
windows=
window()
{
    factor=$1 ranks_of_mode=$2; shift 2
    file=$work/window.txt
    for integrity in '' --integrity; do
        # make check runs only the first window without it, and all with it.
        case ${TEST_TIER-},$windows,$integrity in ,yes,) continue ;; esac
        rm -f "$file"
        ok "a window, $* $integrity" run "$ranks_of_mode" 0 '' "$program" $few -u 5000 -w 7 "$@" \
            $integrity -o "$file" || return
        ok 'columns, times, throughput' rows_fit "$file" "$factor" windows \
            "$([ "$ranks_of_mode" = 2 ] || echo 'slowest_pair slowest_pair_s fastest_pair_s')"
    done
    ok 'its length' has '^# window: 7$' "$file"
    case " $* " in *' one '*) buffers=one slots=1 ;; *) buffers=each slots=7 ;; esac
    ok "its buffers: $buffers" has "^# window_buffers: $buffers: " "$file"
    # 5000 bytes are 79 cache lines, and one line is left free after each buffer.
    ok 'which take no more memory' has "^# buffer_memory_bytes: $((2 * slots * 80 * 64))\$" "$file"
    ok 'messages a second, of the smallest size' awk -v factor="$factor" '
        !/^#/ && $1 == 1 { rate = factor / $4 }
        $4 == "message_rate_per_s" { told = $5 }
        END { exit !(rate > 0 && told > 0.999 * rate && told < 1.001 * rate) }' "$file"
    ok 'its interval' encloses "$file" message_rate_per_s trials
    windows=yes
}
window 1 2 --stream
window 2 2 --both
window 4 4 --both --pairs
[ "$comm" = dummy ] || window 1 2 --stream --reverse
cp "$work/window.txt" "$work/each.txt"
window 1 2 --stream --window-buffers one
cp "$work/window.txt" "$work/shared.txt"
window 4 4 --both --pairs --window-buffers one
# Many windows of long messages: messages of the next window must not overwrite those still under
# way.
ok 'one buffer of many messages' run 2 0 '' "$program" $few -u 300000 -l 100000 -p 0 -w 32 -2 \
    --window-buffers one --integrity --repetitions 20 -o "$work/long.txt"
ok 'is right' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$work/long.txt"
tail_columns='p90_s p95_s p99_s p99_9_s p99_99_s'
all_few=$few few='--warm-up 0 --quiet --repetitions 4 --half-width 0 -p 0'
mode 'single turns' 2 1 round_trips "$tail_columns" --round-trips
few=$all_few
ok 'as many as were asked for' [ "$(rows_of "$work/mode.txt" | awk '{ print $2 }' | sort -u)" = 4 ]
overlap_columns='compute_s total_s overlap overlap_low overlap_high progress_total_s'
overlap_columns="$overlap_columns progress_overlap progress_overlap_low progress_overlap_high"
overlap=$work/overlap.txt
if [ "$comm" = dummy ]; then
    ok 'computing that takes no time' \
        run 2 2 '--overlap: computing takes no time .*compute=1' "$program" \
        --overlap $few -u 1
    dummy=compute=1
fi
for early in '' --early; do
    ok "overlap $early" \
        run 2 0 '' "$program" $few --overlap -l 12 -u 24 $early --force -o "$overlap"
    ok 'columns, times, throughput' rows_fit "$overlap" 2 exchanges "$overlap_columns"
    ok 'overlap is of the times beside it' \
        [ -z "$(rows_of "$overlap" | awk '!($19 <= $18 && $18 <= $20 \
        && $23 <= $22 && $22 <= $24 && $16 > 0 && ($17 > $16 ? $18 <= 1 : \
        $17 < $16 ? $18 >= 1 : 1))')" ] # the numbers are rounded
done
dummy=
# It depends on chance whether so few sizes determine a bandwidth.
ok 'its metrics' [ "$(sed -n '/bandwidth/d; s/^# RESULT: PASS \([^ ]*\) .*/\1/p' "$overlap" \
    | tr '\n' ' ')" = 'exchange_us largest_us both_peak_Mbit_per_s overlap progress_overlap ' ]
for metric in overlap progress_overlap; do
    ok "the interval of $metric" encloses "$overlap" $metric trials
done
pair_columns='slowest_pair slowest_pair_s fastest_pair_s'
mode 'one pair' 2 1 round_trips "$pair_columns" --pairs
mode 'two pairs' 4 2 round_trips "$pair_columns" --pairs
ok 'their number' says pairs '2$'
ok 'what a sample of them is' says sample '.*slowest pair'
mode 'two pairs, both ways' 4 4 exchanges "$pair_columns" --pairs --both
mode 'two pairs, one way' 4 2 messages "$pair_columns" --pairs --stream
ok 'the slowest pair is slower' [ -z "$(rows_of "$work/mode.txt" | awk '$17 < $18 || $16 > 1')" ]

turns=$work/turns.txt
ok 'many turns' \
    run 2 0 '' "$program" --round-trips -u 2 -p 0 --repetitions 10000 --warm-up 0 --quiet \
        -o "$turns"
ok 'percentiles and the longest ascend' \
    [ -z "$(rows_of "$turns" | awk '!($4 <= $16 && $16 <= $17 && $17 <= $18 && $18 <= $19 \
                                      && $19 <= $20 && $20 <= $10)')" ]
ok 'the histogram holds all of them' [ "$(awk '/^# histogram: size_bytes=2 sweep=1 / {
    split($NF, count, "="); n += count[2] } END { print n }' "$turns")" = 10000 ]
ok 'few permit few percentiles' \
    run 2 0 '' "$program" --round-trips -u 1 --repetitions 100 --warm-up 0 --quiet \
    -o "$work/few.txt"
ok 'the 99th, not the 99.9th' \
    [ "$(rows_of "$work/few.txt" | awk '{ print ($18 > 0) $19 $20 }')" = 1nannan ]

ok 'offsets' run 2 0 '' "$program" $few -u 24 -O 3,17 -o "$work/offsets.txt"
ok 'it says so' has '^# receive_offset_bytes: 17$' "$work/offsets.txt"
if [ "${free_kB:-0}" -gt $((${cache:-67108864} / 1024 * 6)) ]; then
    ok '-I' run 2 0 '' "$program" $few -u 24 -I -2 -a -O 1,2 -o "$work/cold2.txt"
    ok 'is short for cold buffers' has '^# buffers: cold$' "$work/cold2.txt"
fi
ok 'ordinary memory is the default' has '^# memory: ordinary$' "$work/offsets.txt"
case $comm in
shm | hybrid)
    for policy in reused alternating one; do
        ok "shared memory, $policy" run 2 0 '' "$program" $few -i -l 60000 -u 400000 \
            --memory shared --buffers $policy -o "$work/shared-$policy.txt"
        ok "it says so, $policy" has '^# memory: shared$' "$work/shared-$policy.txt"
    done
    ok 'shared memory, both ways' run 4 0 '' "$program" $few -i -l 60000 -u 400000 \
        --memory shared --pairs -2 -a -o "$work/shared-both.txt"
    ;;
esac
if [ "$comm" = sockets ]; then
    ok 'socket buffers' run 2 0 '' "$program" $few -u 24 -b 64Ki -o "$work/socket.txt"
    ok 'are what the backend says' has '^# socket_buffer_bytes: 65536$' "$work/socket.txt"
fi

# ---- Known answers, wrong data: the dummy backend ----------------------------------------------

fitted() { sed -n "s/^# fit: model=one_line.* $1=\\([^ ]*\\).*/\\1/p" "$2"; }

if [ "$comm" = dummy ]; then
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok '50 us and 100 MB/s' run 2 0 '' "$program" --quiet -o "$work/known.txt"
    ok 'latency fitted within 1 %' near "$(fitted latency_us "$work/known.txt")" 50
    ok 'bandwidth fitted within 1 %' near "$(fitted bandwidth_MB_per_s "$work/known.txt")" 100
    ok 'and is the metric' near "$(result_of bandwidth_Mbit_per_s "$work/known.txt")" 800
    ok 'with its interval' encloses "$work/known.txt" bandwidth_Mbit_per_s sizes
    ok 'one line is enough' sh -c "! grep -q 'model=two_lines' '$work/known.txt'"

    dummy=latency_us=104,bandwidth_MB_per_s=5.58,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=5230,rendezvous_bandwidth_MB_per_s=10.6
    ok 'the two protocols of innocente-1999' run 2 0 '' "$program" --quiet -o "$work/two_lines.txt"
    second() { sed -n "s/^# fit: model=two_lines.* $1=\\([^ ]*\\).*/\\1/p" "$work/two_lines.txt"; }
    ok 'eager latency' near "$(second eager_latency_us)" 104
    ok 'eager bandwidth' near "$(second eager_bandwidth_MB_per_s)" 5.58
    ok 'rendezvous latency' near "$(second rendezvous_latency_us)" 5230
    ok 'rendezvous bandwidth' near "$(second rendezvous_bandwidth_MB_per_s)" 10.6

    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok 'a stream' \
        run 2 0 '' "$program" --quiet -s --repetitions 100 -l 100 -p 0 -o "$work/stream.txt"
    ok 'gets the bandwidth' near "$(fitted bandwidth_MB_per_s "$work/stream.txt")" 100
    # Ten messages and the acknowledgement share one round trip.
    ok 'a window' run 2 0 '' "$program" --quiet -s -w 10 --repetitions 100 -l 100 -p 0 \
        -o "$work/windows.txt"
    ok 'of ten shares two latencies' near "$(fitted gap_us "$work/windows.txt")" 10
    ok 'and has the bandwidth' near "$(fitted bandwidth_MB_per_s "$work/windows.txt")" 100
    # The peer answers when it has the whole message, so an exchange lasts as long as two.
    ok 'exchanges' run 2 0 '' "$program" --quiet -2 -p 0 -o "$work/both.txt"
    ok 'of two latencies' near "$(fitted exchange_us "$work/both.txt")" 100
    ok 'and half the bandwidth' near "$(fitted bandwidth_MB_per_s "$work/both.txt")" 50

    # Half the sum of two times, each evenly from 40 to 60 us, is above 60 - 20 sqrt((1 - p) / 2)
    # with probability 1 - p.
    dummy=latency_us=50,bandwidth_MB_per_s=1e9,jitter=0.2,seed=3
    ok 'turns with jitter' run 2 0 '' "$program" --quiet --round-trips -u 1 --repetitions 40000 \
        -o "$work/known.p.txt"
    percentile() { rows_of "$work/known.p.txt" | awk -v k="$1" '{ print 1e6 * $k }'; }
    ok 'half of them within 50 us' near "$(percentile 4)" 50
    ok '90 % within 55.53 us' near "$(percentile 16)" 55.528
    ok '99 % within 58.59 us' near "$(percentile 18)" 58.586
    ok '99.9 % within 59.55 us' near "$(percentile 19)" 59.553

    dummy=latency_us=50,bandwidth_MB_per_s=100,jitter=0.2,seed=3
    ok 'jitter of 20 %' run 2 0 '' "$program" --quiet -u 64 --repetitions 1 -o "$work/jitter.txt"
    ok 'intervals are open' \
        [ -z "$(rows_of "$work/jitter.txt" | awk '!($5 < $4 && $4 < $6)')" ]

    dummy=latency_us=50,bandwidth_MB_per_s=100,loss=0.001,retransmit_us=200000,seed=3
    for single in '' --round-trips; do
        ok "a message in 1000 is 200 ms late${single:+, $single}" run 2 0 '' \
            "$program" --quiet -u 64 -p 0 $single -o "$work/late$single.txt"
        ok 'the median does not know' near "$(result_of latency_us "$work/late$single.txt")" 50.01
        ok 'the largest does' awk -v value="$(result_of largest_us "$work/late$single.txt")" \
            "BEGIN { print \"# \" value; exit !(value > ${single:+50 *} 1000) }"
        ok 'nothing is disturbed on a virtual clock' \
            has '^# disturbed: 0 of [0-9]* samples$' "$work/late$single.txt"
    done

    for chance in 1 0.01; do
        dummy=corrupt=$chance
        ok "data corrupted with probability $chance" run 2 1 '' \
            "$program" --quiet -i -u 64 -o "$work/wrong$chance.txt"
        ok 'the metrics are FAIL' has '^# RESULT: FAIL' "$work/wrong$chance.txt"
        ok 'the inequality fails' \
            has '^# CHECK: wrong_bytes: [1-9][0-9]* == 0  FAIL$' "$work/wrong$chance.txt"
        ok 'the first wrong byte is named' \
            has '^# wrong data: message .* offset [0-9]*: expected 0x.*, got' \
            "$work/wrong$chance.txt"
        ok 'no PASS anywhere' sh -c "! grep -q 'RESULT: PASS' '$work/wrong$chance.txt'"
    done
    dummy=

    # The corruption may hit the peer's answers to rank 0's commands; repeat until it hits a
    # message.
    damaged() # RANKS OPTION...
    {
        ranks=$1 trials='--trials 3'; shift
        case " $* " in *' --round-trips '*) trials= ;; esac
        for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28; do
            CM_DUMMY=ranks=$ranks,corrupt=0.1,seed=$seed "$program" --quiet --repetitions 4 \
                $trials --warm-up 0 -l 99 -u 99 "$@" >"$work/damaged.txt"
            status=$?
            # The first digit: there may be 2.68435e+08.
            wrong=$(sed -n 's/^# CHECK: wrong_bytes: \([0-9]\).*/\1/p' "$work/damaged.txt")
            # Status 1 if and only if something was wrong.
            [ "$status" = $((wrong > 0)) ] || { echo "# seed $seed: status $status"; return 1; }
            has '^# wrong data: message [0-9]* of size 99 bytes at rank 0, ' "$work/damaged.txt" \
                && has '^# RESULT: FAIL' "$work/damaged.txt" && return
        done
        false
    }
    for options in '' -a -s '-s -a' -2 '-2 -a'; do
        ok "a message damaged: --pairs $options" damaged 4 --pairs $options
    done
    for options in '' -a -s '-s -a' -2 '-2 -a' '-s -w 3' '-2 -w 3' --round-trips \
        '--round-trips -a'; do
        ok "a message damaged: ${options:-ping-pong}" damaged 2 $options
    done
else
    skip 'fits of known answers, corruption' 'needs --with-comm=dummy'
fi

# ---- Distances within a host -------------------------------------------------------------------

# Machines that hwloc simulates with the processors of this one.
made_up='pack:2 l3:1 core:1 pu:1|other-socket
l3:1 core:1 pu:2|same-core
l3:2 core:1 pu:1|same-socket
l3:1 core:2 pu:1|same-l3'
near=$work/near.txt
# The result has this distance in two sizes, and gives a reason for the lack of each other one.
distances_of()
{
    (
        HWLOC_SYNTHETIC=$1 HWLOC_THISSYSTEM=0; export HWLOC_SYNTHETIC HWLOC_THISSYSTEM
        run 2 0 '' "$program" --distances $quick -l 8 -u 4Ki --force -o "$near"
    ) || return
    found=$(awk '!/^#/ && $1 == 0 { printf "%s %s %s-%s;", $2, $3, $4, $5 }' "$near")
    [ "$found" = "$2 8 0-1;$2 4096 0-1;" ] || { echo "# $1: $found"; return 1; }
    for other in same-core same-l3 same-socket other-socket; do
        lacks=0
        grep -q "^# distance_lacking: 0 $other: this host has none: no two" "$near" || lacks=1
        [ $other = "$2" ] && here=1 || here=0
        [ $lacks = $here ] || { echo "# $1: $other"; return 1; }
    done
    name=$(echo "$2" | tr - _)
    has "^# RESULT: PASS ${name}_latency_us " "$near" \
        && has "^# RESULT: PASS ${name}_throughput_Mbit_per_s " "$near"
}
case $(taskset -pc $$ 2>/dev/null) in *': 0-1' | *': 0,1') two=yes ;; *) two=no ;; esac
if [ "$comm" = dummy ]; then
    ok 'distances of ranks that are played' refuses "^cm-netpipe: --distances: .* dummy, " \
        "$program" --distances
elif [ $two = no ]; then skip 'distances' 'the processors here are not 0 and 1'
elif ! HWLOC_SYNTHETIC='core:3 pu:1' HWLOC_THISSYSTEM=0 ../suite/clustermark machine \
    2>/dev/null | grep -q '^cores: 3$'; then skip 'distances' 'this build has no hwloc'
else
    echo "$made_up" >"$work/made_up"
    while IFS='|' read -r machine distance; do
        ok "distances: $distance" distances_of "$machine" "$distance" </dev/null
    done <"$work/made_up"
fi

# ---- Figures -----------------------------------------------------------------------------------

[ "${TEST_FIGURES-}" != none ] || { skip 'figures' 'TEST_FIGURES=none'; finish; }
if ! command -v gnuplot >/dev/null 2>&1; then skip 'figures' 'gnuplot is not there'; finish; fi
# No figure is drawn from a run with more ranks than cores, a failed run, or one that did not end.
sed 's/^# oversubscribed: .*/# oversubscribed: yes/' "$result" >"$work/over.txt"
sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
    "$result" >"$work/drawn.txt"
sed 's/RESULT: PASS/RESULT: FAIL/' "$work/drawn.txt" >"$work/failed.txt"
grep -v RESULT "$work/drawn.txt" >"$work/cut.txt"
# as_drawn RESULT NAME: as if each rank had a core.
as_drawn()
{
    sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
        "$1" >"$work/$2.txt"
}
as_drawn "$turns" turns.drawn
as_drawn "$overlap" overlap.drawn
as_drawn "$work/each.txt" window.drawn
as_drawn "$work/shared.txt" shared.drawn
# The last run's mode: two pairs one way.
as_drawn "$work/mode.txt" pairs
for figure in throughput latency signature; do
    drawing "$work/drawn.txt" "$work/$figure.svg" $figure
    drawing "$work/drawn.txt" "$work/$figure.png" $figure
    for kind in over failed cut pairs; do
        drawing "$work/$kind.txt" "$work/$figure.$kind.svg" $figure
    done
done
drawing "$work/turns.drawn.txt" "$work/turns.svg" turns
drawing "$work/turns.drawn.txt" "$work/turns.png" turns
drawing "$work/drawn.txt" "$work/noturns.svg" turns
drawing "$work/overlap.drawn.txt" "$work/overlap.svg" overlap
drawing "$work/drawn.txt" "$work/nooverlap.svg" overlap
drawing "$work/window.drawn.txt" "$work/rate.svg" rate
drawing "$work/shared.drawn.txt" "$work/shared.svg" rate
drawing "$work/drawn.txt" "$work/norate.svg" rate
drawing "$work/overlap.drawn.txt" "$work/overlap.l.svg" latency
drawing "$work/turns.drawn.txt" "$work/turns.t.svg" throughput
drawing "$work/two.txt" "$work/two.svg" latency
draw_together
for figure in throughput latency signature; do
    ok "$figure as SVG" drawn "$work/$figure.svg"
    ok "$figure is well-formed" is_svg "$work/$figure.svg"
    ok "$figure has axes with units" \
        sh -c "grep -q 'bytes\\|>10* [GMk]bit/s<\\|>10* \\(n\\|µ\\|m\\)s<' '$work/$figure.svg'"
    ok "$figure shows the interval" has 'interval of the median' "$work/$figure.svg"
    ok "$figure names the paper" has '1999' "$work/$figure.svg"
    ok "$figure as PNG" drawn "$work/$figure.png"
    ok "$figure is a PNG" is_png "$work/$figure.png"
    for kind in over failed cut; do
        refused=$work/$figure.$kind.svg
        ok "$figure of a run that is $kind" drawn "$refused"
        ok "it says why there is no curve ($kind)" has 'Not drawn:' "$refused"
        ok "and there is none ($kind)" sh -c "! grep -q 'interval of the median' '$refused'"
    done
done
# The other modes' figures; turns and compare.
ok 'the histogram as SVG' drawn "$work/turns.svg"
ok 'it is well-formed' is_svg "$work/turns.svg"
ok 'and has the percentiles' has '99.99 %: [0-9.e+]* \(n\|µ\|m\|\)s' "$work/turns.svg"
ok 'the histogram as PNG' drawn "$work/turns.png"
ok 'of no single turns' drawn "$work/noturns.svg"
ok 'it says so' has 'Not drawn: single turns' "$work/noturns.svg"
ok 'overlap as SVG' drawn "$work/overlap.svg"
ok 'it is well-formed' is_svg "$work/overlap.svg"
ok 'of no overlap' drawn "$work/nooverlap.svg"
ok 'it says so' has 'Not drawn: overlap' "$work/nooverlap.svg"
ok 'messages a second as SVG' drawn "$work/rate.svg"
ok 'it is well-formed' is_svg "$work/rate.svg"
ok 'and says how many are in flight' has '7 in flight' "$work/rate.svg"
ok 'but not of one buffer' sh -c "! grep -q 'one buffer' '$work/rate.svg'"
ok 'of one buffer' drawn "$work/shared.svg"
ok 'it says so' has '7 in flight, one buffer' "$work/shared.svg"
ok 'of no window' drawn "$work/norate.svg"
ok 'it says so' has 'Not drawn: one message at a time' "$work/norate.svg"
ok 'latency of an overlap' drawn "$work/overlap.l.svg"
ok 'throughput of turns' drawn "$work/turns.t.svg"
ok 'two sweeps are drawn' drawn "$work/two.svg"
for figure in throughput latency signature; do
    pairs=$work/$figure.pairs.svg
    ok "$figure of pairs" drawn "$pairs"
    ok "$figure of pairs says so" has '2 pairs' "$pairs"
    ok "$figure of pairs has no line of the papers" sh -c "! grep -q [a-z]-1999 '$pairs'"
done
compare()
{
    gnuplot -d -e "$1" "$scripts/compare.gp" >"$work/gnuplot" 2>&1 && [ ! -s "$work/gnuplot" ] \
        || { show "$work/gnuplot"; false; }
}
cp "$work/drawn.txt" "$work/a b.txt"
ok 'results compared' compare "results='\"$work/a b.txt\" $work/over.txt $work/two.txt'; \
    titles='\"Fast Ethernet\" B C'; figure='$work/compare.svg'"
ok 'the drawing is well-formed' is_svg "$work/compare.svg"
ok 'a title with a blank' has 'Fast Ethernet' "$work/compare.svg"
ok 'it says which it does not draw' has 'B: Not drawn: ' "$work/compare.svg"
ok 'times compared, without titles' compare "results='$work/drawn.txt $work/pairs.txt'; \
    quantity='time'; figure='$work/times.png'"
ok 'that is a PNG' is_png "$work/times.png"
ok 'none that can be drawn' compare "results='$work/over.txt'; figure='$work/compare.none.svg'"
ok 'says so' has 'Not drawn: none' "$work/compare.none.svg"
not_compared() { ! gnuplot -d -e "$1; figure='$work/not.svg'" "$scripts/compare.gp" 2>"$work/err"; }
ok 'too few titles are refused' not_compared "results='$work/drawn.txt $work/two.txt'; titles='A'"
ok 'a result that is not there' not_compared "results='$work/drawn.txt none.txt'"
mkdir "$work/it's"
cp "$result" "$work/it's/r.txt"
ok "a folder's name with a quote" gnuplot \
    -e "result=\"$work/it's/r.txt\"; figure=\"$work/it's/x.svg\"" "$scripts/latency.gp"
refused() { ! "$@" 2>"$work/err"; }
ok 'a result that is not there is refused' \
    refused gnuplot -d -e "result='none.txt'; figure='$work/none.svg'" "$scripts/latency.gp"
finish
