#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_first.sh: the report's first screen of a run: its tiles have the values of the JSON, and of
# results that were changed: its warnings.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
results=$work/results
XDG_CONFIG_HOME=$work/config
export XDG_CONFIG_HOME
if [ "$comm" = dummy ]; then
    skip 'the first screen of a run' 'cm-heat does not compute on ranks of the dummy backend'
    finish
fi

run()
{
    "$suite" run --profile quick --launches 1 --only netpipe,heat --time-limit 1200 "$results" \
        >"$work/out" 2>&1 || { show "$work/out"; false; }
}
report() { "$suite" report "$results" >"$work/out" 2>"$work/err" || { show "$work/err"; false; }; }
first() { sed -n '/<section id="first">/,/<section id="about">/p' "$results/report.html"; }
says() { first | grep -q -e "$1" || { first | sed 's/<[^>]*>//g' | grep . | show; false; }; }
well_formed()
{
    command -v xmllint >/dev/null 2>&1 || { echo '# xmllint is not there'; return; }
    xmllint --noout --nonet "$results/report.html"
}
# attribute TILE NAME: of the tile's element.
attribute() { first | sed -n "s/^<li id=\"tile-$1\".* data-$2=\"\([^\"]*\)\".*/\1/p"; }
# metric RUN METRIC KEY: of the JSON.
metric()
{
    ${JQ:-jq} -r --arg m "$2" ".results[] | select(.metric == \$m) | .$3" "$results/$1.json"
}
# same TILE RUN METRIC: value and interval are those of the JSON.
same()
{
    [ "$(attribute "$1" metric)" = "$2:$3" ] || { echo "# $1: $(attribute "$1" metric)"; return 1; }
    for key in value low high; do
        awk -v got="$(attribute "$1" $key)" -v want="$(metric "$2" "$3" $key)" 'BEGIN {
            exit !(got != "" && want != "" && (got - want) ^ 2 <= (1e-5 * want) ^ 2) }' ||
            { echo "# $key: $(attribute "$1" $key), not $(metric "$2" "$3" $key)"; return 1; }
    done
}

ok 'two benchmarks' run
ok 'a report' report
ok 'which is well-formed' well_formed
ok 'has a sentence before all tiles' sh -c "sed -n '/<main/,/class=\"tiles\"/p' \
    '$results/report.html' | grep -q '<p class=\"sentence\">.*[.]</p>'"
ok 'and six tiles' [ "$(first | grep -c '^<li id="tile-')" = 6 ]
if [ -f "$results/netpipe.json" ] && command -v "${JQ:-jq}" >/dev/null 2>&1; then
    ok 'latency as in the JSON' same latency netpipe latency_us
    ok 'bandwidth as in the JSON' same bandwidth netpipe peak_Mbit_per_s
    ok 'speed-up as in the JSON' same scaling heat speed_up
else skip 'values as in the JSON' 'there is no JSON or no jq'
fi
ok 'what was not run says what would' says 'clustermark run --only stream DIR'
ok 'the rule of the lights' says '<details id="lights">.*How the tiles are judged'
ok 'and every light has a word' \
    [ "$(first | grep -c '^<p class="light"><span>..*</span> [a-z ]*</p>$')" = 6 ]

# ---- Warnings ----------------------------------------------------------------------------------

sed 's/^# RESULT: PASS/# RESULT: FAIL/' "$results/heat.txt" >"$work/heat" &&
    sed 's/^# bound: .*/# bound: as started/
        s/^# oversubscribed: .*/# oversubscribed: yes\
# gemm_Gflop_per_s: 1\
# blas_kernel: Prescott\
# blas_kernel_better: Haswell/' "$results/netpipe.txt" >"$work/netpipe" || exit 99
mv "$work/heat" "$results/heat.txt" && mv "$work/netpipe" "$results/netpipe.txt" || exit 99
rm -rf "$results"/*.json "$results/launches"
echo 'it ended by a signal' >"$results/hint.failed"
for name in congestion bisection-random; do
    echo 'fewer than 4 ranks' >"$results/$name.skipped"
done
ok 'a report of what went wrong' report
ok 'is well-formed' well_formed
ok 'the sentence begins with wrong answers' says '"sentence">Wrong answers: heat[.] '
ok 'a wrong answer' says '<li class="fail">A wrong answer (FAIL): <a href="#heat">heat</a>'
ok 'makes no good tile' [ "$(attribute scaling light)" = slow ]
ok 'a benchmark that failed' says 'A benchmark did not run to its end: <a href="#hint">'
ok 'too many ranks' says 'More ranks than cores.*<a href="#netpipe">'
ok 'are not judged' [ "$(attribute latency light)" = unjudged ]
ok 'ranks that may move' says 'not bound to cores.*<a href="#netpipe">'
ok 'slow kernels of the BLAS' says 'Prescott kernels.*OPENBLAS_CORETYPE=Haswell'
ok 'what was skipped, and why' says '<a href="#congestion">congestion</a>: fewer than 4 ranks'

printf ' x\n 1\n# finding: n1: triad at 0.5 of the others: its memory\n%s\n%s\n' \
    '# RESULT: FAIL findings 1 1' '# RESULT: PASS gemm_Mflop_per_s 2100 Mflop/s' \
    >"$results/nodes.txt"
ok 'a report of a host that is not like the others' report
ok 'says so' says 'not like the others: <a href="#nodes">nodes</a>'
ok 'and does not call it wrong' says 'A wrong answer (FAIL): <a href="#heat">heat</a>[.]'
ok 'its value stands' [ "$(attribute arithmetic value)" = 2100 ]

# ---- References --------------------------------------------------------------------------------

# A latency is half a round trip, so not that of Ping, which a sender does not wait for.
half=$(awk -F '\t' '$1 == "pingpong_word_1_us" { print $2 / 2 }' \
    "$srcdir/../network/patterns/paper.dat")
ok "ParaPC's latency is half a turn of its PingPong" [ "$half" = "$(awk -F ' *[|] *' \
    '$1 == "latency" && $5 ~ /^warschko-1995/ { print $2 }' "$srcdir/../suite/references.tab")" ]

mkdir -p "$work/config/clustermark" || exit 99
echo 'scaling | 99.5 | % | our other machine | measured by us' \
    >"$work/config/clustermark/references.tab"
ok "a report with the user's references" report
ok 'shows them' says '<li class="reference own" title="measured by us"><span class="label">our '
ok 'an unknown bound says how to give one' says 'To give a bound: <code>[a-z]* bound | VALUE'
echo 'arithmetic bound | 3 | Gflop/s | any | its data sheet' \
    >>"$work/config/clustermark/references.tab"
ok 'a report with a bound that is given' report
ok 'judges by it' [ "$(attribute arithmetic bound)" = 3000 ]
ok 'and says from what, and what would be seen' \
    says 'Bound: 3[.]00 Gflop/s (its data sheet)[.] Good from 2[.]25, slow below'
echo 'speed | 1 | us | a | b' >"$work/wrong.tab"
CM_REFERENCES=$work/wrong.tab
export CM_REFERENCES
wrong()
{
    "$suite" report "$results" >"$work/out" 2>"$work/err"
    [ $? -eq 3 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && has "$1" "$work/err" ||
        { show "$work/err"; false; }
}
ok 'a wrong line ends the report' \
    wrong "wrong.tab:1: quantity: 'speed': expected memory, core, arithmetic"
CM_REFERENCES=$work/none.tab
ok 'so does a missing file' wrong 'none.tab: No such file'
finish
