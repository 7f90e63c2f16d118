#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# made_up_node.sh: programs and the suite on a machine that hwloc simulates: results say so, and
# report nothing on processors, caches and memory that do not exist here.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../stream/cm-stream
few='--size 64Ki --passes 3 --trial-seconds 1e-5 --quiet --force'
ranks=2
[ "$comm" != dummy ] || ranks=1
HWLOC_SYNTHETIC='pack:2 numa:2 l3:2 core:4 pu:2' HWLOC_THISSYSTEM=0
export HWLOC_SYNTHETIC HWLOC_THISSYSTEM
"$suite" machine >"$work/machine"
if ! grep -q '^cores: 32$' "$work/machine"; then
    echo '1..0 # SKIP this build has no hwloc'
    exit 0
fi
ok 'the model is told as that of another machine' has '^topology: of another machine' \
    "$work/machine"
"$suite" machine --json >"$work/machine"
ok 'in JSON, too' has '"elsewhere": true' "$work/machine"

# Only the kernel's own nodes can be measured.
here=$(cat /sys/devices/system/node/online 2>/dev/null || echo 0)
# only_here FILE COLUMN: rows are of these nodes.
only_here()
{
    rows_of "$1" | awk -v column="$2" -v here="$here" '
        BEGIN {
            n = split(here, part, ",")
            for (k = 1; k <= n; k++) {
                split(part[k] "-" part[k], ends, "-")
                for (m = ends[1] + 0; m <= ends[2] + 0; m++) there[m] = 1
            }
            there[-1] = 1
        }
        { rows++ }
        !($column in there) { print "# " $0; wrong++ }
        END { exit wrong || !rows }'
}
result=$work/result.txt
is_told() { has '^# topology: of another machine, which hwloc' "$result"; }
# shellcheck disable=SC2086
ok 'a matrix' run $ranks 0 '' "$program" $few --bind --matrix -o "$result"
ok 'tells the machine' is_told
ok 'its cores' has '^# cores: 32$' "$result"
ok 'all of its caches' has '^# last_caches_bytes: 134217728$' "$result"
ok 'has rows of nodes that are here' only_here "$result" 4
[ "$here" != 0 ] || ok 'and a line for the others' \
    has '^# node 3 (processors) from socket 0: not measured, because none' "$result"
# shellcheck disable=SC2086
ok 'latency' run $ranks 0 '' "$program" $few --bind --latency -o "$result"
ok 'tells the machine, too' is_told
ok 'and has rows of nodes that are here' only_here "$result" 3
# shellcheck disable=SC2086
ok 'a sweep' run $ranks 0 '' "$program" $few --bind --sweep -o "$result"
ok 'tells the machine likewise' is_told
if [ "$here" = 0 ]; then
    ok 'and knows of no far memory' [ -z "$(rows_of "$result" | grep -w remote)" ]
fi
# Ranks run on processors that are here.
if [ "$ranks" = 2 ] && [ "$(nproc)" -le 32 ]; then
    # shellcheck disable=SC2086
    ok 'a pair on two sockets, of which one is here' \
        run 2 2 '--bind=other-socket: this host has none' "$program" $few --bind=other-socket
fi

HWLOC_SYNTHETIC='pack:1 core:2 pu:1'
# shellcheck disable=SC2086
ok 'a machine without caches' run $ranks 0 '' "$program" $few --bind --matrix -o "$result"
ok 'has no row of a third-level cache' [ -z "$(rows_of "$result" | awk '$1 == "l3"')" ]
ok 'which is said' has '^# l3: not measured, because the system tells of no third-level cache' \
    "$result"

# The suite.
HWLOC_SYNTHETIC='pack:2 numa:2 l3:2 core:4 pu:2'
if [ "$comm" != dummy ]; then
    ok 'the suite' sh -c '"$1" run --ranks 2 --launches 1 --only stream,nodes "$2" >"$3" 2>&1' sh \
        "$suite" "$work/results" "$work/out" || show "$work/out"
    "$suite" report "$work/results" >"$work/out" 2>&1
    ok 'its report warns' has 'are those of another machine, which hwloc' \
        "$work/results/report.html"
fi
finish
