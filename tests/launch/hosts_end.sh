#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_end.sh: how jobs on several hosts end, or go on without dead ranks.
. "${srcdir:-.}/launch/hosts_tap.sh"

# ---- Ends ----

there --hosts a,b sh -c '[ $PMI_RANK = 0 ] || exit 7; exec sleep 50'
ok 'a failing rank ends the job with its status' is 7
ok 'one line' err_lines 1
ok 'names rank and host' err_has '^cmrun: rank 1 (pid [0-9]*) on b: exited with status 7'
there --hosts a,b sh -c '[ $PMI_RANK = 0 ] || kill -9 $$; exec sleep 50'
ok 'a killed rank' is 137
ok 'its line' err_has '^cmrun: rank 1 (pid [0-9]*) on b: killed by signal 9'
there --hosts a,b --timeout 0.5 sleep 50
ok 'a time limit' is 124
ok 'one line' err_lines 1
ok 'no proxy is left' within 30 none_left

sleepers='echo $$ >>"$0"; sleep 50 & wait'
own=$CMRUN CMRUN=../src/cmrun
start sh -c "$sleepers" "$work/pid"
CMRUN=$own
ok 'the proxies of another test are not counted' none_left
kill -TERM $job
wait $job
start sh -c "$sleepers" "$work/pid"
set -- $(proxies)
ok 'a proxy and its guard a host' [ $# -eq 4 ]
kill -9 "$(one_proxy)"
wait $job; status=$?
ok 'a proxy that is killed ends the job' is 3
ok 'in one line that names the host' err_has "^cmrun: host '[ab]': lost: "
ok 'only one' err_lines 1
ok 'no rank is left' within 30 all_gone $(cat "$work/pid")
ok 'nor a proxy' within 30 none_left
start sh -c "$sleepers" "$work/pid"
kill -STOP "$(one_proxy)"
wait $job; status=$?
ok 'a proxy that is stopped ends the job' is 3
ok 'after CM_TIMEOUT_S' err_has "^cmrun: host '[ab]': lost: its proxy has been silent for 3 s"
ok 'no rank is left' within 30 all_gone $(cat "$work/pid")
ok 'nor a proxy' within 30 none_left
start sh -c "$sleepers" "$work/pid"
kill -TERM $job
wait $job; status=$?
ok 'TERM reaches the ranks' [ $status -eq 143 -o $status -eq 124 ]
ok 'in one line' err_lines 1
ok 'all of them' within 30 all_gone $(cat "$work/pid")

# Without timeout(1) in between.
start_bare() {
    rm -f "$work/pid"
    "$CMRUN" -l "$work/launcher" --hosts a,b sh -c "$sleepers" "$work/pid" \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &
    job=$!
    within 30 noted 2
}
start_bare
kill -9 $job
wait $job 2>/dev/null
ok 'kill -9 of cmrun ends ranks on all hosts' within 30 all_gone $(cat "$work/pid")
ok 'and the proxies' within 30 none_left
start sh -c "$sleepers" "$work/pid"
pid=$(tail -n 1 "$work/pid")
kill -STOP "$pid"
wait $job; status=$?
ok 'a rank elsewhere that is stopped ends the job' is 3
cause='stopped by signal 19 (STOP) for 3 s (CM_TIMEOUT_S)'
ok 'after CM_TIMEOUT_S, in a line with its host' \
    err_has "^cmrun: rank [01] (pid $pid) on [ab]: $cause"
ok 'only one' err_lines 1
ok 'no rank is left' within 30 all_gone $(cat "$work/pid")
# fails HOW WHEN STATUS TEXT: rank 1, on b, fails; the others already wait for it in a barrier, or
# will later.
fails() {
    rm -f "$work/pid"
    there --hosts a:1,b:2 sh -c 'echo $$ >>"$0"; exec "$@"' "$work/pid" "$CLIENT" dies 1 "$1" "$2"
    ok "elsewhere: $1, $2: status" is "$3"
    ok "elsewhere: $1, $2: one line" err_lines 1
    ok "elsewhere: $1, $2: names rank, host and cause" \
        err_has "^cmrun: rank 1 (pid [0-9]*) on b: $4"
    ok "elsewhere: $1, $2: no rank is left" all_gone $(cat "$work/pid")
}
for when in start joined; do
    fails kill $when 137 'killed by signal 9'
    fails garbage $when 3 'sent a malformed PMI line'
    fails stop $when 3 'stopped by signal 19 (STOP) for 3 s (CM_TIMEOUT_S)'
done
fails 0 start 3 'exited with status 0 while .* in a barrier'
fails 0 joined 3 'exited with status 0 without leaving the job'
fails close joined 3 'closed its PMI socket'
start_bare
kill -TSTP $job
stopped()
{
    for p in $(cat "$work/pid"); do grep -q '^State:.T' "/proc/$p/status" || return 1; done
}
ok 'TSTP stops the ranks' within 30 stopped
sleep 4
ok 'for as long as it may be' [ ! -s "$work/err" ]
kill -CONT $job
kill -TERM $job
wait $job 2>/dev/null; status=$?
ok 'and no longer' is 143

# ---- Waiting for a slow host ----

# waiting: starts a job whose host a is ready (its proxy is $proxy) and waits for host b, whose
# launcher waits for $work/go.
cat >"$work/slow" <<END
#!/bin/sh
[ "\$1" != b ] || until [ -f '$work/go' ]; do sleep 0.1; done
exec '$work/launcher' "\$@"
END
chmod +x "$work/slow"
waiting() {
    rm -f "$work/go"
    timeout -k 5 60 env CM_TIMEOUT_S=2 sh -c 'echo $$ >"$0"; exec "$@"' "$work/cmrun" \
        "$CMRUN" -l "$work/slow" --timeout 20 --hosts a,b sh -c 'echo $PMI_RANK' \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &
    job=$!
    within 30 ready
}
# As its last step a proxy enters the working folder; then it reports that it is ready and sleeps.
ready() {
    proxy=$(one_proxy)
    [ -n "$proxy" ] && [ "$(readlink "/proc/$proxy/cwd")" = "$(pwd -P)" ] && is_in S "$proxy"
}
is_in() { grep -q "^State:.$1" "/proc/$2/status" 2>/dev/null; }
waiting
sleep 3.5
: >"$work/go"
wait $job; status=$?
ok 'a host that is ready 3.5 s after the other, with CM_TIMEOUT_S=2: status 0' is 0
ok 'both ranks ran' sorted '0
1'
ok 'nothing on stderr' err_lines 0
waiting
kill -STOP "$proxy"
wait $job; status=$?
ok 'a proxy that stops while it waits: status 3' is 3
ok 'after CM_TIMEOUT_S' err_has "^cmrun: host 'a': lost: its proxy has been silent for 2 s"
ok 'only one line' err_lines 1
ok 'it is ended' within 30 none_left
waiting
kill -9 "$proxy"
wait $job; status=$?
ok 'a proxy that dies while it waits: status 3' is 3
ok 'at once' \
    err_has "^cmrun: host 'a': lost: its proxy is gone; the launcher was killed by signal 9"
ok 'only one line' err_lines 1
waiting
kill -STOP "$(cat "$work/cmrun")"
ok 'a waiting proxy ends when nothing is heard of cmrun' within 30 none_left
kill -CONT "$(cat "$work/cmrun")"
wait $job; status=$?
ok 'which notices' is 3
waiting
kill -TSTP "$(cat "$work/cmrun")"
ok 'TSTP stops cmrun while hosts are awaited' within 30 is_in T "$(cat "$work/cmrun")"
sleep 3.5
ok 'for as long as it may be' kill -0 "$proxy"
kill -CONT "$(cat "$work/cmrun")"
: >"$work/go"
wait $job; status=$?
ok 'CONT: the job starts and ends well' is 0
ok 'with both ranks' sorted '0
1'

# ---- Going on without the dead ----

# Two ranks a host; as soon as the file is there they meet in barriers and leave.
keep() {
    rm -f "$work/pid" "$work/go"
    timeout -k 5 60 "$CMRUN" -l "$work/launcher" -k --hosts a:2,b:2 sh -c \
        'echo $PMI_RANK $$ >>"$0"
        until [ -f "$1" ]; do sleep 0.1; done
        exec "$2" dies 9 0 start' \
        "$work/pid" "$work/go" "$CLIENT" >"$work/out" 2>"$work/err" 9>&- <"${1:-/dev/null}" &
    job=$!
    within 30 noted 4
}
pid_of() { sed -n "s/^$1 //p" "$work/pid"; }
go() { : >"$work/go"; wait $job; status=$?; }
survivors() { [ "$(grep -c '^. of 4 cards$' "$work/out")" -eq "$1" ]; }
keep
kill -9 $(pid_of 3)
ok 'a rank elsewhere is killed: one line' within 30 err_has \
    "^cmrun: rank 3 (pid $(pid_of 3)) on b: killed by signal 9 (Killed); going on without it\$"
go
ok 'the others end well' is 0
ok 'all three' survivors 3
ok 'with no other line' err_lines 1
# The proxy of rank 2 is its parent.
proxy_of() { cut -d ' ' -f 4 "/proc/$(pid_of "$1")/stat"; }
keep
kill -9 $(proxy_of 2)
ok 'a proxy is killed: one line' within 30 err_has \
    "^cmrun: host 'b': lost: .*; going on without its 2 ranks\$"
ok 'its ranks are gone' within 30 all_gone $(pid_of 2) $(pid_of 3)
ok 'the others are not' kill -0 $(pid_of 0) $(pid_of 1)
go
ok 'and end well' is 0
ok 'both' survivors 2
ok 'with no other line' err_lines 1
keep
kill -STOP $(proxy_of 2)
lost="lost: its proxy has been silent for 3 s (CM_TIMEOUT_S)"
ok 'a host falls silent: one line' within 30 err_has \
    "^cmrun: host 'b': $lost; going on without its 2 ranks\$"
ok 'its ranks are ended while the job goes on' within 30 all_gone $(pid_of 2) $(pid_of 3)
go
ok 'which ends well' is 0
ok 'for both others' survivors 2
mkfifo "$work/fifo"
seq 1000000 >"$work/fifo" &
keep "$work/fifo"
kill -9 $(proxy_of 0)
ok 'the host of rank 0 is lost: one line' within 30 err_has "^cmrun: host 'a': lost: "
go
ok 'stdin goes nowhere, the job on' is 0
ok 'with the two others' survivors 2
keep
kill -9 $(proxy_of 0) $(proxy_of 2)
go
ok 'all hosts lost: the status of the first' is 3
ok 'a line each' err_lines 2
ok 'no rank is left' within 30 all_gone $(pid_of 0) $(pid_of 1) $(pid_of 2) $(pid_of 3)
ok 'nor a proxy' within 30 none_left

done_testing
