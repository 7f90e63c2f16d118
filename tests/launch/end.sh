#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# end.sh: how jobs of cmrun end: statuses, failures, signals, and no process or file left behind.
. "${srcdir:-.}/launch/tap.sh"

# start ARGUMENT...: starts cmrun in the background; its ranks write their pids to $work/pid.
start() {
    rm -f "$work/pid"
    : >"$work/said"
    $CMRUN --timeout 60 "$@" >"$work/out" 2>"$work/err" </dev/null &
    job=$!
}
started() { [ -f "$work/pid" ] && [ "$(wc -l <"$work/pid")" -eq "$1" ]; }
finish() { wait "$job"; status=$?; }
said() { [ "$(grep -c "^$1\$" "$work/said")" -eq "$2" ]; }

# ---- Statuses ----

run $CMRUN -n 3 false
ok 'all ranks agree on a status: it is passed on' is 1
ok 'without a word' err_lines 0
run $CMRUN -n 3 sh -c '[ $PMI_RANK != 1 ] || exit 7; exec sleep 50'
ok 'a failing rank ends the others, with its status' is 7
ok 'one line' err_lines 1
ok 'that names it' \
    err_has '^cmrun: rank 1 (pid [0-9]*) on .*: exited with status 7; ending the others$'
run $CMRUN -n 3 sh -c '[ $PMI_RANK != 2 ] || kill -9 $$; exec sleep 50'
ok 'a killed rank: 128 and the signal' is 137
ok 'one line that names the signal' \
    err_has '^cmrun: rank 2 (pid [0-9]*) on .*: killed by signal 9 (Killed); ending the others$'
ok 'only one' err_lines 1
run $CMRUN -n 2 sh -c '[ $PMI_RANK != 0 ] || kill -SEGV $$; trap "" TERM; while :; do sleep 1; done'
ok 'a rank that ignores TERM is killed' is 139
run $CMRUN -n 2 --timeout 0.5 sleep 50
ok 'a time limit: 124' is 124
ok 'is said' err_has 'not finished after 0.5 s (--timeout)'
run $CMRUN -n 2 sh -c '[ $PMI_RANK = 0 ] || exit 2; sleep 0.3; echo "wrong option" >&2; exit 2'
ok 'a rank that ends a little later has its say' err_has 'wrong option'
ok 'alone' err_lines 1
ok 'and its status' is 2

run $CMRUN -n 3 $CLIENT abort 1 5 'node 7 is on fire: 100 % "hot"'
ok 'an abort: its status' is 5
ok 'and its text, once' [ "$(cat "$work/err")" = 'node 7 is on fire: 100 % "hot"' ]
run $CMRUN -n 3 $CLIENT abort all 5 'the same from all'
ok 'the text of several ranks that give up: one' [ "$(cat "$work/err")" = 'the same from all' ]
run $CMRUN -n 3 $CLIENT abort-plain 1 6
ok 'an abort without text' err_has '^cmrun: rank 1 (pid [0-9]*) on .*: ended the job with status 6'
ok 'its status' is 6
run $CMRUN -n 3 $CLIENT vanish 1
ok 'a rank that exits within the job fails it' is 3
ok 'in a line' err_has 'rank 1 .*without leaving the job'
run $CMRUN -n 3 $CLIENT late 1
ok 'a rank that never joins while others wait in a barrier' is 3
ok 'is named' err_has 'rank 1 .*exited with status 0 while .* in a barrier'
run $CMRUN -n 3 $CLIENT early 1
ok 'so is one that has left while others wait' is 3
run $CMRUN -n 3 $CLIENT close 1
ok 'and one that closes its socket and lives on' is 3
ok 'named too' err_has 'rank 1 .*closed its PMI socket'
run $CMRUN -n 2 $CLIENT peer-death kill
ok 'the death of a rank counts, not who noticed it' is 137
ok 'one line about it' err_has 'rank 1 .*killed by signal 9'
ok 'and only that' err_lines 1
run $CMRUN -n 2 $CLIENT peer-death abort
ok 'the abort of a rank counts, not the earlier one of who noticed it' is 5
ok 'and its text alone' [ "$(cat "$work/err")" = 'the cause' ]

