#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# virtual_place.sh: `clustermark run --place virtual:...`: what is refused, a run from hosts to
# report, and that an interrupted one leaves no host.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
VIRTUAL_CLUSTER_NAME=vp$(($$ % 10000))t
export VIRTUAL_CLUSTER_NAME
h=$VIRTUAL_CLUSTER_NAME

# refused STATUS REGEX PLACE [OPTION]...: this status, one line that matches, and no folder.
refused()
{
    wanted=$1 regex=$2; shift 2
    status=0
    $as "$suite" run --place "$@" "$work/refused" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c . "$work/err")" -eq 1 ] \
        && grep -q -e "$regex" "$work/err" && [ ! -e "$work/refused" ] && return
    echo "# status $status"; show "$work/err"; false
}
# The line begins with the command that was given.
of_nodes()
{
    status=0
    "$suite" nodes --place virtual:2,fast "$work/refused" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq 2 ] && has '^clustermark: nodes: --place virtual:2,fast: --rate' "$work/err"
}
as=
ok 'no number of hosts' refused 2 "'': expected 2 to 250 hosts" virtual
ok 'one host' refused 2 "'1': expected 2 to 250 hosts" virtual:1
ok 'no number' refused 2 "'x': expected 2 to 250 hosts" virtual:x
ok 'no setting' refused 2 "unknown setting 'foo'; expected virtual:HOSTS" virtual:2,foo=1
ok 'no rate' refused 2 'virtual:2,fast: --rate fast: expected 1kbit' virtual:2,fast
ok 'of nodes, too' of_nodes
ok 'no delay' refused 2 '--delay 5: expected 0us to 10s' virtual:2,delay=5
ok 'no MTU' refused 2 'mtu=9: expected 576 to 65521 bytes' virtual:2,mtu=9
ok 'hosts of its own' refused 2 'has hosts of its own' virtual:2 --hosts a,b
case $comm in
shm | dummy) ok 'no network' refused 2 "the $comm backend reaches no other hosts" virtual:2 ;;
*)
    if [ "$(id -u)" != 0 ]; then ok 'no root' refused 3 'network namespaces need root' virtual:2
    elif as='setpriv --reuid=65534 --clear-groups' && $as "$suite" places >/dev/null 2>&1; then
        ok 'no root' refused 3 'network namespaces need root' virtual:2
    else skip 'no root' 'no other user can run this build'
    fi
    ;;
esac

why=
case $comm in
sockets | hybrid) ;;
mpi) mpiexec --version 2>/dev/null | grep -q HYDRA || why='mpiexec is not Hydra' ;;
*) why="the backend is $comm" ;;
esac
[ "$(id -u)" = 0 ] && ip netns list >/dev/null 2>&1 && unshare --uts true 2>/dev/null \
    || why='virtual hosts need root, ip and unshare'
[ -e /dev/net/tun ] || why='there is no /dev/net/tun'
# In a chroot whose root is no mount point, ip cannot enter what it makes.
if [ -z "$why" ]; then
    ip netns add cm-probe-$$ && ip netns exec cm-probe-$$ true || why='ip netns exec does not work'
    ip netns del cm-probe-$$
fi 2>/dev/null
if [ -n "$why" ]; then
    skip 'virtual hosts' "$why"
    finish
fi
# Launchers of other tests take turns with these.
if command -v flock >/dev/null 2>&1; then
    exec 9>>"${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}" && flock 9
fi
cluster=$(cd .. && pwd)/clusters/virtual/virtual-cluster
trap '"$cluster" down; rm -rf "$work"' EXIT
left() { ls /run/netns /etc/netns /run/virtual-cluster 2>/dev/null | grep "^$h"; }
none_left() { ! left | sed 's/^/# left: /' | grep .; }

