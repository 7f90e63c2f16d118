#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# farm.sh: cm-farm: refused options, digests and message counts over protocols, batches and ranks,
# workers that die, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
program=$(pwd)/../farm/cm-farm
if [ ! -x "$program" ]; then echo '1..0 # SKIP there is no libcrypto, and so no cm-farm'; exit 0; fi
few='--quiet --force --units 130 --unit-bytes 1000 --warm-up 0'

# ---- What it refuses ---------------------------------------------------------------------------

ok 'no units' run 1 2 '^cm-farm: .*--units.*0.*from 1 to' "$program" --units 0
for wrong in md5 spin spin: spin:x spin:-1 spin:1e10; do
    ok "--work $wrong" run 1 2 "^cm-farm: --work $wrong: must be sha1, none or spin:MICROSECONDS" \
        "$program" --work $wrong
done
for workers in 0 1,,2 1,x -1 3,; do
    ok "--workers $workers" run 1 2 "^cm-farm: --workers $workers: must be .*1,3,7" \
        "$program" --workers=$workers
done

# ---- Results -----------------------------------------------------------------------------------

digest_is()
{
    has "^# digest: $1\$" "$work/r.txt" &&
        has '^# CHECK: wrong_digests: 0 == 0  PASS$' "$work/r.txt"
}
kind_of() { case $1 in *guided*) echo guided ;; *tree*) echo tree ;; esac; }
# counted [guided|tree]: batches sent, each with its result, and a greeting of each worker. A
# shrinking batch is half a share of the remaining units; the number of blocks is known only to the
# program.
counted()
{
    has '^# CHECK: wrong_counts: 0 == 0  PASS$' "$work/r.txt" && rows_of "$work/r.txt" \
        | awk -v kind="${1-}" '
    NF != 30 { print "# " $0; bad++; next }
    {
        units = $30
        batches = int((units + $2 - 1) / $2)
        if (kind == "guided") {
            batches = 0
            for (left = units; left > 0; left -= share) {
                share = int(left / (2 * $1))
                if (share > $2) share = $2
                if (share < 1) share = 1
                batches++
            }
        }
        if (kind == "tree") batches = $28
        greetings = kind == "tree" ? 1 : $1
        if ($1 == 0 ? $28 || $29 : $28 != batches || $29 != batches + greetings) {
            print "# counts: " $0
            bad++
        }
        if (!($4 > 0 && $4 <= $5 && $8 == ($3 < 6 ? "range" : "95%") && $14 > 0)) {
            print "# times: " $0
            bad++
        }
        if ($1 > 0 && !($24 >= 0 && $24 <= 1)) { print "# busy: " $0; bad++ }
        if ($1 > 0 && $3 == 1 && !($23 > 0 && $23 <= 1.001e6 * $4)) { print "# trips: " $0; bad++ }
    }
    END { exit bad > 0 || NR == 0 }'
}
farm() { ranks=$1; shift; run "$ranks" 0 '' "$program" $few -o "$work/r.txt" "$@"; }

# By Python's hashlib and a splitmix64 of its own.
python=5dac5ce2a7526531f6a15848cc303ab73ecf22a2
ok 'one rank' run 1 0 '' "$program" --quiet -n 7 --unit-bytes 131 -o "$work/r.txt"
ok 'finds what Python finds' digest_is $python
ok 'and says that it is master and worker' has '^# workers: none: one rank' "$work/r.txt"
ok 'without messages' counted
ok 'one rank, a series' farm 1 --all-batches
digest=$(sed -n 's/^# digest: //p' "$work/r.txt")
ok 'one rank, lanes' farm 1 --batch 40 --sha1 multi
ok 'the same digest' digest_is "$digest"

