#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# netpipe.sh: cm-netpipe: what it refuses, what its result holds, that wrong data fail, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../netpipe/cm-netpipe
scripts=$srcdir/../netpipe
quick='--warm-up 0 --time-limit 0.02 --trial-seconds 1e-4 --quiet'

# ---- What it refuses: status 2, one line that names option and value ---------------------------

ok 'an unknown option' run 2 2 "^cm-netpipe: .*--frobnicate" "$program" --frobnicate
ok 'a negative size' run 2 2 "^cm-netpipe: .*--lower.*-5" "$program" --lower=-5
ok 'a size that is no number' run 2 2 "^cm-netpipe: .*--upper.*many" "$program" --upper many
ok 'upper below lower' run 2 2 "^cm-netpipe: --upper 3 .*--lower 7" "$program" -u 3 -l 7
ok 'an unknown buffer policy' run 2 2 "^cm-netpipe: .*--buffers.*hot" "$program" --buffers hot
ok 'a size above the memory' run 2 2 "^cm-netpipe: --upper 281474976710656 .*memory" \
    "$program" -u 281474976710656
ok 'an output that cannot be written' run 2 2 "^cm-netpipe: --output .*/none/r.txt" \
    "$program" -o "$work/none/r.txt"
echo kept >"$work/kept.txt"
ok 'an output that exists' run 2 2 "^cm-netpipe: --output .*kept.txt" "$program" -o "$work/kept.txt"
ok 'and it is left as it was' [ "$(cat "$work/kept.txt")" = kept ]
ok 'one rank' run 1 2 "^cm-netpipe: needs exactly 2 ranks, .* has 1; start it as: " "$program"
ok 'three ranks' run 3 2 "^cm-netpipe: needs exactly 2 ranks, .* has 3; start it as: " "$program"

# ---- A small run -------------------------------------------------------------------------------

# The rows of a result say what they should of each other.
rows_fit()
{
    grep -v '^#' "$1" | awk '
    NR == 1 {
        wanted = "size_bytes n min_s median_s ci_low_s ci_high_s throughput_Mbit_per_s"
        wanted = wanted " round_trips sweep"
        $1 = $1
        if ($0 != wanted) { print "# columns: " $0; bad++ }
        next
    }
    {
        if (NF != 9) bad++
        if ($1 <= last && $9 == sweep) { print "# sizes do not ascend: " last " " $1; bad++ }
        if ($2 < 1 || $8 < 1) bad++
        if (!($3 > 0 && $3 <= $4 && $5 <= $4 && $4 <= $6)) { print "# times: " $0; bad++ }
        rate = 8e-6 * $1 / $4
        if ($7 < 0.999 * rate - 0.001 || $7 > 1.001 * rate + 0.001) {
            print "# throughput: " $0
            bad++
        }
        last = $1
        sweep = $9
    }
    END { exit bad > 0 || NR < 2 }'
}
sizes_of() { grep -v '^#' "$1" | awk 'NR > 1 { printf "%s ", $1 }'; }
has() { grep -q "$1" "$2"; }

result=$work/r.txt json=$work/r.json
have_json=$("$suite" env | sed -n 's/^json *//p')
set -- $quick --upper 4Ki --output "$result"
[ "$have_json" = yes ] && set -- "$@" --json "$json"
if ok 'a run up to 4 KiB passes' run 2 0 '' "$program" "$@"; then
    ok 'columns, ascending sizes, times in order, throughput of the median' rows_fit "$result"
    ok 'the sizes are those of NetPIPE' \
        [ "$(sizes_of "$result" | cut -d ' ' -f 1-14)" = '1 2 3 4 6 8 12 13 16 19 21 24 27 29' ]
    ok 'the inequality with both sides' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    ok 'latency_us' has '^# RESULT: PASS latency_us [0-9.e+-]* us$' "$result"
    ok 'peak_Mbit_per_s' has '^# RESULT: PASS peak_Mbit_per_s [0-9.e+-]* Mbit/s$' "$result"
    for key in comm command date host buffers sample timing stopping_rule trial_s cpus_of_rank_0 \
        cpus_of_rank_1 oversubscribed core_shared sweeps perturbation_bytes; do
        ok "metadata: $key" has "^# $key: ." "$result"
    done
    ok 'what ended how many sizes' \
        has '^# stopped: precision [0-9]*, count [0-9]*, time [0-9]* sizes' "$result"
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

for policy in reused alternating; do
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
ok 'fixed repetitions, two sweeps' run 2 0 '' "$program" $quick -n 5 --repeat 2 -u 8 -p 0 \
    --trials 7 --half-width 0 -o "$work/two.txt"
ok 'a sweep after the other' [ "$(sizes_of "$work/two.txt")" = '1 2 3 4 6 8 1 2 3 4 6 8 ' ]
ok 'rows of both sweeps fit' rows_fit "$work/two.txt"
ok 'each sweep is told apart' has '^# sweep 2: latency_us=' "$work/two.txt"
rows_of() { grep -v '^#' "$1" | sed 1d; }
ok 'five round trips a trial' [ "$(rows_of "$work/two.txt" | awk '{ print $8 }' | sort -u)" = 5 ]
ok '--bind' run 2 0 '' "$program" $quick -u 8 --bind -o "$work/bind.txt"

# ---- Known answers, wrong data: the dummy backend ----------------------------------------------

fitted() { sed -n "s/^# fit: model=one_line.* $1=\\([^ ]*\\).*/\\1/p" "$2"; }
near()
{
    awk -v got="$1" -v want="$2" 'BEGIN { exit !(got >= 0.99 * want && got <= 1.01 * want) }' \
        || { echo "# got $1, want $2"; false; }
}

