#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# virtual.sh: virtual-cluster: its options, what its networks limit, and that it leaves nothing
# behind.
. "${srcdir:-.}/launch/tap.sh"

netpipe=$(readlink -f ../netpipe/cm-netpipe)
comm=$(sed -n 's/^#define CM_COMM "\(.*\)"/\1/p' ../config.h)
cluster=$(cd .. && pwd)/clusters/virtual/virtual-cluster
CMRUN=$(readlink -f "$CMRUN")

# refused REGEX ARGUMENT...: status 2, and one line.
refused() {
    regex=$1; shift
    run "$cluster" "$@"
    is 2 && err_lines 1 && err_has "^virtual-cluster.*$regex"
}
ok 'no command' refused 'the commands are up, down'
ok 'no such command' refused "ups" ups
ok 'no number of hosts' refused 'the number of hosts' up
ok 'no number' refused "'x': expected 1 to 250 hosts" up x
ok 'too many hosts' refused "'251': expected 1 to 250 hosts" up 251
ok 'no rate' refused '--rate 100: expected 1kbit to 100gbit' up 2 --rate 100
ok 'a rate of nothing' refused '--rate 0mbit: expected' up 2 --rate 0mbit
ok 'packets too small for IPv6' refused '--mtu 1279 with --ipv6: expected 1280' up 2 --ipv6 \
    --mtu 1279
ok 'no delay' refused '--delay 5: expected 0us to 10s' up 2 --delay=5
ok 'a negative delay' refused '--delay -1us: expected' up 2 --delay -1us
ok 'a small MTU' refused '--mtu' up 2 --mtu 100
ok 'no such option' refused 'burst' up 2 --burst 5
ok 'run needs a command' refused 'HOST and a COMMAND' run h1
ok 'link needs a state' refused 'up or down' link h1 sideways
wrong_name() { VIRTUAL_CLUSTER_NAME=../x refused '_NAME=../x: expected at most' list; }
ok 'a name that is no name' wrong_name
ok 'an owner that is none' refused '--owner 2000000000: expected .* a process that runs' \
    up 2 --owner 2000000000
narrow() {
    for each in '' up down run list link; do
        # shellcheck disable=SC2086
        "$cluster" ${each:+help} ${each:-"--help"} >"$work/out" || return
        ! awk 'length($0) > 80 { print "# " $0 }' "$work/out" | grep . || return
    done
}
ok 'help of 80 columns' narrow

# ---- Networks ------------------------------------------------------------------------------------

# Launchers of other tests take turns with these.
if command -v flock >/dev/null 2>&1; then
    exec 9>>"${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}" && flock 9
fi
virtual_hosts 'hosts on one machine' 'ip unshare' 2 --rate 20mbit --delay 3ms
# The kernel's table of neighbours is that of all namespaces.
crowd=40
places=$(cat /proc/sys/net/ipv4/neigh/default/gc_thresh3 2>/dev/null)
crowded()
{
    (VIRTUAL_CLUSTER_NAME=${h}n; export VIRTUAL_CLUSTER_NAME
        run "$cluster" up $crowd 9>&-
        is 0 && err_lines 1 && err_has 'up: 40 hosts .* need 1560 places .* has [0-9]*; sysctl'
        told=$?
        "$cluster" down
        exit $told)
}
if [ "${places:-99999}" -lt $((crowd * (crowd - 1))) ]; then
    ok 'more hosts than the kernel knows neighbours' crowded
else skip 'more hosts than the kernel knows neighbours' 'it knows enough here'
fi
ok 'no further hosts of that name' refused 'exist already: .*down. removes them' up 2
ok 'no such host' refused "no host ${h}9; hosts: ${h}1 ${h}2" run ${h}9 true
# A file in /run/netns is all that a name needs to be listed.
all_named()
{
    VIRTUAL_CLUSTER_NAME=$(printf '%.10s' "${h}aaaaaa")
    export VIRTUAL_CLUSTER_NAME
    seq -f "/run/netns/$VIRTUAL_CLUSTER_NAME%.0f" 1 99 >"$work/many"
    xargs touch <"$work/many"
    refused "; hosts: .* ${VIRTUAL_CLUSTER_NAME}99\$" run "${VIRTUAL_CLUSTER_NAME}100" true
    listed=$?
    xargs rm -f <"$work/many"
    return $listed
}
many_hosts() { (all_named); }
ok 'of many hosts all are named' many_hosts
ok 'a command' run "$cluster" run ${h}2 sh -c 'uname -n; exit 7' 9>&-
ok 'runs there' out_is "${h}2"
ok 'and its status is told' is 7
ok 'called like ssh' run "$cluster" -x -o Some=thing -- ${h}1 uname -n 9>&-
ok 'it is a launcher' out_is "${h}1"
# as_given ARGUMENT...: a program on a host gets exactly these arguments, and starts in the current
# folder.
as_given()
{
    script='pwd -P; for each; do printf "<%s>\n" "$each"; done'
    (cd "$work" && "$cluster" run ${h}1 sh -c "$script" sh "$@" 9>&-) >"$work/out" 2>"$work/err" ||
        return
    (cd "$work" && pwd -P; for each; do printf '<%s>\n' "$each"; done) | cmp - "$work/out"
}
# shellcheck disable=SC2016
ok 'arguments arrive as they are given, in this folder' \
    as_given 'two words' "'" '"' '$HOME' '*' 'a;b' '\' '`x`' '&' '' '  '
