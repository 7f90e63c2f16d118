#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_addresses.sh: which addresses ranks on several hosts use if a link-local address comes
# first, if all hosts have the same address, if their addresses are on lo, and if a network does not
# carry data; CM_INTERFACE's lists and networks; CM_PORTS.
. "${srcdir:-.}/launch/hosts_tap.sh"

backend=$("$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
why=
case $backend in sockets | hybrid) ;; *) why="the backend is $backend" ;; esac
virtual_hosts 'addresses of hosts' 'ip unshare' 3
far() { run "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" "$@" 9>&-; }
ip_of() { host=$1; shift; ip -n ${h}$host "$@" >/dev/null 2>&1; }
both() { ip_of 1 "$@" && ip_of 2 "$@"; }
fresh() {
    "$cluster" down
    "$cluster" up 3 --interfaces 2 >"$work/up" 2>&1 || { show "$work/up"; return 1; }
}
# goes NAME INTERFACE [OPTION]...: a job on hosts 1 and 2 gives right answers, and its data use
# INTERFACE.
sent() { ip netns exec ${h}1 cat "/sys/class/net/$1/statistics/tx_bytes"; }
goes() {
    name=$1 by=$2 before=$(sent "$2")
    shift 2
    far --hosts ${h}1,${h}2:2 "$@" "$PROGRAM" check
    ok "$name: a job" out_is '3 ranks right'
    ok "$name: its data go over $by" [ $(($(sent "$by") - before)) -gt 2000000 ]
}
fresh || { ok 'hosts with two networks' false; done_testing; }

goes 'the first network' eth0
goes 'a list: what a host does not have is left out' eth1 --env CM_INTERFACE=ib0,eth1,eth0
goes 'a network' eth1 --env CM_INTERFACE=10.78.0.0/16
far --hosts ${h}1,${h}2 --env CM_INTERFACE=10.99.0.0/16 "$PROGRAM" check
ok 'a network that no host has: status 2' is 2
ok 'one line says what there is' err_has 'CM_INTERFACE=10.99.0.0/16: .*expected one of: lo, eth0'
far --hosts ${h}1,${h}2 --env CM_INTERFACE=10.78.0.0/33 "$PROGRAM" check
ok 'a network of 33 bits: status 2' is 2
ok 'it is named' err_has "CM_INTERFACE=10.78.0.0/33: '10.78.0.0/33' is not .* a network like"
far --hosts ${h}1,${h}2 --env CM_INTERFACE=lo "$PROGRAM" check
ok 'the loopback interface between hosts: status 3' is 3
ok 'the line says why' err_has 'refused (no other host reaches a loopback address; see CM_INTER'
far --hosts ${h}1,${h}2 --env CM_PIECE_BYTES=4096 "$PROGRAM" check
ok "a variable's old name: one line for all hosts" [ "$(cat "$work/err")" = "clustermark: \
CM_PIECE_BYTES is called CM_SEND_CHUNK_BYTES now; this release takes both" ]

# A network that the kernel refuses, and one that carries nothing.
ip_of 1 route add prohibit 10.77.0.2/32; ip_of 2 route add prohibit 10.77.0.1/32
goes 'the first network is prohibited' eth1
ip_of 1 route add prohibit 10.78.0.2/32; ip_of 2 route add prohibit 10.78.0.1/32
far --hosts ${h}1,${h}2 "$PROGRAM" check
ok 'both are: status 3' is 3
ok 'the line names the addresses' \
    err_has 'cannot connect to 10.77.0.[12] port [0-9]*, 10.78.0.[12] port [0-9]*: Permission'
fresh
for host in 1 2; do
    ip_of $host neigh replace 10.77.0.$((3 - host)) lladdr 02:00:00:00:00:01 dev eth0 nud permanent
done
goes 'the first network is silent' eth1
# Three hosts, of which the third is not on the first network: all use the second one.
fresh
ip_of 3 link set eth0 down
before=$(sent eth0)
far --hosts ${h}1,${h}2,${h}3 "$PROGRAM" check
ok 'the first network lacks a host: a job' out_is '3 ranks right'
ok "the other two do not use it either" [ $(($(sent eth0) - before)) -lt 100000 ]

# Addresses that the kernel lists, and lets nobody use before it has asked 600 times for others that
# have them.
fresh
tentative() { ip -n ${h}1 -6 addr show dev eth0 tentative 2>/dev/null | grep -q fd77::1; }
for host in 1 2; do
    ip netns exec ${h}$host sh -c 'echo 600 >/proc/sys/net/ipv6/conf/eth0/dad_transmits' 2>/dev/null
    ip_of $host addr add fd77::$host/64 dev eth0
