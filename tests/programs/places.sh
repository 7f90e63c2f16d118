#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# places.sh: `clustermark places` and `clustermark run --place`: what is refused; the cluster of the
# ICTP from one command to the report, with the numbers that it was fitted to and those that it must
# predict; a fit that is done again; what computing costs; an installed package. The simulator's
# programs are kept in ./simulated.
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
mkdir "$work/some"
: >"$work/some/netpipe.txt"
ok "report --beside a folder that is not there" refused 2 'none is not a folder' \
    "$suite" report --beside "$work/none" "$work/some"
ok "report --beside a folder without results" refused 2 'bin holds no results' \
    "$suite" report --beside "$work/bin" "$work/some"

# The manual's tables of all items: with each item at each of its places, and no others.
reproduction=$data/reproduction
tables=$srcdir/../doc/reproduction.texi
if command -v python3 >/dev/null 2>&1; then
    ok "the manual has every item of the papers" \
        python3 "$reproduction" --check "$tables" "$srcdir/.."
    sed '0,/^@c netpipe:eager_latency_us | ictp/{/^@c netpipe:eager_latency_us/d}' "$tables" \
        >"$work/one-less.texi"
    ok "and its check finds one that is missing" refused 1 'eager_latency_us ictp: in one only' \
        python3 "$reproduction" --check "$work/one-less.texi" "$srcdir/.."
else
    skip "the manual has every item of the papers" "python3 is not there"
fi

# ---- with SimGrid --------------------------------------------------------------------------------

# The simulated programs do not depend on this build's backend, and building them takes longer than
# everything else, so only one backend tests them.
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
ok "it has the hosts" has 'hosts, all alike[.]' "$page"
ok "it does not give them this machine's processors" sh -c '! grep -q "All have:" "$1"' - "$page"
ok "the folder says over what it is: the simulator's MPI" has '^comm: mpi$' "$work/ictp/run.txt"
ok "the report has what was fitted" has '4 fitted numbers: median deviation 0' "$page"
ok "the report has what was predicted" has '11 predicted numbers: median deviation' "$page"

# Beside other results, the simulated cluster's results take the place of this machine's.
cp -R "$work/ictp" "$work/mine"
"$suite" report --beside "$work/ictp" "$work/mine" >"$work/out" 2>&1
ok "the report of results beside others" test $? -eq 0 || show "$work/out"
page=$work/mine/report.html
ok "it says what is beside" has 'In green in the figures: simulated ictp' "$page"
ok "it has the numbers of both" test "$(grep -c '4 fitted numbers: median' "$page")" -eq 2
if command -v gnuplot >/dev/null 2>&1; then
    ok "the figures have both" has '>simulated ictp<' "$work/mine/netpipe-throughput.svg"
fi
ok "no link is left" test -z "$(find "$work/mine" -name '*.beside')"

programs=$(echo "$XDG_CACHE_HOME"/clustermark/simulated-*)
if command -v python3 >/dev/null 2>&1; then
    "$data/fit" ictp "$programs" "$work/again" >"$work/out" 2>&1
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

# What the manual says of both is what came out.
if command -v python3 >/dev/null 2>&1; then
    "$suite" report "$work/tyan" >"$work/out" 2>&1
    ok "the manual's tables have these numbers" \
        python3 "$reproduction" --check "$tables" "$srcdir/.." "$work/ictp" "$work/tyan"
    sed 's/\(^@c bisection:short_8_latency_us | ictp | 1\).*/\19/' "$tables" >"$work/other.texi"
    ok "and the check finds another number" refused 1 'short_8_latency_us at ictp: 10' \
        python3 "$reproduction" --check "$work/other.texi" "$srcdir/.." "$work/ictp"
fi

# Compares the simulated cost of computing on one process with the formulas. The platform has 450
# Mflop/s and a clock rate.
sed 's|\(sharing_policy="SPLITDUPLEX"\)/>|\1><prop id="clock_hz" value="450e6"/></cluster>|' \
    "$data/ictp.xml" >"$work/clock.xml"
echo pc1 >"$work/clock.hosts"
# cost COLUMN PROGRAM OPTIONS: the last row's value.
cost()
{
    column=$1 program=$programs/$2; shift 2
    CM_SIM_ITEM_NS=10 timeout 60 smpirun -np 1 -platform "$work/clock.xml" \
        -hostfile "$work/clock.hosts" --log=root.thres:critical "$program" "$@" --repeat 1 \
        --quiet --force --output "$work/cost.txt" >"$work/out" 2>&1 || show "$work/out" >&2
    awk -v name="$column" '
        /^#/ { next }
        !column { for (k = 1; k <= NF; k++) if ($k == name) column = k; next }
        { value = $column }
        END { print value }' "$work/cost.txt"
}
once="--warm-up 0 --half-width 0"
# shellcheck disable=SC2086  # options are words
{
    ok "a sort of 2^16 keys costs 16 comparisons a key" \
        within 0.1 "$(cost median_s sscrap/sort/cm-sort --items 65536 $once)" 0.01048576
    ok "cycles are those of the platform's clock" within 0.1 "$(cost cycles_per_item \
        sscrap/sort/cm-sort --items 65536 $once)" 72
    ok "ranking a list costs a visit to each node" \
        within 0.1 "$(cost median_s sscrap/listrank/cm-listrank --items 100000 $once)" 0.001
}
if [ -x "$programs/linpack/cm-linpack" ]; then
    # shellcheck disable=SC2086
    ok "a product of order 300 costs 2 n^3 operations" \
        within 0.1 "$(cost median_s sscrap/matmul/cm-matmul --order 300 $once)" 0.12
    ok "LINPACK by panels costs 2 n^3 / 3 + 2 n^2 operations" \
        within 1 "$(cost median_s linpack/cm-linpack --order 300)" 0.0404
