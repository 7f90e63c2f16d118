#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# machine.sh: clustermark machine on kernel trees of real nodes (TEST_MACHINES, a folder of .tar.bz2
# files that each hold /sys and /proc): both readers agree with each other and with lstopo.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
machines=${TEST_MACHINES:-$srcdir/../../shared/machines}

# refused STATUS REGEX ARGUMENT...
refused()
{
    status=$1 regex=$2; shift 2
    "$suite" machine "$@" >"$work/out" 2>"$work/err"
    [ $? = "$status" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" = 1 ] \
        && grep -q -e "$regex" "$work/err" || { show "$work/out" "$work/err"; false; }
}
this_node()
{
    "$suite" machine >"$work/out" && has '^cores: [1-9]' "$work/out" \
        && has '^last_caches_bytes: [1-9]' "$work/out" || { show "$work/out"; false; }
}
ok 'this node' this_node
ok '--bind places each rank' sh -c '"$1" machine --bind -n 2 | grep -c "^rank[01]: cpus=[0-9]*$" \
    | grep -q "^2$"' sh "$suite"
ok 'an unknown way' refused 2 "option '--bind': 'socket' is not one of: none, spread, pack, per" \
    --bind=socket
ok '--ranks without --bind' refused 2 '^clustermark: machine: --ranks 3: only --bind=WAY' -n 3
ok '--root of nothing' refused 2 "^clustermark: machine: --root '/none': expected" --root /none
ok '--root without a name' refused 2 "^clustermark: machine: --root '': expected" --root ''
mkdir -p "$work/empty/sys"
ok '--root that tells nothing' refused 3 'no processors are told' --root "$work/empty"
if command -v jq >/dev/null 2>&1; then
    ok 'JSON of this node' sh -c '"$1" machine --json | jq -e \
        ".cores > 0 and .threads >= .cores and .last_caches_bytes > 0 and .caches != null" \
        >/dev/null' sh "$suite"
else skip 'JSON of this node' 'jq is not there'
fi

# Machines that hwloc makes up: DESCRIPTION|WAY RANKS PROCESSORS... hwloc's time grows with the cube
# of the number of objects in one place: 8192 cores without caches would take ten seconds.
synthetic='pack:2 numa:4 l3:3 core:8 pu:2|spread 9 0 192 48 240 96 288 144 336 16
pack:2 numa:4 l3:3 core:8 pu:2|pack 193 0 2 1
pack:2 numa:4 l3:3 core:8 pu:2|per-l3 2 0-15 192-207
pack:2 numa:4 l3:3 core:8 pu:2|per-l3 25 refused
pack:2 numa:4 l3:3 core:8 pu:2|per-numa 3 0-47 192-239 48-95
pack:2 numa:4 l3:3 core:8 pu:2|same-core 2 0 1
pack:2 numa:4 l3:3 core:8 pu:2|same-socket 2 0 16
pack:2 numa:4 l3:3 core:8 pu:2|other-socket 2 0 192
core:2 pu:1|spread 3 0 1 0
core:2 pu:1|per-l3 1 refused
pack:2 l3:64 core:64 pu:1|spread 3 0 4096 64'
made_up()
{
    echo "$synthetic" | while IFS='|' read -r HWLOC_SYNTHETIC words; do
        export HWLOC_SYNTHETIC HWLOC_THISSYSTEM=0
        # shellcheck disable=SC2086 # a list of words
        set -- $words
        way=$1 ranks=$2; shift 2
        "$suite" machine --bind="$way" -n "$ranks" >"$work/out" 2>"$work/err"
        # Of many ranks the first two and the last count.
        lines=p
        [ "$ranks" -lt 100 ] || lines='1p;2p;$p'
        # shellcheck disable=SC2046 # words become one line
        found=$(echo $(sed 's/^rank[0-9]*: cpus=/@/; t; d' "$work/out" | sed -n "$lines" | tr -d @))
        ! grep -q ': the node has [0-9]* such place' "$work/err" || found=refused
        [ "$found" = "$*" ] || {
            echo "# $HWLOC_SYNTHETIC: $way $ranks: $found, expected $*"
            exit 1
        }
    done
}
# Only those of that machine's processors that this one also has can be used.
bound_there()
{
    HWLOC_SYNTHETIC='pack:2 numa:4 l3:3 core:8 pu:2' HWLOC_THISSYSTEM=0 ../noise/cm-noise --bind \
        --seconds 0.04 -o "$work/there.txt" --force >"$work/out" 2>&1 \
        && has '^# cores: 192' "$work/there.txt" && has '^# l3_caches: 24' "$work/there.txt" \
        && has '^# bound: each rank to a core (--bind=spread)' "$work/there.txt" \
        || { show "$work/out"; false; }
}
if HWLOC_SYNTHETIC='core:3 pu:1' HWLOC_THISSYSTEM=0 "$suite" machine | grep -q '^cores: 3$'
then
    ok 'machines that hwloc makes up: places of ranks' made_up
    ok 'and a program that is bound there' bound_there
else skip 'machines that hwloc makes up' 'this build has no hwloc'
fi

# Wrong trees, made here. put FILE TEXT writes a file; processors N makes N processors, each a core
# of its own, in one socket.
put()
{
    mkdir -p "$wrong/$(dirname "$1")"
    printf '%s\n' "$2" >"$wrong/$1"
}
cpu=sys/devices/system/cpu
processors()
{
    for k in $(seq 0 $(($1 - 1))); do
        put "$cpu/cpu$k/topology/core_id" "$k"
        put "$cpu/cpu$k/topology/physical_package_id" 0
        put "$cpu/cpu$k/topology/core_cpus_list" "$k"
        put "$cpu/cpu$k/topology/package_cpus_list" "0-$(($1 - 1))"
    done
}
cache() # PROCESSOR LEVEL SIZE SHARED
{
    put "$cpu/cpu$1/cache/index0/level" "$2"
    put "$cpu/cpu$1/cache/index0/type" Data
    put "$cpu/cpu$1/cache/index0/size" "$3"
    put "$cpu/cpu$1/cache/index0/shared_cpu_list" "$4"
}
floor='last_caches_bytes: 33554432 (a floor: the system does not tell it)'
# is_read WHAT LINE...: both readers say these lines.
is_read()
{
    what=$1; shift
    for reader in '' --sysfs; do
        # shellcheck disable=SC2086 # no option or one
        "$suite" machine --root "$wrong" $reader >"$work/out" 2>"$work/err" \
            || { echo "# $what $reader: $?"; show "$work/err"; return 1; }
        for line; do
            grep -q -x -F "$line" "$work/out" \
                || { echo "# $what $reader: no '$line'"; show "$work/out"; return 1; }
        done
    done
    rm -rf "$wrong"
}
wrong_trees()
{
    wrong=$work/wrong
    for list in garbage 3-0 0- 0-99999999999 '' -1; do
        processors 4
        put "$cpu/online" "$list"
        is_read "online '$list'" 'online: 0-3' 'cores: 4' "$floor" 'numa_nodes: not told' || return
    done
    put "$cpu/online" 0,3,7-8,4095
    is_read holes 'threads: 5' 'online: 0,3,7-8,4095' 'cores: not told' "$floor" || return
    put "$cpu/online" 0-8191
    is_read '8192 processors' 'threads: 8192' 'cores: not told' "$floor" || return
    processors 2
    put "$cpu/online" 0-1
    cache 0 1 32K 0
    cache 1 1 32K 1
    is_read 'first-level caches only' 'l1d_caches: 2 of 32768 bytes' "$floor" || return
    for size in -64K 9223372036854775807G rubbish; do
        processors 2
        put "$cpu/online" 0-1
        cache 0 3 $size 0-1
        is_read "a cache of $size" 'l3_caches: 1, of a size that is not told' "$floor" || return
    done
    processors 2
    put "$cpu/online" 0-1
    cache 0 9 1M 0-1
    put sys/devices/system/node/online 0-1
    put sys/devices/system/node/node0/cpulist 0-1
    put sys/devices/system/node/node1/cpulist ''
    put sys/devices/system/node/node1/meminfo 'Node 1 MemTotal: rubbish'
    is_read 'a node without memory, a cache of level 9' "$floor" 'numa_nodes: 2' \
        'numa1: kind=other threads=0'
}
ok 'wrong trees are read as far as they tell' wrong_trees
if HWLOC_SYNTHETIC='core:3 pu:1' HWLOC_THISSYSTEM=0 "$suite" machine | grep -q '^cores: 3$'
then
    ok 'processors above the largest number are left out' sh -c '
        HWLOC_SYNTHETIC="core:3 pu:1(indexes=0,5,9000)" "$1" machine >"$2" &&
            grep -q "^threads: 2$" "$2" && grep -q "^cores: 2$" "$2" &&
            grep -q "^left_out: 1 processors whose numbers are above 8191$" "$2"' sh "$suite" \
        "$work/out"
    ok 'more NUMA nodes than there can be are not told' sh -c '
        HWLOC_SYNTHETIC="numa:1025 pu:1" "$1" machine | grep -q "^numa_nodes: not told$"' \
        sh "$suite"
    for variable in HWLOC_SYNTHETIC HWLOC_XMLFILE; do
        ok "$variable that hwloc cannot read" sh -c 'export "$2=/none"
            "$1" machine 2>"$3"; [ $? = 2 ] && grep -q "machine: $2=./none.: no topology" "$3"' \
            sh "$suite" $variable "$work/err"
    done
else skip 'what hwloc makes up wrongly' 'this build has no hwloc'
fi

if ! [ -d "$machines" ]; then
    skip 'kernel trees of real nodes' 'there are none (TEST_MACHINES)'
    finish
fi

# Trees have some 10,000 folders, and a file system on disk may need a second to make a thousand.
trees=$(mktemp -d /dev/shm/cm-machine.XXXXXX 2>/dev/null) \
    || trees=$(mktemp -d "${TMPDIR:-/tmp}/cm-machine.XXXXXX") || exit 99
trap 'rm -rf "$trees" "$work"' EXIT

unpack() # NAME: prints the folder that holds sys
{
    rm -rf "$trees/tree"
    mkdir "$trees/tree"
    # Device nodes and the like need not be made.
    tar -xjf "$machines/$1.tar.bz2" -C "$trees/tree" 2>/dev/null
    dirname "$(find "$trees/tree" -maxdepth 3 -type d -name sys | head -n 1)"
}
value() { sed -n "s/^$1: \([0-9]*\).*/\1/p" "$work/files"; }
same_readers()
{
    "$suite" machine --root "$1" >"$work/both" 2>"$work/err" \
        && "$suite" machine --root "$1" --sysfs >"$work/files" 2>>"$work/err" \
        && [ ! -s "$work/err" ] && diff "$work/both" "$work/files" >"$work/diff" \
        || { show "$work/err" "$work/diff"; false; }
}
# What hwloc-info prints as "depth 3: 64 L2Cache (type #5)".
counted() { sed -n "s/^ *\(Special \)*depth *[-0-9]*: *\([0-9]*\) $1 .*/\2/p" "$work/lstopo"; }
# as_lstopo ROOT: lstopo's numbers, in which the NUMA nodes of NVIDIA's GPUs are missing.
as_lstopo()
{
    hwloc-info --disallowed --no-io --input "$1" >"$work/lstopo" 2>/dev/null
    for pair in threads:PU cores:Core sockets:Package l1d_caches:L1dCache l2_caches:L2Cache \
        l3_caches:L3Cache; do
        ours=$(value "${pair%%:*}") theirs=$(counted "${pair##*:}")
        [ "${ours:-0}" = "${theirs:-0}" ] || { echo "# $pair: $ours, lstopo $theirs"; return 1; }
    done
    ours=$(grep -c '^numa[0-9]*: kind=' "$work/files") gpus=$(grep -c 'kind=gpu' "$work/files")
    [ "$((ours - gpus))" = "$(counted NUMANode)" ] \
        || { echo "# NUMA nodes: $ours, GPUs $gpus, lstopo $(counted NUMANode)"; return 1; }
    # The sum of the last-level caches: "(32MB)", "(2048KB)", "(5118KB)" of each.
    theirs=$(lstopo-no-graphics --disallowed --no-io --input "$1" --only l3cache 2>/dev/null | awk '
        match($0, /\([0-9]+[KMG]B\)/) {
            text = substr($0, RSTART + 1, RLENGTH - 2)
            sum += text * (text ~ /KB/ ? 1024 : text ~ /MB/ ? 1048576 : 1073741824)
        }
        END {print sum + 0}')
    # lstopo rounds sizes to whole units, so half a megabyte for each cache is the best precision.
    awk -v ours="$(value last_caches_bytes)" -v theirs="$theirs" -v caches="$(value l3_caches)" '
        BEGIN {
            apart = ours > theirs ? ours - theirs : theirs - ours
            exit !(apart <= caches * 524288)
        }' || { echo "# last caches: $(value last_caches_bytes), lstopo $theirs"; false; }
}
# The trees that lstopo does not read: THREADS CORES SOCKETS L3 LAST-BYTES NUMA-NODES. 0: not
# reported.
as_published()
{
    found="$(value threads) $(value cores) $(value sockets) $(value l3_caches)"
    found="$found $(value last_caches_bytes) $(value numa_nodes)"
    [ "$(echo "$found" | tr -s ' ')" = "$1" ] || { echo "# $found, expected $1"; false; }
}
# The processors of the first ranks by --bind, checked by hand against the numbers of cores, caches
# and nodes, or from the published listing: TREE WAY RANKS PROCESSORS-OF-EACH. "refused" stands for
# status 2.
places='epyc-9654-2s spread 2 0 96
epyc-9654-2s spread 5 0 96 8 104 16
epyc-9654-2s pack 3 0 1 2
epyc-9654-2s per-l3 3 0-7,192-199 96-103,288-295 8-15,200-207
epyc-9654-2s per-l3 25 refused
epyc-9654-2s per-numa 1 refused
epyc-9654-2s same-core 2 0 192
epyc-9654-2s same-l3 2 0 1
epyc-9654-2s same-socket 2 0 8
epyc-9654-2s other-socket 2 0 96
aurora-hbm-flat other-socket 2 refused
nvidia-dgx-gb10 same-core 2 refused
nvidia-dgx-gb10 same-l3 2 5 6
nvidia-dgx-gb10 same-socket 2 5 15
nvidia-dgx-gb10 other-socket 2 refused
20em64t-hybrid-1p6c2t+2ca4co1t same-core 2 0 1
20em64t-hybrid-1p6c2t+2ca4co1t same-l3 2 0 2
20em64t-hybrid-1p6c2t+2ca4co1t same-socket 2 refused
nvidiagpunumanodes same-core 2 0 1
nvidiagpunumanodes same-socket 2 0 8
nvidiagpunumanodes other-socket 2 0 88
128arm-2pa2n8cluster4co same-core 2 refused
128arm-2pa2n8cluster4co same-socket 2 0 32
64amd64-4s2n4ca2co same-socket 2 0 8
64amd64-4s2n4ca2co other-socket 2 0 16
40intel64-2g2n4c+pcilocality same-l3 2 0 4
40intel64-2g2n4c+pcilocality other-socket 2 0 1
40intel64-2g2n4c+pcilocality same-l3 3 refused
16amd64-4n4c-cgroup-distance-merge other-socket 2 refused
aurora-hbm-flat spread 3 0 52 1
aurora-hbm-flat per-l3 1 refused
aurora-hbm-flat per-numa 2 0-51,104-155 52-103,156-207
nvidiagpunumanodes spread 9 0 88 8 96 4 92 12 100 1
nvidiagpunumanodes per-numa 2 0-15 88-103
memorysidecaches spread 5 0 1 2 3 4
memorysidecaches pack 2 0 4
nvidia-dgx-gb10 spread 3 5 15 6
nvidia-dgx-gb10 pack 11 5 6 7 8 9 15 16 17 18 19 0
nvidia-dgx-gb10 per-l3 2 5-9 15-19
20em64t-hybrid-1p6c2t+2ca4co1t spread 6 0 2 4 6 8 10
20em64t-hybrid-1p6c2t+2ca4co1t spread 8 0 2 4 6 8 10 12 16
20em64t-hybrid-1p6c2t+2ca4co1t pack 15 0 2 4 6 8 10 12 13 14 15 16 17 18 19 1
20em64t-hybrid-1p6c2t+2ca4co1t per-l3 1 0-11
128arm-2pa2n8cluster4co spread 5 0 64 32 96 1
128arm-2pa2n8cluster4co per-l3 4 0-31 64-95 32-63 96-127
64amd64-4s2n4ca2co spread 9 0 16 32 48 8 24 40 56 2
64amd64-4s2n4ca2co per-numa 2 0-7 16-23
48amd64-4pa2n6c-sparse spread 5 0 12 24 36 6
96em64t-4no4pa3ca2co spread 5 0 24 48 72 1
96em64t-4no4pa3ca2co per-numa 4 0-23 24-47 48-71 72-95
32em64t-2n8c+dax+nvme+mic+dimms spread 3 0 8 1
40intel64-2g2n4c+pcilocality spread 5 0 1 2 3 4
40intel64-2g2n4c+pcilocality pack 2 0 4
32intel64-2p8co2t+8ve spread 17 0 8 1 9 2 10 3 11 4 12 5 13 6 14 7 15 16
256ppc-8n8s4t spread 3 0 32 64
256ppc-8n8s4t per-numa 2 0-31 32-63
16amd64-4n4c-cgroup-distance-merge spread 5 0 1 2 3 0
16amd64-4n4c-cgroup-distance-merge per-l3 2 refused
offline-cpu0-node0 spread 3 4 5 6
offline-cpu0-node0 per-l3 2 4,6,8,10,12,14,16,18,20 5,7,9,11,13,15,17,19'
placed() # ROOT WAY RANKS PROCESSORS...
{
    folder=$1 way=$2 ranks=$3; shift 3
    if [ "$*" = refused ]; then
        refused 2 "--bind=$way: the node has " --root "$folder" --bind="$way" -n "$ranks"
    else
        "$suite" machine --root "$folder" --bind="$way" -n "$ranks" >"$work/out" || return 1
        # shellcheck disable=SC2046 # words become one line
        found=$(echo $(sed -n 's/^rank[0-9]*: cpus=//p' "$work/out"))
        [ "$found" = "$*" ] || { echo "# $found, expected $*"; false; }
    fi
}
all_placed() # TREE ROOT
{
    echo "$places" | while read -r name words; do
        [ "$name" = "$1" ] || continue
        # shellcheck disable=SC2086 # a list of words
        placed "$2" $words || exit 1
    done
}
allowed_is() { grep -q "^allowed: $1\$" "$work/files" || { show "$work/files"; false; }; }
kinds_are() { [ "$(grep -c "kind=$1" "$work/files")" = "$2" ] || { show "$work/files"; false; }; }

for archive in "$machines"/*.tar.bz2; do
    tree=$(basename "$archive" .tar.bz2)
    root=$(unpack "$tree")
    ok "$tree: both readers" same_readers "$root"
    ok "$tree: places of ranks" all_placed "$tree" "$root"
    case $tree in
    epyc-9654-2s) ok "$tree: 192 cores, 24 L3" as_published '384 192 2 24 805306368 2' ;;
    aurora-hbm-flat)
        ok "$tree: cores and caches are not told" as_published '208 67108864 4'
        ok "$tree: two nodes without processors" kinds_are other 2
        ;;
    *)
        if command -v hwloc-info >/dev/null 2>&1 && command -v lstopo-no-graphics >/dev/null 2>&1
        then ok "$tree: as lstopo" as_lstopo "$root"
        else skip "$tree: as lstopo" 'hwloc-info or lstopo-no-graphics is not there'
        fi
        ;;
    esac
    case $tree in
    nvidiagpunumanodes) ok "$tree: memory of six GPUs" kinds_are gpu 6 ;;
    *cgroup*) ok "$tree: four processors are allowed" allowed_is 0-3 ;;
    *hybrid* | *gb10) ok "$tree: two kinds of cores" grep -q '^core_kinds: 2$' "$work/files" ;;
    memorysidecaches) ok "$tree: caches of memory" grep -q 'memory_side_cache_bytes=103079215104$' \
        "$work/files" ;;
    esac
done
finish
