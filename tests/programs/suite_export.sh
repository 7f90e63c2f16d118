#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_export.sh: `clustermark export`: each form is read by a parser that is not ours, and says
# what the results say. Names and values are as odd as results may have them.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset SLURM_CLUSTER_NAME

# A build tree of its own; cm-one says what its metrics mean, cm-two and cm-odd do not.
tree=$work/tree source=$work/source dir=$work/results
mkdir -p "$tree/suite" "$source/suite" "$tree/one" "$dir"
: >"$tree/config.status"
echo "top_srcdir = $source" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
for name in one one/two odd lost left; do
    printf '%s%s\n' "folder=${name%/*}|run=cm-$name|ranks=2|quick=-x|standard=-x|full=-x" \
        "|seconds=1 1 1|heading=Heading|question=Question?|headline=latency_us|rows=size_bytes"
done >"$source/suite/benchmarks.tab"
cat >"$tree/one/cm-one" <<'END'
#!/bin/sh
printf '%s\t%s\t%s\t%s\n' latency_us us low 'half the "round" trip' \
    'peak_*' Mbit/s high 'back\slash' g_s_per_word s low 'of a word' \
    items_per_s 1/s high items lost_percent % low lost 'sum_*_us' us low sums
printf '%s\tlabels\t%s\n' 'sum_*_of_*_us' 'time operation=sum algorithm=* precision=* way=odd' \
    'sum_*_us' 'time operation=sum algorithm=*'
END
chmod +x "$tree/one/cm-one"
head_of() { printf '# program: cm-%s\n# hosts: 2\n# ranks: 4\n' "$1"; echo ' size_bytes'; echo 1; }
{
    head_of one
    echo '# RESULT: PASS latency_us 2.5 us low=2 high=3.5 interval=95% over=launches n=6' \
        'disturbed=yes'
    echo '# RESULT: PASS peak_Mbit_per_s 800 Mbit/s low=700 high=900 interval=range over=trials' \
        'n=3 disturbed=no'
    echo '# RESULT: PASS g_s_per_word 4e-09 s'
    echo '# RESULT: PASS items_per_s 7 1/s'
    echo '# RESULT: PASS lost_percent 5 %'
    echo '# RESULT: PASS sum_recursive_doubling_us 10 us low=9 high=12 interval=95%' \
        'over=launches n=6'
    echo '# RESULT: PASS sum_ring__of_double_us 20 us'
    echo '# RESULT: PASS latency_us 99 us'
} >"$dir/one.txt"
{
    head_of one | sed '2s/.*/# hosts: 1/; 3s/$/\n# host: n1/'
    echo '# RESULT: FAIL latency_us 9 us'
} >"$dir/one-two.txt"
{
    printf '# program: cm-odd\n# oversubscribed: yes\n size_bytes\n1\n'
    echo '# RESULT: PASS zeit_µs,"x\y" nan µs low=1 high=nan interval=range over=trials n=2'
    echo '# RESULT: PASS zeit_µs?"x\y" 3 µs'
    echo '# RESULT: PASS 9-lives 1e300 cats/moon'
} >"$dir/odd.txt"
printf 'exit status: 3\nno, "not" it\n' >"$dir/lost.failed"
printf 'not in profile quick\n' >"$dir/left.skipped"
printf 'version: 1.2\ncomm: shm\nprofile: quick\nhosts: a,"b"\\c\nranks: 4\nlaunches: 6\n%s\n' \
    'date: 2026-11-23T15:26:01Z' >"$dir/run.txt"

# export STATUS OPTION...
exports()
{
    wanted=$1; shift
    status=0
    "$tree/suite/clustermark" export "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq "$wanted" ] || { echo "# status $status"; show "$work/err"; false; }
}
says() { has "$1" "$work/err" || { show "$work/err"; false; }; }
refused()
{
    regex=$1; shift
    exports 2 "$@" && [ "$(grep -c . "$work/err")" -eq 1 ] && says "$regex"
}
# The Python that has a module: there may be several.
python_with()
{
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && return
    done
    python=
}

