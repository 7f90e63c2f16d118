#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_baseline.sh: `clustermark baseline`: results are kept once and completely, or refused by
# name; `--against` of nodes and run: which hosts are worse than the history, and when this is
# unknown.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# A build tree of its own, whose cm-nodes gives the results $work/next.1, then $work/next.2.
tree=$work/tree source=$work/source kept=$work/kept
mkdir -p "$tree/suite" "$source/suite" "$tree/nodes"
: >"$tree/config.status"
echo "top_srcdir = $source" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
printf '%s%s\n' "folder=nodes|run=cm-nodes|ranks=2|quick=-x|standard=-x|full=-x" \
    "|seconds=1 1 1|heading=Heading|question=Question?|headline=triad_MB_per_s|rows=host" \
    >"$source/suite/benchmarks.tab"

{ stand_in; cat; } >"$tree/nodes/cm-nodes" <<END
[ -n "\$json" ] || exit 3
next=$work/next.\$(cat "$work/runs" 2>/dev/null | wc -l)
echo once >>"$work/runs"
[ -f "\$next" ] || exit 3
cp "\$next" "\$json" || exit 3
printf '# %s\n' 'program: cm-nodes' 'RESULT: PASS triad_MB_per_s 1 MB/s' >"\$output"
END
chmod +x "$tree/nodes/cm-nodes"

# write_nodes FILE DAY RATE_OF_N01 DISTURBED [RANKS]: writes a result of cm-nodes on the hosts n01
# and n02.
write_nodes()
{
    cat >"$1" <<END
{"schema": "clustermark-result", "schema_version": 3, "program": "cm-nodes",
 "metadata": {"program": "cm-nodes", "version": "0.1.0", "date": "2026-11-$2T01:02:03Z",
  "comm": "sockets", "hosts": 2, "ranks": ${5:-4}, "kernel": "Linux 6.1", "microcode": "0x1"},
 "hosts": [{"name": "n01.site", "ranks": 2, "differs": {}},
           {"name": "n02.site", "ranks": 2, "differs": {"kernel": "Linux 6.2", "smt": "off"}}],
 "columns": [{"name": "host", "format": "%.0f"}, {"name": "triad_MB_per_s", "format": "%.5g"},
             {"name": "latency_us", "format": "%.4g"}],
 "rows": [[0, $3, 2.5], [1, 10000, null]], "samples": [],
 "checks": [{"name": "wrong_bytes", "value": 0, "relation": "==", "bound": 0, "pass": true}],
 "findings": [{"who": null, "what": "disturbed", "bound": 96, "words": "$4 of 96 samples: busy",
  "quantity": {"name": "samples", "value": $4, "low": null, "high": null, "unit": "samples"}}],
 "comments": [],
 "results": [{"pass": true, "metric": "triad_MB_per_s", "value": $3, "unit": "MB/s", "low": null,
  "high": null, "interval": null, "over": "hosts", "n": 2, "better": "high", "disturbed": false}]}
END
}
# write_folder DIR DAY RATE_OF_N01 DISTURBED: a folder of `clustermark nodes`.
write_folder()
{
    mkdir -p "$1/launches"
    write_nodes "$1/nodes.json" "$2" "$3" "$4"
    cp "$1/nodes.json" "$1/launches/nodes.1.json"
    printf 'version: 0.1.0\nprofile: standard\ncomm: sockets\nhosts: n01,n02\nranks: 4\n%s\n' \
        "date: 2026-11-$2T01:02:00Z" >"$1/run.txt"
}
# baseline STATUS ARGUMENT...
baseline()
{
    wanted=$1; shift
    status=0
    timeout 60 "$tree/suite/clustermark" baseline "$@" >"$work/out" 2>"$work/err" </dev/null ||
        status=$?
    [ $status -eq "$wanted" ] || { echo "# status $status"; show "$work/err"; false; }
}
refused()
{
    regex=$1; shift
    baseline 2 "$@" && [ "$(grep -c . "$work/err")" -eq 1 ] && has "$regex" "$work/err" \
        || { show "$work/err"; false; }
}
files() { find "$1" -name "*.json" | grep -c .; }
hold() { [ "$(files "$1")" -eq "$2" ] || { find "$1" | sed 's/^/# /'; false; }; }

