#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_matrix.sh: the report's table of operations by algorithms, the names of metrics, and the
# parts of the page, from results with known numbers.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

install=$work/install data=$work/install/share/clustermark results=$work/results
mkdir -p "$install/bin" "$data/suite" "$results"
cp "$suite" "$install/bin/clustermark" && cp "$srcdir/../suite/style.css" \
    "$srcdir/../suite/first.css" "$srcdir/../suite/references.tab" "$data/suite" || exit 99
: >"$data/suite/papers.tab"
: >"$data/suite/agreements.tab"
# run NAME GROUP MATRIX
run()
{
    printf '%s%s\n' "folder=alpha|run=cm-$1|ranks=1" \
        "|seconds=0 0 0|heading=About $1|question=How?|group=$2|shows=It shows.|matrix=$3"
}
by_size='operation algorithm:parameter median_s size_bytes repetition=plain ranks=max'
{
    run alpha collectives "$by_size"
    run beta network 'victim aggressor p99_ratio -'
    run gamma collectives 'operation algorithm nothing size_bytes'
    run delta programs ''
    run later node ''
} >"$data/suite/benchmarks.tab"
printf '#!/bin/sh\ncat "%s/metrics"\n' "$work" >"$install/bin/cm-alpha"
chmod +x "$install/bin/cm-alpha"
{
    printf 'a_*_b_*_us\tus\tlow\tof two words\t* and then <*>\n'
    printf 'bcast_*_us\tus\tlow\ta broadcast\tBroadcast: *\n'
    printf 'new_*\t1\tlow\tno star\tOnly one name\n*_us\tus\tlow\tany\t*\n'
    printf 'old\tus\tlow\tof an earlier version\n'
} >"$work/metrics"

# bcast: b is the fastest up to 64; at 128 and 256 the intervals of a and b meet; from 512 on c 4.
cat >"$results/alpha.txt" <<'END'
# ranks: 2
# comm: shm
operation algorithm parameter repetition size_bytes median_s low_s high_s ranks
bcast   a 0 plain   64 3e-06 2.9e-06 3.1e-06 4
bcast   b 0 plain   64 2e-06 1.9e-06 2.1e-06 4
bcast   c 4 plain   64 4e-06 1.0e-06 9.0e-06 4
bcast   a 0 plain  128 3e-06 2.9e-06 3.1e-06 4
bcast   b 0 plain  128 2e-06 1.9e-06 2.1e-06 4
bcast   a 0 plain  256 4e-06 3.5e-06 4.5e-06 4
bcast   b 0 plain  256 4.1e-06 3.6e-06 4.6e-06 4
bcast   a 0 plain  512 9e-06 8e-06 10e-06 4
bcast   b 0 plain  512 8e-06 7e-06 9e-06 4
bcast   c 4 plain  512 5.4321e-06 4.123456e-06 6e-06 4
bcast   a 0 plain  512 1e-06 1e-06 1e-06 4
bcast   a 0 other   64 1e-09 1e-09 1e-09 4
bcast   a 0 plain   64 1e-09 1e-09 1e-09 2
barrier b 0 plain    0 7e-06 6e-06 8e-06 4
barrier a 0 plain    0   nan   nan   nan 4
# RESULT: PASS a_one_b_two_words_us 1230001 us low=1 high=2 interval=range over=trials n=3
# RESULT: PASS bcast_c_4_us 0.000123456 us
# RESULT: PASS new_x 123456.7 1
# RESULT: PASS old 12.34567 us
# RESULT: PASS unknown 3 us
END
cat >"$results/beta.txt" <<'END'
# ranks: 2
# comm: shm
victim aggressor p99_ratio low_p99_ratio high_p99_ratio
word all 1.5 1.25 1.75
word none nan nan nan
long all 1.2 1.1 1.3
# RESULT: PASS m 1 us
END
for name in gamma delta; do
    printf '# ranks: 2\n# comm: shm\noperation algorithm size_bytes\nx y 1\n# RESULT: PASS m 1 us\n'
done >"$work/plain.txt"
head -n 5 "$work/plain.txt" | tee "$results/gamma.txt" >"$results/delta.txt"
echo 'not today' >"$results/later.skipped"

PATH=/bin:/usr/bin "$install/bin/clustermark" report "$results" >"$work/out" 2>"$work/err" ||
    show "$work/err"
