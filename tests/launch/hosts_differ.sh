#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts_differ.sh: a result names the host that is not like the others, on hosts made of network
# namespaces.
. "${srcdir:-.}/launch/hosts_tap.sh"

backend=$("$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
why=
case $backend in sockets | hybrid) ;; *) why="the backend is $backend" ;; esac
virtual_hosts 'what differs between hosts' 'ip unshare' 4 --mtu 9000
linkmap=$here/../network/linkmap/cm-linkmap

# measure HOSTS: a short run, its result in r.txt and, where there is jansson, in r.json.
json="--json $work/r.json"
"$linkmap" --json /nonexistent/r.json 2>&1 | grep -q 'has no JSON' && json=
measure() {
    # shellcheck disable=SC2086
    run "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" --hosts "$1" "$linkmap" --size 64 \
        --warm-up 0 --time-limit 0.01 --repetitions 2 --quiet --force \
        --output "$work/r.txt" $json 9>&-
    [ $status -eq 0 ]
}
differ() { sed -n 's/^# hosts_differ: //p' "$work/r.txt"; }
differ_is() { [ "$(differ)" = "$1" ] || { differ | sed 's/^/# /'; return 1; }; }
entry() { jq -c ".hosts[$1]" "$work/r.json"; }
entry_is() { [ "$(entry "$1")" = "$2" ] || { entry "$1" | sed 's/^/# /'; return 1; }; }

all=${h}1:2,${h}2:2,${h}3,${h}4
ok 'four hosts' measure $all
ok 'that are alike' differ_is ''
ip -n ${h}3 link set eth0 mtu 1500
ip -n ${h}1 link add eth7 type veth peer name eth8
ip -n ${h}1 link set eth7 up
ip -n ${h}1 link set eth8 up
ok 'a wrong MTU on one host' measure $all
ok 'is named, and the interfaces that only one has' \
    differ_is "nic eth0 mtu_bytes: 1500 (${h}3); 9000 (${h}1, ${h}2, ${h}4)
nic eth7: up (${h}1); not up (${h}2, ${h}3, ${h}4)
nic eth8: up (${h}1); not up (${h}2, ${h}3, ${h}4)"
if [ -z "$json" ] || ! command -v jq >/dev/null 2>&1; then
    skip 'JSON of the hosts' 'there is no jansson or no jq'
else
    down='"nic eth7":null,"nic eth8":null'
    ok 'JSON: the first host' entry_is 0 "{\"name\":\"${h}1\",\"ranks\":2,\"differs\":{}}"
    ok 'the second one' entry_is 1 "{\"name\":\"${h}2\",\"ranks\":2,\"differs\":{$down}}"
    ok 'the one with the wrong MTU' entry_is 2 \
        "{\"name\":\"${h}3\",\"ranks\":1,\"differs\":{\"nic eth0 mtu_bytes\":1500,$down}}"
fi
ok 'two ranks on one host' measure ${h}3:2
ok 'have nothing to compare' differ_is ''

"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