# runs N REASON: a row of N runs, which ended for this reason
runs()
{
    has "^ *0 *1 *$1 " "$work/r.txt" &&
        has "^# stopped: .*$2 1[ ,].*; $1 samples in all" "$work/r.txt"
}
ok 'six runs' farm 1 --repeat 6 --half-width 0
ok 'are as many samples, and an interval' runs 6 count
ok 'and counts' counted
ok 'runs until there are enough' farm 1 --repeat 1000 --half-width 1
ok 'which six are at the least' [ "$(rows_of "$work/r.txt" | awk '{ print ($3 >= 6) }')" = 1 ]
ok 'for their precision' has '^# stopped: precision 1, ' "$work/r.txt"
ok 'no time' farm 1 --repeat 1000 --time-limit 0
ok 'is one run' runs 1 time
ok 'which is no interval' counted
for key in sample stopping_rule interval warm_up_s plain_unit_us; do
    ok "the metadata $key" has "^# $key: " "$work/r.txt"
done

if [ "$comm" = dummy ]; then
    ok 'peers that do not compute' \
        run 3 2 '^cm-farm: 3 ranks: ranks of the dummy backend do not compute' "$program"
    skip 'workers' 'the dummy backend has one process'
    finish
fi
for ranks in 2 4; do
    for options in '--batch 1' '--batch 7' '--batch 130' '--batch 33 --sha1 multi' \
        '--protocol credit --credit 3' '--protocol credit --credit 200' \
        '--receive waitany' '--receive waitsome --protocol credit' \
        '--protocol credit --coalesce off' '--receive fixed' \
        '--protocol credit --receive fixed --batch 7' '--protocol guided --batch 20' \
        '--protocol tree --batch 3' '--protocol tree --masters 1 --credit 2 --receive waitsome'; do
        # Protocols that wait for each worker separately, and those that need several workers.
        # Repetitions with further numbers are left to bigcheck.
        case $ranks,$options in
        4,*waitany | 4,*'fixed --batch 7' | 4,*' 200' | 4,*' 130' | 4,*' 3' | 4,*'coalesce off')
            [ "${TEST_TIER-}" = big ] || continue ;;
        2,*fixed* | 2,*waitany* | 2,*tree* | 2,*7 | 2,*130 | 2,*multi) continue ;;
        esac
        ok "$ranks ranks, $options" farm $ranks $options
        ok "$ranks ranks, $options: the same digest" digest_is "$digest"
        ok "$ranks ranks, $options: counts" counted "$(kind_of "$options")"
    done
done
ok 'one batch in flight: nothing waits' farm 2
ok 'and the result says so' has '^# coalesce: off: one batch in flight$' "$work/r.txt"
ok 'several in flight' farm 2 --work none --protocol credit
if has_native; then
    ok 'messages wait for one another' has '^# coalesce: on' "$work/r.txt"
    ok 'the ceiling with that and without it' \
        has '^# fit: .* coalesced_per_s=[0-9.e+]* uncoalesced_per_s=[0-9.e+]*$' \
        "$work/r.txt"
else
    ok 'each message leaves at once' has '^# coalesce: off: this backend' "$work/r.txt"
fi
# Eight results of 20 ms each would arrive together if they were held back. A rank that does not get
# to run for that long makes them look so; hence five tries.
one_by_one() { rows_of "$work/r.txt" | awk '{ exit !($20 < 0.85 * $23) }'; }
in_five() # CONDITION RANKS OPTION...
{
    condition=$1; shift
    for try in 1 2 3 4 5; do
        farm "$@" || return
        "$condition" && return
    done
    rows_of "$work/r.txt" | show
    false
}
ok 'long work, several in flight: its results do not wait' \
    in_five one_by_one 2 --work spin:20000 --units 8 --protocol credit
ok 'which can be told' farm 2 --work none --protocol credit --coalesce off
ok 'and the result says that' has '^# coalesce: off$' "$work/r.txt"
ok 'then there is one ceiling' sh -c "! grep -q coalesced_per_s '$work/r.txt'"
# All results are held back, and the master has received everything that was sent: nothing hangs.
ok 'more in flight than wait for one another' farm 3 --work none --protocol credit --credit 130
ok 'counts' counted
ok 'a tree of two ranks' \
    run 2 2 '^cm-farm: --protocol tree: this job has 2 ranks' "$program" --protocol tree
