#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# history.sh: the page of `clustermark history` in a real browser, as the report's (page.py): of 64
# hosts, and of the headlines of all benchmarks and 1,024 hosts. The kept results are made up.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/browser/browser.inc"
need lacks_browser
need lacks_dummy

# shown FOLDER RESULTS HOSTS [TABLE]
shown()
{
    "$python" "$srcdir/programs/suite_history.py" "$@" &&
        timeout 300 "$suite" history "$1" >"$work/out" 2>&1 || { show "$work/out"; false; }
}
ok 'a month of 64 hosts' shown "$work/kept" 60 64
look_all "$work/kept" history

ok '60 results of 1,024 hosts' shown "$work/many" 60 1024 "$srcdir/../suite/benchmarks.tab"
page=$work/many/history.html
ok 'a curve for each headline' [ "$(grep -c '<figure>' "$page")" -gt 15 ]
ok 'of at most 5 MB' below 5 "$page"
ok 'are one line, but for the odd ones' grep -q \
    '^<p>998 hosts of 1024 are alike, .*: n\[01,04-10,15-49,.* and 710 more\.</p>' "$page"
ok 'the same step of four hosts is one row' grep -q '<th scope="row">n\[11-14\]: send_MB_per_s' \
    "$page"
look_all "$work/many" history
finish