ok 'no form' refused 'export: --to is missing: expected openmetrics' "$dir"
ok 'an unknown form' refused "'--to': 'xml' is not one of: .*csv" --to xml "$dir"
mkdir "$work/empty"
ok 'an empty folder' refused 'empty holds no results' --to csv "$work/empty"
ok 'no folder' refused 'nowhere is not a folder' --to csv "$work/nowhere"
ok 'two folders' refused 'more than one DIR' --to csv "$dir" "$dir"
ok 'a file is not overwritten' refused "--output $dir/one.txt" --to csv -o "$dir/one.txt" "$dir"
ok 'unless told to' exports 0 --to csv -o "$work/err" --force "$dir"
mkdir "$work/out.d"
echo theirs >"$work/out.d/data.csv.part"
ok 'a file beside others' exports 0 --to csv -o "$work/out.d/data.csv" "$dir"
ok 'that stay' has '^theirs$' "$work/out.d/data.csv.part"
chmod 600 "$work/out.d/data.csv"
ok 'one with rights of its own' exports 0 --to csv -o "$work/out.d/data.csv" --force "$dir"
ok 'keeps them' [ "$(stat -c %a "$work/out.d/data.csv")" = 600 ]
ok 'a file that cannot be written' refused '--output' --to csv -o "$work/no/file" "$dir"

# ---- CSV ---------------------------------------------------------------------------------------

ok 'CSV' exports 0 --to csv --cluster moon "$dir"
cp "$work/out" "$work/csv"
python_with csv
if [ -n "$python" ]; then
    ok 'as a reader of CSV has it' "$python" - "$work/csv" <<'EOF'
import csv, sys
data = open(sys.argv[1], 'rb').read()
assert data.count(b'\r\n') == data.count(b'\n') == 12, 'line ends'
rows = list(csv.DictReader(open(sys.argv[1], encoding='utf-8', newline=''), strict=True))
got = {(r['benchmark'], r['metric']): r for r in rows}
assert len(rows) == len(got) == 11, 'every metric once'
assert all(None not in r and None not in r.values() for r in rows), 'as many fields as the header'
r = got['one', 'latency_us']
assert [r[k] for k in ('program', 'value', 'unit', 'better', 'pass', 'low', 'high', 'interval',
                       'over', 'n', 'disturbed', 'hosts', 'ranks', 'oversubscribed', 'meaning')] \
    == ['cm-one', '2.5', 'us', 'low', 'true', '2', '3.5', '95%', 'launches', '6', 'true', '2', '4',
        'false', 'half the "round" trip'], r
assert got['one-two', 'latency_us']['pass'] == 'false'
r = got['odd', 'zeit_µs,"x\\y"']
assert [r[k] for k in ('value', 'low', 'high', 'interval', 'n', 'disturbed', 'hosts', 'better')] \
    == ['', '', '', '', '2', '', '', ''], r # no half interval
r = got['one', 'sum_ring__of_double_us']
assert [r[k] for k in ('quantity', 'operation', 'algorithm', 'precision', 'labels', 'cluster',
                       'host')] == ['time', 'sum', 'ring', 'double', 'way=odd', 'moon', ''], r
assert got['one', 'sum_recursive_doubling_us']['algorithm'] == 'recursive_doubling'
assert got['one', 'latency_us']['quantity'] == '' and got['one-two', 'latency_us']['host'] == 'n1'
r = got['odd', 'zeit_µs,"x\\y"']
assert r['oversubscribed'] == 'true' and float(got['odd', '9-lives']['value']) == 1e300
EOF
else skip 'CSV is read' 'python3 is not there'
fi
ok 'only what is better low' exports 0 --to csv --better low "$dir"
ok 'by what the program says' [ "$(cut -d, -f1,3 "$work/out" | tr '\n' ' ')" = \
    "benchmark,metric one,latency_us one,g_s_per_word one,lost_percent \
one,sum_recursive_doubling_us one,sum_ring__of_double_us one-two,latency_us " ]
here()
{
    (cd "$dir" && export SLURM_CLUSTER_NAME=moon && exports 0 --to csv) &&
        cmp "$work/out" "$work/csv"
}
ok 'this folder, without a name' here