ok 'more masters than fit' run 4 2 '^cm-farm: --masters 2: this job has 4 ranks.*at most 1' \
    "$program" --protocol tree --masters 2
ok 'more workers than a tree has' run 4 2 '^cm-farm: --workers 3: .*2 of them masters: at most 2' \
    "$program" --protocol tree --workers 3
ok 'two masters' farm 6 --protocol tree --masters 2 --batch 2
ok 'two masters: the same digest' digest_is "$digest"
# 3 workers: 2 of one master, 1 of the other
ok 'two masters: 3 workers' has '^ *3 *2 ' "$work/r.txt"
for kind in none spin:20; do
    ok "--work $kind" farm 3 --work $kind --batch 9
    ok "--work $kind: the digest of its own" sh -c "! grep -q '$digest' '$work/r.txt'"
    ok "--work $kind: counts" counted
done

# Two runs of each row, so that overheads may be below their spread. Enough units that batches of
# 100 give the 100 messages that an overhead needs. The units are short, because their digests are
# checked in the runs above.
ok 'a series' run 5 0 '' "$program" --quiet --units 10001 --unit-bytes 64 --repeat 2 --all-batches \
    -o "$work/series.txt"
cp "$work/series.txt" "$work/r.txt"
ok 'counts' counted
ok 'all workers, all batches' \
    [ "$(rows_of "$work/series.txt" | awk '{ print $1, $2 }' | sort -u | wc -l)" -eq 20 ]
# A multiple of workers times 100, so that all workers get equally many batches of every size.
ok 'units that no tail is left of' [ "$(rows_of "$work/series.txt" |
    awk '{ print $1 "." $30 }' | sort -u | tr '\n' ' ')" = '1.10100 2.10200 3.10200 4.10400 ' ]
ok 'no overhead below zero, and none of the largest batch' sh -c "grep -v '^#' '$work/series.txt' |
    awk 'NR > 1 && (\$18 < 0 || \$19 < 0 || (\$2 == 100 && \$18 \$19 != \"00\")) { bad++ }
        END { exit bad > 0 || NR != 21 }'"
left_out()
{
    grep "^# not determined: workers=$1 batch_units=$2: " "$work/series.txt" | grep -q "$3"
}
# For every row, the overhead is a number, or a comment gives the reason.
each_overhead()
{
    rows_of "$work/series.txt" | awk '{ print $1, $2, $19 }' | while read -r w b overhead; do
        if [ "$overhead" = nan ]; then left_out "$w" "$b" 'overhead: ' || return 1
        else ! left_out "$w" "$b" 'overhead: ' || return 1; fi
    done
}
ok 'an overhead that is left out is commented' each_overhead
# The third table: "S:US (paper)" for each batch, with about three digits; "-" if the row has nan.
table_overheads()
{
    sed -n '/^# table: overhead/,/^# fit/p' "$work/series.txt" |
        awk '/^#  *[0-9]+ worker/ { for (k = 4; k < 14; k += 2) print $k }'
}
row_overheads()
{
    rows_of "$work/series.txt" | sort -k 1n -k 2n | awk '
        function printed(x, size) {
            size = x < 0 ? -x : x
            return sprintf(size == 0 || size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : "%.2f", x)
        }
        { print $19 == "nan" ? "-" : printed($18) ":" printed($19) }'
}
same_overheads()
{
    table_overheads >"$work/of_table"
    row_overheads >"$work/of_rows"
    paste "$work/of_table" "$work/of_rows" | awk '
        function close_(a, b) { return (a - b) ^ 2 <= 1e-4 * (1 + a * a) }
        { split($1, x, ":"); split($2, y, ":")
          if ($1 != $2 && !(x[2] != "" && y[2] != "" && close_(x[1], y[1]) && close_(x[2], y[2]))) {
              print "# table " $1 ", row " $2
              bad++
          } }
        END { exit bad > 0 || NR != 20 }'
}
ok 'the table has the overheads of the rows' same_overheads
# fit_or_not MODEL REGEX: the fit, or why there is none.
fit_or_not() { has "^# fit: model=$1 $2" "$work/series.txt" ||
    has "^# not determined: model=$1: " "$work/series.txt"; }