page=$results/report.html
# The rows of a benchmark's matrix, as words with | between the cells.
matrix()
{
    sed -n "/<section id=\"$1\"/,/<\/section>/p" "$page" |
        sed -n '/<table class="matrix">/,/<\/table>/p' | grep '^<tr>\|^<thead>' |
        sed 's/<small>/ (/g; s/<\/small>/)/g; s/<strong>/*/g; s/<\/t[hd]>/|/g; s/<[^>]*>//g
             s/&#160;/ /g; s/&#8776;/~/g'
}
matrix alpha >"$work/alpha"
same() { [ "$(sed -n "$1p" "$work/alpha")" = "$2" ] || { show "$work/alpha"; false; }; }
ok 'a column for each algorithm with its parameter' same 1 'operation|Bytes|Fastest|a|b|c 4|'
ok 'the smallest size: the fastest is marked, with its interval' \
    same 2 'bcast|from 64|b|3.00|*2.00 (1.90 to 2.10)|4.00 ~|'
ok 'the next size at which another is clearly the fastest' \
    same 3 'from 512|c 4|9.00|8.00|*5.43 (4.12 to 6.00)|'
ok 'an operation of one size, without what was not measured' \
    same 4 'barrier|0|b||*7.00 (6.00 to 8.00)||'
ok 'and no more' [ "$(wc -l <"$work/alpha")" -eq 4 ]
matrix beta >"$work/alpha"
ok 'a table without sizes has all intervals and no mark' same 2 'word|1.50 (1.25 to 1.75)|'
ok 'and a line for each' same 3 'long|1.20 (1.10 to 1.30)|'
ok 'a result without the column has no such table' [ -z "$(matrix gamma)" ]
ok 'nor has one without a matrix' [ -z "$(matrix delta)" ]
has_line() { grep -qF "$1" "$page"; }
ok 'its metrics are folded' has_line '<summary>All 5 metrics</summary>'
ok 'and so is the one of others' [ "$(grep -c '<summary>The metric, explained' "$page")" -eq 3 ]

# metric NAME LABEL VALUE: the row of a metric.
metric()
{
    sed 's/<wbr \/>//g' "$page" | grep -F "<code>$1</code></th><td class=\"value\">" >"$work/row"
    grep -qF "<th scope=\"row\">$2<code>" "$work/row" && grep -qF "$3" "$work/row" ||
        { show "$work/row"; false; }
}
words='One and then &lt;two words&gt; '
ok 'a label with two words of the name' metric a_one_b_two_words_us "$words" \
    'title="1230001 us">1.2300</span>&#160;<span class="unit">s</span>'
ok 'its interval' metric a_one_b_two_words_us "$words" '</span>*, 3 trials</td>'
ok 'a small number' \
    metric bcast_c_4_us 'Broadcast: c 4 ' '>0.123</span>&#160;<span class="unit">ns</span>'
ok 'which has no interval' metric bcast_c_4_us 'Broadcast: c 4 ' 'one value'
ok 'a label without the word; a pure number has no unit' \
    metric new_x 'Only one name ' '>123000</span></td>'
ok 'a program without labels' metric old '' '>12.3</span>'
ok 'a metric that the program does not know' metric unknown '' '>3</span>'

# ---- The parts of the page -----------------------------------------------------------------------

parts()
{
    grep -o '<section id="group-[a-z]*\|<section id="[a-z]*" class="benchmark\|<li id="[a-z]*">' \
        "$page" | cut -d '"' -f 2 | tr '\n' ' '
}
ok 'each benchmark stands in its part' [ "$(parts)" = \
    'group-node later group-network beta group-collectives alpha gamma group-programs delta ' ]
ok 'its question' has_line '<p class="question"><strong>How?</strong></p>'
ok 'what it shows is folded' has_line '<p>It shows.</p>'
ok 'the contents' [ "$(sed -n '/<nav/,/<\/nav>/p' "$page" | grep -o 'href="#[^"]*' | cut -c 8- |
    tr '\n' ' ')" = 'first headlines group-node group-network beta group-collectives alpha gamma '\
'group-programs delta papers measured ' ]
ok 'what was skipped, and why' has_line \
    ': <span class="note">not today</span></li>'

