#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_papers.sh: the papers' items: what the report sets beside them, from results with known
# numbers; and what is wrong with items that cannot be read.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# An installation of three benchmarks and a paper, and a gnuplot that draws one figure.
install=$work/install
data=$install/share/clustermark
mkdir -p "$install/bin" "$data/suite" "$data/alpha" "$work/results" "$work/tools"
cp "$suite" "$install/bin/clustermark" && cp "$srcdir/../suite/style.css" "$data/suite" || exit 99
cat >"$data/suite/benchmarks.tab" <<'EOF'
alpha|cm-alpha|1|-|-|-|0 0 0|curve other|Alpha|How?
alpha|cm-crowded|1|-|-|-|0 0 0||Crowded|How?
alpha|cm-wrong|1|-|-|-|0 0 0||Wrong|How?
alpha|cm-beta|1|-|-|-|0 0 0||Beta|How?
EOF
echo 'paper-1|An <author>: a title' >"$data/suite/papers.tab"
: >"$data/suite/agreements.tab"
cat >"$work/tools/gnuplot" <<'EOF'
#!/bin/sh
figure=$(printf '%s' "$2" | sed "s/.*figure='\([^']*\)'.*/\1/")
case $figure in *curve*) echo '<svg>' >"$figure" ;; *) exit 1 ;; esac
EOF
chmod +x "$work/tools/gnuplot"
mkdir "$data/alpha/figures"
: >"$data/alpha/figures/curve.gp"
: >"$data/alpha/figures/other.gp"
cat >"$work/results/alpha.txt" <<'EOF'
# ranks: 2
# oversubscribed: no
  size_bytes   median_s  sweep  name  offset
           1   2.5e-06       1     a     nan
           8   5.0e-06       1     b      -8
        4096   9.0e-05       1     a      -1
           8   7.0e-06       2     b      -2
# fit: model=one latency_us=2.25 latency_us_error=0.5
# RESULT: PASS latency_us 2.5 us
# RESULT: PASS text_of fast 1
EOF
sed 's/oversubscribed: no/oversubscribed: yes/' "$work/results/alpha.txt" \
    >"$work/results/crowded.txt"
sed 's/PASS/FAIL/' "$work/results/alpha.txt" >"$work/results/wrong.txt"

# report: the page of these results and of the items in paper.dat; its index in $work/index.
report()
{
    PATH=$work/tools:$PATH "$install/bin/clustermark" report "$work/results" >"$work/out" \
        2>"$work/err" || { show "$work/err"; return 1; }
    sed -n '/<section id="papers">/,/<\/section>/p' "$work/results/report.html" >"$work/index"
}
# shows ANSWER PATTERN [VALUE [UNIT]]: the row of the index for this answer has the pattern.
shows()
{
    printf 'key\t%s\t%s\tpaper-1\tsection 2\t%s\tan item\n' "${3:-10}" "${4:-us}" "$1" \
        >"$data/alpha/paper.dat"
    report && grep 'an item' "$work/index" | grep -q -e "$2" || { show "$work/index"; false; }
}
ok 'a metric' shows 'latency_us' '>2.5<.*>0.25<'
ok 'of a benchmark by name' shows 'alpha:latency_us' '>2.5<'
ok 'a number' shows '4' '>4<.*>0.4<'
ok 'metadata' shows 'ranks' '>2<'
ok 'a fit' shows 'fit:one:latency_us' '>2.25<'
ok 'a fit of a benchmark by name' shows 'alpha:fit:one:latency_us' '>2.25<'
ok 'a row, calculated' shows 'median_s[size_bytes=8] * 1e6' '>5<'
ok 'two conditions' shows 'median_s[size_bytes=8,sweep=2] * 1e6' '>7<'
ok 'a condition in words' shows 'size_bytes[name=b]' '>8<'
ok 'the largest' shows 'median_s[size_bytes=max] * 1e6' '>90<'
ok 'the largest of some' shows 'median_s[name=b,sweep=max] * 1e6' '>7<'
ok 'the largest where the largest is' \
    shows 'median_s[size_bytes=max,sweep=max] * 1e6' '>90<'
ok 'in that order' shows 'median_s[sweep=max,size_bytes=max] * 1e6' '>7<'
ok 'whatever was asked before' shows \
    'most: size_bytes[size_bytes=max]; sweep: sweep[size_bytes=max,sweep=max]' \
    '>most: 4096; sweep: 1<'
ok 'the largest of what comes before it only' \
    shows 'median_s[size_bytes=max,name=b]' "not in this run's result"
ok 'the first of the largest' shows 'median_s[name=b,size_bytes=max] * 1e6' '>5<'
ok 'the largest of negative numbers' shows 'size_bytes[offset=max]' '>4096<'
ok 'no largest of words' shows 'size_bytes[name=max]' "not in this run's result"
ok 'from left to right' shows '1 + 2 * 3 - 1 / 4' '>2<'
ok 'labels, several' shows 'ours: latency_us; double: latency_us * 2' '>ours: 2.5; double: 5<'
ok 'several have no ratio' \
    shows 'ours: latency_us; double: latency_us * 2' '<td class="number"></td></tr>'
ok 'a figure' shows 'figure alpha curve' 'href="#alpha-curve"'
ok 'a figure that is not drawn' shows 'figure alpha other' 'not measured in this run'
ok 'rows' shows 'section alpha' 'href="#alpha"'
ok 'nothing' shows - '>&#8211;<'
ok 'a benchmark that did not run' shows 'beta:latency_us' 'not measured in this run'
ok 'a metric that is not there' shows 'bandwidth' "not in this run's result"
ok 'a row that is not there' shows 'median_s[size_bytes=9]' "not in this run's result"
ok 'a column that is not there' shows 'median_s[bytes=8]' "not in this run's result"
ok 'what is missing of several' \
    shows 'a: latency_us; b: beta:x' 'a: 2.5; b: <span class="none">not measured'