# A rank of three fails at one of three times: before it joins, before the first barrier, after it.
# fails HOW WHEN STATUS TEXT
fails() {
    rm -f "$work/pids"
    run $CMRUN -n 3 sh -c 'echo $$ >>"$0"; exec "$@"' "$work/pids" $CLIENT dies 1 "$1" "$2"
    ok "$1, $2: status" is "$3"
    ok "$1, $2: one line" err_lines 1
    ok "$1, $2: names rank, host and cause" err_has "^cmrun: rank 1 (pid [0-9]*) on [^:]*: $4"
    ok "$1, $2: no rank is left" all_gone $(cat "$work/pids")
}
stuck='exited with status 0 while .* in a barrier'
without='exited with status 0 without leaving the job (no PMI finalize)'
for when in start joined later; do
    fails kill $when 137 'killed by signal 9 (Killed)'
    fails 7 $when 7 'exited with status 7'
    fails garbage $when 3 'sent a malformed PMI line'
    [ $when = start ] && fails 0 start 3 "$stuck" && continue
    fails 0 $when 3 "$without"
    fails leave $when 3 "$stuck"
    fails close $when 3 'closed its PMI socket without leaving the job'
done
# The others reach the barrier long after the rank has gone.
run $CMRUN -n 3 sh -c '
    if [ $PMI_RANK = 1 ]; then echo $$ >"$1-new" && mv "$1-new" "$1"
    else until [ -s "$1" ] && [ ! -d "/proc/$(cat "$1")" ]; do sleep 0.1; done
    fi
    exec "$0" late 1' $CLIENT "$work/late"
ok 'a rank that is gone long before the first barrier: status 3' is 3
ok 'is named' err_has "^cmrun: rank 1 (pid [0-9]*) on [^:]*: $stuck"
ok 'in one line' err_lines 1

# ---- Signals ----

(trap '' HUP; exec $CMRUN -n 2 sh -c 'echo $$ >>"$0"; until [ -e "$0.go" ]; do sleep 0.05; done' \
    "$work/nohup") >"$work/out" 2>"$work/err" </dev/null &
job=$!
waited=0
until [ "$(wc -l <"$work/nohup" 2>/dev/null)" = 2 ] || [ $waited -ge 600 ]; do
    waited=$((waited + 1))
    sleep 0.1
done
kill -HUP $job
: >"$work/nohup.go"
wait $job
ok 'a SIGHUP that is ignored ends nothing' [ $? = 0 ]

# If these tests run under nohup, which ignores SIGHUP, it stays ignored.
hup=HUP
case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' "/proc/$$/status") in [13579bdf]) hup= ;; esac
for signal in TERM $hup QUIT USR1 USR2 INT; do
    start -n 2 $CLIENT signals "$work/pid" "$work/said"
    within 30 started 2
    kill -$signal $job
    ok "$signal reaches all ranks" within 30 said $signal 2
    kill -TERM $job
    [ $signal = TERM ] || within 30 said TERM 2
    kill -USR2 $job
    [ $signal = USR2 ] || within 30 said USR2 2
    kill -9 $job
    wait "$job" 2>/dev/null
done
start -n 2 sh -c 'echo $$ >>"$0"; exec sleep 50' "$work/pid"
within 30 started 2
kill -INT $job
finish
ok 'ranks that die of an interrupt: 130' is 130
start -n 2 $CLIENT signals "$work/pid" "$work/said"
within 30 started 2
kill -INT $job
within 30 said INT 2
kill -INT $job
finish
ok 'a second interrupt within a second kills: 130' is 130
ok 'all ranks' all_gone $(cat "$work/pid")

# all_are STATES: the state letters that /proc shows.
all_are() {
    for each in $(cat "$work/pid"); do grep -q "^State:.[$1]" "/proc/$each/status" || return 1; done
}
start -n 2 sh -c 'echo $$ >>"$0"; exec sleep 50' "$work/pid"
within 30 started 2
kill -TSTP $job
ok 'TSTP stops the ranks' within 30 all_are T
kill -CONT $job
ok 'CONT continues them' within 30 all_are SR
kill -TERM $job
finish
ok 'and they are as mortal as before' is 143

# ---- Stopped ranks ----

