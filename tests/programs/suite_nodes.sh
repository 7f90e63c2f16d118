#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_nodes.sh: `clustermark nodes`: what is refused, and a run of one host up to its page.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
dir=$work/checks

# nodes STATUS OPTION...: this status; output and errors are in files.
nodes()
{
    wanted=$1; shift
    status=0
    "$suite" nodes "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq "$wanted" ] && return
    echo "# status $status"; show "$work/err"; false
}
hasnt() { ! has "$@"; }
# refused REGEX OPTION...: status 2, one line that matches, and no folder.
refused()
{
    regex=$1; shift
    nodes 2 "$@" && [ "$(grep -c . "$work/err")" -eq 1 ] && has "$regex" "$work/err" \
        && [ ! -e "$dir" ]
}
ok 'no folder' refused 'DIR is missing'
ok 'no hosts' refused "--hosts" --hosts '' "$dir"
ok 'launches of a burn-in' refused '--launches 3 with --minutes' --launches 3 --minutes 1 "$dir"
ok 'a simulated place' refused 'nodes: --place ictp: expected virtual:HOSTS' --place ictp "$dir"

if [ "$comm" = dummy ]; then
    skip 'a run' 'the dummy backend has one process'
    finish
fi
# Launchers of other tests take turns with this one.
if command -v flock >/dev/null 2>&1; then
    exec 9>>"${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}" && flock 9
fi
ok 'a run' nodes 0 --ranks 2 "$dir"
ok 'one host is not called fine' has '^1 host: which of fewer than 4 is slow ' "$work/out"
ok 'nor are its pairs' hasnt 'no host and no pair of hosts stands out' "$work/out"
ok 'the path of the page' has "^$dir/nodes.html\$" "$work/out"
ok 'the result' has '^# RESULT: PASS findings 0 1$' "$dir/nodes.txt"
well_formed()
{
    command -v xmllint >/dev/null 2>&1 || return 0
    xmllint --noout "$dir/nodes.html"
}
ok 'a page that is well formed' well_formed
ok 'with the verdict' has '^<p>1 host: which of fewer than 4 is slow ' "$dir/nodes.html"
ok 'which is not green' hasnt 'No host and no pair of hosts stands out' "$dir/nodes.html"
ok 'and without a figure of one host' hasnt '<figure id="nodes-nodes"' "$dir/nodes.html"
ok 'and the inventory' has 'limit_open_files' "$dir/nodes.html"
ok 'no half page is left' [ ! -e "$dir/nodes.html.part" ]

# With a burn-in, which is too short to tell anything.
# Ranks are bound to cores, of which another process has the first for half of the time.
if command -v taskset >/dev/null 2>&1 && [ "$(nproc)" -gt 1 ]; then
    core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    timeout 60 taskset -c "$core" sh -c 'while :; do :; done' &
    load=$!
    ok 'a run beside a busy process' nodes 3 --ranks 2 --minutes 0.02 "$work/crowded"
    kill "$load" 2>/dev/null
    ok 'says that it was disturbed' \
        has '^disturbed: [1-9][0-9]* of [0-9]* samples: .*waited for a core' "$work/out"
    ok 'and so does its page' has '<p>disturbed: [1-9][0-9]* of ' "$work/crowded/nodes.html"
fi
if [ -e "$work/crowded" ]; then
    ok 'it could not tell' has '^could not tell: who got slower: ' "$work/out"
    ok 'the burn-in is told' has "^burn-in: [0-9]*[.][0-9]* minutes, " "$work/out"
    ok 'and on the page' has '<p>burn-in: [0-9]*[.][0-9]* minutes, ' "$work/crowded/nodes.html"
    if [ -e "$work/crowded/nodes-nodes.svg" ]; then
        ok 'with its figure' has '<figure id="nodes-burn_in">' "$work/crowded/nodes.html"
    fi
fi
ok 'its result says how often' has '^# disturbed: [0-9]* of [1-9][0-9]* samples' "$dir/nodes.txt"
ok 'other ranks need another folder' nodes 2 --ranks 3 "$dir"
ok 'which is said' has "nodes: $dir holds a run with 2 ranks, not 3" "$work/err"
# It has no --fresh to leave out, and begins anew in any case.
printf '#!/bin/sh\n: >"%s"\nexec sleep 60\n' "$work/began" >"$work/slow"
chmod +x "$work/slow"
"$suite" nodes --ranks 2 --launcher "$work/slow" "$work/ended" >"$work/out" 2>"$work/err" \
    </dev/null &
runner=$!
until [ -e "$work/began" ] || ! kill -0 $runner 2>/dev/null; do sleep 0.1; done
kill $runner
wait $runner
ok 'SIGTERM ends it' [ $? -eq 143 ]
ok 'which says what the same command does' \
    has '^clustermark: nodes: interrupted; the same command measures anew$' "$work/err"
finish