ok 'and once if nothing is there' \
    shows 'a: beta:y; b: beta:x' '"here number"><span class="none">not measured[^;]*</td>'
ok 'no calculating with words' shows 'text_of * 2' 'not a number'
ok 'no dividing by zero' shows 'latency_us / 0' 'not to be calculated'
ok 'a wrong answer is no number' shows 'wrong:latency_us' 'wrong answer'
ok 'nor is one of a crowded host without a word' shows 'crowded:latency_us' 'more ranks than cores'
ok 'words of others are escaped' grep -q 'An &lt;author&gt;' "$work/index"
ok 'a claim has no ratio' shows 'latency_us' '<td class="number"></td></tr>' - claim

# ---- Order ---------------------------------------------------------------------------------------

{
    printf 'a\t1\tus\tpaper-1\tsection 10, table\talpha:latency_us\tten\n'
    printf 'b\t2\tus\tpaper-1\tsection 2.1\t-\ttwo one\n'
    printf 'c\t-\tclaim\tpaper-1\tabstract\t-\tabstract\n'
    printf 'd\t-\ttable\tpaper-1\tsection 10, table\t-\tthe table\n'
    printf 'e\t1\tus\tpaper-1\tsection 10, table\tbeta:latency_us\tten, too\n'
    printf 'f\t2\tus\tpaper-1\tsection 2\t-\ttwo\n'
    printf 'g\t2\tus\tpaper-1\tsection 10.1\tcrowded:latency_us\tten one\n'
} >"$data/alpha/paper.dat"
ok 'a report of several items' report
ok 'the order of the sections, numbers of tables last' [ "$(sed -n \
    's,.*<th scope="row">\([^<]*\)</th>.*,\1,p' "$work/index" | tr '\n' ';')" = \
    'abstract;two;two one;the table;ten one;ten;ten, too;' ]
ok 'a table counts its numbers' grep -q '1 of its 2 numbers' "$work/index"
# section NAME: of a benchmark.
section() { sed -n "/<section id=\"$1\">/,/<\/section>/p" "$work/results/report.html"; }
ok 'an item stands under the benchmark that answers' \
    [ "$(section crowded | grep -c 'ten one')" -eq 1 ]
ok 'and under no other' [ "$(section alpha | grep -c 'ten one')" -eq 0 ]
ok 'one without an answer stands under its owner' [ "$(section alpha | grep -c '>two<')" -eq 1 ]
printf 'h\t7\tus\tpaper-1\tsection 11\tranks\tof crowded\n' >"$data/alpha/paper_crowded.dat"
ok 'a further file of items' report
ok 'whose owner is in its name' [ "$(section crowded | grep -c 'of crowded.*>2 <span')" -eq 1 ]
rm "$data/alpha/paper_crowded.dat"

# ---- Items that are wrong ------------------------------------------------------------------------

# refuses WORDS FIELD...: an item of these fields is an error of line 3, which this line says.
refuses()
{
    words=$1; shift
    {
        printf '# a comment\n\n'
        printf '%s' "$1"; shift
        printf '\t%s' "$@"
        echo
    } >"$data/alpha/paper.dat"
    rm -f "$work/results/report.html"
    PATH=$work/tools:$PATH "$install/bin/clustermark" report "$work/results" >"$work/out" \
        2>"$work/err"
    [ $? -eq 3 ] && [ ! -e "$work/results/report.html" ] \
        && grep -q -F -e "/alpha/paper.dat:3: $words" "$work/err" || { show "$work/err"; false; }
}
ok 'six fields' refuses 'item: 6 fields; expected 7, separated by tabs' \
    key 10 us paper-1 'section 2' latency_us
ok 'eight fields' refuses 'item: 8 fields; expected 7' \
    key 10 us paper-1 'section 2' latency_us what else
ok 'an empty field' refuses 'what: it is empty' key 10 us paper-1 'section 2' latency_us ''
ok 'an unknown paper' refuses "paper: 'paper-2': expected a name of suite/papers.tab" \
    key 10 us paper-2 'section 2' latency_us what
ok 'a value in words' refuses "value: 'ten': expected a number or -" \
    key ten us paper-1 'section 2' latency_us what
ok 'a value that is missing' refuses "unit: 'us': expected table, figure or claim" \
    key - us paper-1 'section 2' latency_us what
ok 'an unknown place' refuses "place: 'chapter 2': expected \"abstract\" or \"section NUMBER\"" \
    key 10 us paper-1 'chapter 2' latency_us what
ok 'an answer that cannot be read' refuses "answer: '[size]': expected KEY=VALUE" \
    key 10 us paper-1 'section 2' 'median_s[size] * 1e6' what
ok 'one that ends too early' refuses 'answer: at the end: expected a number, a metric or a column' \
    key 10 us paper-1 'section 2' 'a: latency_us; b: latency_us *' what
ok 'a link without a figure' refuses "answer: 'figure alpha': expected figure BENCH FIGURE" \
    key - figure paper-1 'section 2' 'figure alpha' what

echo 'paper-1' >"$data/suite/papers.tab"
says()
{
    "$install/bin/clustermark" report "$work/results" >"$work/out" 2>"$work/err"
    [ $? -eq 3 ] && grep -q -F -e "$1" "$work/err" || { show "$work/err"; false; }
}
ok 'a paper without a citation' says '/suite/papers.tab:1: paper: expected NAME|CITATION'

# ---- The tree's own ------------------------------------------------------------------------------

mkdir "$work/none"
echo 'not in profile quick' >"$work/none/netpipe.skipped"
ok 'all items of the tree can be read' "$suite" report "$work/none"
finish
