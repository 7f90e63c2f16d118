#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_findings.sh: a host that stands out in all of three launches, or in one: the sentence of the
# report names it, nothing else fails, and the figure is drawn.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# A build tree of its own, whose cm-nodes writes $work/launch.K.
tree=$work/tree source=$work/source dir=$work/results
mkdir -p "$tree/suite" "$tree/nodes" "$source/suite"
: >"$tree/config.status"
echo "top_srcdir = $source" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
cp "$srcdir"/../suite/*.css "$srcdir"/../suite/*.gp "$srcdir"/../suite/papers.tab "$source/suite"
sed -n '/^folder=nodes|/p' "$srcdir/../suite/benchmarks.tab" >"$source/suite/benchmarks.tab"
{ stand_in; cat; } >"$tree/nodes/cm-nodes" <<END
launch=\${output%.txt} launch=\${launch##*.}
cp "$work/launch.\$launch" "\$output"
"$PWD/programs/record_json" "\$output" >"\$json"
if grep -q '^# could not tell' "\$output"; then exit 3; fi
! grep -q 'RESULT: FAIL' "\$output"
END
chmod +x "$tree/nodes/cm-nodes"

# launch K RATIO [LINE]: a result in which n5 sends at this ratio, and what else is said.
launch()
{
    {
        printf '# %s\n' 'program: cm-nodes' 'version: 0.1.0' 'ranks: 8' 'hosts: 8' \
            'comm: sockets' 'host: n1' \
            'ranks_per_host: n1:1 n2:1 n3:1 n4:1 n5:1 n6:1 n7:1 n8:1' 'oversubscribed: no' \
            'cores: 4' 'date: 2026-11-23T00:00:00Z'
        echo 'host ranks slow triad_ratio gemm_ratio quiet_ratio latency_ratio send_ratio' \
            'receive_ratio'
        for host in 0 1 2 3 5 6 7; do echo "$host 1 no 1 1 1 1 1.0$host 1"; done
        echo "4 1 yes 1 1 1 1 $2 1"
        [ $# -lt 3 ] || echo "$3"
        echo '# a remark'
        echo '# CHECK: wrong_bytes: 0 == 0  PASS'
    } >"$work/launch.$1"
}
# The words differ; what is said does not.
stands_out="# finding: n5: sends at 0.35 of the others (43 deviations; 14 count), all its links: \
its card, its cable or its port [value=0.35 unit=1 bound=0.87 quantity=send]"
reworded="# finding: n5: its sending is slow [value=0.34 unit=1 bound=0.86 quantity=send]"
failed='# RESULT: FAIL findings 1 1' passed='# RESULT: PASS findings 0 1'
slowest='# RESULT: PASS slowest_ratio 0.35 1' gemm='# RESULT: PASS gemm_Mflop_per_s 2000 Mflop/s'

# together: one result of the three launches, and the report of it.
together()
{
    rm -rf "$dir"
    "$tree/suite/clustermark" run --launcher 'env RANKS=%n' --launches 3 "$dir" >"$work/out" \
        2>"$work/err" </dev/null
    [ $? -eq 1 ] && "$suite" report "$dir" >"$work/out" 2>"$work/err" ||
        { show "$work/out" "$work/err"; false; }
}
in_result() { has "$1" "$dir/nodes.txt" || { show "$dir/nodes.txt"; false; }; }
page() { has "$1" "$dir/report.html" || { grep -n 'n5' "$dir/report.html" | show; false; }; }

launch 1 0.35 "$stands_out"
launch 2 0.34 "$reworded"
launch 3 0.35 "$stands_out"
for k in 1 2; do printf '%s\n' "$failed" "$slowest" "$gemm" >>"$work/launch.$k"; done
# A metric that is missing is no wrong answer.
printf '%s\n' "$failed" "$slowest" >>"$work/launch.3"
ok 'a host stands out in three launches' together
ok 'which is said once' [ "$(grep -c '^# finding: ' "$dir/nodes.txt")" = 1 ]
ok 'with how often, and its data' in_result \
    '^# finding: n5: .* (in 3 of 3 launches) \[value=0.3[45] unit=1 bound=0.8[67] quantity=send\]$'
ok 'so has the JSON' awk '/"findings": \[/ { inside = 1 }
    inside && /"who": "n5"/ { who++ } /"launches": 3/ { launches++ }
    /"a remark"/ { remarks++ } /"schema_version": 3/ { schema++ }
    END { exit who != 1 || launches < 1 || remarks != 1 || schema != 1 }' "$dir/nodes.json"
ok 'only the findings fail' \
    [ "$(sed -n 's/^# RESULT: FAIL \([^ ]*\).*/\1/p' "$dir/nodes.txt")" = findings ]
ok 'the sentence names it' page \
    "host n5's sending is 6[56].*% slower than the others' (in 3 of 3 launches)"
ok 'the warnings name no wrong answer' [ -z "$(grep 'wrong answers* (FAIL)' "$dir/report.html")" ]
for file in report nodes; do
    ok "the $file page tells the version that measured" \
        has ', clustermark 0[.]1[.]0[.]</p>' "$dir/$file.html"
done
ok 'but a host' page 'not like the others: <a href="#nodes">nodes</a>'
if command -v gnuplot >/dev/null 2>&1; then
    ok 'the figure is drawn' has '>n5<' "$dir/nodes-nodes.svg"
    ok 'with one slow host' has ': 1 slow<' "$dir/nodes-nodes.svg"
else skip 'the figure' 'gnuplot is not there'; fi

"$suite" compare "$dir" "$dir" >"$work/compared"
ok 'compare takes launches with a finding' has '(1 benchmark, 3 launches)' "$work/compared"
ok 'and leaves none out' [ -z "$(grep 'a metric is FAIL' "$work/compared")" ]

launch 1 1 '# no finding: no host and no pair stands out [bound=0.87]'
launch 3 1 '# no finding: no host and no pair stands out [bound=0.87]'
for k in 1 3; do printf '%s\n' "$passed" "$gemm" >>"$work/launch.$k"; done
ok 'in one of three' together
ok 'it is not lost' in_result '^# finding: n5: its sending is slow (in 1 of 3 launches) \['
ok 'nor does another launch deny it' [ -z "$(grep 'no finding' "$dir/nodes.txt")" ]
ok 'the sentence says how often' page "slower than the others' (in 1 of 3 launches)"

# `clustermark nodes` shows a result that could not tell, and says so by its status.
launch 1 0.99 '# could not tell: a host at half of the rate [quantity=send]'
sed -i '/^4 1 yes/s/yes/no/; /^# version/d' "$work/launch.1"
printf '%s\n' "$gemm" >>"$work/launch.1"
status=0
"$tree/suite/clustermark" nodes --launcher 'env RANKS=%n' "$work/unknown" >"$work/out" \
    2>"$work/err" </dev/null || status=$?
ok 'nodes that could not tell: status 3' [ $status -eq 3 ] || show "$work/out" "$work/err"
ok 'which is said' has '^could not tell: a host at half of the rate$' "$work/out"
ok 'and not that nobody stands out' [ -z "$(grep 'stands out' "$work/out")" ]
ok 'the page is there' has '<p>could not tell: a host at half' "$work/unknown/nodes.html"
ok 'of a version that the result does not tell' \
    has ', by an unknown version of clustermark[.]</p>' "$work/unknown/nodes.html"
ok 'and the result' [ -s "$work/unknown/nodes.json" ]
finish