ok 'Amdahl, or why not' fit_or_not amdahl_100 'serial_fraction=.* serial_fraction_error='
fractions()
{
    awk '/^# fit: model=/ {
        for (k = 4; k <= NF; k++) {
            split($k, part, "=")
            if (part[1] !~ /^(serial_fraction|contention|coherence)$/) continue
            if (!(part[2] >= 0 && part[2] <= 1)) { print "# " $k; bad++ }
        }
    } END { exit bad > 0 }' "$1"
}
no_fractions() { ! fractions "$1" >/dev/null; }
ok 'fractions from 0 to 1' fractions "$work/series.txt"
printf '# fit: model=%s serial_fraction=%s contention=%s\n' a 1 0 b 1e-3 0.5 >"$work/some.txt"
ok 'both included' fractions "$work/some.txt"
for wrong in -1e-9 1.01 2e3 -0.5; do
    echo "# fit: model=a coherence=$wrong" >"$work/some.txt"
    ok "but not $wrong" no_fractions "$work/some.txt"
done
paper_fit()
{
    sed -n "s/^# fit: model=paper_amdahl_100 serial_fraction=\([^ ]*\) .*/\1/p" "$work/series.txt"
}
# by hand: least squares of the speed-ups of the times 203.3, 67.7, 29.5, 11.7 s
ok 'the paper is half a per cent serial by its own times' \
    awk -v f="$(paper_fit)" 'BEGIN { exit !(f >= 0.004 && f <= 0.006) }'
ok 'contention and coherence, or why not' fit_or_not usl_1 'contention=.* coherence_error='
ok 'where the master saturates, or why not' fit_or_not saturation_1 '.*predicted_workers='
# below_ceiling BATCH: no row's rate is above the ceiling.
below_ceiling()
{
    ceiling=$(sed -n "s/^# fit: model=saturation_$1 .*ceiling_per_s=\([^ ]*\) .*/\1/p" \
        "$work/series.txt")
    [ -n "$ceiling" ] || return 0
    rows_of "$work/series.txt" | awk -v b="$1" -v c="$ceiling" '
        $2 == b && $16 > 1.0001 * c { bad++ } END { exit bad > 0 }'
}
for batch in 1 2 4 10 100; do
    ok "no rate above the ceiling, batches of $batch" below_ceiling $batch
done
ok 'the tables, with the paper beside' has '^#  3 workers .*(70.8)' "$work/series.txt"
ok 'that say that they are scaled' has '^# scaled: 10001 units were run' "$work/series.txt"
ok 'metrics' encloses "$work/series.txt" messages_per_s trials
ok 'with intervals' encloses "$work/series.txt" units_per_s trials
bins()
{
    sed -n 's/^# histogram: workers=3 batch_units=1 .*count=//p' "$work/series.txt" |
        awk '{ n += $1 } END { print n }'
}
ok 'a histogram has every round trip' [ "$(bins)" -eq 20400 ]
ok 'a series of few units' run 2 0 '' "$program" --quiet --units 400 --unit-bytes 64 --all-batches \
    -o "$work/few.txt"
ok 'has no rate of 4 messages' \
    [ "$(rows_of "$work/few.txt" | awk '$2 == 100 { print $16, $18, $19 }')" = 'nan nan nan' ]
ok 'as a comment says' has \
    '^# not determined: workers=1 batch_units=100: .* all overheads .*: 4 messages; at least 100 ' \
    "$work/few.txt"
