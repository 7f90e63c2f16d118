#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# busy.sh: a busy rank does not count as dead. Many ranks, on its host and on another, send their
# first message to a rank that computes for longer than CM_TIMEOUT_S and has a short queue of
# connections. The kernel soon resets connections for which the queue had no room.
. "${srcdir:-.}/faults/tap.sh"

virtual_hosts 'a busy rank' 'ip unshare sysctl' 2
for each in 1 2; do
    ip netns exec $h$each sysctl -q -w net.core.somaxconn=8 net.ipv4.tcp_synack_retries=1 ||
        { skip 'a busy rank' 'no net.core.somaxconn of a network namespace'; done_testing; }
done
RANKS=24 LIMIT_S=100
export CM_TIMEOUT_S=2

# knock LABEL HOSTS: rank 1 is the busy one.
knock() {
    begin $1 "$cluster" run ${h}1 "$work/cmrun" --rsh "$cluster" --hosts "$2" -n $RANKS \
        "$work/program" knock 0 "$work/$1.stage"
}
come() { [ -f "$work/$1.stage" ] && [ "$(wc -l <"$work/$1.stage")" -ge $RANKS ]; }
# Ranks that wait longer than CM_TIMEOUT_S for a rank of another host say so.
go() {
    : >"$work/$1.stage.go"
    finish $1
    grep -v -e '^unshare: ' -e ' has not accepted a connection to .*; trying again$' \
        "$work/err" >"$work/lines"
    mv "$work/lines" "$work/err"
}

knock here ${h}1
ok 'first messages to a rank that computes' within 90 come here
sleep 7                             # longer than CM_TIMEOUT_S, and than a kernel keeps connections
go here
ok "and $((RANKS - 1)) are answered, though 8 fit into its queue" right

begin stopped "$cluster" run ${h}1 "$work/cmrun" --rsh "$cluster" --hosts ${h}1 -n $RANKS \
    "$work/program" knock 19 "$work/stopped.stage"
finish stopped
ok 'a stopped rank with a full queue ends the job' \
    ended 3 "^c.*: rank 1 .*${h}1: stopped "

if [ "$backend" = shm ]; then skip 'over a network' 'shm connects ranks of one host only'
else
    knock there ${h}2:2,${h}1:$((RANKS - 2))
    ok 'the same from another host' within 90 come there
    sleep 7
    go there
    ok 'all are answered' right

    knock silent ${h}2:2,${h}1:$((RANKS - 2))
    within 90 come silent
    sleep 3
    "$cluster" link ${h}2 down
    fault_s=$(date +%s)
    finish silent
    ok 'a silent host with a full queue ends the job' [ "$status" -eq 3 ]
fi
ok 'nothing is left' within 60 none_left
done_testing