ok 'no word' refused 'expected add DIR RESULT..., or list DIR'
ok 'another word' refused "'keep': expected add or list" keep "$kept"
ok 'nothing to add' refused 'add: expected DIR RESULT' add "$kept"
ok 'no folder to list' refused 'list: expected one DIR' list
ok 'an option of add' refused "list: --cluster 'n' is an option of add" list --cluster n "$work"
ok 'a folder that is not there' refused 'nowhere is not a folder' list "$work/nowhere"

# ---- What is kept --------------------------------------------------------------------------------

write_folder "$work/first" 01 10100 3
ok 'a folder' baseline 0 add "$kept" "$work/first"
ok 'is a file' has "/first: kept: .*/kept/20261101T010200-n-[0-9a-f]\{8\}\.json$" "$work/out"
ok 'and only that' [ "$(find "$kept" -type f | grep -c .)" -eq 1 ]
ok 'twice is told' baseline 0 add "$kept" "$work/first"
ok 'with the name' has '/first: was there: .*/20261101T010200-n-' "$work/out"
ok 'and is one file' hold "$kept" 1
cp -R "$work/first" "$work/renamed"
ok 'a folder of another name is the same result' baseline 0 add "$kept" "$work/renamed"
ok 'which is kept once' hold "$kept" 1
ok 'so is its file' baseline 0 add "$kept" "$work/first/nodes.json"
ok 'as it says' has 'nodes.json: was there: .*/20261101T010200-n-' "$work/out"
ok 'and keeps once' hold "$kept" 1
write_nodes "$work/second.json" 02 10200 50
ok 'a result alone' baseline 0 add "$kept" "$work/second.json"
ok 'beside the other' hold "$kept" 2
ok 'the list' baseline 0 list "$kept"
ok 'has the earliest first' [ "$(sed 's/ .*//' "$work/out" | tr '\n' ' ')" = \
    '2026-11-01T01:02:00Z 2026-11-02T01:02:03Z ' ]
ok 'with what is kept' has '^2026-11-02T.*Z n: 2 hosts, sockets, 1 result, from second.json: ' \
    "$work/out"
