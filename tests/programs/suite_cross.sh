#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_cross.sh: the report's cross-checks: what is said of results with known numbers, and what is
# wrong with agreements that cannot be read.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

# An installation of five benchmarks.
install=$work/install
data=$install/share/clustermark
mkdir -p "$install/bin" "$data/suite" "$work/results" "$work/tools"
cp "$suite" "$install/bin/clustermark" && cp "$srcdir/../suite/style.css" \
    "$srcdir/../suite/first.css" "$srcdir/../suite/references.tab" "$data/suite" || exit 99
for run in alpha beta gamma/word delta other; do
    echo "folder=alpha|run=cm-$run|ranks=1|seconds=0 0 0|heading=Heading|question=How?"
done >"$data/suite/benchmarks.tab"
: >"$data/suite/papers.tab"

# result NAME VALUE LOW HIGH [RANKS [YES [PASS|FAIL]]]: VALUE in us, YES for more ranks than cores.
result()
{
    cat >"$work/results/$1.txt" <<END
# ranks: ${5:-2}
# oversubscribed: ${6:-no}
  size_bytes  median_s     low_s    high_s  MB_per_s  low_MB_per_s  high_MB_per_s  half_s
           8     9e-03     9e-03     9e-03         7             6              9    1e-03
           1   ${2}e-06  ${3}e-06  ${4}e-06         1           0.9            1.1  ${2}e-06
# RESULT: ${7:-PASS} time_us $2 us low=$3 high=$4 interval=95%
# RESULT: ${7:-PASS} plain_us $2 us
END
}
# results A B C D: values of four benchmarks, each with an interval of a tenth.
results()
{
    rm -f "$work"/results/*
    for name in alpha beta gamma-word delta; do
        [ $# -gt 0 ] || return 0
        result $name "$1" "$(awk "BEGIN { print 0.95 * $1 }")" \
            "$(awk "BEGIN { print 1.05 * $1 }")"
        shift
    done
}
cell='median_s[size_bytes=1] * 1e6'
all="alpha: $cell; beta: $cell; gamma-word: $cell; delta: $cell"
# agreements VALUES [PERCENT]: one agreement.
agreements() { echo "A <trip>|us|${2:-50}|any & every|$1" >"$data/suite/agreements.tab"; }
# report: without gnuplot; the section in $work/section, the line of the headlines in $work/line.
report()
{
    PATH=$work/tools:/bin:/usr/bin "$install/bin/clustermark" report "$work/results" \
        >"$work/out" 2>"$work/err" || { show "$work/err"; return 1; }
    sed -n '/<section id="cross-checks">/,/<\/section>/p' "$work/results/report.html" \
        >"$work/section"
    grep 'of [0-9]* cross-checks' "$work/results/report.html" >"$work/line"
    grep -v gnuplot "$work/err" >"$work/said"
    true
}
# row NAME: what the section says of a result.
row() { grep -o "href=\"#$1\".*" "$work/section" | sed 's/<[^>]*>/ /g; s/  */ /g'; }
# remark NAME TEXT: the row ends so.
remark() { row "$1" | grep -q -e "$2 \$" || { row "$1" | show; show "$work/err"; false; }; }
# says TEXT: one line on stderr, and it is this.
says()
{
    [ "$(cat "$work/said")" = "clustermark: report: A <trip>: $1" ] || { show "$work/said"; false; }
}
quiet() { [ ! -s "$work/said" ] && [ ! -s "$work/line" ] || { show "$work/said"; false; }; }

# ---- Values ----------------------------------------------------------------------------------

agreements "$all"
results 0.2 0.22 0.24 0.21
ok 'four that agree' report
ok 'nothing is said of them' quiet
ok 'all are shown' [ "$(grep -c '>agrees<' "$work/section")" -eq 4 ]
ok 'with their ratio to the median' remark gamma-word '0.240 0.228 to 0.252 µs 1.12 agrees'
ok 'and the name of the run' sh -c "grep -q '>cm-gamma word<' '$work/section'"
ok 'words of the file are escaped' grep -q 'A &lt;trip&gt;.*50&#160;%: any &amp; every' \
    "$work/section"
if command -v xmllint >/dev/null 2>&1; then
    ok 'the page is well-formed' xmllint --noout --nonet "$work/results/report.html"
else skip 'the page is well-formed' 'xmllint is not there'
fi

results 0.23 0.22 0.673 0.236
ok 'one of four is too high' report
ok 'which is said' says 'cm-gamma word 0.673 us is 2.9 times the median of 4 benchmarks'
ok 'it is odd' remark gamma-word '2.89 odd'
ok 'the others are not' [ "$(grep -c '>agrees<' "$work/section")" -eq 3 ]
ok 'the headlines begin with it' grep -q \
    '<a href="#cross-checks">1 of 1 cross-checks</a> disagree: A &lt;trip&gt;[.]<' "$work/line"
results 0.23 0.1 0.22 0.236
ok 'one of four is too low' report
ok 'which is said, too' says 'cm-beta 0.1 us is 0.44 times the median of 4 benchmarks'
results 0.2 0.2 0.299 0.2
ok 'just within the tolerance' report
ok 'is nothing' quiet
agreements "$all" 40
ok 'another tolerance' report
ok 'counts' says 'cm-gamma word 0.299 us is 1.5 times the median of 4 benchmarks'
agreements "$all"
results 0.2 0.2 0.132 0.2
ok 'below it, too, by the same factor' report
ok 'is an odd one' says 'cm-gamma word 0.132 us is 0.66 times the median of 4 benchmarks'
results 0.2 0.2 0.134 0.2
ok 'and just within it' report
ok 'there is none' quiet
results 0.675 0.229 0.673 0.236
ok 'two camps of two' report
ok 'tell nothing of each' says "4 benchmarks disagree, and nothing says which is odd: \
cm-alpha 0.675 us is 2.9 times cm-beta 0.229 us"
ok 'nor does the page' [ "$(grep -c '>disagrees<' "$work/section")" -eq 4 ]
results 1 4 16
ok 'three that are all different' report
ok 'tell nothing either' says "3 benchmarks disagree, and nothing says which is odd: \
cm-gamma word 16 us is 16 times cm-alpha 1 us"
results 1 2
ok 'two that disagree' report
ok 'are not told apart' says \
    '2 benchmarks disagree, and nothing says which is odd: cm-beta 2 us is 2 times cm-alpha 1 us'
results 1 1.4
ok 'two within the tolerance of each other' report
ok 'agree' quiet
results 1
ok 'one alone' report
ok 'is no cross-check' [ ! -s "$work/section" ]

# ---- Intervals -------------------------------------------------------------------------------

results 0.2 0.21 0.22 0.2
result gamma-word 9 0.21 12
ok 'one that is far off and not precise' report
ok 'is not said' quiet
ok 'but shown' remark gamma-word 'no difference shown: the intervals overlap'
result gamma-word 9 0.3 12
ok 'one whose interval ends before the others' report
ok 'is odd' remark gamma-word odd
results 1 2
result beta 2 0.9 3
ok 'two whose intervals meet' report
ok 'are not told apart' quiet
results 0.2 0.2 0.2 0.2
result gamma-word 0.6 0.2 0.8
agreements "alpha: time_us; beta: time_us; gamma-word: time_us * 2 / 2"
ok 'the interval of a metric' report
ok 'counts, also when something is made of it' \
    remark gamma-word '0.600 0.200 to 0.800 µs 3.00 no difference.*'
sed -i 's/\(PASS time_us .*\)interval=95%/\1interval=range over=launches n=3/' \
    "$work/results/gamma-word.txt"
ok 'the interval of a few launches' report
ok 'is a range with a star' \
    remark gamma-word '0.600 0.200 to 0.800[*], 3 launches µs 3.00 no difference.*'
agreements "alpha: plain_us; beta: plain_us; gamma-word: plain_us"
ok 'a metric without interval' report
ok 'has none' remark gamma-word '0.600 µs 3.00 odd'
agreements 'alpha: MB_per_s[size_bytes=8]; beta: 10 - MB_per_s[size_bytes=8]'
ok 'the interval of a column with its own ends' report
ok 'is shown' remark alpha '7.00 6.00 to 9.00 µs .*'
ok 'turned round where the sign is' remark beta '3.00 1.00 to 4.00 µs .*'
agreements 'alpha: half_s[size_bytes=1] * 1e6; beta: plain_us; gamma-word: plain_us * plain_us'
ok 'a column without ends, a value of two metrics' report
ok 'have none' [ "$(grep -c '>[0-9.]* to [0-9.]*<' "$work/section")" -eq 0 ]

# ---- What is not compared --------------------------------------------------------------------

agreements "$all"
results 0.2 0.21 0.22 0.2
result gamma-word 0.9 0.9 0.9 2 yes
ok 'a crowded result' report
ok 'is not compared' quiet
ok 'and shown as that' remark gamma-word 'µs not compared: more ranks than cores'
result gamma-word 0.9 0.9 0.9 2 no FAIL
ok 'a wrong answer' report
ok 'is nothing' sh -c "! grep -q gamma '$work/section'"
agreements "alpha[ranks=2]: $cell; beta: $cell; gamma-word[ranks=2,oversubscribed=no]: $cell;
delta[ranks=4]: $cell" && tr '\n' ' ' <"$data/suite/agreements.tab" >"$work/one" &&
    cp "$work/one" "$data/suite/agreements.tab"
results 0.2 0.2 0.9 0.2
result beta 0.2 0.19 0.21 4
ok 'values with conditions' report
ok 'those that meet them' [ "$(grep -c 'href="#' "$work/section")" -eq 3 ]
ok 'are compared' says 'cm-gamma word 0.9 us is 4.5 times the median of 3 benchmarks'
agreements 'alpha: time_us; beta: nothing; gamma-word: time_us; other: time_us'
ok 'what is not there' report
ok 'is left out' [ "$(grep -c 'href="#' "$work/section")" -eq 2 ]
{
    echo '# a comment'
    echo
    echo "one|us|50|reason|alpha: time_us; beta: time_us"
    echo " two | us | 50 | reason | alpha: time_us ; gamma-word: time_us "
} >"$data/suite/agreements.tab"
results 1 1 3
ok 'two agreements' report
ok 'are counted' grep -q '1 of 2 cross-checks</a> disagree: two[.]' "$work/line"

# ---- Agreements that are wrong ---------------------------------------------------------------

# refuses WORDS LINE: as the second line of the file.
refuses()
{
    printf '# a comment\n%s\n' "$2" >"$data/suite/agreements.tab"
    rm -f "$work/results/report.html"
    "$install/bin/clustermark" report "$work/results" >"$work/out" 2>"$work/err"
    [ $? -eq 3 ] && [ ! -e "$work/results/report.html" ] \
        && grep -q -F -e "/suite/agreements.tab:2: $1" "$work/err" || { show "$work/err"; false; }
}
ok 'four fields' refuses 'agreement: 4 fields; expected 5, separated by |' 'a|us|50|alpha: b'
ok 'an empty field' refuses 'reason: it is empty' 'a|us|50| |alpha: b; beta: b'
ok 'a tolerance in words' refuses "tolerance: 'much': expected per cent, a number above 0" \
    'a|us|much|why|alpha: b; beta: b'
ok 'no tolerance' refuses "tolerance: '0': expected" 'a|us|0|why|alpha: b; beta: b'
ok 'one value' refuses 'values: expected two or more, separated by ;' 'a|us|50|why|alpha: b'
ok 'an unknown run' refuses "values: 'gamma': expected a run of suite/benchmarks.tab" \
    'a|us|50|why|alpha: b; gamma: b'
ok 'no name' refuses "values: 'time_us': expected NAME: EXPRESSION" 'a|us|50|why|alpha: b; time_us'
ok 'a condition without value' refuses "values: 'alpha[ranks]: b': expected NAME: EXPRESSION or" \
    'a|us|50|why|alpha[ranks]: b; beta: b'
ok 'one that does not end' refuses "values: 'alpha[ranks=2: b': expected NAME: EXPRESSION or" \
    'a|us|50|why|alpha[ranks=2: b; beta: b'
ok 'an expression that ends too early' \
    refuses 'values: at the end: expected a number, a metric or a column' \
    'a|us|50|why|alpha: b *; beta: b'
ok 'a row without value' refuses "values: '[size]': expected KEY=VALUE" \
    'a|us|50|why|alpha: b; beta: median_s[size]'
rm "$data/suite/agreements.tab"
ok 'no file' sh -c "! '$install/bin/clustermark' report '$work/results' >'$work/out' 2>&1"
ok 'which is said' grep -q 'cannot read .*/suite/agreements.tab: No such file' "$work/out"

# ---- The tree's own --------------------------------------------------------------------------

mkdir "$work/none"
echo 'not in profile quick' >"$work/none/netpipe.skipped"
ok 'all agreements of the tree can be read' "$suite" report "$work/none"
finish
