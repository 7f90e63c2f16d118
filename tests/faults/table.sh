#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# table.sh: the same faults of a job on this build's backend and on the MPIs whose wrappers are
# installed (mpicc.mpich, mpicc.openmpi): how it ended, after how many seconds, with which status
# and with how many lines of text. `make check-faults` shows the table, which the log of this test
# has behind "#|", and behind "#:" the texts. What an MPI makes of a fault passes always.
. "${srcdir:-.}/launch/tap.sh"
comm=${TEST_COMM-}
[ "$comm" != dummy ] || { echo '1..0 # SKIP the dummy backend is one process'; exit 0; }
if command -v flock >/dev/null 2>&1; then
    lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi

# ---- Whom it happens to --------------------------------------------------------------------------

root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
launcher_of()
{
    case $1 in
    own) if [ "$comm" = mpi ]; then sed -n 's/^MPIEXEC = //p' ../Makefile; else echo "$CMRUN"; fi ;;
    mpich) echo mpiexec.mpich ;;
    openmpi) echo "mpiexec.openmpi $root --oversubscribe" ;;
    esac
}
title_of()
{
    case $1 in own) echo "$comm" ;; mpich) echo MPICH ;; openmpi) echo 'Open MPI' ;; esac
}
CMRUN=$(readlink -f "$CMRUN")
cp faults/victim "$work/victim-own"
systems=own
for mpi in mpich openmpi; do
    command -v "mpiexec.$mpi" >/dev/null 2>&1 || continue
    if "mpicc.$mpi" -DFAULTS_MPI -o "$work/victim-$mpi" "${srcdir:-.}/faults/victim.c" \
        >"$work/cc" 2>&1; then systems="$systems $mpi"; else sed 's/^/# /' "$work/cc"; fi
done

# ---- One fault -----------------------------------------------------------------------------------

# A native backend ends a job some 5 s (CM_TIMEOUT_S) after what nobody tells, and gets much longer
# on a busy machine. Who has not ended an MPI's job by then is said to hang.
own_s=120 others_s=20
[ "$comm" != mpi ] || own_s=$others_s
unset CM_TIMEOUT_S

left() { grep -l -a "^$work/victim-" /proc/[0-9]*/cmdline 2>/dev/null; }
none_left() { [ -z "$(left)" ]; }
remove_left()
{
    for each in $(left); do
        each=${each#/proc/}
        kill -KILL "${each%/cmdline}" 2>/dev/null
    done
}
now() { date +%s.%N; }
# The launchers' and the ranks' words, but not the program's own at a good end.
words_of()
{
    cat "$work/out" "$work/err" 2>/dev/null |
        grep -v -e '^3 ranks right$' -e '^[[:space:]]*$' -e '^Killed$'
}
named()
{
    case $(grep -i -c "rank:* 1\b" "$work/words"),$(grep -c -F "$host" "$work/words") in
    0,0) echo - ;; *,0) echo rank ;; 0,*) echo host ;; *) echo rank, host ;;
    esac
}
has_ended() { [ -e "$work/end" ]; }
launcher_pid() { tr -d ' ' <"/proc/$job/task/$job/children" 2>/dev/null; }
end_job()
{
    kill -TERM "$(launcher_pid)" 2>/dev/null # it may have ended
    within 5 has_ended || kill -KILL "$(launcher_pid)" 2>/dev/null
}

