#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# noise.sh: cm-noise: what it refuses, what its result holds, a noise that is known, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=noise
. "$srcdir/figure.inc"
program=$(pwd)/../noise/cm-noise
few='--quantum 1e-4 --seconds 0.0128 --quiet'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'a quantum that is too short for the clock' \
    run 1 2 '^cm-noise: .*--quantum.*1e-9' "$program" --quantum 1e-9
ok 'a result that exists' sh -c ": >'$work/there'" && ok 'is kept' \
    run 1 2 '^cm-noise: .*there' "$program" $few -o "$work/there"
if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' run 2 2 '^cm-noise: 2 ranks: .*CM_DUMMY=ranks=1' "$program" $few
fi

# ---- Results -----------------------------------------------------------------------------------

# rows_fit FILE RANKS: there is a row for each rank, whose numbers agree with each other and with
# the metrics.
rows_fit()
{
    awk -v ranks="$2" '
    function near(a, b) { return a >= 0.999 * b - 1e-3 && a <= 1.001 * b + 1e-3 }
    /^# RESULT: PASS / { value[$4] = $5 }
    /^#/ || !rows++ { next }
    {
        if (NF != 23 || $1 != rows - 2) { print "# " $0; bad++ }
        if (!($5 > 0 && $5 <= $6 && $6 <= $12)) { print "# times: " $0; bad++ }
        if (!near($15, 100 * (1 - $5 / $10))) { print "# lost: " $0; bad++ }
        if (!near($16, 1e6 * ($12 - $5))) { print "# gap: " $0; bad++ }
        if (!($17 >= $18 && $18 >= $19 && $19 >= $20 && $20 >= $21)) { print "# over: " $0; bad++ }
        if (!($22 >= 0 && $22 < 100)) { print "# fixed time: " $0; bad++ }
        if ($15 > most) most = $15
        if ($16 > gap) gap = $16
        lost += $15 * $4 * $10
        total += $4 * $10
    }
    END {
        if (rows - 1 != ranks) { print "# rows: " rows - 1; bad++ }
        if (!near(value["lost_percent"], lost / total)) { print "# all: " lost / total; bad++ }
        if (!near(value["worst_core_lost_percent"], most)) { print "# worst: " most; bad++ }
        if (!near(value["largest_gap_us"], gap)) { print "# largest: " gap; bad++ }
        exit bad > 0
    }' "$1"
}
for ranks in 1 2 3; do
    [ "$comm" = dummy ] && [ $ranks -gt 1 ] && continue
    result=$work/$ranks.txt
    ok "$ranks ranks" run $ranks 0 '' "$program" $few -o "$result" || continue
    ok "$ranks ranks: rows and metrics" rows_fit "$result" $ranks
    ok "$ranks ranks: the inequality" has '^# CHECK: wrong_answers: 0 == 0  PASS$' "$result"
    ok "$ranks ranks: lost_percent" encloses "$result" lost_percent slices
    ok "$ranks ranks: step_lost_us" encloses "$result" step_lost_us trials
    ok "$ranks ranks: who loses most" has '^# loses most: rank [0-9]* on ' "$result"
    ok "$ranks ranks: the model" has '^# fit: model=barrier hosts_1_us=[0-9.]' "$result"
    ok "$ranks ranks: beside what was measured" \
        has '^# fit: model=barrier hosts=1 model_us=[^ ]* measured_us=[0-9.]' "$result"
    ok "$ranks ranks: a period, or none" has '^# \(no period\|period\): ' "$result"
    for key in comm sample oversubscribed bound quantum_s quantum_steps samples_of; do
        ok "$ranks ranks: metadata: $key" has "^# $key: ." "$result"
    done
done

# ---- The statistics, computed once more from the raw quanta --------------------------------------

