#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_launches.sh: several launches of each benchmark: their order, resuming, and what they say
# together, against values calculated by hand.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# A build tree of its own with two benchmarks, whose launch K writes what $work/NAME.K says.
tree=$work/tree source=$work/source
mkdir -p "$tree/suite" "$source/suite"
: >"$tree/config.status"
echo "top_srcdir = $source" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
cp "$srcdir"/../suite/*.css "$srcdir"/../suite/*.gp "$srcdir"/../suite/*.js \
    "$srcdir"/../suite/papers.tab "$srcdir"/../suite/references.tab "$source/suite"
: >"$source/suite/agreements.tab"
for name in one two; do
    printf '%s%s\n' "folder=$name|run=cm-$name|ranks=2|quick=-x|standard=-x|full=-x" \
        "|seconds=1 1 1|heading=Heading|question=Question?|headline=latency_us|rows=size_bytes kind"
    mkdir -p "$tree/$name"
    { stand_in; cat; } >"$tree/$name/cm-$name" <<END
launch=\${output%.txt} launch=\${launch##*.}
echo "$name \$launch" >>"$work/ran"
[ ! -f "$work/stop" ] || [ "\$(cat "$work/stop")" != "$name \$launch" ] || exit 3
cp "$work/$name.\$launch" "\$output" || exit 3
"$PWD/programs/record_json" "\$output" >"\$json"
END
    chmod +x "$tree/$name/cm-$name"
done >"$source/suite/benchmarks.tab"

# result FILE LATENCY KIND BINDING PASS
result()
{
    {
        printf '# host: here\n# binding: %s\n# interval_over: trials of this launch\n' "$4"
        printf '# date: 2026-11-22T10:%02d:00Z\n' "$2"
        echo ' size_bytes kind  n  min_s median_s low_s high_s interval mean_s deviation_s max_s' \
            'disturbed MB_per_s stores summarized'
        # The launch with 9 has a disturbed sample that was replaced, and three that were not.
        few='0 all' many='2 undisturbed'
        [ "$2" != 9 ] || few='1 undisturbed' many='3 all'
        echo "1 a 12 ${2}e-07 ${2}.5e-07 ${2}.4e-07 ${2}.7e-07 95% ${2}.5e-07 1e-08 9e-07 1 $2.0" \
            "$3 undisturbed"
        echo "1 a 12 8.00e-07 8.50e-07 8.4e-07 8.7e-07 95% 8.5e-07 1e-08 9e-07 ${few% *} $2.0 $3" \
            "${few#* }"
        echo "8 a 12 ${2}e-07 nan nan nan 95% nan nan nan ${many% *} nan $3 ${many#* }"
        echo "# remark: latency was $2"
        echo "# fit: model=line latency_us=$2 latency_us_error=0.01 bytes=8"
        echo "# CHECK: wrong_bytes: 0 == 0  $5"
        echo "# RESULT: $5 latency_us $2 us low=$2.1 high=$2.3 interval=95% over=trials n=12" \
            disturbed=no better=low
        echo "# RESULT: $5 peak 10$2 Mbit/s"
    } >"$work/$1"
}
k=0
for latency in 5 1 3 2 9 4 7; do
    k=$((k + 1))
    result one.$k $latency "$([ $latency -gt 3 ] && echo plain || echo past)" 0 PASS
    result two.$k $latency plain $((latency % 2)) PASS
done
dir=$work/results
# ends STATUS ARGUMENT...
ends()
{
    wanted=$1; shift
    "$tree/suite/clustermark" run --launcher 'env RANKS=%n' "$@" >"$work/out" 2>"$work/err" \
        </dev/null
    got=$?
    [ $got -eq "$wanted" ] || { echo "# status $got"; show "$work/err"; false; }
}
says() { has "$1" "$work/err" || { show "$work/err"; false; }; }
in_early() { has "$1" "$early/run.txt"; }
in_result() { has "$1" "$dir/one.txt" || { show "$dir/one.txt"; false; }; }

ok 'quick has three launches' ends 0 "$dir"
ok 'of each benchmark' \
    [ "$(sort "$work/ran" | tr '\n' ' ')" = 'one 1 one 2 one 3 two 1 two 2 two 3 ' ]
ok 'which run.txt says' has '^launches: 3$' "$dir/run.txt"
ok 'round by round' [ "$(sed 's/.* //' "$work/ran" | tr '\n' ' ')" = '1 1 2 2 3 3 ' ]
ok 'fewer than six: least to greatest' in_result \
    '^# RESULT: PASS latency_us 3 us low=1 high=5 interval=range over=launches n=3 disturbed=no$'
ok 'they are named in the result' in_result '^# launches: 3$'
ok 'the interval is over launches' in_result '^# interval_over: launches$'
# A run says how long its launches took, beside what the programs wrote.
took() { sed -n 's/^# launch_s: \([0-9]*\.[0-9]*\)$/\1/p' "$dir/launches/one.$1.txt"; }
ok 'each launch says how long it took' [ "$({ took 1; took 2; took 3; } | wc -l)" -eq 3 ]
ok 'in JSON, too' has "^  \"launch_s\": $(took 3),\$" "$dir/launches/one.3.json"
ok 'together they took as long' \
    near "$(sed -n 's/^# launches_s: //p' "$dir/one.txt")" \
    "$(awk "BEGIN { print $(took 1) + $(took 2) + $(took 3) }")"
ok 'since the first one' in_result '^# launches_begun: 2026-11-22T10:01:00Z$'
ok 'of which no launch is told alone' sh -c "! grep -q launch_s '$dir/one.txt'"
reported() { "$tree/suite/clustermark" report "$dir" >"$work/out" 2>"$work/err"; }
ok 'a report' reported
ok 'says when it began, and how long all took' grep -q '^<p>The run began at 2026-11-22T10:'\
'\(00\|01\):00Z\. The launches of 2 benchmarks took <strong>[0-9]* s</strong>, those of Heading'\
' the longest: [0-9]* s\.' "$dir/report.html"
said='<td class="value" title="from 2026-11-22T10:[0-9:]*Z on">[0-9]* s</td>'
ok 'and each' [ "$(grep -c "$said" "$dir/report.html")" -eq 2 ]
sed -n 's/^seed: //p' "$dir/run.txt" >"$work/seed"
ok 'the seed is kept' [ -s "$work/seed" ]


# What is advised for a folder whose run ended before its first result.
early="$work/early, ä b"
mkdir "$early"
cp -R "$dir/launches" "$dir/run.txt" "$early"
advised()
{
    "$tree/suite/clustermark" report "$early" >/dev/null 2>"$work/err" && return 1
    command=$(sed -n 's/.* holds no results; clustermark run \(.*\) makes them$/\1/p' "$work/err")
    eval "set x $command"; shift
    ends 0 "$@" && [ -f "$early/one.txt" ]
}
sed -i 's/^launches: 3$/launches: 2/' "$early/run.txt"
ok 'launches alone: the command that is advised works' advised
ok 'with the settings of their run' in_early '^launches: 2$'

# A metric that only two of three launches have is not shown as one of all.
sed '/RESULT: PASS peak/d' "$work/one.2" >"$work/one.less"
cp "$work/one.2" "$work/one.whole"
mv "$work/one.less" "$work/one.2"
ok 'a metric that a launch lacks' ends 0 --only one "$work/lacks"
ok 'is said to be in two of three' \
    grep -q '^# not in all launches: peak: in 2 of 3$' "$work/lacks/one.txt"
ok 'with its value' grep -q 'peak .* over=launches n=2' "$work/lacks/one.txt"
"$tree/suite/clustermark" report "$work/lacks" >/dev/null 2>"$work/err" || show "$work/err"
ok 'and on the page' grep -q 'in 2 of 3 launches' "$work/lacks/report.html"
mv "$work/one.whole" "$work/one.2"

rm -rf "$dir" "$work/ran"
ok 'six launches' ends 0 --launches 6 "$dir"
# 5 1 3 2 9 4: the median is 3.5; of six values the 95 % interval is from the least to the greatest.
ok 'median and interval over launches' in_result \
    '^# RESULT: PASS latency_us 3.5 us low=1 high=9 interval=95% over=launches n=6 disturbed=no$'
ok 'a metric without an interval of its own gets one' in_result \
    '^# RESULT: PASS peak 103.5 Mbit/s low=101 high=109 interval=95% over=launches n=6$'
row() { rows_of "$dir/one.txt" | sed -n "$1p" | tr -s ' ' | sed 's/^ //'; }
# Medians 1.5 .. 9.5e-07, of which the median is 4.0e-07; deviation of 5 1 3 2 9 4: 2.82843.
set -- $(row 1)
ok 'a row is joined by its key' [ "$1 $2 $3" = '1 a 6' ]
ok 'the least of all' near "$4" 1e-07
ok 'the median' near "$5" 4.0e-07
ok 'low and high of the medians' near "$6" 1.5e-07 && near "$7" 9.5e-07
ok 'their kind' [ "$8" = 95% ]
ok 'the deviation between launches' near "${10}" 2.828e-07
ok 'the greatest of all' near "${11}" 9e-07
ok 'all that were disturbed' [ "${12}" = 6 ]
ok 'other numbers: medians' near "${13}" 3.5
ok 'words: what most have, the middle launch among equals' [ "${14}" = past ]
ok 'the spread within a launch stands beside it' near "${16}" 3.9e-07 && near "${17}" 4.2e-07
set -- $(row 2)
ok 'the second row of a key is the second of the others' near "$5" 8.5e-07
ok 'one launch was disturbed, but not its summary' [ "${12} ${15}" = '1 undisturbed' ]
set -- $(row 3)
ok 'one launch could not be had undisturbed' [ "${12} ${15}" = '13 all' ]
ok 'what no launch knows is nan' [ "$5" = nan ]
ok 'and that of no launch' [ "$3 $8" = '0 range' ]
ok 'fits are medians' in_result '^# fit: model=line latency_us=3.5 '
error=$(sed -n 's/.*latency_us_error=\([^ ]*\).*/\1/p' "$dir/one.txt")
ok 'their error is that between launches' near "$error" 1.4472
ok 'comments are of the middle launch' in_result '^# remark: latency was 3$'
ok 'which is named' in_result '^# launch_of_comments: 3$'
ok 'what differs between launches is said' has \
    '^# differs_between_launches: binding: 1 (launch 1, 2, 3, 5); 0 (launch 4, 6)$' "$dir/two.txt"
