#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# page.sh: the report in a real browser (page.py says what is checked). TEST_RESULTS=FOLDER checks a
# copy of these results instead.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/browser/browser.inc"
need lacks_browser
[ -n "${TEST_RESULTS-}" ] || need lacks_dummy

if [ -n "${TEST_RESULTS-}" ]; then ok 'a copy' cp -R "$TEST_RESULTS" "$work/results"
else ok 'results' made "$work/results"
fi
ok 'a report' reported "$work/results"
ok 'of at most 3 MB' below 3 "$work/results/report.html"
look "$work/results"
compared()
{
    cp -R "$work/results" "$work/again" &&
        "$suite" compare --html "$work/results/compared.html" "$work/results" "$work/again"
} >"$work/out" 2>&1
ok 'a comparison' compared
ok 'has figures' grep -q '<figure' "$work/results/compared.html"
look_all "$work/results" compared
finish
