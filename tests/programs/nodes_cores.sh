#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes_cores.sh: cm-nodes on four virtual hosts with two ranks each. The two ranks of one host
# together get only what one rank can use: runs with all ranks show this, runs with one rank do not.
. "${srcdir:-.}/programs/nodes_tap.sh"
hosts=4

[ "$(nproc)" -gt 1 ] || why='there is one processor'
virtual_hosts 'ranks that share' 'ip tc' $hosts
write_node
: >"$work/plan.all"
: >"$work/expected"
fault shared 2
# Noise from other programs may hide it: tries up to five times, with more rounds each time.
found_in_tries() {
    ranks=2
    for rounds in 7 11 15 19 23; do
        judged 1 --rounds $rounds --again 0 && return
        echo "# after $rounds rounds, status $status:"
        show_found
    done
    false
}
ok 'two ranks a host: that host is named' found_in_tries
show_found
has_rows() {
    awk -v ranks="$1" '!/^#/ && $1 != "host" { n++; wrong += $2 != ranks }
        END { exit n != 4 || wrong }' "$work/out"
}
ok 'all its ranks count' has_rows 2
not_named() {
    ranks=1
    for rounds in 7 11 15; do
        judged 0 --rounds $rounds --again 0
        has_rows 1 || return 1
        grep -q -E "^${h}2: .*(triad|matrix)" "$work/found" || return 0
    done
    false
}
ok 'one rank a host: it is not' not_named
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