# ---- OpenMetrics -------------------------------------------------------------------------------

ok 'OpenMetrics' exports 0 --to openmetrics --cluster moon \
    -o "$work/metrics.prom" "$dir"
ok 'nothing on standard output' [ ! -s "$work/out" ]
ok 'its end' [ "$(tail -n 1 "$work/metrics.prom")" = '# EOF' ]
python_with prometheus_client.openmetrics.parser
if [ -n "$python" ]; then
    ok "as Prometheus' own parser has it" "$python" - "$work/metrics.prom" <<'EOF'
import math, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
families = {f.name: f for f in parse(open(sys.argv[1], encoding='utf-8').read())}
def value(name, **labels):
    found = [s for s in families[name].samples if labels.items() <= s.labels.items()]
    assert len(found) == 1, (name, labels, found)
    return found[0].value
def close(a, b): assert abs(a / b - 1) < 1e-9, (a, b)
assert all(f.type == 'gauge' for f in families.values())
assert all(f.name.endswith(f.unit) for f in families.values())
# The help says the unit of the value here, not that of the result.
assert all(f.documentation.endswith(f.unit.replace('_', ' ')) for f in families.values()
           if f.unit and f.name != 'clustermark_run_timestamp_seconds')
name = 'clustermark_one_latency_seconds'
close(value(name, benchmark='one', metric='latency_us', better='low', hosts='2', ranks='4'), 2.5e-6)
assert families[name].documentation == "half the 'round' trip, in seconds", \
    families[name].documentation
assert families[name].unit == 'seconds'
assert [s.labels['benchmark'] for s in families[name].samples] == ['one'], 'a wrong answer counts'
# What a name says is in labels: one family, by which one groups.
sums = families['clustermark_one_time_seconds']
got = {s.labels['algorithm']: s for s in sums.samples}
assert len(got) == len(sums.samples) == 2, sums
assert {s.labels['operation'] for s in sums.samples} == {'sum'}
close(got['recursive_doubling'].value, 1e-5)
close(got['ring'].value, 2e-5)
assert got['ring'].labels['precision'] == 'double' and got['ring'].labels['way'] == 'odd', got
assert sums.documentation == 'time of cm-one, by its labels, in seconds', sums.documentation
close(value('clustermark_one_time_high_seconds', algorithm='recursive_doubling'), 1.2e-5)
assert value('clustermark_pass', operation='sum', algorithm='ring') == 1
assert value('clustermark_pass', host='n1', cluster='moon') == 0
assert value('clustermark_run', cluster='moon') == 1
assert not [n for n in families if 'sum' in n or ':' in n], families.keys()
close(value('clustermark_one_latency_low_seconds', interval='95%', over='launches'), 2e-6)
close(value('clustermark_one_latency_high_seconds', interval='95%'), 3.5e-6)
close(value('clustermark_one_peak_bytes_per_second', better='high'), 1e8)
assert families['clustermark_one_peak_bytes_per_second'].documentation \
    == 'back\\slash, in bytes per second'
