#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes_burn.sh: a burn-in of four virtual hosts. One of them is stopped for a part of the time in
# the second half, and is named for getting slower.
. "${srcdir:-.}/programs/nodes_tap.sh"
hosts=4
virtual_hosts 'a host that gets slower' 'ip tc' $hosts
write_node
: >"$work/plan.all"
: >"$work/expected"
# The checks before the burn-in take about 5 s, the burn-in 18 s.
echo "(sleep 14; exec '$stopper' \$\$ 10 20 120) &" >>"$work/plan.${h}2"
got_slower() {
    for try in 1 2 3; do
        judged 1 --rounds 7 --again 0 --trial-seconds 0.01 --minutes 0.3
        grep -q -E "^${h}2: got slower: (triad|matrix product|fixed work) fell" "$work/found" &&
            return
        show_found
        sed -n 's/^# burn-in/# &/p; s/^# would have been named: a host whose/# &/p' "$work/out"
    done
    false
}
ok 'it is named' got_slower
ok 'nobody else computes slower' sh -c "! grep -v '^${h}2: ' '$work/found' |
    grep -E 'got slower: (triad|matrix|fixed)'"
ok 'four hosts have parts' [ "$(sed -n 's/^# part of the .* host \([0-9]*\) .*/\1/p' "$work/out" |
    sort -u | wc -l)" = 4 ]
"$cluster" down
trap 'rm -rf "$work"' EXIT

# The suite's burn-in is told to end: before the burn-in begins this leaves no result, afterwards it
# leaves one.
suite=$PWD/../suite/clustermark
ended_early()
{
    for wait in 10 40 160; do
        rm -rf "$work/early"
        "$suite" nodes --ranks 2 --minutes 20 "$work/early" >"$work/out" 2>"$work/err" 9>&- &
        sleep $wait
        kill -INT $!
        wait $!
        status=$?
        [ $status -eq 130 ] || break
    done
    [ $status -le 3 ]
}
if [ -x "$suite" ] && [ -x ../src/cmrun ]; then
    ok 'a burn-in of the suite that is told to end has a result' ended_early
    ok 'which says how long it was' grep -q '^burn-in: [0-9.]* minutes, .* ended it' "$work/out"
    ok 'and a page' [ -s "$work/early/nodes.html" ]
else skip 'a burn-in of the suite that is told to end' 'there is no clustermark'; fi
done_testing