ok 'and what does not is not' sh -c "! grep -q differs_between '$dir/one.txt'"

# Only what is begun anew has a new date.
dated()
{
    sed -i 's/^date: .*/date: 2020-01-01T00:00:00Z/' "$dir/run.txt"
    cp "$dir/run.txt" "$work"
}
dated
ok 'again: nothing to do' ends 0 --launches 6 "$dir"
ok 'run.txt stays as it was' cmp "$work/run.txt" "$dir/run.txt"
ok 'twelve in all' [ "$(wc -l <"$work/ran")" -eq 12 ]
ok 'another number of launches is refused' ends 2 --launches 7 "$dir"
ok 'by name' says 'holds a run with 6 launches, not 7'
rm "$dir/two.txt" "$dir/two.json" "$dir/launches/two."*
ok 'one more benchmark' ends 0 --launches 6 "$dir"
ok 'is of the same run' cmp "$work/run.txt" "$dir/run.txt"
is_new() { ! has '^date: 2020' "$dir/run.txt"; }
ok 'anew' ends 0 --launches 6 --fresh "$dir"
ok 'is of today' is_new
dated
rm "$dir"/*.json "$dir/launches"/*.json
ok 'what has measured nothing' ends 0 --launches 6 "$dir"
ok 'begins today, too' is_new

# A launch that fails, and going on.
rm -rf "$dir" "$work/ran"
echo 'one 2' >"$work/stop"
ok 'a launch fails: status 3' ends 3 --launches 3 "$dir"
ok 'the benchmark has no result' [ ! -e "$dir/one.txt" ]
ok 'the failure names the launch' has '^launch: 2$' "$dir/one.failed"
ok 'it is not tried further' [ "$(grep -c '^one' "$work/ran")" -eq 2 ]
ok 'the other one is whole' has '^# launches: 3$' "$dir/two.txt"
before=$(sed -n 's/^seed: //p' "$dir/run.txt")
rm "$work/stop"
ok 'the next run goes on' ends 0 --launches 3 "$dir"
ok 'with what is missing' \
    [ "$(grep '^one' "$work/ran" | tr '\n' ' ')" = 'one 1 one 2 one 2 one 3 ' ]
ok 'and the same seed' [ "$before" = "$(sed -n 's/^seed: //p' "$dir/run.txt")" ]
ok 'to a whole result' in_result '^# launches: 3$'

rm -rf "$dir"
result one.2 1 past 0 FAIL
ok 'one wrong answer: status 1' ends 1 --launches 3 "$dir"
ok 'the check of that launch' in_result '^# CHECK: wrong_bytes: 0 == 0  FAIL$'
ok 'and no metric passes' [ "$(grep -c '^# RESULT: FAIL' "$dir/one.txt")" -eq 2 ]
ok 'what only checks whether all can run has no answer' ends 0 --launches 3 --until 0 "$dir"
# What the middle launch, the first one, does not have.
rm -rf "$dir"
result one.2 1 past 0 PASS
failed="# CHECK: lost_words: 3 <= 0  FAIL" missing="# RESULT: FAIL lost_words 3 1 better=low"
sed -i "s/^# RESULT: PASS peak.*/$failed\n&\n$missing/" "$work/one.2"
sed -i 's/^# RESULT: PASS peak.*/# CHECK: lost_words: 0 <= 0  PASS\n&/' "$work/one.3"
result one.1 2 past 0 PASS
ok 'a check that only another launch has' ends 1 --launches 3 "$dir"
ok 'fails in the result' in_result '^# CHECK: lost_words: 3 <= 0  FAIL$'
ok 'is there once' [ "$(grep -c 'CHECK: lost_words' "$dir/one.txt")" -eq 1 ]
ok 'behind those of the middle launch' in_result '^# CHECK: wrong_bytes: 0 == 0  PASS$'
ok 'and so is a metric' in_result '^# RESULT: FAIL lost_words 3 1 '
ok 'JSON has the check' [ "$(grep -c '"relation": "<="' "$dir/one.json")" -eq 1 ]
ok 'and which way the metric is better' [ "$(grep -c '"better": "low"' "$dir/one.json")" -eq 6 ]

