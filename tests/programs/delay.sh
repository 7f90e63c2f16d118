#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# delay.sh: CM_DELAY_NS slows messages down, and every result of such a run is marked.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
env=$(command -v env)
program=$(pwd)/../netpipe/cm-netpipe
quick='--upper 1 --warm-up 0 --time-limit 0.05 --trial-seconds 1e-4 --quiet'
comment='^# messages were delayed on purpose: each by 200000 ns at its sender (CM_DELAY_NS)$'
latency_us() { sed -n 's/^# RESULT: PASS latency_us \([^ ]*\) us .*/\1/p' "$1"; }
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a >= b) }'; }

if [ "$have_json" = yes ]; then
    "$env" CM_DELAY_NS=200000 "$suite" env >"$work/env" # have_json
    ok 'env lists it' has '^CM_DELAY_NS  *200000  *0  *nanoseconds' "$work/env"
fi
for value in -1 1.5 1e-3 1e10 1000000001 much; do
    ok "CM_DELAY_NS=$value is refused in one line" run 2 2 \
        "^clustermark: CM_DELAY_NS=$value: expected a whole number from 0 to 1000000000\$" \
        "$env" CM_DELAY_NS=$value "$program" $quick
done

[ "$have_json" = yes ] && json="--json $work/delayed.json" || json=
# shellcheck disable=SC2086
if ok 'a delay of 200 us' run 2 0 '' "$env" CM_DELAY_NS=200000 "$program" $quick \
        --output "$work/delayed.txt" $json; then
    ok 'is in the metadata' has '^# delay_ns: 200000$' "$work/delayed.txt"
    ok 'and said in a comment' has "$comment" "$work/delayed.txt"
    ok 'the manual has the key' has '^@item delay_ns$' "$srcdir/../doc/results.texi"
    ok 'each message takes at least 200 us' at_least "$(latency_us "$work/delayed.txt")" 200
    if [ "$have_json" != yes ]; then skip 'the JSON' 'this build has no jansson'
    elif ! command -v jq >/dev/null 2>&1; then skip 'the JSON' 'jq is not there'
    else
        quietly() { "$@" >"$work/quiet"; }
        ok 'the JSON has a number and the comment' quietly jq -e '.metadata.delay_ns == 200000
            and (.comments | map(select(startswith("messages were delayed"))) | length) == 1' \
            "$work/delayed.json"
    fi
    if [ "$comm" = dummy ]; then
        # Without the delay 50 us; a call of the layer costs 0.01 us.
        ok 'on the virtual clock, 200 us more' \
            near "$(latency_us "$work/delayed.txt")" 250
    fi
fi
for value in 0 ''; do
    # shellcheck disable=SC2086
    ok "no delay: CM_DELAY_NS=$value" run 2 0 '' "$env" "CM_DELAY_NS=$value" "$program" $quick \
        --force --output "$work/plain.txt"
    ok 'leaves no mark' sh -c "! grep -i delay '$work/plain.txt' | grep -v '^# nodelay:' \
        | grep -v '^# command:'"
done

# Without this refusal the result of rank 0 could hide that other ranks were delayed.
cat >"$work/each" <<'END'
#!/bin/sh
CM_DELAY_NS=${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-0}}} exec "$@"
END
chmod +x "$work/each"
if [ "$comm" = dummy ]; then skip 'ranks that differ' 'the dummy backend has one process'
else
    ok 'ranks that differ are refused' run 2 2 \
        'rank 1 on .*: CM_DELAY_NS is 1 here and 0 on rank 0: give all ranks the same$' \
        "$work/each" "$program" $quick
fi
finish
