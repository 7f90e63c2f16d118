#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linkmap_hosts.sh: cm-linkmap on hosts made of network namespaces, one of which sends slowly: the
# named pair contains it.
. "${srcdir:-.}/launch/tap.sh"

# Launchers of other tests take turns with this one.
if command -v flock >/dev/null 2>&1; then
    lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi
CMRUN=$(readlink -f "$CMRUN")
program=$(pwd)/../network/linkmap/cm-linkmap
why=
case ${TEST_COMM-unknown} in
sockets | hybrid) ;;
*) why="the backend is ${TEST_COMM-unknown}" ;;
esac
virtual_hosts 'a slow host among six' 'ip tc' 6 --rate 100mbit
slow=${h}4
ip netns exec "$slow" tc qdisc replace dev eth0 root tbf rate 25mbit burst 32kb latency 400ms

names=${h}1,${h}2,${h}3,${h}4,${h}5,${h}6
timeout -k 5 150 "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" --hosts $names \
    "$program" --size 256Ki --warm-up 0 --quiet >"$work/out" 2>"$work/err" </dev/null 9>&-
status=$?
ok 'a map of six hosts' is 0
grep -e '^# slowest' -e '^# RESULT' "$work/out" | sed 's/^#/# linkmap:/'
ok 'the slow host is in the slowest pair' \
    grep -q "^# slowest bandwidth: ranks .*[ (]$slow[,)].*, measured alone \[" "$work/out"
# 25 Mbit/s one way and 100 back give 40 Mbit/s for half a round trip: 5 MB/s.
ok 'its bandwidth is told' grep -q '^# RESULT: PASS slowest_pair_MB_per_s ' "$work/out"
ok 'the slowest pair is the slowest of those measured alone' awk '
    !/^#/ && $6 == 1 && $5 > 1 { if ($9 > most) { most = $9; first = $1; second = $2 } }
    /^# slowest bandwidth: / { told = $5 " " $7 }
    END { exit told != first " " second }' "$work/out"
"$cluster" down
trap 'rm -rf "$work"' EXIT
ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]
done_testing