# Values that not all launches know.
rm -rf "$dir"
for k in 1 3 4 5 6 7; do result one.$k $k past 0 PASS; done
result one.2 2 past 0 PASS
sed -i '/^1 a 12 8/s/ 8.50e-07/ nan/' "$work/one.6" "$work/one.7"
ok 'two launches of seven do not know a value' ends 0 --launches 7 "$dir"
set -- $(row 2)
ok 'so it is over five' [ "$3" = 5 ]
ok 'too few for 95 %' [ "$8" = range ]
set -- $(row 1)
ok 'another value is over seven' [ "$3 $8" = '7 95%' ]

rm -rf "$dir"
ok 'one launch is the result itself' ends 0 --launches 1 "$dir"
sed '/^# launch_s: [0-9]*\.[0-9]*$/d' "$dir/one.txt" >"$work/without"
ok 'word by word, with how long it took' cmp -s "$work/without" "$work/one.1"

# JSON: both levels.
rm -rf "$dir"
ends 0 --only two --launches 6 "$dir"
ok 'JSON has the metrics over launches' has '"over": "launches"' "$dir/two.json"
ok 'and each launch' [ "$(grep -c '"file": "launches/two' "$dir/two.json")" -eq 6 ]
ok 'which way is better, as the launches say' \
    [ "$(grep -c '"better": "low"' "$dir/two.json")" -eq 7 ]
if python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    ok 'it fits the schema' \
        python3 - "$srcdir/../doc/result.schema.json" "$dir/two.json" <<'EOF'
import json, sys
from jsonschema import Draft202012Validator
schema, result = (json.load(open(file)) for file in sys.argv[1:])
errors = list(Draft202012Validator(schema).iter_errors(result))
for e in errors[:5]: print("#", e.message)
sys.exit(bool(errors))
EOF
else skip 'it fits the schema' 'python3 has no jsonschema of draft 2020-12'
fi

# A median that no launch had does not stand alone.
rm -rf "$dir"
k=0
for latency in 22 8 22 8 22 8; do
    k=$((k + 1))
    result one.$k $latency plain 0 PASS
    result two.$k $k plain 0 PASS
done
ok 'six launches in two states' ends 0 --launches 6 "$dir"
ok 'the median of which' in_result '^# RESULT: PASS latency_us 15 us '
ok 'is not left alone' in_result \
    '^# two states over launches: latency_us: 8 us in 3 of 6 launches, 22 us in 3$'
ok 'one state has no such line' [ "$(grep -c 'two states' "$dir/two.txt")" -eq 0 ]
ok 'JSON has it, too' has 'two states over launches: latency_us: 8 us in 3 of 6' "$dir/one.json"

# ---- Results that are not those of their launches ------------------------------------------------

# edit FILE COMMAND...: a copy of the folder whose FILE the command, a filter, has changed.
edit()
{
    file=$1; shift
    rm -rf "$work/edited" && cp -R "$dir" "$work/edited" && "$@" <"$dir/$file" >"$work/edited/$file"
}
# only_text COMMAND...: likewise, of the text of which there is no JSON.
only_text() { edit one.txt "$@" && rm "$work/edited/one.json"; }
# ends_with STATUS REGEX SUBCOMMAND [OPTION]...: one line that names the file and the reason.
ends_with()
{
    wanted=$1 regex=$2 subcommand=$3 status=0; shift 3
    "$tree/suite/clustermark" "$subcommand" "$@" "$work/edited" >"$work/out" 2>"$work/err" ||
        status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c "edited/$file" "$work/err")" -eq 1 ] &&
        has "$subcommand: .*edited/$file.*$regex" "$work/err" ||
        { echo "# status $status"; show "$work/err"; false; }
}
refuses()
{
    regex=$2 subcommand=$1; shift 2
    ends_with 2 "$regex" "$subcommand" "$@" && [ "$(wc -l <"$work/err")" -eq 1 ]
}
by='does not agree with its launches: '
only_text sed 's/^\(# RESULT: PASS latency_us\) 15/\1 14/'
ok 'an edited value: report' refuses report "${by}latency_us is 14 us, not 15 us"
ok 'which says what to do' refuses report 'another version.*: remove it, and clustermark run makes'
ok 'compare' refuses compare "${by}latency_us is 14 us, not 15 us" "$dir"
ok 'export' refuses export "${by}latency_us is 14 us, not 15 us" --to csv
ok 'figures' refuses figures "${by}latency_us is 14 us, not 15 us"
ok 'run' refuses run "${by}latency_us is 14 us, not 15 us" --launches 6 --launcher 'env RANKS=%n'
rm "$work/edited/one.txt"
ok 'without it' ends 0 --launches 6 "$work/edited"
ok 'run makes it again' cmp "$dir/one.txt" "$work/edited/one.txt"
ok 'and its JSON' cmp "$dir/one.json" "$work/edited/one.json"
only_text sed '/latency_us/s/ low=[^ ]*/ low=7.5/'
ok 'an edited interval' refuses report "${by}latency_us is from 7.5 to 22 us, not from 8 to 22"
only_text sed '/^# RESULT: PASS peak/s/PASS/FAIL/'
ok 'an edited metric' refuses report "${by}peak says FAIL, not PASS"
only_text awk '!/^#/ && ++line == 2 { $0 = $0; $5 = "7e-3" } { print }'
ok 'an edited row' refuses report "${by}row 1 has .* 7e-3, not "
only_text sed '/^# RESULT/d'
ok 'a text that was cut short' refuses report 'has no metric: it was cut short'
edit one.json sed 's/"value": 15\(.0\)*,/"value": 14,/'
ok 'an edited value in JSON' refuses report "${by}latency_us is 14.* us, not 15 us"
ok 'run' refuses run "${by}latency_us is" --launches 6 --launcher 'env RANKS=%n'
edit one.json head -n 20
ok 'JSON that was cut short, with its line' refuses report 'line [0-9]*'
ok 'compare' refuses compare 'line [0-9]*' "$dir"
ok 'run' ends 0 --launches 6 "$work/edited"
ok 'makes it again' cmp "$dir/one.json" "$work/edited/one.json"