ok 'and no overhead, which is against them' \
    [ "$(rows_of "$work/few.txt" | awk '{ print $19 }' | sort -u)" = nan ]
ok 'but a rate of 400' [ "$(rows_of "$work/few.txt" | awk '$2 == 1 { print ($16 > 0) }')" = 1 ]

# With 20 ms a unit the master is busy for only microseconds; with nothing to compute its sends take
# the time.
busy() { rows_of "$work/r.txt" | awk '{ print $24 }'; }
shares() { rows_of "$work/r.txt" | awk '{ exit !($24 < 0.5 && $25 > 0.3 && $25 <= 1) }'; }
ok 'long work leaves the master little to do and its workers much' \
    in_five shares 2 --work spin:20000 --units 10
ok 'no work' farm 2 --work none
ok 'leaves it something' awk -v b="$(busy)" 'BEGIN { exit !(b > 0) }'

# ---- Figures -----------------------------------------------------------------------------------

folder=farm
drawings time "$work/series.txt" 'pelikan-2007, 19 workers'
# The ceiling is drawn if one was determined.
rate_shows='pelikan-2007, 19 workers'
has '^# fit: model=saturation_' "$work/series.txt" && rate_shows='ceiling, nothing computed'
drawings rate "$work/series.txt" "$rate_shows"
# On a busy machine no overhead may be above the spread, and then there is no figure.
awk '/^#/ || !NF { print; next }
    !at { for (k = 1; k <= NF; k++) if ($k == "overhead_message_us") at = k; print; next }
    { if (!n++) $at = 3; print }' "$work/series.txt" >"$work/overhead.txt"
drawings overhead "$work/overhead.txt" 'pelikan-2007, 7 workers'
drawings speed_up "$work/series.txt" 'its fit: 0.51 % serial'
! draws || ok 'and what the paper says' grep -q 'its claim: 4 % serial' "$work/figure.svg"

# ---- A worker that is slow ---------------------------------------------------------------------

# Its first batch lasts until another worker gets its tenth.
slow()
{
    TEST_SLOW=2 TEST_BATCH=10 TEST_FILE="$work/others-go-on" \
        run 4 0 '' "$(pwd)/programs/farm_dying" $few "$@"
}
for options in '--batch 1' '--protocol credit --credit 4' '--protocol guided' '--receive waitany' \
    '--receive waitsome'; do
    rm -f "$work/others-go-on"
    ok "a slow worker holds nobody up, $options" slow $options
done

# ---- A worker that is wrong --------------------------------------------------------------------

# The number of batches must be odd; otherwise the wrong bits would cancel.
wrong()
{
    TEST_WRONG=1 run 2 1 '' "$(pwd)/programs/farm_dying" $few --units 13 --repeat 3 -o "$work/r.txt"
}
ok 'a wrong digest: status 1' wrong
ok 'the first one ends the row' \
    [ "$(grep -c '^# wrong digest: workers=1 batch_units=1: ' "$work/r.txt")" -eq 1 ]
ok 'which has no time' has '^ *1 *1 *0 *nan ' "$work/r.txt"
ok 'the check fails' has '^# CHECK: wrong_digests: 1 == 0  FAIL$' "$work/r.txt"
ok 'and there is no figure' has '^# RESULT: FAIL units_per_s nan ' "$work/r.txt"

# ---- A worker that is disturbed -----------------------------------------------------------------

disturbed()
{
    TEST_DISTURBED=$1
    export TEST_DISTURBED
    shift
    run 4 0 '' "$(pwd)/programs/farm_dying" $few --repeat 3 --force -o "$work/disturbed.txt" "$@"
    outcome=$?
    unset TEST_DISTURBED
    [ $outcome = 0 ] && has "^# disturbed: 3 of 3 samples: .*pages from a disk (3)" \
        "$work/disturbed.txt" && has '^# RESULT: .* units_per_s .* disturbed=yes$' \
        "$work/disturbed.txt"
}
ok 'what disturbs a worker disturbs the run' disturbed 2
ok 'also a master below the first' disturbed 1 --protocol tree --masters 1
ok 'and its workers' disturbed 3 --protocol tree --masters 1

