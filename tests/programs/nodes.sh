#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes.sh: cm-nodes: refused options, and the result of one host.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../nodes/cm-nodes
result=$work/r.txt
short='--rounds 4 --trial-seconds 0.002 --triad 96Ki --quiet'

ok 'too few rounds' refuses '^cm-nodes: .*--rounds.*3' "$program" --rounds 3
ok 'more than the memory' refuses '^cm-nodes: .*--size 1000000000' \
    /bin/sh -c 'ulimit -v 4000000; exec "$0" --size 1G' "$program"
if [ "$comm" = dummy ]; then
    ok 'ranks that are none' run 2 2 '^cm-nodes: 2 ranks: ranks of the dummy' "$program"
    ranks=1
else ranks=2
fi
# shellcheck disable=SC2086
ok 'a result' run $ranks 0 '' "$program" $short -o "$result"
ok 'a row' [ "$(rows_of "$result" | wc -l)" = 1 ]
ok 'the ranks of the host' has "^ *0  *$ranks  *no " "$result"
ok 'no bytes are wrong' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
ok 'nor the triad' has '^# CHECK: triad_error: .*PASS$' "$result"
ok 'nothing is found' has '^# RESULT: PASS findings 0 1$' "$result"
# As the comment on all samples says.
told=no
grep -q '^# disturbed: [1-9]' "$result" && told=yes
ok 'its figures say whether they were disturbed' \
    has "^# RESULT: PASS triad_MB_per_s [0-9.e+]* MB/s disturbed=$told\$" "$result"
ok 'few hosts cannot be told apart' has '^# 1 host: ' "$result"
ok 'an inventory' has '^# limit_open_files: ' "$result"
# A burn-in of one host, which can prove nothing about slowdowns: checks its length, its parts, and
# the quantities that could not be read.
ok 'a burn-in of no time' refuses '^cm-nodes: .*--minutes.*-1' "$program" --minutes -1
# A host disturbed by other processes may have got slower.
# shellcheck disable=SC2086
ok 'a burn-in' run $ranks 0 '' /bin/sh -c '"$@"; [ $? -ne 2 ]' sh "$program" $short \
    --minutes 0.02 --force -o "$result"
ok 'its length' has '^# burn-in: 0.0[2-9][0-9]* minutes, [0-9]* rounds in [0-9]* parts \[value=' \
    "$result"
ok 'its parts' has '^# part of the burn-in: minute [0-9.e-]* host 0 triad_MB_per_s [0-9.e+]* gemm' \
    "$result"
ok 'the state of the host' has \
    '^# host in the burn-in: .*: temperature [0-9n][^,]*, clock [0-9n][^,]*, counters ' \
    "$result"
ok 'in its metadata' has '^# burn_in_minutes: 0.02$' "$result"
# A burn-in of 50 hours is ended by a signal; the result has what was measured, which is too little
# to tell anything.
interrupted()
{
    # shellcheck disable=SC2086
    "$program" $short --minutes 3000 --force -o "$result" >"$work/out" 2>"$work/err" &
    pid=$!
    sleep 1
    # Before the burn-in a signal kills the program, as usual.
    for try in $(seq 100); do
        grep -q '^SigBlk:.*4002$' "/proc/$pid/status" 2>/dev/null && break
        sleep 0.1
    done
    kill -"$1" $pid
    status=0
    wait $pid || status=$?
    [ $status -eq 3 ] || { echo "# status $status after $try"; show "$work/err"; false; }
}
ok 'SIGTERM ends it' interrupted TERM
ok 'its result says so' has '^# burn-in: .* in 1 part; SIGTERM ended it' "$result"
ok 'and that little was seen' has '^# could not tell: who got slower: ' "$result"
ok 'no file of parts is left' [ ! -e "$result.parts" ]
# A killed burn-in leaves its completed parts. The first of its 48 parts lasts half a second.
killed()
{
    rm -f "$result"
    # shellcheck disable=SC2086
    "$program" $short --minutes 0.4 -o "$result" >"$work/out" 2>"$work/err" &
    pid=$!
    for try in $(seq 600); do
        grep -q 'part of the burn-in' "$result.parts" 2>/dev/null && break
        sleep 0.1
    done
    kill -KILL $pid
    wait $pid 2>/dev/null
    [ ! -e "$result" ] || { echo "# it ended before, after $try"; false; }
}
echo precious >"$work/precious"
ln -s precious "$result.parts"
ok 'a burn-in that is killed' killed
ok 'it followed no link' grep -q precious "$work/precious"
ok 'its host has a name' has '^# host 0: .' "$result.parts"
ok 'its parts are kept' has '^# part of the burn-in: minute [0-9.e-]* host 0 triad_MB_per_s [0-9]' \
    "$result.parts"
rm -f "$result.parts"
# The figures of a row are the medians of its samples.
medians_fit()
{
    jq -e '. as $all | [.columns[].name] as $names
        | def median: sort | (length as $n | (.[($n - 1) / 2 | floor] + .[$n / 2 | floor]) / 2);
        [.samples[] | select(.of) | . as $s | ($names | index($s.of)) as $at | select($at != null)
            | {got: $all.rows[$s.row][$at], want: ($s.values | median)}]
        | length >= 2 and all(.[]; (.got - .want) * (.got - .want) <= 1e-12 * .want * .want)' "$1"
}
# shellcheck disable=SC2086
if ! command -v jq >/dev/null 2>&1; then skip 'the samples' 'jq is not there'
elif ! CM_DUMMY=ranks=1 "$program" $short --json "$work/raw.json" >/dev/null 2>"$work/refused"; then
    ok 'only a build without jansson has no samples' has jansson "$work/refused"
else ok 'the JSON has the samples of each figure' medians_fit "$work/raw.json"
fi
# Good elements follow it, and further trials.
if nm -D "$program" 2>/dev/null | grep -q ' U dgemm_$'; then
    # shellcheck disable=SC2086
    ok 'one NaN in the matrix product is found' run 1 1 '' \
        /bin/sh -c "LD_PRELOAD='$(pwd)/programs/nodes_nan.so' exec \"\$@\"" sh "$program" $short \
        -o "$work/nan.txt"
    ok 'by its check' has '^# CHECK: gemm_error: inf == 0  FAIL$' "$work/nan.txt"
else skip 'one NaN in the matrix product' 'the BLAS is not loaded, or its dgemm_ not called'
fi
finish