# What is said beside the numbers.
instead() { edit one.json sed "s/$1/$2/"; ! cmp -s "$dir/one.json" "$work/edited/one.json"; }
edit one.json sed '/"wrong_bytes"/,/"pass"/s/"pass": true/"pass": false/'
ok 'an edited check' refuses export "${by}check wrong_bytes: 0 == 0  FAIL" --to csv
ok 'another host' instead '"host": "here"' '"host": "there"'
ok 'the metadata are told' refuses compare "${by}host is there, not here" "$dir"
ok 'another fit' instead 'bytes=8' 'bytes=9'
ok 'the fits are told' refuses report "${by}fit line has bytes=9, not bytes=8"
found='{"who": "here", "what": "stands_out", "quantity": null, "bound": null, "words": "is slow"}'
ok 'a finding more' instead '"findings": \[' "&$found"
ok 'the findings are told' refuses report "${by}1 findings, not 0"
edit launches/one.2.json head -c 100
ok 'a launch that is damaged' refuses report \
    'line [0-9]*: .*; remove the launch, .*one.json cannot be checked'
ok 'is told by compare' refuses compare 'cannot be checked' "$dir"
rm "$work/edited/launches/one.2.json" "$work/edited/launches/one.2.txt"
ok 'without the launch' \
    sh -c "'$tree/suite/clustermark' export --to csv '$work/edited' >'$work/out'"
