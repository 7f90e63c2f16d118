#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# places.sh: `clustermark places` and `clustermark run --place`: what is refused; the cluster of the
# ICTP from one command to the report, with the numbers that it was fitted to and those that it must
# predict; a fit that is done again. The simulator's programs are kept in ./simulated.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

XDG_CACHE_HOME=$(pwd)/simulated; export XDG_CACHE_HOME
data=$srcdir/../clusters/simulated

# refused STATUS REGEX COMMAND...: it ends with this status and one line that matches.
refused()
{
    wanted=$1 regex=$2; shift 2
    status=0
    "$@" >"$work/out" 2>"$work/err" || status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c . "$work/err")" -eq 1 ] \
        && grep -q -e "$regex" "$work/err" && return
    echo "# status $status"; show "$work/err"; false
}

# ---- without SimGrid -----------------------------------------------------------------------------

every_place()
{
    for file in "$data"/*.place; do has "^$(basename "$file" .place) " "$1" || return; done
}
"$suite" places >"$work/places" 2>&1
ok "places has a line for each place" every_place "$work/places"
ok "an unknown place" refused 2 'no such place; there are: .*ictp' \
    "$suite" run --place nowhere "$work/d"
ok "a place with hosts" refused 2 'has hosts of its own' \
    "$suite" run --place ictp --hosts a,b "$work/d"
no_simgrid() { mkdir -p "$work/empty"; PATH=$work/empty "$suite" run --place ictp "$work/d"; }
ok "SimGrid is missing" refused 3 'needs SimGrid, whose smpirun is not there' no_simgrid
# A build tree of its own, whose sources have other places.
tree=$work/tree source=$work/source
mkdir -p "$tree/suite" "$source/clusters/simulated" "$work/bin"
: >"$tree/config.status"
echo "top_srcdir = $source" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
real=$(cd "$srcdir/.." && pwd)
for name in suite netpipe network; do ln -s "$real/$name" "$source/$name"; done
other() { "$tree/suite/clustermark" run --place "$1" "$work/d-$1"; }
{ cat "$data/ictp.place"; echo 'item: netpipe:eager_latency_us | guessed | 1'; } \
    >"$source/clusters/simulated/wrong.place"
ok "a wrong line of a place" refused 3 "wrong.place:[0-9]*: item: 'guessed': expected fitted" \
    other wrong
sed '/^run: bis/s/ 8 | 10/ 21 | 10/' "$data/ictp.place" >"$source/clusters/simulated/wrong.place"
ok "a place with too few hosts" \
    refused 3 "wrong.place:[0-9]*: run: '21': expected as many" other wrong
sed '/^run: bis/s/bisection/bisect/' "$data/ictp.place" >"$source/clusters/simulated/wrong.place"
ok "a place that runs what is not there" refused 3 "'bisect': expected a run" other wrong

# ---- with SimGrid --------------------------------------------------------------------------------

# The simulated programs are the same whatever backend is built here, and building them takes longer
# than all else: one backend tests them.
why=
[ "${TEST_COMM-unknown}" = mpi ] || why="the backend is ${TEST_COMM-unknown}, not mpi"
for tool in smpirun smpicc smpif90; do
    [ -z "$why" ] && ! command -v $tool >/dev/null 2>&1 && why="SimGrid's $tool is not there"
done
[ ! -x "$real/configure" ] && why="the sources have no configure"
[ -e "$real/config.status" ] && why="the sources are configured themselves"
if [ -n "$why" ]; then
    skip "the cluster of the ICTP" "$why"
    finish
fi

"$suite" run --place ictp "$work/ictp" >"$work/out" 2>&1
ok "the cluster of the ICTP: all runs pass" test $? -eq 0 || show "$work/out"
ok "run.txt says the place" has '^place: ictp$' "$work/ictp/run.txt"
ok "a result says the place" has '^# place: ictp$' "$work/ictp/netpipe.txt"
ok "a simulation is not disturbed" has '^# disturbed: 0 of' "$work/ictp/netpipe.txt"

# fit_of FILE MODEL KEY; within PERCENT GOT WANT.
fit_of()
{
    sed -n "s/^# fit: model=$2 .*\\b$3=\\([^ ]*\\).*/\\1/p" "$work/ictp/$1.txt" | head -n 1
}
within()
{
    awk -v p="$1" -v got="$2" -v want="$3" \
        'BEGIN { exit !(got >= want * (1 - p / 100) && got <= want * (1 + p / 100)) }' \
        || { echo "# got $2, want $3 within $1 %"; false; }
}
ok "fitted: eager latency" within 2 "$(fit_of netpipe two_lines eager_latency_us)" 104
ok "fitted: eager bandwidth" within 2 "$(fit_of netpipe two_lines eager_bandwidth_MB_per_s)" 5.58
ok "fitted: rendezvous latency" within 2 "$(fit_of netpipe two_lines rendezvous_latency_us)" 5230
ok "fitted: rendezvous bandwidth" \
    within 2 "$(fit_of netpipe two_lines rendezvous_bandwidth_MB_per_s)" 10.6