python=$(command -v python3)
if [ -n "$python" ] && "$python" -c 'from jsonschema import Draft202012Validator' 2>/dev/null; then
    ok 'as its schema has it' "$python" - "$srcdir/../doc/kept.schema.json" "$kept"/*.json <<'EOF'
import json, sys
from jsonschema import Draft202012Validator
schema, first, second = (json.load(open(file, encoding='utf-8')) for file in sys.argv[1:])
Draft202012Validator.check_schema(schema)
for one in (first, second):
    errors = list(Draft202012Validator(schema).iter_errors(one))
    for e in errors[:5]: print('#', e.message)
    assert not errors
assert list(Draft202012Validator(schema).iter_errors({**first, 'results': [{}]}))
assert first['kept_from'] == 'first' and first['cluster'] == 'n'
assert first['run']['hosts'] == 'n01,n02' and first['run']['launches'] is None
assert first['machine'] == {'comm': 'sockets', 'kernel': 'Linux 6.1', 'microcode': '0x1'}
r, = first['results']
assert (r['benchmark'], r['value'], r['values'], r['over']) \
    == ('nodes', 10100, [10100], 'hosts'), r
one, two = first['hosts']
assert one['host'] == 'n01.site' and not one['disturbed'] and second['hosts'][0]['disturbed']
assert {q['metric']: q['values'] for q in one['quantities']} \
    == {'triad_MB_per_s': [10100], 'latency_us': [2.5]}
assert two['machine'] == {'kernel': 'Linux 6.2', 'smt': 'off'} and len(two['quantities']) == 1
EOF
else skip 'JSON fits the schema' 'python3 has no jsonschema of draft 2020-12'
fi

ok 'a name of other characters' \
    baseline 0 add --cluster my-cluster "$work/named" "$work/second.json"
ok 'is one of low lines' has '/20261102T010203-my_cluster-[0-9a-f]*\.json$' "$work/out"
history()
{
    "$suite" history "$@" >"$work/out" 2>"$work/err" </dev/null || { show "$work/err"; false; }
}
ok 'and history finds it' history --cluster my-cluster -o "$work/named.html" "$work/named"

# Several processes at once: each result is kept once, and no partial file remains.
pids=
for k in 1 2 3 4; do
    "$tree/suite/clustermark" baseline add "$work/at-once" "$work/first" "$work/second.json" \
        >/dev/null 2>&1 & pids="$pids $!"
done
all=0
for pid in $pids; do wait "$pid" || all=1; done
ok 'four at once' [ $all -eq 0 ]
ok 'keep each result once' [ "$(find "$work/at-once" -type f | grep -c .)" -eq 2 ]

# ---- What is refused -----------------------------------------------------------------------------

ok 'another cluster' refused "second.json does not fit into .*: it is of cluster m, .* of n" \
    add --cluster m "$kept" "$work/second.json"
write_nodes "$work/ranks.json" 03 10100 0 8
ok 'other ranks' refused 'nodes has 2 hosts and 8 ranks, in the history 2 and 4' \
    add "$kept" "$work/ranks.json"
sed 's/n01\.site/alpha/; s/n02\.site/beta/' "$work/second.json" >"$work/mixed.json"
ok 'hosts without a common name' \
    refused "mixed.json: its hosts' names have no common beginning: .* --cluster NAME" \
    add "$kept" "$work/mixed.json"
sed 's/^ "hosts": .*/ "hosts": [],/; /^ .*n02/d' "$work/second.json" >"$work/nobody.json"
ok 'or without hosts' refused 'nobody.json: it names no host: .* --cluster NAME' \
    add "$kept" "$work/nobody.json"
sed 's/"pass": true},*$/"pass": true}],/; s/"results".*//' "$work/second.json" >"$work/half.json"
ok 'an unfinished result' refused 'half.json' add "$kept" "$work/half.json"
sed 's/"wrong_bytes", "value": 0\(.*\)true/"wrong_bytes", "value": 1\1false/' \
    "$work/second.json" >"$work/wrong.json"
ok 'a wrong answer' refused 'wrong.json: failed: nodes gave a wrong answer' \
    add "$kept" "$work/wrong.json"
write_folder "$work/failed" 04 10100 0
echo 'exit status: 3' >"$work/failed/nodes.failed"
ok 'a failed run' refused 'failed: failed: nodes: exit status: 3' add "$kept" "$work/failed"
write_folder "$work/begun" 05 10100 0
rm "$work/begun/nodes.json"
ok 'a run that did not end' refused '/begun' add "$kept" "$work/begun"
write_folder "$work/edited" 06 10100 0
sed 's/10100/20200/g' "$work/edited/nodes.json" >"$work/edited/new"
mv "$work/edited/new" "$work/edited/nodes.json"
ok 'an edited result' refused 'baseline: .*/edited/nodes.json' add "$kept" "$work/edited"
ok 'no folder' refused 'nowhere is not a folder' add "$kept" "$work/nowhere"
ok 'none of them was kept' hold "$kept" 2
write_nodes "$work/third.json" 07 9900 0
ok 'one of two' baseline 2 add "$kept" "$work/ranks.json" "$work/third.json"
ok 'does not keep the other out' hold "$kept" 3

# ---- Files that are none -------------------------------------------------------------------------

cp -R "$kept" "$work/spoiled"
set -- "$work/spoiled"/*.json
sed 's/10100/20100/' "$1" >"$1.new" && mv "$1.new" "$1"
head -c 300 "$2" >"$2.new" && mv "$2.new" "$2"
echo '{}' >"$work/spoiled/foreign.json"
echo 'not ours' >"$work/spoiled/README"
mkfifo "$work/spoiled/pipe.json"
ok 'files that were spoiled' baseline 1 list "$work/spoiled"
ok 'an edited one' has "${1##*/}: it was edited or renamed" "$work/err"
ok 'half of one' has "${2##*/}: it is damaged or no JSON" "$work/err"
ok 'a foreign one' has 'foreign.json: it is no kept result' "$work/err"
ok 'a pipe' has 'pipe.json: it is no plain file' "$work/err"
ok 'are said, and nothing else' [ "$(grep -c . "$work/err")" -eq 4 ]
ok 'and the others read' [ "$(grep -c . "$work/out")" -eq 1 ]