# A place runs the same on several numbers of ranks. A program's other runs are folded below the one
# on most ranks, each with its headline.
mkdir -p "$data/clusters/simulated" "$work/lake"
{
    printf 'about: A lake\npaper: paper-1\nhosts: a1-16\n'
    for ranks in 4 16 9; do echo "run: delta/$ranks | $ranks | 1 | --x"; done
    echo 'run: delta/word | 2 | 1 | --x'
} >"$data/clusters/simulated/lake.place"
printf 'paper-1|A paper\n' >"$data/suite/papers.tab"
for name in 4 16 9 word; do cp "$results/delta.txt" "$work/lake/delta-$name.txt"; done
echo 'place: lake' >"$work/lake/run.txt"
PATH=/bin:/usr/bin "$install/bin/clustermark" report "$work/lake" >"$work/out" 2>"$work/err" ||
    show "$work/err"
folded()
{
    sed -n 's/.*<section id="\(delta-[a-z0-9]*\)".*/\1/p
        s/.*<details class="further"><summary>\([^:]*\): .*/\1/p' "$work/lake/report.html" |
        tr '\n' '|'
}
ok 'other runs are folded below the most ranks' [ "$(folded)" = 'delta-16|About delta, 4|delta-4|'\
'About delta, 9|delta-9|About delta, word|delta-word|' ] || folded | show
# A simulated host has not the processor of the machine that simulates it; a virtual one has.
cat >"$work/lake/delta-16.json" <<'END'
{"schema": "clustermark-result", "schema_version": 3, "program": "cm-delta",
 "metadata": {"program": "cm-delta", "hosts": 2, "ranks": 2, "comm": "mpi", "cpu": "Of the desk"},
 "hosts": [{"name": "a1", "ranks": 1, "differs": {}}, {"name": "a2", "ranks": 1, "differs": {}}],
 "columns": [{"name": "size_bytes", "format": "%.0f"}], "rows": [[8]], "samples": [],
 "checks": [], "findings": [], "comments": [],
 "results": [{"pass": true, "metric": "new_x", "value": 1, "unit": "1", "low": null, "high": null,
  "interval": null, "over": null, "n": null, "better": "low", "disturbed": false}]}
END
# hosts_of PLACE: what the report says of the hosts.
hosts_of()
{
    echo "place: $1" >"$work/lake/run.txt"
    PATH=/bin:/usr/bin "$install/bin/clustermark" report "$work/lake" >"$work/out" 2>"$work/err" &&
        grep -q '2 hosts, all alike' "$work/lake/report.html" || show "$work/err"
    grep -c 'CPU Of the desk' "$work/lake/report.html"
}
ok "simulated hosts do not have this machine's processor" [ "$(hosts_of lake)" = 0 ]
cp "$work/lake/delta-16.json" "$work/lake/delta.json"
ok 'virtual ones do' [ "$(hosts_of virtual:2)" = 1 ]
if command -v tidy >/dev/null 2>&1; then
    tidy --drop-empty-elements no -e -q "$page" >"$work/tidy" 2>&1
    ok 'HTML without errors and warnings' [ ! -s "$work/tidy" ] || show "$work/tidy"
else skip 'HTML without errors and warnings' 'tidy is not there'
fi

# ---- Lines of the table that are wrong -----------------------------------------------------------

# refuses LINE WORDS: a table with this line is refused, by one line that names both and the key.
refuses()
{
    { echo '# a comment'; echo "$1"; } >"$data/suite/benchmarks.tab"
    "$install/bin/clustermark" report "$results" >"$work/out" 2>"$work/err"
    [ $? -ne 0 ] && [ "$(grep -c . "$work/err")" -eq 1 ] &&
        grep -q "/suite/benchmarks.tab:2: $2" "$work/err" || { show "$work/err"; false; }
}
line='folder=alpha|run=cm-alpha|ranks=1|seconds=0 0 0|heading=Alpha'
ok 'a key that is missing' refuses "$line" 'question: it is missing'
ok 'an unknown key' refuses "$line|question=How?|answer=So." 'answer: a run has no such key'
ok 'a key that is there twice' refuses "$line|heading=Beta|question=How?" 'heading: it is there'
ok 'a field without a key' refuses "$line|How?" 'How?: expected KEY=VALUE'
ok 'a wrong value' refuses "$line|question=How?|shapes=round" "shapes: 'round': expected core"
finish
