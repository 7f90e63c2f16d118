# SPDX-License-Identifier: BSD-3-Clause
# nodes_tap.sh: cm-nodes on eight virtual hosts with faults; sourced by the tests that draw them.
. "${srcdir:-.}/launch/tap.sh"

# Launchers of other tests take turns with these.
if command -v flock >/dev/null 2>&1; then
    lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi
CMRUN=$(readlink -f "$CMRUN")
nodes=$(cd ../nodes && pwd)/cm-nodes
stopper=$(pwd)/programs/nodes_fault
shim=$(pwd)/programs/nodes_clock.so
hosts=8
kinds='stopped sends receives pair mtu meminfo thp governor clock'

why=
case ${TEST_COMM-unknown} in
sockets | hybrid) ;;
*) why="the backend is ${TEST_COMM-unknown}" ;;
esac

# ---- Faults --------------------------------------------------------------------------------------

# Every host runs this: its plan, and those of all, before the program.
write_node() {
    cat >"$work/node" <<END
#!/bin/sh
for plan in '$work/plan.all' '$work/plan.'\$(hostname); do
    if [ -r "\$plan" ]; then . "\$plan"; fi
done
exec '$nodes' "\$@"
END
    chmod +x "$work/node"
}
# Replaces a file of /sys or /proc on this host by another one.
show_instead() { echo "mount --bind '$1' '$2' || exit 99"; }

# A tree with the kernel's processors and a governor for each.
make_cpus() { # FOLDER GOVERNOR
    mkdir -p "$1"
    for file in online present possible; do
        cat "/sys/devices/system/cpu/$file" >"$1/$file"
    done
    for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
        mkdir -p "$1/${cpu##*/}/cpufreq"
        cp -r "$cpu/topology" "$1/${cpu##*/}/" 2>/dev/null
        cp -r "$cpu/cache" "$1/${cpu##*/}/" 2>/dev/null
        echo "$2" >"$1/${cpu##*/}/cpufreq/scaling_governor"
    done
}
make_files() {
    make_cpus "$work/cpus" performance
    make_cpus "$work/slow_cpus" powersave
    for pages in 0 512; do
        sed "s/^HugePages_Total:.*/HugePages_Total:     $pages/" /proc/meminfo \
            >"$work/meminfo.$pages"
    done
    echo 'always madvise [never]' >"$work/thp.never"
    echo '[always] madvise never' >"$work/thp.always"
    {
        show_instead "$work/cpus" /sys/devices/system/cpu
        show_instead "$work/meminfo.512" /proc/meminfo
        show_instead "$work/thp.always" /sys/kernel/mm/transparent_hugepage/enabled
    } >"$work/plan.all"
}

# Limits sending to this rate, through this device of a namespace, or only to one address.
limit() { # NAMESPACE DEVICE RATE
    ip netns exec "$1" tc qdisc replace dev "$2" root tbf rate "$3" burst 64kb latency 400ms
}
limit_to() { # NAMESPACE DEVICE RATE ADDRESS
    ip netns exec "$1" sh -c "
        tc qdisc add dev $2 root handle 1: htb default 10 r2q 100000 &&
        tc class add dev $2 parent 1: classid 1:10 htb rate 100gbit &&
        tc class add dev $2 parent 1: classid 1:20 htb rate $3 &&
        tc filter add dev $2 parent 1: protocol ip u32 match ip dst $4 flowid 1:20" 2>"$work/tc"
}
unlimit() {
    for each in $(seq $hosts); do
        ip netns exec "$h$each" tc qdisc del dev eth0 root
        ip netns exec "$h-switch" tc qdisc del dev "p$each-0" root
        ip -n "$h$each" link set eth0 mtu 1500
        rm -f "$work/plan.$h$each"
    done 2>/dev/null
}

# fault KIND HOST OTHER: adds to $expected the beginning of the finding, and a text that it must
# contain.
fault() {
    plan=$work/plan.$h$2 name=$h$2 word=
    case $1 in
    stopped)
        echo "'$stopper' \$\$ 10 20 120 &" >>"$plan"
        word='(triad|matrix product|fixed work)'
        ;;
    shared) # what its ranks have together
        echo "'$stopper' \$\$ 5 15 120 '$work/share.$name' &" >>"$plan"
        word='(triad|matrix product) at'
        ;;
    sends) limit "$name" eth0 300mbit; word='sends at' ;;
    receives) limit "$h-switch" "p$2-0" 300mbit; word='receives at' ;;
    pair)
        limit_to "$name" eth0 300mbit "10.77.0.$3"
        if [ "$2" -lt "$3" ]; then name=$h$2-$h$3; else name=$h$3-$h$2; fi
        word='that pair alone'
        ;;
    mtu) ip -n "$name" link set eth0 mtu 1400; word='nic eth0 mtu_bytes 1400; 7 others: 1500' ;;
    meminfo)
        show_instead "$work/meminfo.0" /proc/meminfo >>"$plan"
        word='huge_pages_reserved 0; 7 others: 512'
        ;;
    thp)
        show_instead "$work/thp.never" /sys/kernel/mm/transparent_hugepage/enabled >>"$plan"
        word='huge_pages never; 7 others: always'
        ;;
    governor)
        show_instead "$work/slow_cpus" /sys/devices/system/cpu >>"$plan"
        word='governor powersave; 7 others: performance'
        ;;
    clock)
        echo "LD_PRELOAD='$shim' TEST_CLOCK_S=0.25; export LD_PRELOAD TEST_CLOCK_S" >>"$plan"
        word='its clock is 0.2[45].* ahead'
        ;;
    esac
    echo "$name: $word" >>"$work/expected"
}

# ---- Runs ----------------------------------------------------------------------------------------

# judged STATUS OPTION...: runs cm-nodes with $ranks ranks on each host (one if unset); it finds
# what is expected, and nothing else.
judged() {
    wanted=$1; shift
    rm -f "$work"/share.*
    names=$(seq -s, -f "$h%g" $hosts)
    # The kernel first divides the cores among sessions (autogroups). Each proxy has a session of
    # its own, so the first host must have one, too.
    setsid -w timeout -k 5 200 "$cluster" run ${h}1 "$CMRUN" --rsh "$cluster" \
        --hosts "$names" --per-host "${ranks:-1}" "$work/node" --triad 6Mi \
        --trial-seconds 0.03 --quiet "$@" \
        >"$work/out" 2>"$work/err" </dev/null 9>&-
    status=$?
    sed -n 's/^# finding: //p' "$work/out" >"$work/found"
    [ $status -eq "$wanted" ] || return
    while IFS= read -r line; do
        grep -q -E "^${line%%: *}: .*${line#*: }" "$work/found" || return
    done <"$work/expected"
    # Each name that is found is expected.
    cut -d: -f1 "$work/found" | sort -u >"$work/names"
    cut -d: -f1 "$work/expected" | sort -u | cmp -s - "$work/names"
}
show_found() {
    sed 's/^/# expected: /' "$work/expected"
    sed 's/^/# found: /' "$work/found"
}
