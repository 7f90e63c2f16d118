#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# stages.sh: rank 1 of three is killed, stopped or cut off at every stage of a job's life;
# the others end in time with one line that names it, and nothing is left.
. "${srcdir:-.}/faults/tap.sh"
names() { find /dev/shm -maxdepth 1 -user "$(id -u)" -name '*clustermark*' | sort; }
names >"$work/names"

start='before card'
middle='joined connect handshake answer header eager ahead data header-in eager-in ahead-in data-in
    allreduce barrier alltoall'
finish='finalize leaving'
export CM_TIMEOUT_S=1

# ---- Killed ----

for stage in $start $middle $finish; do
    begin job "$work/cmrun" -n 3 "$work/program" $stage 9
    finish job
    ok "cmrun, killed, $stage" ended 137 "^cmrun: rank 1 (pid [0-9]*) on $host: killed by signal 9"
    ok "cmrun, killed, $stage: nothing is left" within 30 none_left
done

# Hydra itself may end the others before they notice. Its own message names host and signal, or only
# says that it could not write to that rank.
hydra_killed() {
    [ $status -ne 0 ] && [ $status -ne 124 ] && [ -s "$work/err" -o -s "$work/out" ] &&
        ! grep '^clustermark:' "$work/err" | grep -v -q "rank 1 on $host: "
}
stages='before handshake eager data-in alltoall finalize'
[ -z "$FAULTS_ALL" ] || stages="$start $middle finalize"
[ -n "$hydra" ] || { skip 'under Hydra' 'there is no Hydra'; stages=; }
for stage in $stages; do
    begin job "$hydra" -n 3 "$work/program" $stage 9
    finish job
    ok "Hydra, killed, $stage" hydra_killed
    ok "Hydra, killed, $stage: nothing is left" within 30 none_left
done

# Messages in shared memory: before, between and after the copies by the two ranks.
shared='offer asked offered claimed taken' going='asked claimed'
if [ "$backend" = sockets ]; then
    skip 'messages in shared memory' 'sockets shares none'
    shared='' going=''
fi
for stage in $shared; do
    begin job "$work/cmrun" -n 3 "$work/program" $stage 9
    finish job
    ok "cmrun, killed, $stage" ended 137 "^cmrun: rank 1 (pid [0-9]*) on $host: killed by signal 9"
    ok "cmrun, killed, $stage: nothing is left" within 30 none_left
done

# Ordinary memory, copied by the kernel, half by each of the two. The kernel may tell the copying
# rank that the process has ended before the connection ends.
copied='copy-offer copy-asked copy-offered copy-claimed copy-taken copy-out copy-in'
if [ "$backend" = sockets ]; then
    skip 'copies by the kernel' 'sockets makes none'
    copied=
else
    begin job "$work/cmrun" -n 3 --env CM_COPY=halves "$work/program" copy-out 0
    finish job
    if ! right; then
        ok 'copies by the kernel, undisturbed' right
    else
        begin job "$work/cmrun" -n 3 --env CM_COPY=halves "$work/program" copy-unmapped 0
        finish job
        ok 'memory given away during a send: its owner falls over it' ended 139 \
            "^cmrun: rank 1 (pid [0-9]*) on $host: killed by signal 11"
    fi
fi
# A late sender finds that the receiver has copied everything.
too_late() { [ $stage = copy-out ] && right; }
for stage in $copied; do
    begin job "$work/cmrun" -n 3 --env CM_COPY=halves "$work/program" $stage 9
    finish job
    ok "cmrun, killed, $stage" either too_late ended 137 \
        "^cmrun: rank 1 (pid [0-9]*) on $host: killed by signal 9"
    ok "cmrun, killed, $stage: nothing is left" within 10 none_left
done

# ---- Connections break, nobody dies ----

# Either end may be the first to notice.
pair="\([02] on $host: .*rank 1\|1 on $host: .*rank [02]\)"
broken="^clustermark: rank $pair on $host: connection lost"
# Data in memory are not lost with the connection, so such a job may also end successfully before
# any rank notices.
by_memory() { [ "$backend" != sockets ] && right; }
# A connection whose peer has not answered is made again if it is reset late, or if this rank has
# sent its message and is in cm_finalize by then, as it may be on a busy machine.
again() { [ "$stage" = answer ] && right || by_memory; }
stages='answer data eager-in allreduce'
[ -z "$FAULTS_ALL" ] ||
    stages='answer header eager ahead data eager-in ahead-in data-in allreduce barrier alltoall'
