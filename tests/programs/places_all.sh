#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# places_all.sh: each fit of a simulated cluster done again gives the same file; each small cluster
# runs and has all its numbers in the report; the installed package does it too. places.sh has
# ICTP's.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

XDG_CACHE_HOME=$(pwd)/simulated; export XDG_CACHE_HOME
data=$srcdir/../clusters/simulated

for tool in smpirun smpicc smpif90 python3; do
    command -v $tool >/dev/null 2>&1 && continue
    echo "1..0 # SKIP $tool is not there"
    exit 0
done
if [ ! -x "$srcdir/../configure" ] || [ -e "$srcdir/../config.status" ]; then
    echo '1..0 # SKIP there are no sources to build, or they are configured themselves'
    exit 0
fi

# run_and_report PLACE [BESIDE]
run_and_report()
{
    "$suite" run --place "$1" "$work/$1" >"$work/out" 2>&1
    ok "$1: all runs pass" test $? -eq 0 || show "$work/out"
    "$suite" report ${2:+--beside "$work/$2"} "$work/$1" >"$work/out" 2>&1
    ok "$1: the report" has "The simulated cluster $1" "$work/$1/report.html"
}
# Of the report's table of this place, which comes first.
fitted_within()
{
    awk '
        /<section id="beside"/ { exit }
        /<section id="place"/ { inside = 1 }
        inside && /class="number">[-+][0-9.]*<\/td><td>fitted</ {
            percent = $0
            sub(/<\/td><td>fitted<.*/, "", percent)
            sub(/.*>/, "", percent)
            n++
            if (percent + 0 < -2 || percent + 0 > 2) { print "# off by " percent " %"; bad = 1 }
        }
        END { exit bad || !n }' "$work/$1/report.html"
}
fit_again()
{
    programs=$(echo "$XDG_CACHE_HOME"/clustermark/simulated-*)
    "$data/fit" "$1" "$programs" "$work/again-$1" >"$work/out" 2>&1
    ok "$1: a fit done again ends well" test $? -eq 0 || show "$work/out"
    for suffix in xml place; do
        [ $suffix = place ] && [ ! -e "$work/again-$1.place" ] && continue
        ok "$1: and gives the same .$suffix" cmp "$data/$1.$suffix" "$work/again-$1.$suffix"
    done
}

for place in alpha-fe alpha-gige p4 parapc power3-gige power3-jumbo tyan; do
    run_and_report $place
    ok "$place: what was fitted comes back within 2 %" fitted_within $place
    fit_again $place
done
run_and_report alpha-dual-fe alpha-fe
ok "alpha-dual-fe: what was fitted comes back within 2 %" fitted_within alpha-dual-fe
fit_again alpha-dual-fe
for place in alpha-torus infiniband parapc-next scalable-unit; do
    run_and_report $place
done

# Ben Fradj's longest lists take 12 GB of memory at icluster and 7 GB at albus-ethernet.
free_MB=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1000))
large=
if [ $free_MB -gt 14000 ]; then
    run_and_report icluster
    large="icluster albus-ethernet albus-myrinet"
else skip 'icluster, albus-ethernet, albus-myrinet' "14 GB of memory are not free"
fi

# Albus: the gains of Myrinet, computed from both of its networks, and the paper's other claims.
albus()
{
    "$suite" run --place albus-ethernet "$work/albus-ethernet" >"$work/out" 2>&1
    ok "albus-ethernet: all runs pass" test $? -eq 0 || show "$work/out"
    run_and_report albus-myrinet albus-ethernet
    "$suite" report --beside "$work/albus-myrinet" "$work/albus-ethernet" >"$work/out" 2>&1
    for place in albus-ethernet albus-myrinet; do
        ok "$place: what was fitted comes back within 2 %" fitted_within $place
    done
    fit_again albus-ethernet
    # gain PROGRAM PROCESSES SIZE: of Myrinet, in percent.
    gain()
    {
        for network in ethernet myrinet; do
            awk -v p="$2" -v size="$3" '
                /^#/ { next }
                !at { for (k = 1; k <= NF; k++) if ($k == "median_s") at = k; next }
                $1 == p && $2 == size { print $at; exit }' "$work/albus-$network/$1.txt"
        done | awk 'NR == 1 { slow = $1 } NR == 2 { printf "%.2f\n", 100 * (slow - $1) / slow }'
    }
    above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }' || { echo "# $1, $2"; false; }; }
    ok "the larger the matrices, the smaller the gain: section 3" \
        above "$(gain matmul 6 500)" "$(gain matmul 6 2000)"
    ok "list ranking gains more than sorting with 4 processes: section 4" \
        above "$(gain listrank 4 10000000)" "$(gain sort 4 10000000)"
    ok "and sorting more than products" above "$(gain sort 4 10000000)" "$(gain matmul 4 2000)"
}
[ -z "$large" ] || albus

# The manual's numbers are those that came out; some belong to two places.
"$suite" report --beside "$work/p4" "$work/parapc" >"$work/out" 2>&1
"$suite" report --beside "$work/parapc" "$work/p4" >"$work/out" 2>&1
for place in $large alpha-dual-fe alpha-fe alpha-gige alpha-torus infiniband p4 parapc parapc-next \
    power3-gige power3-jumbo scalable-unit tyan; do
    ok "$place: the manual's tables have these numbers" \
        python3 "$data/reproduction" --check "$srcdir/../doc/reproduction.texi" "$srcdir/.." \
        "$work/$place"
done

# What make install installs is enough.
if make -C .. install DESTDIR="$work/inst" >"$work/out" 2>&1; then
    there=$(find "$work/inst" -name "clustermark-$comm" -path '*/bin/*')
    XDG_CACHE_HOME=$work/cache "$there" run --place p4 "$work/installed" >"$work/out" 2>&1
    ok "the installed package simulates" test $? -eq 0 || show "$work/out"
else
    ok "make install" false
    show "$work/out"
fi
finish