close(value('clustermark_one_g_seconds_per_word'), 4e-9)
close(value('clustermark_one_items_per_second'), 7)
close(value('clustermark_one_lost_ratio'), 0.05)
assert value('clustermark_pass', benchmark='one', metric='latency_us') == 1
assert value('clustermark_pass', benchmark='one-two') == 0
assert value('clustermark_disturbed', metric='latency_us') == 1
assert value('clustermark_disturbed', metric='peak_Mbit_per_s') == 0
assert value('clustermark_interval_values', metric='latency_us', over='launches') == 6
assert value('clustermark_complete', benchmark='odd') == 1
assert value('clustermark_complete', benchmark='lost') == 0
assert value('clustermark_oversubscribed', benchmark='odd') == 1
assert value('clustermark_run', hosts='a,"b"\\c', comm='shm', launches='6') == 1
close(value('clustermark_run_timestamp_seconds'), 1795447561)
# Two odd names become the same word; the label tells them apart.
odd = [f for f in families.values() if f.name.startswith('clustermark_odd_zeit')]
assert len(odd) == 1 and len(odd[0].samples) == 2, odd
assert math.isnan(next(s.value for s in odd[0].samples if ',' in s.labels['metric']))
close(value('clustermark_odd_9_lives_cats_per_moon'), 1e300)
EOF
else skip 'OpenMetrics is parsed' 'python3 has no prometheus_client (python3-prometheus-client)'
fi
ok 'the old names' exports 0 --to openmetrics --flat -o "$work/flat.prom" "$dir"
flat() { grep -q "^$1" "$work/flat.prom" || { show "$work/flat.prom"; false; }; }
ok 'have what they are of' \
    flat 'clustermark_one_sum_ring__of_double_seconds{benchmark="one",metric="[^"]*",better="low",h'
ok 'not as a label' sh -c "! grep -q -e algorithm= -e host= -e cluster= '$work/flat.prom'"
ok 'not with a cluster' refused '--flat has no label for --cluster moon' --to csv --flat \
    --cluster moon "$dir"
ok 'a cluster without a name' refused "--cluster '': expected a name" --to csv --cluster= "$dir"
# promtool's status 3 is about style: one of the names above is meant to be odd.
if command -v promtool >/dev/null 2>&1; then
    lint() { promtool check metrics <"$work/metrics.prom"; [ $? -ne 1 ]; }
    ok 'as promtool has it' lint
else skip 'promtool' 'it is not there'
fi

# ---- JSON --------------------------------------------------------------------------------------

ok 'JSON' exports 0 --to json "$dir"
python_with jsonschema
if [ -n "$python" ] && "$python" -c 'import jsonschema; jsonschema.Draft202012Validator'; then
    ok 'as its schema has it' \
        "$python" - "$srcdir/../doc/export.schema.json" "$work/out" <<'EOF'
import json, sys
from jsonschema import Draft202012Validator
schema, got = (json.load(open(file, encoding='utf-8')) for file in sys.argv[1:])
Draft202012Validator.check_schema(schema)
errors = list(Draft202012Validator(schema).iter_errors(got))
for e in errors[:5]: print('#', e.message)
assert not errors
results = {(r['benchmark'], r['metric']): r for r in got['results']}
assert len(got['results']) == len(results) == 11
r = results['one', 'latency_us']
assert r == {'benchmark': 'one', 'program': 'cm-one', 'metric': 'latency_us', 'value': 2.5,
             'unit': 'us', 'better': 'low', 'pass': True, 'low': 2, 'high': 3.5, 'interval': '95%',
             'over': 'launches', 'n': 6, 'disturbed': True, 'hosts': 2, 'ranks': 4,
             'oversubscribed': False, 'meaning': 'half the "round" trip', 'quantity': None,
             'labels': {}, 'host': None}, r
r = results['one', 'sum_ring__of_double_us']
assert r['quantity'] == 'time' and r['labels'] == {'operation': 'sum', 'algorithm': 'ring',
                                                   'precision': 'double', 'way': 'odd'}, r
assert results['one-two', 'latency_us']['host'] == 'n1' and got['run']['cluster'] is None
r = results['odd', 'zeit_µs,"x\\y"']
assert r['value'] is None and r['disturbed'] is None and r['hosts'] is None and r['n'] == 2
assert r['interval'] is None and r['low'] is None and r['oversubscribed'] is True
assert not results['one-two', 'latency_us']['pass']
assert {m['benchmark']: m['state'] for m in got['missing']} == {'lost': 'failed', 'left': 'skipped'}
assert got['run']['hosts'] == 'a,"b"\\c' and got['run']['place'] is None
for wrong in ({**got, 'more': 1}, {**got, 'results': [{**r, 'value': 'fast'}]},
              {**got, 'missing': [{'benchmark': 'x', 'state': 'late', 'reason': ''}]}):
    assert list(Draft202012Validator(schema).iter_errors(wrong)), 'the schema takes anything'
