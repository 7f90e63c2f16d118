#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_rates.sh: the report's headlines for energy and for money.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
results=$work/results
cp -R "$srcdir/programs/suite_frozen/results" "$results" && chmod -R u+w "$results" || exit 99

report() { "$suite" report "$@" >"$work/out" 2>"$work/err"; }
# refused REGEX OPTION...: status 2, one line, and no page.
refused()
{
    regex=$1; shift
    report "$@" "$results"
    [ $? = 2 ] && [ "$(wc -l <"$work/err")" = 1 ] && has "$regex" "$work/err" \
        && [ ! -e "$results/report.html" ] || { show "$work/err"; false; }
}
for price in 4000 EUR 'EUR 4000' '0 EUR' '-1 EUR' 'nan EUR' '1e999 EUR' '4000 EUR a year' \
    '4,000 EUR' '' '4000 <b>' '4000 1'; do
    ok "no price: '$price'" \
        refused "^clustermark report: --price '.*': expected an amount above 0 and a currency" \
        --price "$price"
done

# The page's section, a line for each row: the texts of its cells with | between them.
rates()
{
    sed -n '/<section id="rates">/,/<\/section>/p' "$results/report.html" \
        | sed -n '/^<tr>/{ s/<\/t[dh]>/|/g; s/<[^>]*>//g; s/&#160;/ /g; s/^/|/; p; }' | tr -s '|'
}
row() { rates | grep -q "^|$1" || { rates | show; false; }; }
section() { grep -q '<section id="rates">' "$results/report.html"; }
well_formed()
{
    command -v xmllint >/dev/null 2>&1 || { echo '# xmllint is not there'; return; }
    xmllint --noout --nonet "$results/report.html"
}

ok 'without price and energy' report "$results"
ok 'there is no such section' sh -c "! grep -q 'id=\"rates\"' '$results/report.html'"
ok 'a price' report --price '4000 EUR' "$results"
ok 'has one' section
ok 'which says it' grep -q '^<p>Price: 4000 EUR.</p>$' "$results/report.html"
ok 'and that no energy was measured' grep -q 'Energy: not measured' "$results/report.html"
# 1.02359e9 / 4000; 55873.3 / 4000; 0.170091 * 4000
ok 'a speed for money' row 'cm-hint|Net QUIPS double|1.02 billion QUIPS|256000 QUIPS/EUR|$'
ok 'a rate for money' row 'cm-farm|Units of work computed|55900 units/s|14.0 1/s/EUR|$'
ok 'a time for money' row 'cm-netpipe|Latency|170 ns|680 µs EUR|$'
ok 'a wrong answer for nothing' row 'cm-linpack|LINPACK rate, double precision|156 Gflop/s|$'

for name in farm netpipe hint linpack; do
    printf '# RESULT: PASS energy_J 600 J\n# RESULT: PASS mean_power_W 200 W\n' \
        >>"$results/$name.txt"
    rm -f "$results/$name.json"
done
ok 'energy' report "$results"
# 55873.3 / 200; 0.170091 * 200; 1.02359e9 / 200
ok 'a rate for energy' row 'cm-farm|Units of work computed|55900 units/s|600 J|200 W|279 1/J|$'
ok 'a time for energy' row 'cm-netpipe|Latency|170 ns|600 J|200 W|34.0 µJ|$'
ok 'a speed for energy' \
    row 'cm-hint|Net QUIPS double|1.02 billion QUIPS|600 J|200 W|5.12 million QUIPS/W|$'
ok 'no energy for a wrong answer' \
    row 'cm-linpack|LINPACK rate, double precision|156 Gflop/s|600 J|200 W|$'
ok 'both' report --price '2.5e6 $' "$results"
ok 'energy and money' \
    row 'cm-farm|Units of work computed|55900 units/s|600 J|200 W|279 1/J|0.0223 1/s/$|'
ok 'it is well-formed' well_formed

# 0.16 us at 190 W and 0.18 us at 210 W are 30.4 and 37.8 uJ; of two ranges it is one, too.
ends='over=launches n=3 disturbed=no'
sed -i "s/\\(PASS energy_J 600 J\\).*/\\1 low=590 high=620 interval=range $ends/
    s/\\(PASS mean_power_W 200 W\\).*/\\1 low=190 high=210 interval=range $ends/
    s/\\(PASS latency_us\\).*/\\1 0.17 us low=0.16 high=0.18 interval=range $ends/" \
    "$results/netpipe.txt"
ok 'intervals' report "$results"
ok 'in the one form' row 'cm-netpipe|Latency|170 ns, 160 to 180[*], 3 launches|600 J, 590 to '\
'620[*], 3 launches|200 W, 190 to 210[*], 3 launches|34.0 µJ, 30.4 to 37.8[*], 3 launches|$'
sed -i 's/low=0.16 high=0.18/low=0.16 high=2000/' "$results/netpipe.txt"
ok 'an end that is far away' report "$results"
ok 'has its own unit, as has the other' \
    row 'cm-netpipe|Latency|170 ns, 160 ns to 2.00 ms[*], 3 launches|'

sed -i 's/^# oversubscribed: .*//; s/^# comm: /# oversubscribed: yes\n&/' "$results/farm.txt"
ok 'more ranks than cores' report --price '4000 EUR' "$results"
ok 'are no performance' row 'cm-farm|Units of work computed|55900 units/s|600 J|200 W|$'
finish