CM_TIMEOUT_S=1
export CM_TIMEOUT_S
stopped='stopped by signal 19 (STOP) for 1 s (CM_TIMEOUT_S)'
for when in start joined later; do
    run $CMRUN -n 3 $CLIENT dies 1 stop $when
    ok "a rank stops, $when: status 3" is 3
    ok "$when: one line names it, the signal and for how long" err_has \
        "^cmrun: rank 1 (pid [0-9]*) on .*: $stopped; ending the others\$"
    ok "$when: only one" err_lines 1
done
run $CMRUN -n 2 sh -c 'echo $$ >>"$0"; [ $PMI_RANK = 0 ] || kill -TTIN $$; exec sleep 50' \
    "$work/pid4"
ok 'TTIN, outside of PMI: status 3' is 3
ok 'the line' err_has 'rank 1 .*: stopped by signal 21 (TTIN) for 1 s'
ok 'nothing is left' all_gone $(cat "$work/pid4")
run $CMRUN -n 3 --keep-going $CLIENT dies 1 stop joined
ok 'with --keep-going the others end well' is 0
ok 'and it is killed' err_has "rank 1 .*: $stopped; going on without it\$"
ok 'without another line' err_lines 1
run env CM_TIMEOUT_S=3 $CMRUN -n 2 sh -c 'echo $$ >"$0-$PMI_RANK"
    [ $PMI_RANK = 0 ] || { kill -STOP $$; echo goes on; sleep 4; exit 0; }
    until [ -s "$0-1" ]; do sleep 0.1; done
    until grep -q "^State:.T" "/proc/$(cat "$0-1")/status"; do sleep 0.1; done
    kill -CONT $(cat "$0-1")' "$work/pid5"
ok 'one that is continued in time goes on' out_is 'goes on'
ok 'and ends well' is 0
ok 'without a line' err_lines 0
start -n 2 sh -c 'echo $$ >>"$0"; sleep 3' "$work/pid"
within 30 started 2
kill -TSTP $job
within 30 all_are T
sleep 2
ok 'ranks that cmrun stopped by itself are let be' [ ! -s "$work/err" -a -d "/proc/$job" ]
kill -CONT $job
finish
ok 'and end as they would have' is 0
ok 'without a line' err_lines 0
unset CM_TIMEOUT_S

# ---- Nothing stays behind ----

start -n 3 sh -c 'sleep 50 & echo "$! $$" >>"$0"; wait' "$work/pid"
within 30 started 3
kill -9 $job
wait "$job" 2>/dev/null
ok 'kill -9 of cmrun ends the ranks and what they started' within 30 all_gone $(cat "$work/pid")
start -n 3 sh -c 'sleep 50 & echo "$! $$" >>"$0"; wait' "$work/pid"
within 30 started 3
read -r _ rank <"$work/pid"
kill -9 "$rank"
finish
ok 'kill -9 of a rank ends the job' [ $status -gt 128 ]
ok 'and all the ranks and what they started' all_gone $(cat "$work/pid")
run $CMRUN -n 2 sh -c 'sleep 50 & echo $! >>"$0"; exit 0' "$work/pid2"
ok 'what ranks leave behind when they end well does not fail the job' is 0
ok 'and is ended' all_gone $(cat "$work/pid2")
if setsid true 2>/dev/null; then
    rm -f "$work/pid3"
    run $CMRUN -n 2 sh -c 'setsid sh -c "echo \$\$ >>$0; exec sleep 50" &
        until [ "$(grep -c . "$0" 2>/dev/null)" = 2 ]; do sleep 0.05; done' "$work/pid3"
    ok 'nor does a session of its own help' all_gone $(cat "$work/pid3")
else
    skip 'nor does a session of its own help' 'no setsid command'
fi
run sh -c "sleep 100 & echo \$! >$work/own; exec $CMRUN -n 2 true"
ok 'a child that cmrun had before is let be' kill -0 "$(cat "$work/own")"
kill "$(cat "$work/own")"
run $CMRUN -n 2 -p sh -c 'trap "" TERM; sleep 50 & sleep 0.1; echo said'
ok 'a leftover that holds the output open does not hold cmrun' [ "$(sort "$work/out")" = '[0] said
[1] said' ]

done_testing