# A name that a shell would take apart.
results="$work/the results"
only=patterns-ping-pong
begin() { timeout -k 5 $limit "$suite" run --place "$1" --only $only --launches 1 "$results"; }
# MPICH's MPI_Finalize may hang between hosts, above all where messages take milliseconds
# (cm_finalize in src/comm/mpi/life.c); then the same command goes on with the run.
limit=200 tries=1
[ "$comm" != mpi ] || { limit=40 tries=4; }
runs()
{
    for try in $(seq $tries); do begin "$@" >"$work/out" 2>&1 9>&- && return; done
    show "$work/out"
    return 1
}
told() { has "^# $1\$" "$results/$only.txt"; }
place=virtual:2,delay=2ms,mtu=9000,rate=1gbit
[ "$comm" != mpi ] || place=virtual:2,mtu=9000,rate=1gbit
ok 'a run' runs $place
ok 'has two hosts' told 'hosts: 2'
ok 'on one computer' told 'computers: 1'
ok 'the result says the rate' told 'virtual_rate: 1gbit'
[ "$comm" = mpi ] || ok 'the delay' told 'virtual_delay: 2ms'
ok 'and the MTU' told 'virtual_mtu: 9000'
late() { awk '/^#/ { next } !c { for (k = 1; k <= NF; k++) if ($k == "min_s") c = k; next }
    { rows++; if ($c < 0.002) bad = 1 } END { exit !rows || bad }' "$results/$only.txt"; }
[ "$comm" = mpi ] || ok 'no message is earlier than the delay' late
ok 'no host is left' none_left
ok 'run.txt says on which host' has "^host: $(uname -n)\$" "$results/run.txt"
ok 'another place in the same folder is refused' \
    sh -c '! "$1" run --place virtual:2 --only patterns-ping-pong --launches 1 "$2" 2>"$3"' sh \
    "$suite" "$results" "$work/err"
ok 'with what the folder holds' has "holds a run on $place" "$work/err"
ok 'and no host is left' none_left
ok 'a report' "$suite" report "$results"
ok 'says the place' has "Virtual hosts.*$place" "$results/report.html"
ok 'and the settings' has '>Rate</th><td>1gbit<' "$results/report.html"

# A relative DIR, one word of which a shell would expand.
relative()
{
    mkdir "$work/here" && (cd "$work/here" && timeout -k 5 200 "$suite" run --place virtual:2 \
        --only $only --launches 1 'of $HOME' >"$work/out" 2>&1 9>&-) ||
        { show "$work/out"; return 1; }
    [ -e "$work/here/of \$HOME/$only.txt" ]
}
[ "$comm" = mpi ] || ok 'a relative DIR is where the user is' relative

# Interrupted while a benchmark runs, which is when it has begun there.
begun()
{
    for pid in $(ip netns pids "${h}1" 2>/dev/null); do
        tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q '^[^ ]*/cm-netpipe ' && return
    done 2>/dev/null
    false
}
await_benchmark() # JOB
{
    tries=0
    until begun; do
        tries=$((tries + 1))
        [ $tries -lt 1000 ] && kill -0 "$1" 2>/dev/null || return 1
        sleep 0.1
    done
}
results="$work/interrupted"
"$suite" run --place virtual:2,delay=20ms --only netpipe --launches 1 "$results" \
    >"$work/out" 2>&1 9>&- &
job=$!
ok 'a benchmark runs' await_benchmark $job
kill -TERM $job
status=0
wait $job || status=$?
ok 'an interrupted run' [ $status = 143 ]
ok 'leaves no host' none_left

# Killed, which it cannot do anything about; the next run has hosts of the same names.
"$suite" run --place virtual:2 --only netpipe --launches 1 "$work/killed" >"$work/out" 2>&1 9>&- &
job=$!
ok 'another runs' await_benchmark $job
kill -KILL $job
wait $job 2>/dev/null
"$cluster" up 1 >"$work/out" 2>&1 9>&-
ok 'the hosts of a killed run are removed by the next up' \
    has "removing ${h}1, .*: process $job, which they were for, has ended" "$work/out"
ok 'whose host is there' [ -e "/run/netns/${h}1" -a ! -e "/run/netns/${h}2" ]
"$cluster" down
ok 'no host is left at last' none_left
finish
