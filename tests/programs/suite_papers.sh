#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_papers.sh: the papers' items: what answers to them, from results with known numbers.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
suite_dir=$srcdir/../suite

cat >"$work/alpha.txt" <<'EOF'
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
sed 's/oversubscribed: no/oversubscribed: yes/' "$work/alpha.txt" >"$work/crowded.txt"
sed 's/PASS/FAIL/' "$work/alpha.txt" >"$work/wrong.txt"
echo 'paper-1|An <author>: a title' >"$work/papers.tab"

# shows ANSWER PATTERN [VALUE]: the row of the index for this answer has the pattern.
shows()
{
    printf 'key\t%s\tus\tpaper-1\tsection 2\t%s\tan item\n' "${3:-10}" "$1" >"$work/paper.dat"
    {
        for name in alpha crowded wrong; do
            printf 'result\t%s\t%s\n' $name "$work/$name.txt"
        done
        printf 'figure\talpha-curve\nitems\talpha\t%s\n' "$work/paper.dat"
    } | awk -v part=index -v papers="$work/papers.tab" -f "$suite_dir/html.awk" \
        -f "$suite_dir/answers.awk" -f "$suite_dir/papers.awk" >"$work/page" || return
    grep 'an item' "$work/page" | grep -q -e "$2" || { show "$work/page"; false; }
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
ok 'words of others are escaped' grep -q 'An &lt;author&gt;' "$work/page"
ok 'a claim has no ratio' shows 'latency_us' '<td class="number"></td></tr>' -

{
    printf 'a\t1\tus\tpaper-1\tsection 10, table\talpha:latency_us\tten\n'
    printf 'b\t2\tus\tpaper-1\tsection 2.1\t-\ttwo one\n'
    printf 'c\t-\tclaim\tpaper-1\tabstract\t-\tabstract\n'
    printf 'd\t-\ttable\tpaper-1\tsection 10, table\t-\tthe table\n'
    printf 'e\t1\tus\tpaper-1\tsection 10, table\tbeta:latency_us\tten, too\n'
    printf 'f\t2\tus\tpaper-1\tsection 2\t-\ttwo\n'
} >"$work/order.dat"
plan() { printf 'result\talpha\t%s\nitems\talpha\t%s\n' "$work/alpha.txt" "$work/order.dat"; }
plan | awk -v part=index -v papers="$work/papers.tab" -f "$suite_dir/html.awk" \
    -f "$suite_dir/answers.awk" -f "$suite_dir/papers.awk" >"$work/page"
ok 'the order of the sections, numbers of tables last' [ "$(sed -n \
    's,.*<th scope="row">\([^<]*\)</th>.*,\1,p' "$work/page" | tr '\n' ';')" = \
    'abstract;two;two one;the table;ten;ten, too;' ]
ok 'a table counts its numbers' grep -q '1 of its 2 numbers' "$work/page"
plan | awk -v part=section -v bench=beta -v papers="$work/papers.tab" -f "$suite_dir/html.awk" \
    -f "$suite_dir/answers.awk" -f "$suite_dir/papers.awk" >"$work/page"
ok 'an item stands under the benchmark that answers' [ "$(grep -c 'ten, too' "$work/page")" -eq 1 ]
ok 'and under no other' [ "$(grep -c '>ten<' "$work/page")" -eq 0 ]
finish