# ---- Workers that die --------------------------------------------------------------------------

if [ "$comm" = mpi ]; then
    ok '--survive over an MPI' \
        run 2 2 '^cm-farm: --survive: this backend ends the job' "$program" --survive
    finish
fi
ok '--survive without --keep-going' \
    run 2 2 'cm_on_failure.*cmrun --keep-going' "$program" $few --survive

# dying RANKS BATCH ARGUMENT...: of 4 ranks, RANKS die when they get batch BATCH, before another
# rank begins with its own.
dying()
{
    dead=$1 batch=$2; shift 2
    rm -f "$work"/dead.*
    TEST_DEAD=$dead TEST_BATCH=$batch TEST_FILE=$work/dead \
        timeout 60 ../src/cmrun $keep -n 4 ./programs/farm_dying \
        --quiet --work spin:100 --units 130 --warm-up 0 "$@" >"$work/out" 2>"$work/err"
    status=$?
}
survived() { sed -n "s/^# survived: .*$1=\([0-9]*\).*/\1/p" "$work/out"; }
keep=--keep-going
for options in '--batch 1' '--protocol credit --credit 4' '--receive waitany' \
    '--receive waitsome --protocol credit --credit 2' '--receive fixed'; do
    dying 2 5 --survive $options
    ok "one of three workers dies, $options: status 0" \
        [ $status -eq 0 ] || show "$work/err" "$work/out"
    ok "$options: the digest is right" has '^# CHECK: wrong_digests: 0 == 0  PASS' "$work/out"
    ok "$options: one is lost" [ "$(survived workers_lost)" = 1 ]
    ok "$options: what it had is given to others" [ "$(survived batches_given_again)" -ge 1 ]
    ok "$options: not to the master" [ "$(survived units_by_the_master)" = 0 ]
done
dying '1 2 3' 5 --survive
ok 'all workers die: status 0' [ $status -eq 0 ] || show "$work/err" "$work/out"
ok 'all are lost' [ "$(survived workers_lost)" = 3 ]
ok 'the master does the rest' [ "$(survived units_by_the_master)" -ge 1 ]
ok 'the digest is right' has '^# CHECK: wrong_digests: 0 == 0  PASS' "$work/out"
# The worker dies in the warm-up, in which all workers take part, so both numbers of workers are 2.
dying 3 1 --warm-up 0.001 --survive --repeat 2 --workers 2,3
ok 'the runs after a death have one worker less' \
    [ "$(grep -c '^ *2 *1 *2 ' "$work/out")" -eq 2 ] || show "$work/out"
# Dies with the last unit, when the other worker most likely has nothing to do.
rm -f "$work"/dead.*
TEST_LAST=129 TEST_FILE=$work/dead \
    timeout 60 ../src/cmrun $keep -n 4 ./programs/farm_dying --quiet --units 130 --warm-up 0 \
    --work none --survive --workers 2,3 >"$work/out" 2>"$work/err"
ok 'death with the last unit: status 0' [ $? -eq 0 ] || show "$work/err" "$work/out"
ok 'the last unit: one is lost' [ "$(survived workers_lost)" = 1 ]
ok 'another worker does it' \
    [ "$(survived batches_given_again),$(survived units_by_the_master)" = 1,0 ]
ok 'the last unit: the digest is right' has '^# CHECK: wrong_digests: 0 == 0  PASS' "$work/out"
keep=
dying 2 5
ok 'without --survive the job ends' [ $status -ne 0 ]
ok 'with rank and host in one line' \
    [ "$(grep -c 'rank 2 .* on [^:]*: killed by signal 9' "$work/err")" -eq 1 ] \
    || show "$work/err"
ok 'and no metric' sh -c "! grep -q RESULT '$work/out'"
finish
