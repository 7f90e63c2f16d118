#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# many.sh: the page of all benchmarks and 1,024 hosts stays small, and a browser shows it. The
# results come from the dummy backend, in the form that a cluster would leave (many_hosts.py); those
# of most benchmarks are of two hosts.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/browser/browser.inc"
need lacks_dummy
need lacks_browser
dir=$work/many

ok 'results' made "$dir" 1024 --only hint,netpipe,bisection,linkmap,loggp
ok 'of all benchmarks' made "$work/two"
for file in "$work/two"/*.json "$work/two"/*.txt; do
    [ -e "$dir/${file##*/}" ] || cp "$file" "$dir"
done
ok 'of a cluster' "$python" "$srcdir/browser/many_hosts.py" "$dir"
ok 'a report' reported "$dir"
page=$dir/report.html
ok 'of at most 5 MB' below 5 "$page"
sed -n '/<section id="hosts">/,/<\/section>/p' "$page" >"$work/hosts"
ok 'hosts that are alike are one row' grep -q '>1019 hosts alike: n\[0001-0002,0005-' "$work/hosts"
ok 'all hosts are five rows' [ "$(grep -c '<th scope="row"' "$work/hosts")" -eq 5 ]
ok 'what all have is said once' grep -q '<p>All have: Cores 96; CPU AMD EPYC 9654; ' "$work/hosts"
sed -n '/<tbody>/{n;p;}' "$work/hosts" >"$work/first"
ok 'the slow one is first' grep -q '>n0018 (slow)<.*<strong>[0-9]* (0.70)<' "$work/first"
ok 'with its memory by STREAM, whose hosts are in another order' \
    grep -q '>300 (0.75)<' "$work/first"
ok 'which the others have' grep -q '>400 (400 to 400)<' "$work/hosts"
odd() { grep ">$1<" "$work/hosts" | grep -q "class=\"fail\"><strong>$2<"; }
ok 'another kernel is marked' odd n0518 'Linux 6.1.0-21-amd64 x86_64'
ok 'another MTU' odd n0801 1500
ok 'less memory' odd '2 hosts alike: n\[0003-0004\]' '742 GB'
ok 'and nothing else' [ "$(grep -o '<strong>' "$work/hosts" | wc -l)" -eq 4 ]
ok 'the rows of long results are in their files' \
    grep -q '<summary>The first 1000 of [0-9]* rows</summary>' "$page"
look "$dir"
ok 'on the page of the hosts, too, they are one row' \
    grep -q '<th scope="row">1023 alike: n\[0001-0017,0019-1024\]</th>.* to ' "$dir/nodes.html"
ok 'below which each is folded' [ "$(sed '/<details/,/<\/details>/d' "$dir/nodes.html" |
    grep -c '<th scope="row"')" -eq 2 ]
look_all "$dir" nodes

# Each of another kind.
find "$dir" -type f ! -name 'nodes.*' -exec rm {} +
"$python" - "$dir/nodes.json" <<'END' || exit 99
import json
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    result = json.load(file)
for number, host in enumerate(result["hosts"]):
    host["differs"] = {"microcode": f"0x{number}"} if number else {}
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(result, file)
END
ok 'a report of 1,024 kinds' reported "$dir"
ok 'of at most 5 MB' below 5 "$page"
ok 'shows a hundred of them' grep -q '<p>923 more hosts are of further kinds' "$page"
finish