EOF
else skip 'JSON fits the schema' 'python3 has no jsonschema of draft 2020-12'
fi

ok 'as it was before there were labels' exports 0 --to json --flat "$dir"
ok 'is version 1' sh -c "grep -q '\"schema_version\": 1,' '$work/out' &&
    ! grep -q -e quantity -e labels -e '\"cluster\"' '$work/out'"

# ---- github-action-benchmark -------------------------------------------------------------------

ok 'it has a tool for each way' refused \
    'needs --better low .*customSmallerIsBetter.* --better high' --to github-action-benchmark "$dir"
ok 'its list of what is better low' exports 0 --to github-action-benchmark --better low "$dir"
python_with json
if [ -n "$python" ]; then
    # What the action asks of customSmallerIsBetter: an array whose entries have name and unit,
    # which are strings, a finite value, and perhaps range and extra, strings, too.
    ok 'as the action has it' "$python" - "$work/out" <<'EOF'
import json, math, sys
def no(word): raise ValueError(word)
got = json.load(open(sys.argv[1], encoding='utf-8'), parse_constant=no)
for entry in got:
    assert set(entry) <= {'name', 'unit', 'value', 'range', 'extra'}, entry
    assert all(isinstance(entry[k], str) for k in entry if k != 'value') and entry['name']
    assert isinstance(entry['value'], float) and math.isfinite(entry['value'])
got = {e['name']: e for e in got}
assert sorted(got) == ['one g_s_per_word', 'one latency_us', 'one lost_percent',
                       'one sum_recursive_doubling_us', 'one sum_ring__of_double_us'], got
e = got['one latency_us']
assert e['value'] == 2.5 and e['unit'] == 'us' and e['range'] == '2 to 3.5', e
assert e['extra'].split('\n')[:3] == ['2 hosts, 4 ranks', '6 launches', 'disturbed'], e
EOF
else skip 'it is read' 'python3 is not there'
fi
ok 'with the old names' exports 0 --to github-action-benchmark --better low --flat "$dir"
ok 'and their colon' grep -q '"one: latency_us"' "$work/out"
ok 'and of what is better high' exports 0 --to github-action-benchmark --better high "$dir"
ok 'without the others' sh -c "grep -q peak '$work/out' && ! grep -q latency '$work/out'"

# ---- Lines for references.tab ------------------------------------------------------------------

ok '--reference has its own form' refused '--reference has a form of its own' --reference --to csv \
    "$dir"
ok 'nothing to compare with' refused 'results has nothing that other machines can be compared' \
    --reference "$dir"
printf '%s%s\n' 'folder=stream|run=cm-stream|ranks=2' \
    '|seconds=0 0 0|heading=Heading|question=Question?|headline=triad_MB_per_s|rows=size_bytes' \
    >>"$source/suite/benchmarks.tab"
{
    printf '# program: cm-stream\n# version: 1.2\n# date: 2026-11-23T15:26:01Z\n# hosts: 1\n'
    printf '# cores: 8\n# cpu: Some|CPU\n# comm: shm\n size_bytes\n1\n'
    echo '# RESULT: PASS triad_MB_per_s 40000 MB/s'
} >"$dir/stream.txt"
ok 'what can be compared' exports 0 --reference "$dir"
cat "$work/out" >"$work/references"
ok 'is one line of the table' [ "$(grep -c . "$work/references")" -eq 1 ]
fields() { awk -F ' *[|] *' 'NF != 5 || $1 != "memory" || $2 != 40000 { exit 1 }' "$1"; }
ok 'with its five fields' fields "$work/references" || show "$work/references"
rm "$dir"/*.txt
ok 'nothing but failures is no pass' exports 3 --to json "$dir"
ok 'is said' says 'has no result$'
finish
