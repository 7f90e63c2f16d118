#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes_random.sh: cm-nodes on eight virtual hosts with random faults: in 19 of 20 arrangements of
# one or two faults, exactly these are named. Arguments: the number of arrangements, and the first
# seed.
. "${srcdir:-.}/programs/nodes_tap.sh"
arrangements=${1:-20}
first=${2:-1}

virtual_hosts 'random faults' 'ip tc' $hosts
write_node
make_files

# draw SEED: lines KIND HOST OTHER, the hosts all different.
draw() {
    awk -v seed="$1" -v kinds="$kinds" -v hosts=$hosts 'BEGIN {
        srand(seed)
        for (k = 0; k < 10; k++) rand()
        n = split(kinds, kind, " ")
        for (k = 1; k <= hosts; k++) host[k] = k
        for (k = hosts; k > 1; k--) {
            other = int(rand() * k) + 1
            keep = host[k]; host[k] = host[other]; host[other] = keep
        }
        faults = rand() < 0.5 ? 1 : 2
        for (k = 1; k <= faults; k++) print kind[int(rand() * n) + 1], host[2 * k], host[2 * k + 1]
    }'
}
right=0
for seed in $(seq "$first" $((first + arrangements - 1))); do
    unlimit
    : >"$work/expected"
    draw "$seed" >"$work/drawn"
    while read -r kind host other; do fault "$kind" "$host" "$other"; done <"$work/drawn"
    if judged 1; then
        right=$((right + 1))
        sed "s/^/# $seed: right: /" "$work/expected"
    else
        echo "# $seed: wrong, status $status"
        sed -e 's/^/# err: /' -e 5q "$work/err"
        show_found
    fi
done
ok "$right of $arrangements arrangements" [ $((20 * right)) -ge $((19 * arrangements)) ]
"$cluster" down
trap 'rm -rf "$work"' EXIT
done_testing