# again FILE: the samples of JSON give the share, the gap and the counts of each row.
again()
{
    jq -r '. as $all | .samples[]
        | "row \($all.rows[.row] | map(tostring) | join(" "))", .values[]' "$1" | awk '
    function near(a, b) { return a >= 0.999 * b - 1e-3 && a <= 1.001 * b + 1e-3 }
    function check(name, got, want) {
        if (!near(got, want)) { print "# " name ": " got ", again: " want; bad++ }
    }
    function end_row(    k, i, most, sum, over, limit) {
        if (!n) return
        for (i = 1; i <= n; i++) {
            sum += time[i]
            if (time[i] > most) most = time[i]
        }
        check("share", row[16], 100 * (sum - n * least) / sum)
        check("gap", row[17], 1e6 * (most - least))
        for (k = 0; k < 5; k++) {
            limit = 10 ^ (k - 6)
            over = 0
            for (i = 1; i <= n; i++) over += time[i] - least > limit
            check("over " limit, row[18 + k], over / sum)
        }
        cores++
    }
    $1 == "row" { end_row(); split($0, row); n = 0; least = 1e9; next }
    { time[++n] = $1; if ($1 < least) least = $1 }
    END { end_row(); if (!cores) print "# no samples"; exit bad > 0 || !cores }'
}
if ! command -v jq >/dev/null 2>&1; then skip 'the statistics again' 'jq is not there'
elif ! "$program" $few --json "$work/raw.json" >/dev/null 2>"$work/refused"; then
    ok 'only a build without jansson has no raw quanta' has jansson "$work/refused"
else ok 'the statistics again, from the raw quanta' again "$work/raw.json"
fi

# ---- A known noise -------------------------------------------------------------------------------

# A load of 2 ms in every 20 ms on the same processor: the result has a period of 20 ms and a noise
# of at least a tenth. Other processes may use the processor, so after two tries both programs run
# with real-time priority, if permitted.
processor=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
found()
{
    awk '/^# RESULT: PASS lost_percent/ { lost = $5 } /^# RESULT: PASS period_ms/ { period = $5 }
        END {
            print "# lost " lost " %, period " period " ms"
            if (lost > 20) exit 2
            exit !(lost > 7 && period > 18 && period < 22)
        }' "$1"
}
known_noise()
{
    for try in 1 2 3 4 5; do
        real() { shift; "$@"; }
        alone=
        if [ "$try" -gt 2 ] && chrt -f 1 true 2>/dev/null; then
            real() { priority=$1; shift; chrt -f "$priority" "$@"; }
            alone=yes
        fi
        rm -f "$work/ready"
        real 2 timeout 60 programs/noise_load "$processor" 5 20 2 >"$work/ready" &
        load=$!
        wait=0
        until has ready "$work/ready" 2>/dev/null || [ $wait -ge 200 ]; do
            wait=$((wait + 1))
            sleep 0.1
        done
        CM_DUMMY=ranks=1 real 1 timeout 60 taskset -c "$processor" "$program" --seconds 0.6 \
            --quiet --output "$work/known.txt" --force >/dev/null
        measured=$?
        wait "$load"
        undisturbed=$?
        [ "$measured" = 0 ] || return 1
        found "$work/known.txt"
        judged=$?
        [ $judged != 0 ] || return 0
        # Twice the known noise: there were others, but not with real-time priority.
        [ "$undisturbed" = 0 ] && [ $judged = 1 -o -n "$alone" ] && failed=$((failed + 1))
    done
    false
}
failed=0
if ! command -v taskset >/dev/null 2>&1; then skip 'a known noise' 'taskset is not there'
elif known_noise; then ok 'a process that runs for 2 ms of every 20 ms is found' true
elif [ "$failed" -lt 2 ] && [ "${measured:-1}" = 0 ]; then
    skip 'a known noise' 'this machine is too busy to make it'
else ok 'a process that runs for 2 ms of every 20 ms is found' false
fi

if [ "$comm" = dummy ]; then drawn=$work/1.txt; else drawn=$work/2.txt; fi
drawings noise "$drawn" 'fixed work'
drawings noise_gaps "$drawn" 'quanta a second'
# On a logarithmic axis.
sed -e '/^# fit: model=barrier /s/_us=[^ ]*/_us=0/g' "$drawn" >"$work/nothing_lost.txt"
ok 'a figure of a step that lost nothing' \
    draw "$work/nothing_lost.txt" "$work/nothing_lost.svg" noise
# A core that loses nothing worth counting.
sed 's/^# oversubscribed: .*/# oversubscribed: no/' "$work/1.txt" | awk '
    /^#/ || !rows++ { print; next }
    { for (k = 17; k <= 21; k++) $k = 0; print }' >"$work/quiet.txt"
if draws; then
    ok 'one core that loses nothing' draw "$work/quiet.txt" "$work/quiet.svg" noise_gaps
fi
finish
