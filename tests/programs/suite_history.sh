#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_history.sh: `clustermark history`: planted steps are found where they are, nothing else is,
# the page is well-formed, says what changed then, and names what it leaves out.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
[ -n "$(command -v python3)" ] || { echo '1..0 # SKIP python3 is not there'; exit 0; }

kept=$work/site/kept
make() { python3 "$srcdir/programs/suite_history.py" "$@"; }
shows() # STATUS OPTION...
{
    wanted=$1; shift
    status=0
    "$suite" history "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq "$wanted" ] || { echo "# status $status"; show "$work/err"; false; }
}
says() { has "$1" "$work/err" || { show "$work/err"; false; }; }
refused()
{
    regex=$1; shift
    shows 2 "$@" && [ "$(grep -c . "$work/err")" -eq 1 ] && says "$regex"
}

# ---- A month -------------------------------------------------------------------------------------

ok 'made' make "$kept" 60 6
mkdir "$work/site/night-59"
echo '<p>the report</p>' >"$work/site/night-59/report.html"
ok 'a month of nights' shows 0 "$kept"
ok 'three steps of headlines, one of a host' has '^60 results: steps of headlines 3, of hosts 1$' \
    "$work/out"
ok 'the page is in the folder' has 'site/kept/history.html$' "$work/out"
ok 'nothing is wrong' [ ! -s "$work/err" ]
# The page is XML, too. Steps: what, where, how large, and what changed at the same time.
ok 'says what is known' python3 - "$kept/history.html" <<'END'
import re, sys
import xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding='utf-8').read()
page = tree.fromstring(re.sub('^<!DOCTYPE html>', '', text))
def words(element): return ' '.join(' '.join(element.itertext()).split())
def part(name): return page.find(f".//section[@id='{name}']")
def rows(name): return [[words(cell) for cell in row] for row in part(name).findall('.//tbody/tr')]
# What is worse still is on the first screen; what was mended, and what mended it, is folded.
first = part('first')
assert 'n is not what it was: 1 of 6 headlines and 1 of 6 hosts got worse and stayed so.' \
    in words(first), words(first)
assert '4 hosts of 6 are alike' in words(first) and 'n[01,04-06].' in words(first), words(first)
assert 'n02: microcode 0x2a → 0x2b from 2026-03-' in words(first), words(first)
# Result k is of day 1 + k / 2; a place may be uncertain by a result or two.
def step(row, what, change, day, meanwhile):
    assert row[0] == what and re.match(change, row[1]), row
    assert abs(int(row[2][8:10]) - day) <= 1 and row[2][:8] == '2026-03-', row
    assert row[3] == meanwhile and re.search('one page in (a million|[0-9]+)$', row[4]), row
worse, other = ([[words(cell) for cell in row] for row in table.findall('tbody/tr')]
                for table in first.findall('.//table'))
assert len(worse) == 2 and len(other) == 2, [worse, other]
assert first.find(".//div[@id='other-steps']//table") is not None
step(worse[0], 'Linear equations in double precision', r'[456](\.\d+)? % lower .*, worse$', 19,
     'BLAS OpenBLAS 0.3.26 → OpenBLAS 0.3.28')
step(worse[1], 'n03: triad_MB_per_s', r'(9|10|11)(\.\d+)? % lower .*, worse$', 16, '')
step(other[0], 'Messages between two ranks', r'(8|9|10)(\.\d+)? % lower .*, better$', 16, '')
step(other[1], 'Messages between two ranks', r'(9|10|11)(\.\d+)? % higher .*, worse$', 10, '')
levels = rows('levels')
assert len(levels) == 6 and levels[0][0].startswith('Linear equations'), levels
assert re.match(r'[\d.]+ Tflop/s$', levels[0][1]), levels[0]
assert re.match(r'[\d.]+ to [\d.]+, 6 launches$', levels[0][2]), levels[0]
assert re.search(r'lower \(.*\), worse since 2026-03-', levels[0][3]), levels[0]
assert levels[1][3].startswith('mended 2026-03-'), levels[1]
assert [row[3] for row in levels[2:]] == ['as it was'] * 4, levels
marks = [' '.join(row) for row in rows('changes')]
assert marks == ['1 2026-03-08 kernel Linux 6.1.8 Linux 6.1.<9>',
                 '2 2026-03-19 BLAS OpenBLAS 0.3.26 OpenBLAS 0.3.28'], marks
assert 'at least 3 results, or, where another one follows, for 6.' in words(part('results'))
figures = part('group-lines').findall('.//figure')
assert len(figures) == 6 and len(part('hosts').findall('.//tbody/tr')) == 6
for figure in figures:
    svg = figure.find('.//svg')
    assert len(svg.findall('.//circle')) == 60 and len(svg.findall("g[@class='change']")) == 2
    links = svg.findall('.//a')
    assert [a.get('href') for a in links] == ['../night-59/report.html'], links