if [ "$comm" = dummy ]; then
    dummy=latency_us=50,bandwidth_MB_per_s=100,eager_bytes=1e9
    ok '50 us and 100 MB/s' run 2 0 '' "$program" --quiet -o "$work/known.txt"
    ok 'latency fitted within 1 %' near "$(fitted latency_us "$work/known.txt")" 50
    ok 'bandwidth fitted within 1 %' near "$(fitted bandwidth_MB_per_s "$work/known.txt")" 100
    ok 'one line is enough' sh -c "! grep -q 'model=two_lines' '$work/known.txt'"

    dummy=latency_us=104,bandwidth_MB_per_s=5.58,eager_bytes=65536
    dummy=$dummy,rendezvous_latency_us=5230,rendezvous_bandwidth_MB_per_s=10.6
    ok 'the two protocols of innocente-1999' run 2 0 '' "$program" --quiet -o "$work/two_lines.txt"
    second() { sed -n "s/^# fit: model=two_lines.* $1=\\([^ ]*\\).*/\\1/p" "$work/two_lines.txt"; }
    ok 'eager latency' near "$(second eager_latency_us)" 104
    ok 'eager bandwidth' near "$(second eager_bandwidth_MB_per_s)" 5.58
    ok 'rendezvous latency' near "$(second rendezvous_latency_us)" 5230
    ok 'rendezvous bandwidth' near "$(second rendezvous_bandwidth_MB_per_s)" 10.6

    dummy=latency_us=50,bandwidth_MB_per_s=100,jitter=0.2,seed=3
    ok 'jitter of 20 %' run 2 0 '' "$program" --quiet -u 64 -n 1 -o "$work/jitter.txt"
    ok 'intervals are open' \
        [ -z "$(rows_of "$work/jitter.txt" | awk '!($5 < $4 && $4 < $6)')" ]

    for chance in 1 0.01; do
        dummy=corrupt=$chance
        ok "data corrupted with probability $chance" run 2 1 '' \
            "$program" --quiet -i -u 64 -o "$work/wrong$chance.txt"
        ok 'the verdict is FAIL' has '^# RESULT: FAIL' "$work/wrong$chance.txt"
        ok 'the inequality fails' \
            has '^# CHECK: wrong_bytes: [1-9][0-9]* == 0  FAIL$' "$work/wrong$chance.txt"
        ok 'the first wrong byte is named' \
            has '^# wrong data: message .* offset [0-9]*: expected 0x.*, got' "$work/wrong$chance.txt"
        ok 'no PASS anywhere' sh -c "! grep -q 'RESULT: PASS' '$work/wrong$chance.txt'"
    done
    dummy=
else
    skip 'fits of known answers, corruption' 'needs --with-comm=dummy'
fi

# ---- Figures -----------------------------------------------------------------------------------

if ! command -v gnuplot >/dev/null 2>&1; then skip 'figures' 'gnuplot is not there'; finish; fi
draw()
{
    gnuplot -e "result='$1'; figure='$2'" "$scripts/$3.gp" >"$work/gnuplot" 2>&1 \
        && [ ! -s "$work/gnuplot" ] || { show "$work/gnuplot"; false; }
}
is_svg()
{
    if command -v xmllint >/dev/null 2>&1; then xmllint --noout --nonet "$1"; fi \
        && grep -q '</svg>' "$1"
}
is_png() { [ "$(dd if="$1" bs=1 skip=1 count=3 2>/dev/null)" = PNG ]; }
# What no figure is drawn from: more ranks than cores, a failed run, one that did not end.
sed 's/^# oversubscribed: .*/# oversubscribed: yes/' "$result" >"$work/over.txt"
sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
    "$result" >"$work/drawn.txt"
sed 's/RESULT: PASS/RESULT: FAIL/' "$work/drawn.txt" >"$work/failed.txt"
grep -v RESULT "$work/drawn.txt" >"$work/cut.txt"
for figure in throughput latency signature; do
    ok "$figure as SVG" draw "$work/drawn.txt" "$work/$figure.svg" $figure
    ok "$figure is well-formed" is_svg "$work/$figure.svg"
    ok "$figure has axes with units" sh -c "grep -q 'bytes\\|microseconds' '$work/$figure.svg'"
    ok "$figure shows the interval" has '95 % confidence interval' "$work/$figure.svg"
    ok "$figure names the paper" has '1999' "$work/$figure.svg"
    ok "$figure as PNG" draw "$work/drawn.txt" "$work/$figure.png" $figure
    ok "$figure is a PNG" is_png "$work/$figure.png"
    for kind in over failed cut; do
        ok "$figure of a run that is $kind" draw "$work/$kind.txt" "$work/$kind.svg" $figure
        ok "it says why there is no curve ($kind)" has 'Not drawn:' "$work/$kind.svg"
        ok "and there is none ($kind)" sh -c "! grep -q 'confidence interval' '$work/$kind.svg'"
    done
done
ok 'two sweeps are drawn' draw "$work/two.txt" "$work/two.svg" latency
mkdir "$work/it's"
cp "$result" "$work/it's/r.txt"
ok "a folder's name with a quote" gnuplot \
    -e "result=\"$work/it's/r.txt\"; figure=\"$work/it's/x.svg\"" "$scripts/latency.gp"
refused() { ! "$@" 2>"$work/err"; }
ok 'a result that is not there is refused' \
    refused gnuplot -e "result='none.txt'; figure='$work/none.svg'" "$scripts/latency.gp"
finish
