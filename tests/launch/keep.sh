#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# keep.sh: jobs that go on without dead ranks (cmrun --keep-going): which ranks count as dead, that
# no rank waits for them, exit statuses, and that nothing is left behind.
. "${srcdir:-.}/launch/tap.sh"

keep() { run $CMRUN --keep-going --timeout 50 "$@"; }
line() { err_has "^cmrun: rank $1 (pid [0-9]*) on [^:]*: $2; going on without it\$"; }
# survivors N TEXT: each of N survivors has printed TEXT, and no other rank has printed anything.
survivors()
{
    [ "$(grep -c "^$2\$" "$work/out")" -eq "$1" ] && [ "$(wc -l <"$work/out")" -eq "$1" ]
}

keep -n 3 sh -c 'echo "$CM_KEEP_GOING"'
ok 'ranks are told' survivors 3 1
run env CM_KEEP_GOING=1 $CMRUN -n 2 sh -c 'echo "<$CM_KEEP_GOING>"'
ok 'and not without the option' survivors 2 '<>'

# dies HOW WHEN CARDS TEXT: rank 1 of 3.
dies() {
    keep -n 3 $CLIENT dies 1 "$1" "$2"
    ok "$1, $2: the others end well" is 0
    ok "$1, $2: have met, and read whose cards there are" survivors 2 "$3 of 3 cards"
    ok "$1, $2: one line" err_lines 1
    ok "$1, $2: names rank, host and cause" line 1 "$4"
}
for when in start:2 joined:2 later:3; do
    cards=${when#*:} when=${when%:*}
    dies kill $when $cards 'killed by signal 9 (Killed)'
    dies 7 $when $cards 'exited with status 7'
    if [ $when = start ]; then
        dies 0 start 2 'exited with status 0 while .* in a barrier'
    else
        dies 0 $when $cards 'exited with status 0 without leaving the job (no PMI finalize)'
        dies leave $when $cards 'exited with status 0 while .* in a barrier'
        dies close $when $cards 'closed its PMI socket without leaving the job'
    fi
    dies garbage $when $cards 'sent a malformed PMI line: .*'
done
keep -n 3 $CLIENT dies 0 kill later
ok 'rank 0 may die as well' is 0
ok 'and is named' line 0 'killed by signal 9 (Killed)'
keep -n 5 sh -c 'case $PMI_RANK in 1|3) exec '"$CLIENT"' dies $PMI_RANK kill joined;;
                 *) exec '"$CLIENT"' dies 9 0 start;; esac'
ok 'two of five die' is 0
ok 'in two lines' err_lines 2
ok 'three survive' survivors 3 '3 of 5 cards'

keep -n 3 $CLIENT dies 1 abort later
ok 'a rank that ends the job still does' is 5
ok 'with its own words' [ "$(cat "$work/err")" = 'no way on' ]
ok 'for all' out_is ''

# ---- Statuses ----

keep -n 3 sh -c '[ $PMI_RANK != 1 ] || exit 7; sleep 0.2; exit 0'
ok 'plain programs: the status of one that exits by itself counts' is 7
ok 'in a line' err_lines 1
keep -n 3 sh -c '[ $PMI_RANK != 1 ] || kill -9 $$; exit 0'
ok 'that of one that is killed does not, when others survive' is 0
# Each rank ends after cmrun has seen the end of the one before.
cat >"$work/in_turn" <<'END'
echo $$ >"$1.part$PMI_RANK" && mv "$1.part$PMI_RANK" "$1.$PMI_RANK"
[ $PMI_RANK = 0 ] || {
    before=$1.$((PMI_RANK - 1))
    until [ -e "$before" ]; do sleep 0.02; done
    while kill -0 "$(cat "$before")" 2>/dev/null; do sleep 0.02; done
}
END
keep -n 3 sh -c '. "$0"; exit $((3 + PMI_RANK))' "$work/in_turn" "$work/exits"
ok 'of several the first' is 3
keep -n 4 false
ok 'all of the same: that one' is 1
ok 'without a word' err_lines 0
keep -n 3 sh -c "$CLIENT "'dies 1 kill joined; s=$?; [ $PMI_RANK != 2 ] || exit 4; exit $s'
ok 'a script whose program was killed has died within the job, one with a status after it not' is 4
keep -n 2 sh -c '. "$0"; [ $PMI_RANK = 0 ] || kill -9 $$; kill -TERM $$' "$work/in_turn" \
    "$work/kills"
ok 'all dead: the first failure' is 143
ok 'a line each' err_lines 2
ok 'the last one goes on without nobody' \
    err_has '^cmrun: rank 1 (pid [0-9]*) on [^:]*: killed by signal 9 (Killed)$'
keep -n 2 $CLIENT dies 0 kill start
ok 'one of two' is 0
keep -n 1 $CLIENT dies 0 0 joined
ok 'the only one, within the job' is 3
keep -n 2 ./no-such-program
ok 'a program that is not there: status 2, as ever' is 2

# ---- Ends ----

keep -n 3 --timeout 0.5 sleep 50
ok 'a time limit holds' is 124
started() { [ -f "$work/pid" ] && [ "$(wc -l <"$work/pid")" -eq "$1" ]; }
start() {
    rm -f "$work/pid"
    $CMRUN -k --timeout 50 -n 3 sh -c 'sleep 50 & echo "$! $$" >>"$0"; wait' "$work/pid" \
        >"$work/out" 2>"$work/err" </dev/null &
    job=$!
    within 30 started 3
}
start
read -r child rank <"$work/pid"
kill -9 "$rank"
ok 'what a dead rank leaves behind is killed at once' within 30 gone "$child"
ok 'its death is said at once' within 30 err_has 'killed by signal 9'
ok 'while the others live' [ "$(grep -c . "$work/pid")" -eq 3 -a -d "/proc/$job" ]
kill -TERM $job
wait "$job"; status=$?
ok 'who asks cmrun for the end gets it' is 143
ok 'of all' all_gone $(cat "$work/pid")
ok 'in one line more' err_lines 2
printf 'one\n' | timeout 60 $CMRUN -k -n 2 \
    sh -c '[ $PMI_RANK = 1 ] || kill -9 $$; sleep 0.2; echo said' >"$work/out" 2>"$work/err"
status=$?
ok 'without rank 0 stdin goes nowhere' is 0
ok 'and the job on' out_is said

done_testing