: >"$work/ran"
ok 'run' ends 0 --launches 6 "$work/edited"
ok 'measures that one again' [ "$(cat "$work/ran")" = 'one 2' ]
sed '/"launches_s": /d' "$dir/one.json" >"$work/first"
sed '/"launches_s": /d' "$work/edited/one.json" >"$work/then"
ok 'and unites them' cmp "$work/first" "$work/then"
ok 'that one alone' ends 0 --launches 6 "$work/edited"
ok 'once' [ "$(cat "$work/ran")" = 'one 2' ]
edit launches/one.2.json head -c 100
: >"$work/ran"
ok 'a damaged one' ends 0 --launches 6 "$work/edited"
ok 'is measured again, too' [ "$(cat "$work/ran")" = 'one 2' ]
rm -r "$work/edited/launches/"*
ok 'no launch is there' ends 0 --launches 6 "$work/edited"
ok 'and the result stays' [ "$(cat "$work/ran")" = 'one 2' ]
rm -rf "$work/edited" && cp -R "$dir" "$work/edited"
rm "$work/edited/one.json" "$work/edited/one.txt" "$work/edited/launches/one.3.txt"
: >"$work/ran"
ok 'the text of a launch is missing' ends 0 --launches 6 "$work/edited"
ok 'nothing is measured again' [ ! -s "$work/ran" ]
ok 'its JSON says the same' has '^# RESULT: PASS latency_us 22 us' "$work/edited/launches/one.3.txt"
ok 'and so does the result' cmp "$dir/one.json" "$work/edited/one.json"