fi

# Messages cost nothing, and the clock moves by a nanosecond when it is read: cm-collective's
# batches and waits must still end. Polling for messages (cm-linpack) needs time that passes.
sed 's/"0:0.3e-6:0"/"0:0:0"/' "$data/fat-tree.xml" >"$work/free.xml"
seq 1 16 | sed 's/^/n/' >"$work/free.hosts"
# free PROGRAM OPTIONS: on 16 ranks.
free()
{
    program=$programs/$1; shift
    timeout 60 smpirun -np 16 -platform "$work/free.xml" -hostfile "$work/free.hosts" \
        --log=root.thres:critical "$program" "$@" --half-width 0 --warm-up 0 --quiet --force \
        --output "$work/free.txt" >"$work/out" 2>&1 && has '^# RESULT: PASS' "$work/free.txt" \
        || { show "$work/out"; false; }
}
ok "broadcasts back to back whose messages cost nothing" free network/collective/cm-collective \
    --operation bcast --algorithm linear --lower 8 --upper 8 --repetition back-to-back --samples 1
ok "barriers, begun in windows" free network/collective/cm-collective --operation barrier \
    --algorithm linear,doubling --repetition separated --sync window --samples 1
ok "linear equations by panels" free linpack/cm-linpack --order 64 --panel 16 --repeat 1
ok "the rate of the product is that of the hosts" has '^# gemm_Gflop_per_s: 1600$' "$work/free.txt"
# Slices whose rows are short messages and long ones (more than smpi/async-small-thresh).
seq 1 4 | sed 's/^/n/' >"$work/four.hosts"
slices()
{
    timeout 60 smpirun -np 4 -platform "$data/fat-tree.xml" -hostfile "$work/four.hosts" \
        --log=root.thres:critical "$programs/linpack/cm-linpack" --grid rows --order 600 \
        --panel 64 --look-ahead 1 --slices 1 --repeat 1 --half-width 0 --warm-up 0 --quiet \
        --output "$work/slices.txt" >"$work/out" 2>&1 && has '^# RESULT: PASS' "$work/slices.txt"
}
ok "linear equations by panels, rows dealt out, with look-ahead" slices
# smpif90 by itself lets REAL functions return a double. OpenBLAS's oldest sdot has only a REAL.
with_old_kernels()
(
    OPENBLAS_CORETYPE=Prescott; export OPENBLAS_CORETYPE
    free "$@"
)
ok "linear equations in single precision with old kernels" with_old_kernels linpack/cm-linpack \
    --order 200 --precision single --repeat 1
ok "BSP's parameters: computing takes time" free sscrap/bspbench/cm-bspbench --items 0 --nodes 0 \
    --order 0 --words 8 --block 1024 --repetitions 4 --repeat 1
ok "the rate is that of the hosts" \
    near "$(sed -n 's/^# RESULT: PASS r_flop_per_s \([^ ]*\) .*/\1/p' "$work/free.txt")" 1e11

# An installed package has packed sources, here with a configure of their own.
inst=$work/inst share=$work/inst/share/clustermark
mkdir -p "$inst/bin" "$share/clusters/simulated" "$work/packed/clustermark-source"
cp "$suite" "$inst/bin/clustermark"
for name in suite netpipe network; do ln -s "$real/$name" "$share/$name"; done
cp "$data"/p4.* "$share/clusters/simulated"
installed()
{
    XDG_CACHE_HOME=$work/cache-inst PATH=$work/bin:$PATH "$inst/bin/clustermark" run --place p4 \
        "$1" 2>"$work/all"
    status=$?
    grep '^clustermark: run: --place' "$work/all" >&2
    return $status
}
printf '#!/bin/sh\n: >config.status\n' >"$work/packed/clustermark-source/configure"
chmod +x "$work/packed/clustermark-source/configure"
printf '#!/bin/sh\nmkdir -p netpipe network\nfor p in netpipe network/patterns; do\n%s\ndone\n' \
    "    rm -rf \$p; ln -s '$programs'/\$p \$p" >"$work/bin/make"
chmod +x "$work/bin/make"
ok "installed without sources" refused 3 'source.tar.gz cannot be read' installed "$work/d-inst"
echo 'no tar' >"$share/source.tar.gz"
ok "installed with sources that are broken" refused 3 'unpack failed' installed "$work/d-inst"
(cd "$work/packed" && tar cf - clustermark-source | gzip -c) >"$share/source.tar.gz"
installed "$work/installed" >/dev/null 2>&1
ok "an installed package: its sources are unpacked and run" test $? -eq 0 || show "$work/all"
ok "and simulate" has '^# place: p4$' "$work/installed/patterns-ping-pong.txt"

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
