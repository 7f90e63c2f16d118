#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# places_all.sh: each fit of a simulated cluster done again gives the same file; and each small
# cluster runs and has all its numbers in the report. places.sh has ICTP's.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

XDG_CACHE_HOME=$(pwd)/simulated; export XDG_CACHE_HOME
data=$srcdir/../clusters/simulated

for tool in smpirun smpicc smpif90 python3; do
    command -v $tool >/dev/null 2>&1 && continue
    echo "1..0 # SKIP $tool is not there"
    exit 77
done
if [ ! -x "$srcdir/../configure" ] || [ -e "$srcdir/../config.status" ]; then
    echo '1..0 # SKIP there are no sources to build, or they are configured themselves'
    exit 77
fi

for place in alpha-fe alpha-gige p4 parapc power3-gige power3-jumbo tyan; do
    "$suite" run --place $place "$work/$place" >"$work/out" 2>&1
    ok "$place: all runs pass" test $? -eq 0 || show "$work/out"
    "$suite" report "$work/$place" >"$work/out" 2>&1
    ok "$place: the report" has "The simulated cluster $place" "$work/$place/report.html"
    ok "$place: what was fitted comes back within 2 %" awk '
        /class="number">[-+][0-9.]*<\/td><td>fitted</ {
            percent = $0
            sub(/<\/td><td>fitted<.*/, "", percent)
            sub(/.*>/, "", percent)
            n++
            if (percent + 0 < -2 || percent + 0 > 2) { print "# off by " percent " %"; bad = 1 }
        }
        END { exit bad || !n }' "$work/$place/report.html"
    programs=$(echo "$XDG_CACHE_HOME"/clustermark/simulated-*)
    "$data/fit" $place "$programs" "$work/$place.xml" >"$work/out" 2>&1
    ok "$place: a fit done again ends well" test $? -eq 0 || show "$work/out"
    ok "$place: and gives the same file" cmp "$data/$place.xml" "$work/$place.xml"
done
finish