there() { [ "$(cat "$work/out")" = "$1" ]; }
# shellcheck disable=SC2016
ok 'like ssh, a shell reads one string' run "$cluster" ${h}1 'cd /usr; echo "$PWD"' 9>&-
ok 'which is a command line' there /usr
ok 'like ssh, it starts in one folder' run "$cluster" ${h}1 pwd 9>&-
ok 'whatever the current one' there /
ok 'no such program' run "$cluster" run ${h}1 ./no-such 9>&-
ok 'has the status of a shell' is 127
ok "ssh's options with their values attached" \
    run "$cluster" -oSome=thing -qp 22 -xl root -- ${h}1 uname -n 9>&-
ok 'are stepped over' out_is "${h}1"
# begin FILE COMMAND...: starts it as $job, and waits until it has written a line into the file.
begin()
{
    begun=$1; shift
    : >"$begun"
    "$@" >"$begun" 2>"$work/err" 9>&- & job=$!
    within 30 [ -s "$begun" ]
}
ended() { wait "$1"; status=$?; is "$2"; }
sleeps='echo there; exec sleep 60'
terminated() { begin "$work/out" "$cluster" "$@" && kill -TERM "$job" && ended "$job" 143; }
ok 'SIGTERM ends a command' terminated run ${h}1 sh -c "$sleeps"
ok 'and one that was started like ssh does' terminated ${h}1 "$sleeps"
# A terminal signals the group. A job in the background would ignore SIGINT.
interrupted()
{
    begin "$work/out" setsid env --default-signal=INT "$cluster" "$@" &&
        kill -s INT -- "-$job" && ended "$job" 130
}
if command -v setsid >/dev/null && env --default-signal=INT true 2>/dev/null; then
    ok 'SIGINT of a terminal does' interrupted run ${h}1 sh -c "$sleeps"
else skip 'SIGINT of a terminal does' 'no setsid, or no env --default-signal'
fi
# pair OPTION...: cm-netpipe between both hosts.
pair() {
    set -- "$CMRUN" --rsh "$cluster" --hosts ${h}1,${h}2 "$netpipe" "$@"
    run "$cluster" run ${h}1 "$@" --quiet --force --output "$work/r.txt" 9>&-
    is 0
}
# No message may take less time than the delay plus its length divided by the rate.
limited() {
    awk -v rate="$1" -v delay="$2" '
        /^#/ || $1 == "size_bytes" { next }
        { rows++; least = delay + 8 * $1 / rate
          if ($3 < least) { print "# " $1 " bytes: " $3 " s, but " least " s are the least"
              fast = 1 } }
        END { exit !(rows > 20) || fast }' "$work/r.txt"
}
told() { grep -q "^# $1\$" "$work/r.txt"; }
# Not with an MPI: MPI_Finalize over a slow link on a busy machine may take a minute.
short='--upper 40k --perturbation 0 --time-limit 0.05 --warm-up 0 --trial-seconds 1e-3'
case $comm in
sockets | hybrid) why= ;;
mpi) why='the end of an MPI job over a slow link may take long' ;;
*) why="no job of backend $comm goes over hosts here" ;;
esac
if [ -n "$why" ]; then skip 'messages' "$why"
else
    # shellcheck disable=SC2086
    ok 'messages between the hosts' pair $short
    ok 'none exceeds the rate' limited 20e6 0.003
    ok 'their result says the rate' told 'virtual_rate: 20mbit'
    ok 'and the delay' told 'virtual_delay: 3ms'
    ok 'and the MTU' told 'virtual_mtu: 1500'