for stage in $stages; do
    begin job "$work/cmrun" -n 3 "$work/program" $stage 12
    finish job
    ok "cmrun, connections break, $stage" either again ended 3 "$broken"
    [ -n "$hydra" ] || continue
    begin job "$hydra" -n 3 "$work/program" $stage 12
    finish job
    ok "Hydra, connections break, $stage" either again ended_by_hydra 3 "$broken"
done
# Rank 2 may have sent its part on a connection of its own to the victim while the victim made one
# to it (CM_WIRE_MOVED).
lates='1 2 3 4'
for try in $lates; do begin "late$try" "$work/cmrun" -n 3 "$work/program" answer 10; done
made_again() {
    for try in $lates; do
        finish "late$try"
        right || return
    done
}
ok 'cmrun, connections are reset late before the answer, and made again' made_again
if [ "$backend" = shm ]; then
    skip 'one of two connections to a rank breaks' 'shm has no rails'
else
    by_tcp=
    [ "$backend" = sockets ] || by_tcp='--env CM_TRANSPORT=tcp'
    # Rank 2 loses its connection to the rank that gives up, and its line may be read first.
    tries=5
    named() { ended 3 "$broken.*(rail 1, "; }
    while [ $tries -gt 0 ]; do
        # shellcheck disable=SC2086
        begin one "$work/cmrun" -n 3 --env CM_RAILS=2 $by_tcp "$work/program" one 0
        finish one
        if named >/dev/null || ! ended 3 "$broken" >/dev/null; then break; fi
        tries=$((tries - 1))
    done
    ok 'one of two connections to a rank breaks' named
fi
one_line() {
    for try in 1 2 3 4 5; do
        begin job "$hydra" -n 3 "$work/program" allreduce 12
        finish job
        own_lines
        either by_memory ended 3 "$broken" && return
    done
    return 1
}
[ -z "$hydra" ] || ok 'Hydra, connections break for all: one line' one_line
ok 'connections break: nothing is left' within 30 none_left

# ---- Stopped: all cases at the same time, because they mostly wait ----

stopped="rank 1 \((pid [0-9]*) \)\{0,1\}on $host: stopped"
# all_stopped LAUNCHER STAGES COMMAND...
all_stopped() {
    launcher=$1 stages=$2 how=ended; shift 2
    [ "$launcher" = cmrun ] || how=ended_by_hydra
    for stage in $stages; do begin "$launcher-$stage" "$@" "$work/program" $stage 19; done
    for stage in $stages; do
        finish "$launcher-$stage"
        ok "$launcher, stopped, $stage" $how 3 "$stopped"
    done
    ok "$launcher, stopped: nothing is left" within 30 none_left
}
if [ -n "$FAULTS_ALL" ]; then
    all_stopped cmrun "$start joined connect handshake answer header eager" "$work/cmrun" -n 3
    all_stopped cmrun 'ahead data header-in eager-in ahead-in data-in' "$work/cmrun" -n 3
    all_stopped cmrun "allreduce barrier alltoall $finish" "$work/cmrun" -n 3
else
    all_stopped cmrun 'before card handshake header data alltoall finalize' "$work/cmrun" -n 3
fi
# Not in the middle of a line to the launcher: Hydra waits for the rest and does nothing else.
if [ -z "$hydra" ]; then
    skip 'stopped under Hydra' 'there is no Hydra'
elif [ -n "$FAULTS_ALL" ]; then
    all_stopped Hydra 'joined connect handshake answer header eager ahead data' "$hydra" -n 3
    all_stopped Hydra 'eager-in data-in allreduce barrier alltoall finalize' "$hydra" -n 3
else
    all_stopped Hydra 'joined answer eager-in barrier finalize' "$hydra" -n 3
fi

# ---- Stopped, and continued in time ----

is_stopped() {
    victim=
    for each in $(started); do
        each=${each#/proc/}; each=${each%/cmdline}
        grep -q '^State:[[:space:]]*T' "/proc/$each/status" 2>/dev/null && victim=$each
    done
    [ -n "$victim" ]
}
CM_TIMEOUT_S=40
for stage in handshake data-in $going finalize; do
    begin job "$work/cmrun" -n 3 "$work/program" $stage 19
    within 30 is_stopped
    sleep 1
    kill -CONT $victim
    finish job
    ok "stopped and continued, $stage: the job goes on" right
done
ok 'nothing is left' within 30 none_left
# Names from before are others', and may go meanwhile.
no_name_left() { [ -z "$(names | comm -13 "$work/names" -)" ]; }
ok 'nor a name of shared memory' within 30 no_name_left

done_testing
