#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts.sh: which transport connects which ranks, on hosts made of network namespaces with two ranks
# each: the contract over hybrid, and the message of a build for one host about several hosts.
. "${srcdir:-.}/launch/hosts_tap.sh"

backend=$("$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
why=
case $backend in shm | hybrid) ;; *) why="the backend is $backend" ;; esac
virtual_hosts 'several transports' 'ip unshare' 2
far() { run "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" --hosts "$@" 9>&-; }
describe=$here/faults/program

refused() {
    is 2 && err_lines 1 && err_has "rank [0-3] on ${h}[12]: rank [0-3] on .*--with-comm=hybrid"
}
if [ "$backend" = shm ]; then
    far ${h}1:1,${h}2:1 "$PROGRAM" check
    ok 'shm refuses a second host' refused
    far ${h}1:2,${h}2:2 "$PROGRAM" check
    ok 'also with two ranks each' refused
    far ${h}2:3 "$PROGRAM" check
    ok 'three ranks of another host' out_is '3 ranks right'
    done_testing
    exit
fi

# said KEY VALUE: rank 0 reports this setting.
said() { grep -q -x "$1 $2" "$work/out"; }
far ${h}1:2,${h}2:2 "$describe" describe 0
ok 'memory inside, TCP between' said transport shm+tcp
ok 'one peer by memory' said shm_peers 1
ok 'two by TCP' said tcp_peers 2
far ${h}1:2,${h}2:2 --env CM_TRANSPORT=tcp "$describe" describe 0
ok 'TCP alone' said transport tcp
far ${h}1:3 --env CM_TRANSPORT=shm "$describe" describe 0
ok 'memory alone' said transport shm
far ${h}1:2,${h}2:2 --env CM_TRANSPORT=shm "$PROGRAM" check
ok 'memory alone is refused between hosts' refused
run "$CMRUN" -n 2 --env CM_TRANSPORT=udp "$PROGRAM" check
ok 'a transport that there is not' is 2
ok 'in one line' err_has '^clustermark: CM_TRANSPORT=udp: expected auto, shm or tcp in this build$'

# Ranks of one host in two network namespaces.
apart=$work/apart
cat >"$apart" <<'END'
#!/bin/sh
[ "${PMI_RANK:-0}" -eq 1 ] && exec ip netns exec "$OTHER" "$@"
exec "$@"
END
chmod +x "$apart"
far ${h}1:3 --env OTHER=${h}2 --env CM_INTERFACE=eth0 "$apart" "$describe" describe 0
ok 'ranks of a host that share no memory use TCP' said transport shm+tcp
ok 'only they do' said tcp_peers 1

right() { is 0 && ! grep -q '^not ok' "$work/out" && grep -q '^1\.\.[1-9]' "$work/out"; }
contract=$here/contract/contract.ranks
far ${h}1:2,${h}2:2 --env TEST_RANKS=4 "$contract" p2p requests probe overlap groups collectives \
    reductions allocate
ok 'the contract' right
far ${h}1:2,${h}2:2 --env TEST_RANKS=4 "$here/contract/coalesce.ranks"
ok 'coalescing' right
far ${h}1:2,${h}2:2 --env TEST_RANKS=4 --env CM_RAILS=2 "$contract" p2p
ok 'p2p over two rails' right
far ${h}1:2,${h}2:2 --env TEST_RANKS=4 --env CM_SPIN_US=0 "$contract" requests
ok 'requests, with ranks that sleep' right
done_testing
