#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# links.sh: pulled cables, permanently or for a moment, on hosts made of network namespaces.
. "${srcdir:-.}/faults/tap.sh"

why=
[ "$backend" != shm ] || why='shm connects ranks of one host only'
virtual_hosts 'links that fail' 'ip unshare' 3

# job LABEL STAGE [RANK]: two ranks on two hosts; RANK has a time-out too long to notice anything
# itself.
job() {
    patient="[ \$PMI_RANK != ${3-none} ] || export CM_TIMEOUT_S=200"
    begin "$1" "$cluster" run ${h}1 "$work/cmrun" --rsh "$cluster" \
        --hosts ${HOSTS-${h}1,${h}2} \
        sh -c "$patient; exec $work/program $2 0 $work/$1.stage"
}
come() { [ -f "$work/$1.stage" ] && [ "$(wc -l <"$work/$1.stage")" -ge "${2-2}" ]; }
# all_come LABELS: waits until every rank of these jobs is at its stage.
all_come() { for one in $1; do come $one || return 1; done; }
go() { for one; do : >"$work/$one.stage.go"; done; }
pull() { fault_s=$(date +%s); "$cluster" link ${h}2 down; }
# The next job's ranks choose an interface that is up.
is_up() { [ "$(ip netns exec "$1" cat /sys/class/net/eth0/operstate)" = up ]; }
plug() { "$cluster" link ${h}2 up; within 30 is_up ${h}2; }
# util-linux's unshare, which is this launcher, may complain of its child's death by itself.
finish_here() {
    finish "$1"
    grep -v '^unshare: ' "$work/err" >"$work/lines"
    mv "$work/lines" "$work/err"
}
export CM_TIMEOUT_S=2

# ---- Pulled for good, all jobs at the same time ----

down="waits-0 waits-1 sends receives late"
job waits-0 quiet 1
job waits-1 quiet-back 0
job sends streams 1
job receives streams 0
job late late 1
within 90 all_come "$down"
pull
go late
for each in $down; do
    finish_here $each
    case $each in
    waits-0) name='one that waits'
             line="rank 0 on ${h}1: cm_[a-z]*: rank 1 on ${h}2: connection lost: " ;;
    waits-1) name='one that waits, on the host cut off'
             line="rank 1 on ${h}2: cm_[a-z]*: rank 0 on ${h}1: connection lost: " ;;
    sends) name='one that only sends'
           line="rank 0 on ${h}1: cm_send: rank 1 on ${h}2: its host has not answered for 2 s" ;;
    receives) name='one that only receives' line="rank 1 on ${h}2: cm_recv: rank 0 on ${h}1: " ;;
    late) name='before the first connection'
          line="rank 0 on ${h}1: cm_[a-z]*: rank 1 on ${h}2: cannot connect to " ;;
    esac
    ok "a link is pulled: $name" ended 3 "^clustermark: $line"
done
ok 'nothing is left' within 60 none_left
plug

# ---- Pulled for a moment ----

# TCP retransmits 0.2, 0.6, 1.4 and 3.0 s after a loss. So with a time-out of 2 s, a link that is
# down for 1 s would be tolerated only if it came back within 0.4 s.
moment='waits streams late'
CM_TIMEOUT_S=30
for each in $moment; do job $each $each; done
within 90 all_come "$moment"
pull
go late
sleep 1
plug
go waits streams
for each in $moment; do
    finish_here $each
    ok "a link is pulled for a moment: $each" right
done

# ---- A link that is there, or no longer needed ----

CM_TIMEOUT_S=2
job busy busy
within 90 come busy
sleep 4                             # longer than CM_TIMEOUT_S, computing
go busy
finish_here busy
ok 'a rank that reads nothing for longer than the time-out' right

job leave leave-late
within 90 come leave
pull
sleep 3
go leave
finish_here leave
ok 'a link is pulled while the others are in cm_finalize: nothing is owed' right
plug

if [ -n "$FAULTS_ALL" ]; then
    job full busy 1
    within 90 come full
    sleep 5
    pull
    finish_here full
    ok 'a link to a full receiver is pulled' \
        ended 3 "^clustermark: rank 0 on ${h}1: cm_[a-z]*: rank 1 on ${h}2: "
    plug
    for each in waits streams late; do
        HOSTS=${h}1,${h}2,${h}3
        job three-$each $each
        within 90 come three-$each 3
        pull
        [ $each != late ] || go three-late
        finish_here three-$each
        ok "three hosts, a link is pulled: $each" \
            ended 3 "^clustermark: rank [0-2] on ${h}[1-3]: cm_[a-z]*: rank [0-2] on ${h}[1-3]: "
        plug
    done
    if [ -n "$hydra" ]; then
        begin far "$cluster" run ${h}1 "$hydra" -launcher ssh -launcher-exec "$cluster" \
            -hosts ${h}1,${h}2 -n 2 "$work/program" streams 0 "$work/far.stage"
        within 90 come far
        pull
        finish far
        ok 'Hydra, a link is pulled' ended_by_hydra 3 \
            "^clustermark: rank [01] on ${h}[12]: cm_[a-z]*: rank [01] on ${h}[12]: "
        plug
    fi
fi
ok 'nothing is left' within 60 none_left
"$cluster" down
trap 'rm -rf "$work"' EXIT
ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]
done_testing
