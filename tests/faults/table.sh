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
launcher_pid() { cat "/proc/$job/task/$job/children" 2>/dev/null; }
end_job()
{
    # shellcheck disable=SC2046  # it may have ended
    kill -TERM $(launcher_pid) 2>/dev/null
    within 5 has_ended || kill -KILL $(launcher_pid) 2>/dev/null
}

# suffers SYSTEM FAULT COMMAND...: runs the job and writes its row. $meanwhile runs beside it.
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
    [ -z "${meanwhile-}" ] || $meanwhile
    how=hangs status=- end_s=$(now)
    if within "$limit_s" has_ended; then
        read -r status end_s <"$work/end"
        how=ends
        [ "$status" != 0 ] || how='as if right'
        ! grep -q '^3 ranks right$' "$work/out" 2>/dev/null || how=right
    elif [ ! -e "$work/fault" ] && [ -n "${meanwhile-}" ]; then how='no start'
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
    printf '#| %-26s %-8s %-11s %5.1f %4s %5d %-10s %4s\n' "$title" "$(title_of "$system")" \
        "$how" "$(awk -v from="$fault_s" -v to="$end_s" 'BEGIN { print to - from }')" "$status" \
        "$(wc -l <"$work/words")" "$(named)" "$processes"
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
# row TITLE FAULT [COMMAND WITH {} FOR THE PROGRAM]: a fault for all systems.
row()
{
    title=$1 kind=$2 wrap=${3-}
    for each in $systems; do
        launcher=$(launcher_of "$each")
        # shellcheck disable=SC2086
        if [ -z "$wrap" ]; then
            suffers "$each" "$kind" $launcher -n 3 "$work/victim-$each" "$kind" "$work/fault"
        else
            suffers "$each" "$kind" $launcher -n 3 sh -c "$wrap" sh "$work/victim-$each" \
                "$work/fault"
        fi
        promised
    done
}

# ---- The table -----------------------------------------------------------------------------------

host=$(hostname)
printf '#| %-26s %-8s %-11s %5s %4s %5s %-10s %4s\n' 'fault of rank 1 of 3' over 'the job' s exit \
    lines names left
title=none
for each in $systems; do
    launcher=$(launcher_of "$each")
    # shellcheck disable=SC2086
    suffers "$each" none $launcher -n 3 "$work/victim-$each" none "$work/fault"
    ok "$(title_of "$each"): an undisturbed job is right" [ "$how" = right ]
done
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
row '16 open files' 'ulimit -n 16' 'ulimit -n 16; exec "$1" none "$2"'

# The ranks' output, and what the launcher itself may be told by.
names=-
title='output to a full disk'
for each in $systems; do
    launcher=$(launcher_of "$each")
    # shellcheck disable=SC2086
    output=/dev/full suffers "$each" full $launcher -n 3 "$work/victim-$each" none "$work/fault"
    promised
done

# Nobody is there to say anything.
kill_launcher()
{
    within 60 [ -e "$work/fault" ]
    rm -f "$work/fault" && : >"$work/fault"
    kill -KILL "$(launcher_pid | tr -d ' ')"
}
title='its launcher is killed'
for each in $systems; do
    launcher=$(launcher_of "$each")
    # shellcheck disable=SC2086
    meanwhile=kill_launcher suffers "$each" launcher $launcher -n 3 "$work/victim-$each" lasts \
        "$work/fault"
    promised
done
title='no such program'
for each in $systems; do
    launcher=$(launcher_of "$each")
    # shellcheck disable=SC2086
    suffers "$each" program $launcher -n 3 "$work/victim-none"
    promised
done
host=nowhere.invalid names=
title='no such host'
for each in $systems; do
    [ "$each,$comm" != own,shm ] || continue
    launcher=$(launcher_of "$each")
    hosts=-hosts
    case $launcher in *openmpi*) hosts=--host ;; *cmrun) hosts=--hosts ;; esac
    # shellcheck disable=SC2086
    suffers "$each" host $launcher -n 3 $hosts $host "$work/victim-$each" none \
        "$work/fault"
    promised
done

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
host=${h}2
title='its link is pulled'
for each in $systems; do
    launcher=$(launcher_of "$each")
    hosts=${h}1,${h}2,${h}3
    case $launcher in
    *openmpi*) launcher="$launcher --mca plm_rsh_agent $cluster --mca btl tcp,self --host $hosts" ;;
    *cmrun) launcher="$launcher --rsh $cluster --hosts $hosts" ;;
    *) launcher="$launcher -launcher ssh -launcher-exec $cluster -hosts $hosts" ;;
    esac
    # shellcheck disable=SC2086
    meanwhile=pull suffers "$each" link "$cluster" run ${h}1 $launcher -n 3 "$work/victim-$each" \
        lasts "$work/fault"
    promised
    "$cluster" link ${h}2 up
done
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