fi

# mean OPTION...: the mean length, with headers, of the frames in which 1 MB is sent.
sent() { ip netns exec ${h}1 cat "/sys/class/net/eth0/statistics/tx_$1"; }
mean() {
    "$cluster" down && "$cluster" up 2 "$@" >"$work/out" 2>"$work/err" || { show; return 1; }
    pair --upper 1M --lower 1M --perturbation 0 --time-limit 0.05 --warm-up 0 || return
    mean=$(($(sent bytes) / $(sent packets)))
    echo "# $*: $mean bytes a frame"
}
at_most() { mean --mtu "$1" && [ "$mean" -le "$2" ] && [ "$mean" -gt "$3" ]; }
if [ -z "$why" ]; then
    ok 'frames of 1500 bytes' at_most 1500 1514 100
    ok 'frames of 9000 bytes' at_most 9000 9014 1514
    ok 'the result says so' told 'virtual_mtu: 9000'
    ok 'and that no rate is set' told 'virtual_rate: unlimited'
fi
# One of them ignores SIGTERM.
ended_by_down()
{
    begin "$work/one" "$cluster" run ${h}1 sh -c "$sleeps" && one=$job || return
    begin "$work/two" "$cluster" run ${h}2 sh -c "trap '' TERM; $sleeps" || return
    run "$cluster" down
    is 0 && err_lines 0 && ended "$one" 143 && ended "$job" 137
}
ok 'down ends programs that still run' ended_by_down
"$cluster" down
trap 'rm -rf "$work"' EXIT

# ---- Nothing is left -----------------------------------------------------------------------------

left() {
    ls /run/netns /etc/netns /run/virtual-cluster 2>/dev/null | grep "^$h"
    pgrep -f "virtual-cluster up 200 --rate 1mbit --mtu $((1000 + $$ % 400))"
}
none_left() { ! left | sed 's/^/# left: /' | grep .; }
ok 'down leaves nothing' none_left
# Interrupted before it is done, and after a part of it.
interrupt() {
    "$cluster" up 200 --rate 1mbit --mtu $((1000 + $$ % 400)) >"$work/out" 2>"$work/err" 9>&- &
    job=$!
    within 30 [ -e "/run/netns/$1" ] || return
    kill -TERM $job
    wait $job
    status=$?
    is 143
}
ok 'interrupted early' interrupt ${h}1
ok 'it leaves nothing' none_left
ok 'interrupted later' interrupt ${h}20
ok 'it leaves nothing again' none_left
ok 'and says nothing' [ ! -s "$work/err" ]

# Hosts that somebody else removed leave the process that carried their frames.
limits="--rate 10mbit --mtu $((1400 + $$ % 400))"
removed() {
    # shellcheck disable=SC2086
    "$cluster" up 2 $limits 9>&- && ip netns del ${h}1 && ip netns del ${h}2 || return
    # shellcheck disable=SC2086
    run "$cluster" up 2 $limits 9>&-
    is 0 && err_lines 0
}
one_process() { [ "$(pgrep -fc "virtual-cluster up 2 $limits")" = 1 ]; }
ok 'hosts come up where others were removed by hand' removed
ok 'with one process for their frames' one_process
"$cluster" down
ok 'which down ends' none_left

# The next `up` removes the hosts of a process that was killed, but not those of a living process.
other=${h}o
sleep 60 9>&- & lives=$!
sleep 60 9>&- & dies=$!
VIRTUAL_CLUSTER_NAME=$other "$cluster" up 2 --owner $dies 9>&-
VIRTUAL_CLUSTER_NAME=${h}l "$cluster" up 1 --owner $lives 9>&-
"$cluster" up 1 --owner $lives 9>&-
ok 'hosts of a process that lives stay' [ -e "/run/netns/${other}1" -a -e "/run/netns/${h}l1" ]
kill -KILL $dies
wait $dies 2>/dev/null
"$cluster" down
run "$cluster" up 1 9>&-
ok 'it is killed: the next up' is 0
ok 'removes its hosts and says so' err_has "removing ${other}1, .*: process $dies, "
ok 'all of them' sh -c "! ls /run/netns /etc/netns /run/virtual-cluster | grep '^$other'"
ok 'and no others' [ -e "/run/netns/${h}l1" -a -e "/run/netns/${h}1" ]
kill $lives
wait $lives 2>/dev/null
"$cluster" down
VIRTUAL_CLUSTER_NAME=${h}l "$cluster" down
ok 'none is left' none_left
done_testing
