#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes_arrangements.sh: `clustermark run --only nodes`, three launches, on eight virtual hosts: of
# the arrangements of faults 19 in 20 are named as they are, and those that are far from the others
# always; of runs without a fault one at most names somebody. Prints a table. Arguments: numbers of
# arrangements or ranges of them (1-20), then "calm" and how many runs without a fault.
. "${srcdir:-.}/programs/nodes_tap.sh"
suite=$(cd ../suite && pwd)/clustermark
launches=${LAUNCHES:-3}
base=400 # Mbit/s of every host

virtual_hosts 'arrangements of faults' 'ip tc' $hosts
for each in cpu memory; do
    [ -w "/sys/fs/cgroup/$each/tasks" ] || why="cannot limit the $each of a host: no cgroup of v1"
done
# What the switch forwards through a port, of all hosts or of one, is lost at random. Few kernels
# have netem.
lossy() { # HOST PERCENT [OTHER]
    ip netns exec "$h-switch" sh -c '
        some="32 0 0 4294963256,37 0 1 $(($2 * 42949673)),6 0 0 0,6 0 0 4294967295"
        if [ -n "$3" ]; then code="6,32 0 0 26,21 0 2 $((0x0a4d0000 + $3)),$some"
        else code="4,$some"
        fi
        tc qdisc del dev "$1" root
        tc qdisc add dev "$1" root handle 1: htb default 10 r2q 100000 &&
        tc class add dev "$1" parent 1: classid 1:10 htb rate "$4"mbit burst 64k &&
        tc class add dev "$1" parent 1: classid 1:20 htb rate 100gbit &&
        tc qdisc add dev "$1" parent 1:20 handle 20: pfifo limit 0 &&
        tc filter add dev "$1" parent 1: protocol ip bpf bytecode "$code" flowid 1:20' \
        sh "p$1-0" "$2" "${3-}" $base 2>"$work/tc" || sed 's/^/# tc: /' "$work/tc"
}
slow_to() { # NAMESPACE DEVICE MBIT ADDRESS
    ip netns exec "$1" sh -c "
        tc qdisc add dev $2 root handle 1: htb default 10 r2q 100000 &&
        tc class add dev $2 parent 1: classid 1:10 htb rate ${base}mbit burst 64k &&
        tc class add dev $2 parent 1: classid 1:20 htb rate $3mbit burst 64k &&
        tc filter add dev $2 parent 1: protocol ip u32 match ip dst $4 flowid 1:20" 2>"$work/tc"
}
groups() { for each in cpu memory; do echo "/sys/fs/cgroup/$each/$h$1"; done; }
# All hosts alike.
reset() {
    unlimit
    for each in $(seq $hosts); do
        ip -n "$h$each" link set eth0 gso_max_size 65536 gso_max_segs 65535
        limit "$h$each" eth0 ${base}mbit
        limit "$h-switch" "p$each-0" ${base}mbit
        rmdir $(groups "$each")
        rm -f "$work/cpu.$h$each" "$work/memory.$h$each"
    done 2>/dev/null
    : >"$work/expected"
}
expect() { echo "$1: $2" >>"$work/expected"; }
no_shape() { ip netns exec "$1" tc qdisc del dev "$2" root 2>/dev/null; }
port() { echo "$h-switch p$1-0"; }

sends() { no_shape "$h$1" eth0; limit "$h$1" eth0 $((base * $2 / 100))mbit; }
receives() { no_shape $(port "$1"); limit $(port "$1") $((base * $2 / 100))mbit; }
slow_sends() { sends "$1" "$2"; expect "$h$1" 'sends at .*its card'; }
slow_receives() { receives "$1" "$2"; expect "$h$1" 'receives at .*its card'; }
slow_both() { slow_sends "$1" "$2"; slow_receives "$1" "$2"; }
other_mtu() { ip -n "$h$1" link set eth0 mtu 1400; expect "$h$1" 'mtu_bytes 1400; 7 others'; }
quota() {
    : >"$work/cpu.$h$1"
    mkdir "/sys/fs/cgroup/cpu/$h$1"
    echo 10000 >"/sys/fs/cgroup/cpu/$h$1/cpu.cfs_period_us"
    echo 3000 >"/sys/fs/cgroup/cpu/$h$1/cpu.cfs_quota_us"
    expect "$h$1" 'cpu_quota 0.3; 7 others'
}
memory() {
    : >"$work/memory.$h$1"
    mkdir "/sys/fs/cgroup/memory/$h$1"
    echo 3G >"/sys/fs/cgroup/memory/$h$1/memory.limit_in_bytes"
    expect "$h$1" 'memory_limit_bytes 3221225472; 7 others'
}
# No host hands over several packets as one, of which none or all would be lost.
single_packets() {
    for each in $(seq $hosts); do
        ip -n "$h$each" link set eth0 gso_max_size 1500 gso_max_segs 1
    done
}
# Both what it receives and what it sends.
loses() {
    single_packets
    lossy "$1" "$2"
    for each in $(seq $hosts); do
        [ "$each" = "$1" ] || lossy "$each" "$2" "$1"
    done
    expect "$h$1" 'lost packets'
}
pair_loses() {
    single_packets
    lossy "$1" "$3" "$2"
    lossy "$2" "$3" "$1"
    expect "$h$1-$h$2" 'lost packets'
}
pair_slow() {
    no_shape "$h$1" eth0
    slow_to "$h$1" eth0 $((base * $3 / 100)) "10.77.0.$2"
    expect "$h$1-$h$2" 'that pair alone'
}
half() {
    for each in 5 6 7 8; do sends $each "$1"; receives $each "$1"; done
    expect "${h}5, ${h}6, ${h}7, ${h}8" 'sends at .*two groups'
    expect "${h}5, ${h}6, ${h}7, ${h}8" 'receives at .*two groups'
}
# NUMBER|always or mostly|FAULT. Between hosts of one machine TCP makes losses good within
# microseconds, so that rates need not fall: what TCP sends again names who loses packets.
arrangements() {
    cat <<END
1|always|slow_both 3 50
2|always|slow_sends 5 50
3|always|slow_receives 2 50
4|always|slow_both 7 70
5|always|slow_sends 4 70
6|always|slow_receives 6 70
7|mostly|slow_both 8 85
8|mostly|slow_sends 2 85
9|mostly|slow_receives 5 85
10|always|other_mtu 7
11|always|quota 4
12|mostly|memory 6
13|mostly|loses 3 1
14|always|loses 5 3
15|mostly|pair_loses 2 6 1
16|always|pair_loses 4 7 3
17|mostly|slow_sends 2 50; quota 6
18|mostly|slow_receives 8 70; other_mtu 3
19|mostly|half 50
20|always|pair_slow 3 8 50
END
}
# Called like ssh, on the first host: a host with a limit has it for all that it runs, and sees it.
cat >"$work/rsh" <<END
#!/bin/sh
for each in cpu memory; do
    if [ -e "$work/\$each.\$1" ]; then
        exec unshare -m sh -c '
            each=\$1; shift
            mount -t cgroup -o "\$each" cgroup "$work/\$each" &&
            echo \$\$ >"$work/\$each/\$1/tasks" && exec "$cluster" "\$@"' sh "\$each" "\$@"
    fi
