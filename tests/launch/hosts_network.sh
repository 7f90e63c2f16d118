#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_network.sh: jobs on hosts made of network namespaces: several networks, IPv6, killed
# processes and pulled cables.
. "${srcdir:-.}/launch/hosts_tap.sh"

backend=$("$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
why=
case $backend in sockets | hybrid) ;; *) why="the backend is $backend" ;; esac
virtual_hosts 'jobs on hosts of their own' 'ip unshare' 4
inside() { ip netns pids "$1" 2>/dev/null; }
empty() { [ -z "$(inside ${h}1)$(inside ${h}2)" ]; }
far() { run "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" "$@" 9>&-; }
far --hosts ${h}1:2,${h}2:2 "$PROGRAM" check
ok 'two hosts, two ranks each' out_is '4 ranks right'
ok 'ends well' is 0
far --hosts ${h}1:2,${h}2:2 --prefix-output --bind core "$PROGRAM" check
ok 'bound, with prefixes' out_is '[0] 4 ranks right'
# shellcheck disable=SC2016  # in the ranks
far --hosts ${h}1:2,${h}2:2 -p sh -c 'echo $PMI_RANK on $(uname -n); echo err >&2'
ok 'prefixes tell who' [ "$(sort "$work/out")" = "[0] 0 on ${h}1
[1] 1 on ${h}1
[2] 2 on ${h}2
[3] 3 on ${h}2" ]
ok 'on stderr too' [ "$(sort "$work/err" | tr '\n' ' ')" = '[0] err [1] err [2] err [3] err ' ]
far --hosts ${h}1:2,${h}2:2 --timeout 1 "$PROGRAM" wait "$work/pid"
ok 'a time limit: 124' is 124
ok 'one line' err_lines 1
ok 'no process is left' within 30 empty
far --hosts ${h}1,${h}2,${h}3,${h}4 -n 8 "$PROGRAM" check
ok 'four hosts, ranks in turn' out_is '8 ranks right'
far --hosts ${h}2,nohost true
ok 'a host that does not exist: status 3' is 3
ok 'is named' err_has "^cmrun: host 'nohost': cannot be reached: .*no host nohost"

# begin: starts a job of four waiting ranks on two hosts; pids are those within the namespaces.
begin() {
    rm -f "$work/pid"
    timeout -k 5 60 "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" \
        --hosts ${h}1:2,${h}2:2 "$PROGRAM" wait "$work/pid" \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &
    job=$!
    within 30 noted 4
}
called() { for p in $(inside "$1"); do tr '\0' ' ' <"/proc/$p/cmdline" | grep -q -e "$2" \
    && ! is_guard "$p" && echo "$p"; done; }
rank_on() {
    for p in $(inside "$1"); do
        tr '\0' ' ' <"/proc/$p/cmdline" | grep -q "^$PROGRAM wait" && { echo "$p"; return; }
    done
}
ended_well() {
    ok "$1: the job ends" [ $status -ne 0 -a $status -ne 124 ]
    ok "$1: one line" err_lines 1
    ok "$1: no process is left" within 30 empty
}
# The addresses at which the processes within a host listen, one a line; each process has its own.
listening() {
    ip netns exec "$1" sh -c 'cat /proc/net/tcp /proc/net/tcp6' |
        awk '$4 == "0A" { sub(/:.*/, "", $2); print $2 }'
}
only_eth0() {
    # The address as in the kernel's table: a little-endian number.
    own=$(ip netns exec "$1" ip -4 -o addr show dev eth0 |
        sed 's/.*inet \([0-9.]*\).*/\1/' | awk -F. '{ printf "%02X%02X%02X%02X", $4, $3, $2, $1 }')
    heard=$(listening "$1")
    [ "$heard" = "$own
$own" ] || { echo "# $1 listens on" $heard "; eth0 has $own"; return 1; }
}
begin
ok 'each rank listens on the network alone' only_eth0 ${h}1
ok 'on the other host as well' only_eth0 ${h}2
kill -9 $(rank_on ${h}2)
wait $job; status=$?
ended_well 'a rank is killed'
ok 'which names it' err_has "rank [23] (pid [0-9]*) on ${h}2: killed by signal 9"
begin
kill -9 $(called ${h}2 "^$CMRUN --proxy" | head -n 1)
wait $job; status=$?
ended_well 'a proxy is killed'
ok 'which names the host' err_has "${h}2"
begin
"$cluster" link ${h}2 down
wait $job; status=$?
ended_well 'a link is pulled'
ok 'which names a host' err_has "on ${h}[12]"

# ---- Networks to choose from ----

# sent HOST INTERFACE: bytes that have left it.
sent() { ip netns exec "$1" cat "/sys/class/net/$2/statistics/tx_bytes"; }
# travels INTERFACE OTHER: a job on two hosts; the first host's rank sends 2 MB to the second host's
# two ranks.
travels() {
    before=$(sent ${h}1 "$1") other=$(sent ${h}1 "$2")
    far --hosts ${h}1,${h}2:2 --env CM_INTERFACE="$1" "$PROGRAM" check
    ok "CM_INTERFACE=$1: a job" out_is '3 ranks right'
    ok "CM_INTERFACE=$1: its data go there" [ $(($(sent ${h}1 "$1") - before)) -gt 2000000 ]
    ok "CM_INTERFACE=$1: and nowhere else" [ $(($(sent ${h}1 "$2") - other)) -lt 100000 ]
}
# The same over both at once.
travels_both() {
    before=$(sent ${h}1 eth0) other=$(sent ${h}1 eth1)
    far --hosts ${h}1,${h}2:2 --env CM_RAILS=eth0,eth1 "$PROGRAM" check
    ok 'CM_RAILS=eth0,eth1: a job' out_is '3 ranks right'
    ok 'CM_RAILS=eth0,eth1: half of its data go over eth0' \
        [ $(($(sent ${h}1 eth0) - before)) -gt 1000000 ]
    ok 'CM_RAILS=eth0,eth1: and half over eth1' [ $(($(sent ${h}1 eth1) - other)) -gt 1000000 ]
}
for family in '' --ipv6; do
    "$cluster" down
    # shellcheck disable=SC2086
    if "$cluster" up 2 --interfaces 2 $family >"$work/out" 2>"$work/err"; then
        echo "# hosts: $("$cluster" list | tr '\n' ' ')"
        far --hosts ${h}1:2,${h}2:2 "$PROGRAM" check
        ok 'two networks: a job that chooses by itself' out_is '4 ranks right'
        travels eth0 eth1
        travels eth1 eth0
        travels_both
        far --hosts ${h}1,${h}2 --env CM_INTERFACE=eth7 "$PROGRAM" check
        ok 'an interface that is not there: status 2' is 2
        ok 'with those that are' err_has 'CM_INTERFACE=eth7: .*expected one of: lo, eth0, eth1'
    else
        skip "two networks $family" "virtual-cluster up: $(head -n 1 "$work/err")"
    fi
done
"$cluster" down
trap 'rm -rf "$work"' EXIT
ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]

done_testing