# What is no file would be waited for, and a link to nowhere is not the same as no JSON.
instead_of_one() { rm -rf "$work/edited" && cp -R "$dir" "$work/edited" && rm "$work/edited/$1"; }
for file in one.json launches/one.1.json; do
    instead_of_one $file
    mkfifo "$work/edited/$file"
    ok "$file is a pipe" refuses export 'a pipe or a device, not a file' --to csv
    ln -sf /dev/zero "$work/edited/$file"
    ok "$file is a device" refuses report 'a pipe or a device, not a file'
done
file=one.json
instead_of_one one.json
ln -s nowhere "$work/edited/one.json"
ok 'a link to nowhere' refuses export 'No such file' --to json
ln -sf one.json "$work/edited/one.json"
ok 'a link to itself' refuses figures 'symbolic links'
ok 'run' ends 0 --launches 6 "$work/edited"
ok 'makes it again' cmp "$dir/one.json" "$work/edited/one.json"

# The text beside JSON is for people: its numbers are not read, and an edited one does not stay.
anew='does not agree with its JSON, from which it is written anew: latency_us is 14 us, not 15 us'
for command in report 'run --launches 6 --launcher env'; do
    edit one.txt sed 's/^\(# RESULT: PASS latency_us\) 15/\1 14/'
    ok "an edited text beside its JSON: ${command%% *}" ends_with 0 "$anew" $command
    ok 'is as it was' cmp "$dir/one.txt" "$work/edited/one.txt"
done
edit one.txt sed 's/^\(# RESULT: PASS latency_us\) 15/\1 14/'
values() { "$tree/suite/clustermark" export --to csv "$1" 2>/dev/null; }
values "$dir" >"$work/values"
values "$work/edited" >"$work/values.edited"
ok 'export has the values of the JSON' cmp "$work/values" "$work/values.edited"
rm "$work/edited/one.txt"
ok 'without a text' sh -c "'$tree/suite/clustermark' report '$work/edited' >'$work/out'"
ok 'it is made' cmp "$dir/one.txt" "$work/edited/one.txt"
finish
