#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# computers.sh: hosts that share a kernel share its cores: ranks are bound to different ones, and
# more ranks than cores are oversubscribed. The hosts are names that a launcher gives to processes
# of this one; one that also gets a boot_id of its own counts as a computer.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/energy.inc"
netpipe=$(readlink -f ../netpipe/cm-netpipe) stream=$(readlink -f ../stream/cm-stream)
cmrun=$(readlink -f ../src/cmrun)

case $comm in
sockets | hybrid) why= ;;
mpi)
    mpiexec=$(sed -n 's/^#define CM_MPI_LAUNCHER "\(.*\)"/\1/p' ../config.h)
    $mpiexec --version 2>/dev/null | grep -q HYDRA && why= || why="$mpiexec is not Hydra"
    ;;
*) why="the backend is $comm" ;;
esac
[ "$(id -u)" = 0 ] && unshare --uts --mount true 2>/dev/null || why='namespaces need root'
if [ -n "$why" ]; then
    skip 'hosts that share a kernel' "$why"
    finish
fi

# Launchers of other tests take turns with these.
if command -v flock >/dev/null 2>&1; then
    exec 9>>"${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}" && flock 9
fi
# A host whose name begins with "far" boots by itself.
echo 01234567-89ab-cdef-0123-456789abcdef >"$work/boot_id"
cat >"$work/launcher" <<END
#!/bin/sh
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\$1; shift
exec 9>&-
cd /
exec unshare --uts --mount sh -c 'hostname "\$1"
    case \$1 in far*) mount --bind "$work/boot_id" /proc/sys/kernel/random/boot_id ;; esac
    shift; exec sh -c "\$*"' sh "\$host" "\$@"
END
chmod +x "$work/launcher"

alone= tries=1
[ "$comm" != mpi ] || tries='1 2 3'
# on HOSTS COMMAND...: runs one rank on each of two hosts; the result is $work/r.txt.
on()
{
    hosts=$1; shift
    rm -f "$work/r.txt"
    if [ "$comm" = mpi ]; then
        # shellcheck disable=SC2086
        set -- $mpiexec -launcher ssh -launcher-exec "$work/launcher" \
            -hosts "$hosts" -ppn 1 -n 2 "$@"
    else
        set -- "$cmrun" --rsh "$work/launcher" --hosts "$hosts" -n 2 "$@"
    fi
    # An MPICH job that does not end (cm_finalize in src/comm/mpi/life.c) is started again.
    for try in $tries; do
        # shellcheck disable=SC2086
        timeout -k 5 60 $alone "$@" --quiet --force --output "$work/r.txt" >"$work/out" 2>&1 \
            </dev/null && return
        case $? in 124 | 137) ;; *) break ;; esac
    done
    show "$work/out"
    return 1
}
value() { sed -n "s/^# $1: //p" "$work/r.txt"; }
is() { [ "$(value "$1")" = "$2" ] || { echo "# $1: $(value "$1")"; false; }; }
lacks() { ! has "^# $1: " "$work/r.txt"; }
short='--upper 16 --time-limit 0.01 --warm-up 0 --trial-seconds 1e-4'

# shellcheck disable=SC2086
if [ "$(nproc)" -lt 2 ]; then skip 'ranks are bound to different cores' 'there is one processor'
elif ok 'two hosts of one kernel' on near1,near2 "$netpipe" --bind $short; then
    ok 'are two hosts' is hosts 2
    ok 'on one computer' is computers 1
    ok 'whose ranks are on different cores' \
        [ "$(value cpus_of_rank_0)" != "$(value cpus_of_rank_1)" ]
    ok 'of which none is shared' is core_shared no
    # If they really share one core, MPICH's ranks spin for a minute.
    if [ "$comm" = mpi ]; then skip 'two kernels' 'MPICH spins'
    elif ok 'two kernels' on near1,far2 "$netpipe" --bind $short; then
        ok 'are two computers' lacks computers
        ok 'each with a first core' [ "$(value cpus_of_rank_0)" = "$(value cpus_of_rank_1)" ]
        ok 'which nobody shares' is core_shared no
        # Two processors of a host have some distance.
        ok 'one rank on each has no distance' on near1,far2 "$netpipe" --distances $short
        ok 'for this reason' has '^# distance_lacking: 1 same-l3: one rank is on this host' \
            "$work/r.txt"
        ok 'nor a number' has '^# RESULT: PASS distances 0 1$' "$work/r.txt"
        two_each()
        {
            "$cmrun" --rsh "$work/launcher" --hosts near1,far2 --per-host 2 -n 4 "$netpipe" \
                --distances $short --quiet --force --output "$work/r.txt" >"$work/out" 2>&1 \
                </dev/null || { show "$work/out"; false; }
        }
        ok 'distances of two kernels' two_each
        # Each host in two sizes: 0 1, 0 16, 1 1, 1 16.
        ok 'are those of each' [ "$(awk '!/^#/ && $1 ~ /^[01]$/ { print $1, $3 }' "$work/r.txt" |
            sort -u | wc -l)" = 4 ]
        cpus() { "$cmrun" --rsh "$work/launcher" --hosts "$1" --bind core \
            sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | sort -u | wc -l; }
        ok 'cmrun --bind core: different cores' [ "$(cpus near1,near2)" = 2 ]
        ok 'cmrun --bind core: of each kernel the first' [ "$(cpus near1,far2)" = 1 ]
    fi
fi

# A sweep's metrics of all ranks are there although the first host has fewer than another.
uneven()
{
    "$cmrun" --rsh "$work/launcher" --hosts near1:1,near2:2 "$stream" --sweep --size 24Ki \
        --passes 2 --quiet --force --output "$work/r.txt" >"$work/out" 2>&1 </dev/null \
        || { show "$work/out"; false; }
}
if [ "$comm" = mpi ]; then skip 'a sweep of uneven hosts' 'the launcher is not told'
elif ok 'a sweep of uneven hosts' uneven; then
    ok 'has all ranks' has '^# RESULT: PASS huge_pages_gain ' "$work/r.txt"
fi

# Energy counters made of files, separate for each host: near2's count the same energy as near1's.
for host in near1 near2 far2; do rapl $host; done
zone far3 intel-rapl:0 psys # counted nowhere
energy=$(readlink -f programs/energy_false)
joules() { has "^# RESULT: PASS energy_J $1 J\$" "$work/r.txt"; }
ok 'the energy of two hosts of one kernel' on near1,near2 "$energy" --root "$work/root"
ok 'is counted once' joules 14
# Between two kernels, one MPICH job in 20 does not end (cm_finalize in src/comm/mpi/life.c).
if [ "$comm" = mpi ]; then skip 'the energy of two kernels' 'MPICH may hang'
else
    ok 'the energy of two kernels' on near1,far2 "$energy" --root "$work/root"
    ok 'is summed' joules 28
    ok 'which is said' is energy 'processor packages and memory (RAPL) of 2 computers'
    ok 'a kernel without counters' on near1,far3 "$energy" --root "$work/root"
    ok 'has no sum' is energy 'not summed: the hosts have different counters'
    ok 'and no energy' sh -c "! grep -q 'RESULT.*energy_J' '$work/r.txt'"
fi

# One processor is less than two ranks.
alone="taskset -c $(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')"
if ok 'two hosts with one core' on near1,near2 "$stream" --size 64Ki --passes 2; then
    ok 'are oversubscribed' is oversubscribed yes
fi
if ok 'two kernels with one core each' on near1,far2 "$stream" --size 64Ki --passes 2; then
    ok 'are not' is oversubscribed no
fi
finish