ok "predicted: 8 nodes, latency" within 3 "$(fit_of bisection-8 short latency_us)" 107
ok "predicted: 8 nodes, bandwidth" within 3 "$(fit_of bisection-8 short bandwidth_MB_per_s)" 5.64
ok "predicted: 16 nodes, latency" within 3 "$(fit_of bisection-16 short latency_us)" 108
ok "predicted: 16 nodes, bandwidth" within 3 "$(fit_of bisection-16 short bandwidth_MB_per_s)" 5.70

ok "a folder of a place takes no other results" \
    refused 2 'holds a run of profile simulation, not quick' \
    "$suite" run --only netpipe --launches 1 --ranks 20 "$work/ictp"
"$suite" report "$work/ictp" >"$work/out" 2>&1
ok "the report" test $? -eq 0 || show "$work/out"
page=$work/ictp/report.html
ok "the report names the place" has 'The simulated cluster ictp' "$page"
ok "the report has what was fitted" has '4 fitted numbers: median deviation 0' "$page"
ok "the report has what was predicted" has '9 predicted numbers: median deviation' "$page"

programs=$(echo "$XDG_CACHE_HOME"/clustermark/simulated-*)
if command -v python3 >/dev/null 2>&1; then
    "$data/fit" ictp "$programs" "$work/again.xml" >"$work/out" 2>&1
    ok "a fit done again ends well" test $? -eq 0 || show "$work/out"
    ok "and gives the same file" cmp "$data/ictp.xml" "$work/again.xml"
else
    skip "a fit done again" "python3 is not there"
fi

# The Tyan PSC T-630: rows of the farm.
"$suite" run --place tyan "$work/tyan" >"$work/out" 2>&1
ok "the Tyan PSC T-630: all runs pass" test $? -eq 0 || show "$work/out"
# million WORKERS BATCH: its time of 10^6 units.
million()
{
    awk -v workers="$1" -v batch="$2" '
        /^#/ { next }
        !column { for (k = 1; k <= NF; k++) if ($k == "million_units_s") column = k; next }
        $1 == workers && $2 == batch { print $column }' "$work/tyan/farm.txt"
}
ok "fitted: 1 slave, batches of 100" within 2 "$(million 1 100)" 203.3
ok "fitted: 1 slave, batches of 1" within 2 "$(million 1 1)" 212.5
ok "fitted: 19 slaves, batches of 1" within 2 "$(million 19 1)" 27.3

# Programs that are there already, and a platform that SimGrid cannot read.
cp "$data/ictp.place" "$source/clusters/simulated/wrong.place"
echo '<platform version="4.1"><zone id="a"' >"$source/clusters/simulated/wrong.xml"
printf '#!/bin/sh\n: >config.status\n' >"$source/configure"
printf '#!/bin/sh\nmkdir -p netpipe\nln -sf "%s/netpipe/cm-netpipe" netpipe\n' "$programs" \
    >"$work/bin/make"
chmod +x "$source/configure" "$work/bin/make"
broken()
{
    XDG_CACHE_HOME=$work/cache PATH=$work/bin:$PATH "$tree/suite/clustermark" run --place wrong \
        "$work/d-broken" 2>"$work/all"
    status=$?
    grep -v 'building the programs' "$work/all" >&2
    return $status
}
ok "a broken platform" refused 3 'SimGrid does not take .*wrong.xml' broken
# smpirun would take the name apart.
ok "a folder with a blank" refused 2 'has a blank' "$suite" run --place ictp "$work/a b"
finish
