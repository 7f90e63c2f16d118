#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# valid.sh: the pages as HTML, by a checker that we did not write.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/browser/browser.inc"
lacks_tidy() { command -v tidy >/dev/null 2>&1 || echo 'tidy is not there'; }
need lacks_tidy
need lacks_dummy

# valid FILE: tidy reports no error and no warning, with exceptions: it takes the title of an SVG
# for that of the page, which has no id, and a link in an SVG for one without href and tabindex.
# Empty elements such as bars are valid, although tidy would remove them.
valid()
{
    tidy -quiet -errors -utf8 --drop-empty-elements no "$1" 2>&1 |
        grep -v -e '<title> proprietary attribute "id"' \
            -e '<a> proprietary attribute "\(href\|tabindex\)"' >"$work/tidy"
    [ ! -s "$work/tidy" ] || { head -n 10 "$work/tidy" | show; false; }
}
printf '%s\n' '<!DOCTYPE html>' '<html lang="en"><head><title>t</title></head>' \
    '<body><p>a<div>b</p></body></html>' >"$work/wrong.html"
ok 'what is wrong is found' sh -c '! tidy -quiet -errors "$1" 2>/dev/null' sh "$work/wrong.html"

made "$work/a" && made "$work/b" || exit 99
ok 'a report' reported "$work/a"
ok 'is valid' valid "$work/a/report.html"
compared() { "$suite" compare --html "$work/compare.html" "$work/a" "$work/b" >"$work/out"; }
ok 'a comparison' compared
ok 'is valid' valid "$work/compare.html"
kept()
{
    "$suite" baseline add "$work/kept" "$work/a" "$work/b" && "$suite" history "$work/kept"
} >"$work/out"
ok 'a history' kept
ok 'is valid' valid "$work/kept/history.html"
finish