done
if tentative; then goes 'a tentative address' eth0
else skip 'a tentative address' 'no address of IPv6 is tentative'
fi

# The service processor's card: the same link-local address on each host, first in the list.
fresh
both addr flush dev eth0 && both addr add 169.254.3.1/24 dev eth0
goes 'link-local addresses' eth1
# A container engine's bridge: the same address on each host.
both addr flush dev eth0 && both addr add 172.17.0.1/16 dev eth0
goes 'the same address on both hosts' eth1
# Routed networks: the host's address is on lo, the card has a link-local one only.
both link set eth1 down; both addr flush dev eth0
for host in 1 2; do
    ip_of $host addr add 192.0.2.$host/32 dev lo
    ip_of $host route add 192.0.2.$((3 - host))/32 dev eth0 src 192.0.2.$host
done
goes 'addresses on lo' eth0
goes 'lo is asked for' eth0 --env CM_INTERFACE=lo

# ---- CM_PORTS ----

for ports in '' 7100-7000 0-10 7000 x-7 1-65536 -; do
    run env CM_PORTS=$ports "$CMRUN" -n 1 "$PROGRAM" check
    ok "CM_PORTS=$ports: status 2" is 2
    ok "CM_PORTS=$ports: one line" \
        [ "$(cat "$work/err")" = "clustermark: CM_PORTS=$ports: expected LOW-HIGH, ports \
from 1 to 65535 with LOW <= HIGH, or any" ]
done
fresh
# Ports where the ranks of host 1 listen, each once.
listening() {
    ip netns exec ${h}1 cat /proc/net/tcp | awk '$4 == "0A" { sub(/.*:/, "", $2); print $2 }' |
        sort -u | tr '\n' ' '
}
rm -f "$work/pid"
timeout -k 5 60 "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" --env CM_PORTS=7001-7002 \
    --hosts ${h}1:2,${h}2:2 "$PROGRAM" wait "$work/pid" >"$work/out" 2>"$work/err" </dev/null 9>&- &
job=$!
within 30 noted 4
ok 'all ranks listen within the range' [ "$(listening)" = '1B59 1B5A ' ]
kill $job
wait $job
for again in 1 2; do
    far --hosts ${h}1:2,${h}2:2 --env CM_PORTS=7001-7002 "$PROGRAM" check
    ok "job $again after it takes the same ports" out_is '4 ranks right'
done
far --hosts ${h}1:3,${h}2 --env CM_PORTS=7001-7002 "$PROGRAM" check
ok 'more ranks than ports: status 3' is 3
ok 'the line says how many there are' err_has \
    "CM_PORTS=7001-7002: rank [012] on ${h}1 finds no free port at .*, 2 of 2 in use;"

# A firewall: the first host refuses connections to these ports, then it drops its own ranks'
# answers from them.
ip_of 1 rule add ipproto tcp dport 7001-7002 prohibit
ip_of 2 rule add ipproto tcp dport 7001-7002 prohibit
far --hosts ${h}1,${h}2 --env CM_PORTS=7001-7002 "$PROGRAM" check
ok 'forbidden ports: status 3' is 3
ok 'the line names the firewall' err_has 'port 700[12]: Permission denied (a firewall or a route'
ip_of 1 rule del ipproto tcp dport 7001-7002 prohibit
ip_of 2 rule del ipproto tcp dport 7001-7002 prohibit
both rule add ipproto tcp sport 7001-7002 blackhole
far --timeout 6 --hosts ${h}1,${h}2 --env CM_TIMEOUT_S=1 --env CM_PORTS=7001-7002 "$PROGRAM" check
ok 'silent ports are said, with all addresses' err_has \
    'accepted a connection to 10.77.0.\([12]\) port [0-9]*, 10.78.0.\1 port .* or a firewall drops'
both rule del ipproto tcp sport 7001-7002 blackhole
ip netns exec ${h}1 sysctl -q -w net.ipv4.ip_unprivileged_port_start=1024
run ip netns exec ${h}1 setpriv --reuid 65534 --regid 65534 --clear-groups \
    env CM_PORTS=80-90 ../src/cmrun -n 2 "$PROGRAM" check
ok 'ports of the system only: status 3' is 3
ok 'the line names the variable' err_has 'CM_PORTS=80-90: this user may not listen at port 8[01]'

"$cluster" down
trap 'rm -rf "$work"' EXIT
ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]
done_testing