# Whoever cannot point at a figure has its values in a table, with the same links.
values = part('linpack').findall(".//div[@id='linpack-values']//tbody/tr")
assert len(values) == 60 and values[0].find('.//a').get('href') == '../night-59/report.html'
numbers = re.findall(r'[ "](?:cx|cy|d|x|y)="([^"]*)"', text)
assert not [n for n in numbers if 'nan' in n or 'inf' in n], 'a figure has what is no number'
first, second = (words(row) for row in part('hosts').findall('.//tbody/tr')[:2])
assert first.startswith('n03') and second.startswith('n02'), 'the host with a step comes first'
assert 'microcode 0x2a → 0x2b' in second, 'of n02 alone'
END
cp "$kept/history.html" "$work/first.html"
mkdir -p "$work/an #1"
mv "$work/site/night-59" "$work/an #1"
ok 'again' shows 0 -o "$work/again.html" --reports "$work/an #1" "$kept"
ok 'is written whole' [ -s "$work/again.html" ]
ok 'with links from where it is' has 'href="an%20%231/night-59/report.html"' "$work/again.html"
ok 'and not overwritten' refused 'history: --output .*again.html' -o "$work/again.html" "$kept"
ok 'unless told to' shows 0 -f -o "$work/again.html" "$kept"
one=$(ls "$kept"/*.json | head -n 1)
cp "$one" "$work/one.json"
ok 'but no kept result' refused 'history: --output .* is a kept result' -f -o "$one" "$kept"
ok 'which is as it was' cmp -s "$one" "$work/one.json"

ok 'made' make "$work/many" 3 24
ok 'many hosts' shows 0 "$work/many"
ok 'are one line' has '^<p>23 hosts of 24 are alike, .*: n\[01,03-24\]\.</p>$' \
    "$work/many/history.html"
ok 'but for the odd one, and one row of the table' \
    has '<tr><th scope="row">23 alike<small>n\[01,03-24\]</small></th><td>[0-9.]* to [0-9.]* GB/s' \
    "$work/many/history.html"
ok 'which opens' has '<summary>Each of these 23 hosts</summary>' "$work/many/history.html"

# ---- Nothing changed -----------------------------------------------------------------------------

# In noise of 1 % a step of 1.2 % halfway through 60 results is seen four times out of five, in
# noise of 3 % one of 3.6 %: unit/steps plants such steps. How much noise there is, is estimated.
ok 'made' make "$work/steady" 60 6 steady
ok 'a month without a step' shows 0 "$work/steady"
ok 'says how large a step would have been seen' python3 - "$work/steady/history.html" <<'END'
import re, sys
import xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding='utf-8').read()
page = tree.fromstring(re.sub('^<!DOCTYPE html>', '', text))
words = ' '.join(' '.join(page.find(".//section[@id='first']").itertext()).split())
found = re.search(r'n is what it was: nothing is worse than it was, as far as 60 results can '
                  r'tell: halfway through its results, a change of ([\d.]+) % in any headline or '
                  r'of ([\d.]+) % in any value of a host would have been seen four times out of '
                  r'five\.', words)
assert found, words
half = re.search(r'In half of the headlines a change of ([\d.]+) % would have been seen as often; '
                 r'the least steady one is ([^.]*)\. In half of the values of single hosts a '
                 r'change of ([\d.]+) % would', words)
assert half, words
assert 2.7 < float(found[1]) < 5 and 'ollective' in half[2], words
assert 0.9 < float(half[1]) < 1.7 and 1 < float(half[3]) < 2.2, words
assert float(half[3]) < float(found[2]) < 4, words
END

# Of four headlines there are three results each, one is always the same, as are the values of one
# of the two hosts: of these nothing is claimed.
ok 'made' make "$work/gaps" 36 2 gaps
ok 'headlines with few results' shows 0 "$work/gaps"
first_of() { sed -n '/class="sentence"/,/class="quiet"/p' "$1" | sed 's/<[^>]*>//g'; }
seen='would have been seen'
ok 'no claim for those' [ "$(first_of "$work/gaps/history.html" | sed 's/[0-9.]* %/X %/g')" = \
"n is what it was: nothing is worse than it was, as far as 36 results can tell: halfway through \
its results, a change of X % in HINT or of X % in any of 4 values of hosts $seen four times out of \
five.
In half of these values of hosts a change of X % $seen. For 5 more headlines no such size is known \
(few results, always the same value, or one that is not above 0). For 4 more values of hosts no \
such size is known." ] || show "$work/gaps/history.html"

# ---- Little, and wrong input ---------------------------------------------------------------------

ok 'made' make "$work/one" 1 1
ok 'one result' shows 0 "$work/one"
ok 'has no step' \
    has '^1 result: steps of headlines 0, of hosts 0; that is too few to see a step$' "$work/out"
ok 'and is a page' has '>1 result is too few to tell whether n is what it was' \
    "$work/one/history.html"
mkdir "$work/empty"
ok 'no result' refused 'history: .*/empty has no kept result; .clustermark baseline add' \
    "$work/empty"
ok 'no folder' refused 'history: .*/nowhere is not a folder' "$work/nowhere"
ok 'no DIR' refused 'DIR is missing'
ok 'two of them' refused 'more than one DIR' "$kept" "$kept"
ok 'another cluster' refused 'has no kept result of cluster moon' --cluster moon "$work/one" ||
    show "$work/err"

# Some of other ranks, one of another cluster, one edited, half of one.
ok 'made' make "$work/mixed" 12 2
ok 'and of another size' make "$work/other" 3 3
for file in "$work/other"/*; do
    name=${file##*/}
    cp "$file" "$work/mixed/$name"
done
set -- "$work/mixed"/*.json
sed 's/48[0-9]*/99999/' "$1" >"$1.new" && mv "$1.new" "$1"
head -c 300 "$2" >"$2.new" && mv "$2.new" "$2"
ok 'results that do not belong there' shows 1 "$work/mixed"
ok 'an edited one is named' says "left out: .*${1##*/}: it was edited"
ok 'and half of one' says "left out: .*${2##*/}: it is damaged"
ok 'and other ranks' says 'left out: .*: linpack has 3 hosts and 24 ranks, not 2 and 16$'
ok 'on the page, too' has 'linpack has 3 hosts and 24 ranks' "$work/mixed/history.html"
finish