# ---- Against a history ---------------------------------------------------------------------------

past=$work/past
for day in 01 02 03 04 05 06 07 08 09 10 11 12; do
    write_nodes "$work/day.$day.json" $day "10$(((1$day * 7 % 10)))00" 0
done
add_days() { baseline 0 add "$past" "$@"; }
# against STATUS REGEX [OPTION...]: this status, and one line on stdout that matches.
against()
{
    wanted=$1 regex=$2; shift 2
    rm -f "$work/runs"
    status=0
    "$tree/suite/clustermark" nodes --launcher 'env RANKS=%n' --ranks 4 --against "$past" "$@" \
        "$work/checks" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c . "$work/out")" -eq 1 ] && has "$regex" "$work/out" \
        || { echo "# status $status"; show "$work/out"; show "$work/err"; false; }
}
# gives RATE_OF_N01 DISTURBED [RATE DISTURBED]: sets what cm-nodes measures, and what when measured
# again.
gives()
{
    rm -f "$work"/next.*
    write_nodes "$work/next.0" 28 "$1" "$2"
    [ $# -lt 4 ] || write_nodes "$work/next.1" 28 "$3" "$4"
}
refused_nodes()
{
    regex=$1; shift
    status=0
    "$tree/suite/clustermark" nodes "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq 2 ] && has "$regex" "$work/err" || { show "$work/err"; false; }
}
runs() { [ "$(wc -l <"$work/runs")" -eq "$1" ]; }
gives 10500 0
mkdir "$past"
ok 'nothing is kept' against 3 '^could not tell: n01.site triad_MB_per_s 10500 MB/s: 0 kept res'
sed 's/n02\.site/beta/' "$work/next.0" >"$work/next.new" && mv "$work/next.new" "$work/next.0"
ok 'whatever the hosts are called' against 3 \
    '^could not tell: n01.site triad_MB_per_s 10500 MB/s: 0 kept res'
gives 10500 0
ok 'three results' add_days "$work"/day.0[1-3].json
ok 'are too few' against 3 ': 3 kept results of it with 2 ranks, 6 are needed; and 2 more of 3'
ok 'twelve are kept' add_days "$work"/day.*.json
ok 'like them' against 0 \
    '^like its history: 3 values; a host below 0.9[0-9]* of its median would have been named: n01'
ok 'with what was seen' has 'history 10450 (10000 to 10900) in 12 results, worse below 9' \
    "$work/out"
ok 'measured once' runs 1
gives 7500 0 7600 0
ok 'a loss' against 1 '^worse: n01.site triad_MB_per_s 7500 MB/s, again 7600, history 10450 ('
ok 'measured twice' runs 2
gives 7500 0 10400 0
ok 'a loss that does not come again' against 0 '^like its history: 3 values'
gives 10500 0 10500 0
for k in 0 1; do
    sed 's/2\.5]/3.5]/' "$work/next.$k" >"$work/next.new" && mv "$work/next.new" "$work/next.$k"
done
ok 'of what is better low, more' against 1 \
    '^worse: n01.site latency_us 3.5 us, again 3.5, history 2.5 (.*, worse above 2.6[0-9]*$'
# Over the twelve nights the latency had the widest spread.
for day in 01 02 03 04 05 06 07 08 09 10 11 12; do
    sed "s/2\.5\]/2.$(((1$day * 7 % 5) + 3))]/" "$work/day.$day.json" >"$work/wide.$day.json"
done
mv "$past" "$past.narrow"
ok 'a wide spread of what is better low' add_days "$work"/wide.*.json
gives 10500 0
ok 'is told by what is above' against 0 \
    '; a host above 1\.[0-9]* of its median would .*: n01.site latency_us .* worse above [23]\.'
rm -r "$past"; mv "$past.narrow" "$past"
gives 0 0 0 0
ok 'a rate that fell to 0' against 1 '^worse: n01.site triad_MB_per_s 0 MB/s, again 0, history 10'
gives 7500 90
ok 'a busy machine' against 3 '^could not tell: n01.*: below 9[0-9]*, but the machine was busy'
gives 7500 0 7500 90
ok 'busy the second time' against 3 '^could not tell: .*, again 7500, .* the machine was busy'
gives 7500 0
ok 'a second run that fails' against 3 '^could not tell: cm-nodes did not run to its end$'
gives 10500 0
sed 's/"wrong_bytes", "value": 0\(.*\)true/"wrong_bytes", "value": 1\1false/
    s/"pass": true, "metric"/"pass": false, "metric"/' "$work/next.0" >"$work/next.new"
mv "$work/next.new" "$work/next.0"
ok 'a wrong answer' against 1 '^worse: cm-nodes gave a wrong answer$'
gives 10500 0
sed 's/n0\([12]\).site/x0\1/g' "$work/next.0" >"$work/next.new"
mv "$work/next.new" "$work/next.0"
ok 'hosts that it does not know' against 3 '^could not tell: x01 .*: 0 kept results of it with 2'
gives 10500 0
ok 'a loss that is too small to be seen' against 3 \
    ': a loss of 8 % would not have been named, only below 9.*; [0-9]* kept results would show' \
    --loss 8
# ---- A run against a history ---------------------------------------------------------------------

# write_launches RATE...: the next results of cm-nodes.
write_launches()
{
    rm -f "$work"/next.* "$work/runs"
    k=0
    for rate; do
        write_nodes "$work/next.$k" 28 "$rate" 0
        k=$((k + 1))
    done
}
# run_against STATUS REGEX RATE...: a run with one launch for each RATE, or with $launches.
launches=
run_against()
{
    wanted=$1 regex=$2; shift 2
    write_launches "$@"
    status=0
    "$tree/suite/clustermark" run --fresh --launcher 'env RANKS=%n' --ranks 4 \
        --launches ${launches:-$#} --against "$past" "$work/run.${launches:-$#}" \
        >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c . "$work/out")" -eq 1 ] && has "$regex" "$work/out" \
        || { echo "# status $status"; show "$work/out"; show "$work/err"; false; }
}
ok 'a run like its history' run_against 0 \
    '^like its history: 1 value; a benchmark below 0.9[0-9]* .*: nodes triad_MB_per_s 10400 MB/s' \
    10300 10400 10500
ok 'a worse one' run_against 1 '^worse: nodes triad_MB_per_s 7400 MB/s, history 10450 (10000 to' \
    7400 7400 7500
ok 'one launch of three' run_against 0 '^like its history: 1 value; ' 7400 10400 10500
ok 'of one launch nothing is worse' run_against 3 \
    '^could not tell: nodes triad_MB_per_s 7400 MB/s, .*: below 9[0-9]*, but only once' 7400
launches=2
ok 'a launch that fails' run_against 3 '^could not tell: a benchmark did not run to its end$' 10500

# part N: a run that ends after launch N has nothing to be judged, nor is its folder made.
part()
{
    "$tree/suite/clustermark" run --until "$1" --against "$past" "$work/part" \
        >"$work/out" 2>"$work/err" </dev/null
    [ $? -eq 2 ] && [ "$(grep -c . "$work/err")" -eq 1 ] && [ ! -s "$work/out" ] &&
        has "run: --until $1 with --against .*: only a whole run is judged" "$work/err" &&
        [ ! -e "$work/part" ] || { show "$work/err"; false; }
}
ok 'no part of a run is judged' part 1
ok 'nor is one that only checks' part 0

ok 'no history' refused_nodes 'nodes: --loss needs --against' --loss 10 "$work/checks"
ok 'no folder of one' refused_nodes 'nowhere is not a folder' --against "$work/nowhere" "$work/new"
finish
