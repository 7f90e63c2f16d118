#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# machine.sh: clustermark machine on kernel trees of real nodes (TEST_MACHINES, a folder of .tar.bz2
# files that each hold /sys and /proc): both readers give the same, and what lstopo says.
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

if ! [ -d "$machines" ]; then
    skip 'kernel trees of real nodes' 'there are none (TEST_MACHINES)'
    finish
fi

# Trees have some 10,000 folders; making these takes a disk's file system up to a second a thousand.
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
# as_lstopo ROOT: lstopo's numbers. It leaves out the NUMA nodes of NVIDIA's GPUs.
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
    # lstopo rounds sizes to whole units; one half of a megabyte a cache is as exact as it is.
    awk -v ours="$(value last_caches_bytes)" -v theirs="$theirs" -v caches="$(value l3_caches)" '
        BEGIN {
            apart = ours > theirs ? ours - theirs : theirs - ours
            exit !(apart <= caches * 524288)
        }' || { echo "# last caches: $(value last_caches_bytes), lstopo $theirs"; false; }
}
# The trees that lstopo does not read: THREADS CORES SOCKETS L3 LAST-BYTES NUMA-NODES. 0: not told.
as_published()
{
    found="$(value threads) $(value cores) $(value sockets) $(value l3_caches)"
    found="$found $(value last_caches_bytes) $(value numa_nodes)"
    [ "$(echo "$found" | tr -s ' ')" = "$1" ] || { echo "# $found, expected $1"; false; }
}
allowed_is() { grep -q "^allowed: $1\$" "$work/files" || { show "$work/files"; false; }; }
kinds_are() { [ "$(grep -c "kind=$1" "$work/files")" = "$2" ] || { show "$work/files"; false; }; }

for archive in "$machines"/*.tar.bz2; do
    tree=$(basename "$archive" .tar.bz2)
    root=$(unpack "$tree")
    ok "$tree: both readers" same_readers "$root"
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