# suffers SYSTEM FAULT COMMAND...: runs the job and writes its row. $meanwhile runs beside it;
# $output: where its output goes.
meanwhile='' output=''
suffers()
{
    system=$1 fault=$2; shift 2
    limit_s=$others_s
    [ "$system" != own ] || limit_s=$own_s
    rm -f "$work/fault" "$work/end" "$work/out"
    begin_s=$(now)
    {
        "$@" >"${output:-$work/out}" 2>"$work/err" </dev/null 9>&-
        echo $? "$(now)" >"$work/end.part"
        mv "$work/end.part" "$work/end"
    } &
    job=$!
    [ -z "$meanwhile" ] || $meanwhile
    how=hangs status=- end_s=$(now)
    if within "$limit_s" has_ended; then
        read -r status end_s <"$work/end"
        how=ends
        [ "$status" != 0 ] || how='as if right'
        ! grep -q '^3 ranks right$' "$work/out" 2>/dev/null || how=right
    elif [ ! -e "$work/fault" ] && [ -n "$meanwhile" ]; then how='no start'
    else end_s=$(now)
    fi
    words_of >"$work/words"
    has_ended || end_job
    within 2 none_left
    processes=$(left | wc -l)
    [ "$how" != hangs ] || processes=-
    remove_left
    wait $job
    fault_s=$(stat -c %.9Y "$work/fault" 2>/dev/null || echo "$begin_s")
    seconds=$(awk -v from="$fault_s" -v to="$end_s" 'BEGIN { printf "%.1f", to - from }')
    printf '#| %-26s %-8s %-11s %5s %4s %5d %-10s %4s\n' "$title" "$(title_of "$system")" "$how" \
        "$seconds" "$status" "$(wc -l <"$work/words")" "$(named)" "$processes"
    sed -e "s/^/#: $fault, $(title_of "$system"): /" -e 40q "$work/words"
    title=
}
# What a native backend promises: the job ends in time with at most two lines, of which cmrun's
# names the rank (a rank that refuses has one of its own), and no process is left.
clear()
{
    [ "$how" != right ] || return 0
    [ "$how" = ends ] && [ "$processes" = 0 ] && [ "$(wc -l <"$work/words")" -le "${most:-1}" ] &&
        { [ "${names-}" = - ] || [ "$(named)" != - ]; }
}
promised()
{
    [ "$system" = own ] && [ "$comm" != mpi ] || return 0
    ok "$fault: ends in time, in a line that names whom, and leaves nothing" clear
}
# Of hosts, which their launchers reach by $rsh, if $hosts names some.
options_of()
{
    [ -n "$hosts" ] || return 0
    case $1 in
    *cmrun) echo "--rsh $rsh --hosts $hosts" ;;
    *openmpi* | *oversub*) echo "--mca plm_rsh_agent $rsh --mca btl tcp,self --host $hosts" ;;
    *) echo "-launcher ssh -launcher-exec $rsh -hosts $hosts" ;;
    esac
}
# row TITLE FAULT [WHAT THE PROGRAM IS TOLD]: a fault for all systems. $before: what a shell does
# first, as each rank. $via: the command that runs the launcher.
before='' via='' hosts='' rsh=$(command -v ssh || echo ssh) end=
row()
{
    title=$1 kind=$2 told=${3-$2}
    for each in $systems; do
        launcher=$(launcher_of "$each")
        set -- "$work/victim-$each$end" "$told" "$work/fault"
        [ -z "$before" ] || set -- sh -c "$before; exec \"\$@\"" sh "$@"
        # shellcheck disable=SC2046,SC2086
        suffers "$each" "$kind" $via $launcher -n 3 $(options_of "$launcher") "$@"
        [ "$kind" != none ] ||
            ok "$(title_of "$system"): an undisturbed job is right" [ "$how" = right ]
        promised
        $after
    done
}
after=

# ---- The table -----------------------------------------------------------------------------------

host=$(hostname)
printf '#| %-26s %-8s %-11s %5s %4s %5s %-10s %4s\n' 'fault of rank 1 of 3' over 'the job' s exit \
    lines names left
row none none
row 'killed (SIGKILL)' killed
row 'segmentation fault' crashes
row 'exits without finalizing' exits
row 'stopped (SIGSTOP)' stopped
row 'aborts the job' aborts
most=2
row 'refuses an option' refuses
most=1
row 'ends before it joins' absent
row 'messages beyond its memory' memory
before='ulimit -n 16'
row '16 open files' files none
before='' names=- output=/dev/full
row 'output to a full disk' output none

# Nobody is there to say anything.
kill_launcher()
{
    within 60 [ -e "$work/fault" ]
    rm -f "$work/fault" && : >"$work/fault"
    kill -KILL "$(launcher_pid)"
}
output='' meanwhile=kill_launcher
row 'its launcher is killed' launcher lasts
meanwhile='' end=.none
row 'no such program' program
end='' names='' host=nowhere.invalid hosts=nowhere.invalid
[ "$comm" = shm ] || row 'no such host' host

# ---- Hosts of network namespaces -----------------------------------------------------------------

why=
[ "$comm" != shm ] || why='shm connects ranks of one host only'
virtual_hosts 'the link of a host is pulled' 'ip unshare' 3
pull()
{
    within 60 [ -e "$work/fault" ]
    rm -f "$work/fault" && : >"$work/fault"
    "$cluster" link ${h}2 down
}
plug() { "$cluster" link ${h}2 up; }
host=${h}2 hosts=${h}1,${h}2,${h}3 rsh=$cluster via="$cluster run ${h}1" meanwhile=pull after=plug
row 'its link is pulled' link lasts
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