done
exec '$cluster' "\$@"
END
chmod +x "$work/rsh"
mkdir "$work/cpu" "$work/memory"
measured() { # what is found is in $work/found
    rm -rf "$work/dir"
    setsid -w timeout -k 5 $((400 * launches)) "$cluster" run ${h}1 "$suite" run --only nodes \
        --profile ${PROFILE:-quick} --launches $launches --time-limit 400 --rsh "$work/rsh" \
        --ranks $hosts --hosts "$(seq -s, -f "$h%g" $hosts)" "$work/dir" >"$work/out" 2>&1 \
        </dev/null 9>&-
    status=$?
    sed -n 's/^# finding: //p' "$work/dir/nodes.txt" >"$work/found" 2>"$work/err"
}
right() {
    [ -e "$work/dir/nodes.txt" ] || return
    while IFS= read -r line; do
        grep -q -E "^${line%%: *}: .*${line#*: }" "$work/found" || return
    done <"$work/expected"
    cut -d: -f1 "$work/found" | sort -u >"$work/names"
    cut -d: -f1 "$work/expected" | sort -u | cmp -s - "$work/names"
}
load() { cut -d' ' -f1 /proc/loadavg; }
tell() {
    if [ ! -s "$work/found" ]; then
        sed -n 's/^# could not tell: /#     could not tell: /p' "$work/dir/nodes.txt" \
            2>/dev/null
        [ -e "$work/dir/nodes.txt" ] || tail -n 2 "$work/out" | sed 's/^/#     /'
    fi
    sed "s/$h\\([0-9]\\)/h\\1/g; s/^/#     /" "$work/found"
    sed -n "s/$h\\([0-9]\\)/h\\1/g; s/^# in a few/#     in a few/p" "$work/dir/nodes.txt" \
        2>/dev/null
}

[ -z "$why" ] || { skip 'arrangements of faults' "$why"; done_testing; }
calm=10 chosen=
while [ $# -gt 0 ]; do
    case $1 in
    calm) calm=$2; shift ;;
    *-*) chosen="$chosen $(seq "${1%-*}" "${1#*-}")" ;;
    *) chosen="$chosen $1" ;;
    esac
    shift
done
[ -n "$chosen" ] || [ "$calm" != 10 ] || chosen=$(seq 20)
all=0 good=0 missed=
for number in $chosen; do
    faults=$(arrangements | sed -n "s/^$number|[a-z]*|//p")
    reset
    eval "$faults"
    measured
    kind=$(arrangements | sed -n "s/^$number|\\([a-z]*\\)|.*/\\1/p")
    verdict=wrong
    ! right || verdict=right
    all=$((all + 1))
    [ $verdict = wrong ] || good=$((good + 1))
    [ $verdict = right ] || [ "$kind" != always ] || missed="$missed $number"
    echo "# $number: $faults: $verdict (load $(load), status $status)"
    tell
done
[ $all -eq 0 ] || ok "$good of $all arrangements" [ $((20 * good)) -ge $((19 * all)) ]
[ $all -eq 0 ] || ok "those that must be found are${missed:+, but$missed}" [ -z "$missed" ]
alarms=0 untold=0
for run in $(seq "$calm"); do
    reset
    measured
    [ ! -s "$work/found" ] || alarms=$((alarms + 1))
    grep -q '^# could not tell' "$work/dir/nodes.txt" 2>/dev/null && untold=$((untold + 1))
    echo "# calm $run: $(grep -c . "$work/found") named (load $(load))"
    tell
done
ok "$alarms of $calm runs without a fault name somebody, $untold could not tell" [ $alarms -le 1 ]
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
