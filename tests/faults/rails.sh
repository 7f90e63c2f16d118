#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# rails.sh: long messages over two limited links between hosts made of network namespaces: the bytes
# over each, by the interfaces' own counters; a link that fails; missing interfaces.
. "${srcdir:-.}/faults/tap.sh"

why=
[ "$backend" != shm ] || why='shm connects ranks of one host only'
virtual_hosts 'two links a host' 'ip tc unshare' 2 --interfaces 2 --rate 100mbit
export CM_TIMEOUT_S=2

# job LABEL RAILS COMMAND...: two ranks on two hosts.
job() {
    label=$1 rails=$2
    shift 2
    begin "$label" "$cluster" run ${h}1 "$work/cmrun" --rsh "$cluster" --hosts ${h}1,${h}2 \
        --env "CM_RAILS=$rails" "$@"
}
# The bytes that have left a host over an interface, and those of the last job.
sent() { ip netns exec "$1" cat "/sys/class/net/$2/statistics/tx_bytes"; }
count() { for i in 1 2; do for k in 0 1; do eval "$1_${i}_$k=$(sent $h$i eth$k)"; done; done; }
# moved HOST INTERFACE LEAST MOST: the last job's bytes, including headers and acknowledgements, are
# in this range.
moved() {
    eval "bytes=\$((after_${1}_$2 - before_${1}_$2))"
    [ "$bytes" -ge "$3" ] && [ "$bytes" -le "$4" ] ||
        { echo "# host $1, eth$2: $bytes bytes"; false; }
}

# ---- Where the bytes go: 4,000,000 in a message, one way -----------------------------------------

large() {
    count before
    job large "$@"
    finish large
    count after
}
for rails in eth0,eth1 eth1,eth0; do
    large $rails "$work/program" data 0
    ok "CM_RAILS=$rails: a job" right
    # Stage data: everything sent before it, in both directions, is short.
    for k in 0 1; do
        ok "CM_RAILS=$rails: half of it goes over eth$k" moved 2 $k 1900000 2600000
        ok "CM_RAILS=$rails: and nothing back but acknowledgements" moved 1 $k 0 400000
    done
done
large eth1 "$work/program" data 0
ok 'CM_RAILS=eth1: a job' right
ok 'CM_RAILS=eth1: all of it goes there' moved 2 1 3900000 5200000
ok 'CM_RAILS=eth1: and nothing elsewhere' moved 2 0 0 400000

# ---- How fast ------------------------------------------------------------------------------------

# A token bucket lets TCP carry 95 % of 100 Mbit/s, independent of the machine's other load,
# provided that the job gets to run at all. is_rate RAILS LEAST MOST: Mbit/s of messages of 1 MB
# back and forth.
is_rate() {
    for try in 1 2 3; do
        job rate "$1" "$here/../netpipe/cm-netpipe" -l 1048576 -u 1048576 -p 0 \
            --repetitions 1 --trials 3 --warm-up 0 --quiet
        finish rate
        [ "$status" -eq 0 ] || { show "$work/err"; return 1; }
        awk -v least="$2" -v most="$3" '/^#/ { next }
            !at { for (k = 1; k <= NF; k++) if ($k == "Mbit_per_s") at = k; next }
            { print "# " $at " Mbit/s"; exit !($at >= least && $at <= most) }' "$work/out" && return
    done
    false
}
ok 'one link of 100 Mbit/s gives 90 to 100' is_rate eth0 90 100
# On a busy machine, parts that wait for one another leave gaps. One link alone reaches half.
ok 'two give 150 to 200' is_rate eth0,eth1 150 200

# ---- What fails ---------------------------------------------------------------------------------

# util-linux's unshare, which is this launcher, may complain of its child's death by itself.
finish_here() {
    finish "$1"
    grep -v '^unshare: ' "$work/err" >"$work/lines"
    mv "$work/lines" "$work/err"
}
come() { [ -f "$work/pull.stage" ] && [ "$(wc -l <"$work/pull.stage")" -ge 2 ]; }
# pulled RAIL: a link goes in the middle of a job.
pulled() {
    rm -f "$work"/pull.stage*
    job pull eth0,eth1 "$work/program" streams 0 "$work/pull.stage"
    within 30 come
    ip -n ${h}2 link set eth$1 down
    finish_here pull
    ip -n ${h}2 link set eth$1 up
    from="^clustermark: rank [01] on ${h}[12]: cm_[a-z]*: rank [01] on ${h}[12]: "
    ended 3 "$from"
}
# Both ranks notice the missing data at about the same time. If one of them ends before the other
# looks, the other may report first that this rank has left, which it learns over the intact rail.
pulled_and_named() {
    for try in 1 2 3; do
        pulled "$1" || return 1
        err_has "$from.*(rail $1, eth$1)" && return 0
    done
    false
}
for k in 1 0; do
    ok "the link of rail $k is pulled" pulled_and_named $k
done
ok 'nothing is left' within 30 none_left

job none eth0,eth7 "$work/program" data 0
finish_here none
there="expected one of: .*eth0, eth1"
ok 'an interface that is not there: one line, which names what is' ended 2 \
    "^clustermark: rank [01] on ${h}[12]: CM_RAILS=eth0,eth7: eth7: no interface, .*; $there"
"$cluster" down
trap 'rm -rf "$work"' EXIT
ok 'no host is left' [ -z "$(ip netns list | grep "^$h")" ]
done_testing
