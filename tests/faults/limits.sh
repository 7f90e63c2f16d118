#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# limits.sh: with too few descriptors or ports, a job prints one line that names the limit, and ends
# with status 3.
. "${srcdir:-.}/faults/tap.sh"
export CM_TIMEOUT_S=3

# limited LAUNCHER LIMIT N STAGE: N ranks, each with this `ulimit`.
limited() {
    begin job $1 -n "$3" sh -c "ulimit $2 && exec '$work/program' $4 0"
    finish job
}
files='the limit on open files, ulimit -n, is'
any="^clustermark: rank [0-6] on $host"
# The limit may be reached at any of a connection's descriptors.
without='cannot \(create a socket\|accept a connection\|make [0-9]* bytes of memory to share'
without="$without\|accept the memory that it shares\)"
none_left="$any: \(cm_[a-z]*\|start\): .*$without: .*"
if [ -n "$hydra" ]; then
    limited "$hydra" '-Sn 16' 7 joined
    ok 'Hydra: a low soft limit is raised' right
    limited "$hydra" '-n 16' 7 joined
    ok 'Hydra: a low hard limit ends the rank that needs one more' \
        ended_by_hydra 3 "$none_left($files 16)"
fi
limited "$work/cmrun" '-Sn 9' 7 alltoall
ok 'a low soft limit is raised' right
limited "$work/cmrun" '-n 9' 7 alltoall
ok 'a low hard limit ends the rank that needs one more' ended 3 "$none_left($files 9)"
for limit in 10 11 12 13 14; do
    limited "$work/cmrun" "-n $limit" 7 alltoall
    ok "or has room, at $limit" either right ended 3 "$none_left($files $limit)"
done
limited "$work/cmrun" '-n 9' 20 apart
ok 'but not ranks that need no connection' right

limited "$work/cmrun" '-n 60' 3 hoard
ok 'none left to connect with' \
    ended 3 "rank 1 on $host: cm_send: rank 0 on $host: cannot create a socket: .* ($files 60)"
limited "$work/cmrun" '-n 60' 3 hoard-in
ok 'none left to accept with' \
    ended 3 "^clustermark: rank 1 on $host: cm_[a-z]*: cannot accept a connection: .* ($files 60)"
ok 'nothing is left' within 30 none_left

# ---- Memory that ranks of a host share -----------------------------------------------------------

if [ "$backend" = sockets ]; then
    skip 'limits on shared memory' 'the backend is sockets'
else
    # A user's descriptors that are under way; nothing but the clock tells when there are fewer.
    begin job env FAULTS_UNTAKEN_MS=200 CM_SPIN_US=0 "$work/cmrun" -n 2 "$work/program" data 0
    finish job
    ok 'descriptors that the kernel does not take at once' right
    # The rings of two ranks need 528384 bytes; sh counts in 512 or 1024. Only one rank connects.
    limited "$work/cmrun" '-f 150' 2 connect
    ok 'a low limit on the length of files ends the rank that shares memory' ended 3 \
        "$any: .*cannot make [0-9]* bytes of memory to share: .*ulimit -f, is [0-9]* bytes)"
    limited "$work/cmrun" '-f 1100' 2 offer
    ok 'with room for the rings, other memory is not shared' right
fi

# ---- Ports: those of a network namespace of one's own ----

alone='ip link set lo up && echo "$1" >/proc/sys/net/ipv4/ip_local_port_range'
# ports FIRST LAST: a job of four ranks with these ports.
ports() {
    range="$1 $2"
    begin job unshare --net sh -c "$alone && exec \"\$2\" -n 4 \"\$3\" joined 0" sh "$range" \
        "$work/cmrun" "$work/program"
    finish job
    left="(no port left: widen net.ipv4.ip_local_port_range, now $1 to $2)"
}
why=
[ "$backend" != shm ] || why='shm needs no ports'
[ "$backend" != hybrid ] || export CM_TRANSPORT=tcp
command -v ip >/dev/null || why='no ip command'
command -v unshare >/dev/null || why='no unshare command'
[ -n "$why" ] || unshare --net sh -c "$alone" sh '40000 40003' 2>/dev/null ||
    why='network namespaces need root'
if [ -n "$why" ]; then
    skip 'too few ports' "$why"
else
    ports 40000 40002
    ok 'too few ports to listen on' ended 3 "$any: start: cannot listen: .* $left"
    ports 40000 40003
    ok 'none left to connect from' \
        ended 3 "$any: cm_[a-z]*: rank [0-3] on $host: cannot connect to .* $left"
    ports 40000 40099
    ok 'enough' right
fi
done_testing
