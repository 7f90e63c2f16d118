#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_compare.sh: `clustermark compare` on made-up results whose answer is known.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset TMPDIR
jq=$(command -v jq)

# result FILE PROGRAM METRIC VALUE [MTU [PASS|FAIL [HOST]]]: one launch, with two rows.
result()
{
    cat >"$1" <<END
# program: cm-$2
# date: $(basename "$1")
# command: cm-$2 --output $1
# host: ${7:-here}
# nic: eth0 mtu_bytes=${5:-1500}
# memory_free_bytes: $4
# core_clock_hz: $4
# sweeps: 1
 size_bytes  transfer   n      min_s  median_s  sweep
          8      word  99  $4e-9  $4e-6      1
         64     block  99  $4e-9  7e-6      1
# CHECK: wrong_bytes: 0 == 0  PASS
# RESULT: ${6:-PASS} $3 $4 us
# RESULT: PASS other_us $4 us better=low
END
}
# launches DIR NAME PROGRAM METRIC MTU VALUE...: a launch with each value.
launches()
{
    dir=$work/$1 called=$2 program=$3 metric=$4 mtu=$5 k=0; shift 5
    mkdir -p "$dir/launches"
    for value; do
        k=$((k + 1))
        result "$dir/launches/$called.$k.txt" "$program" "$metric" "$value" "$mtu"
    done
    cp "$dir/launches/$called.1.txt" "$dir/$called.txt"
}
compare() { (cd "$work" && "$suite" compare "$@") >"$work/out" 2>"$work/err"; }
# ends STATUS ARGUMENT...
ends()
{
    expected=$1; shift
    compare "$@"
    got=$?
    [ $got -eq "$expected" ] || { echo "# status $got"; show "$work/err" "$work/out"; false; }
}
# says STATUS REGEX ARGUMENT...: exactly one line on stderr.
says()
{
    regex=$2 status=$1; shift 2
    ends "$status" "$@" && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "$regex" "$work/err" ||
        { show "$work/err"; false; }
}
# In the text, in its lines, in none of them.
told() { tr '\n' ' ' <"$work/out" | grep -q -e "$1" || { show "$work/out"; false; }; }
shown() { grep -q -e "$1" "$work/out" || { show "$work/out"; false; }; }
hidden() { ! grep -q -e "$1" "$work/out" || { show "$work/out"; false; }; }

# ---- Verdicts ------------------------------------------------------------------------------------

# A latency 1.5 times as long, a bandwidth 1.25 times as high, a metric that differs by less than a
# per cent, and one whose launches differ too much. Logarithms of the ratios are symmetrical, so
# that the estimates are exact. The smallest p of 6 and 6 launches is 2 / 924.
launches base netpipe netpipe latency_us 1500 100 101 102 103 104 105
launches new netpipe netpipe latency_us 9000 150 151.5 153 154.5 156 157.5
launches base stream stream triad_MB_per_s 1500 1000 1010 1020 1030 1040 1050
launches new stream stream triad_MB_per_s 9000 1250 1262.5 1275 1287.5 1300 1312.5
launches base hint hint net_quips_double 1500 1000 1001 1002 1003 1004 1005
launches new hint hint net_quips_double 9000 1000 1001 1002 1003 1004 1005
launches base loggp loggp half_trip_us 1500 1 2 4 8 16 32
launches new loggp loggp half_trip_us 9000 2 4 8 16 32 64
echo 'no such program' >"$work/new/farm.skipped"
ok 'two folders are compared' ends 0 base new
ok 'a longer latency is slower' shown '^slower  *1\.50 \[1\.44, 1\.56\] .* netpipe:latency_us$'
ok 'a higher bandwidth is faster' shown '^faster  *1\.25 \[1\.20, 1\.30\] .* stream:triad_MB_per_s$'
ok 'within the margin: the same' shown '^the same  *1\.00 \[0\.99[0-9], 1\.00\] .* hint:'
ok 'wide and not rejected: cannot tell' shown '^cannot tell  *2\.00 \[.*\] .* loggp:half_trip_us$'
ok 'medians of both, with their unit' shown ' 102  *154 us  *netpipe:latency_us$'
verdicts()
{
    awk '/^Further/ { exit } /^(slower|faster|the same|cannot tell)/ { print $NF }' "$work/out"
}
ok 'the largest change comes first' [ "$(echo $(verdicts))" = \
    'loggp:half_trip_us netpipe:latency_us stream:triad_MB_per_s hint:net_quips_double' ]
ok 'four tests share the false alarms' told 'false alarm among the 4 tests at 5 % or less'
ok 'metadata that differ are told' shown 'nic: eth0 mtu_bytes=1500 -> eth0 mtu_bytes=9000$'
ok 'before the verdicts' [ "$(grep -n 'nic:' "$work/out" | cut -d : -f 1)" -lt \
    "$(grep -n -m 1 '^slower' "$work/out" | cut -d : -f 1)" ]
ok 'dates, commands and free memory are not' hidden 'date\|command\|memory_free'
ok 'what was skipped is told' shown 'farm skipped: no such program'
ok 'other metrics are shown without a verdict' \
    shown '^ *1\.50 (1\.43, 1\.5[78]) .* 102  *154 us  *low  *netpipe:other_us$'
ok 'and so are rows, by the columns that the table names' \
    told ' 1\.50 (1\.43, 1\.5[78])  *102  *154 us  *low  *netpipe:median_s size_bytes=8 '
ok 'each with its own' \
    told ' 1\.00 -  *7\.00  *7\.00 us  *low  *netpipe:median_s size_bytes=64 '
ok 'none of them with an interval, which would look like proof' \
    [ -z "$(awk '/^Other metrics/ { on = 1 } /^Ratios are/ { on = 0 } on && /\[/' "$work/out")" ]
ok 'without the only sweep, and what else stands there' hidden 'netpipe.*\(sweep\|transfer\)='
ok 'without these columns by what stands in front of n' \
    told ' 1\.25 [^=]* stream:median_s size_bytes=8 transfer=word '
ok '80 columns are enough' [ "$(awk 'length > 80' "$work/out" | wc -l)" -eq 0 ]
ok 'some of the rows' ends 0 --rows 1 base new
ok 'are counted' shown '^Rows, .*, 1 of 8:$'

ok 'the other way round' ends 0 new base
ok 'slower is faster' shown '^faster  *0\.667 \[.*netpipe:latency_us$'
ok 'and faster slower' shown '^slower  *0\.800 \[.*stream:triad_MB_per_s$'
ok 'a result and itself' ends 0 base base
ok 'have no difference' shown '^Machine, build and settings are the same'
ok 'and no verdict says one' hidden '^slower\|^faster'

# What launches measure; what changes from launch to launch, in another order; what some lack.
launches once linpack linpack hpl_Gflop_per_s 1500 1 2 3
launches again linpack linpack hpl_Gflop_per_s 1500 1 2 3
# meta SIDE LAUNCH LINE...: adds metadata to one launch.
meta()
{
    dir=$work/$1 file=$work/$1/launches/linpack.$2.txt; shift 2
    for line; do sed -i "s/^# sweeps/# $line\n&/" "$file"; done
    cp "$dir/launches/linpack.1.txt" "$dir/linpack.txt"
}
meta once 1 'blas_threads_busy: 0.98' 'ring_latency_us: 0.5' 'triad_passes: 12' \
    'unexpected_bytes_most: 64' 'copy_ways: 32768:ring' 'quantum_steps: 990' \
    'costs: base: flop_s=3.2e-11' 'model: base: order=60 predicted_s=0.00018'
meta once 2 'binding: 1'
meta again 1 'binding: 1'
ok 'two results that differ only in what they measure' ends 0 once again
ok 'have no difference, whatever the order of the launches' \
    shown '^Machine, build and settings are the same'
meta again 3 'binding: 0'
ok 'one with a further value' ends 0 once again
ok 'has one, and the launch without it has none' shown '^  binding: 1 or none -> 0 or 1 or none'
meta again 1 'spin_us: 0' 'clock_source: hpet' 'udp_rate_Mbit_per_s: 10' 'stream_sample_s: 1'
meta once 1 'spin_us: 100000' 'clock_source: tsc' 'udp_rate_Mbit_per_s: 20' 'stream_sample_s: 2'
ok 'what was set, with the same units' ends 0 once again
ok 'is a difference' shown '^  spin_us: 100000 or none -> 0 or none'
ok 'so is a rate' shown '^  udp_rate_Mbit_per_s: 20 or none -> 10 or none'
ok 'and how long a stream is' shown '^  stream_sample_s: 2 or none -> 1 or none'
ok 'and the clock' shown '^  clock_source: none or tsc -> hpet or none'

ok 'a wide margin' ends 0 --margin 60 base new
ok 'makes a slower one the same' shown '^the same  *1\.50'
ok 'no margin' ends 0 --margin 0 base new
ok 'leaves none the same' hidden '^the same'

# A value of 0 or below has no ratio; the test needs none. Eight and eight launches that do not
# overlap have a p of 2 / 12870.
launches clean noise noise lost_percent 1500 0 0 0 0 0 0 0 0
launches noisy noise noise lost_percent 1500 50 51 52 53 54 55 56 57
launches below noise noise lost_percent 1500 -9 -8 -7 -6 -5 -4 -3 -2
sed -i 's/lost_percent .* us$/& better=low/' "$work"/clean/launches/* \
    "$work"/noisy/launches/* "$work"/below/launches/*
ok 'what was 0 and is not any more is slower' ends 1 --fail-on slower clean noisy
ok 'and has no ratio' shown '^slower  *-  *-  *-  *0  *53\.5 us  *noise:lost_percent$'
ok 'the other way round it is faster' ends 0 --fail-on slower noisy clean
ok 'by the values' shown '^faster  *-  *-  *-  *53\.5  *0 us  *noise:lost_percent$'
ok 'from below 0' ends 1 --fail-on slower below noisy
ok 'nothing but 0 on both sides' ends 0 --fail-on slower clean clean
ok 'tells nothing' shown '^cannot tell  *-  *-  *-  *0  *0 us  *noise:lost_percent$'

# ---- Few launches --------------------------------------------------------------------------------

launches few netpipe netpipe latency_us 1500 100
launches more netpipe netpipe latency_us 1500 200
ok 'one launch a side' ends 0 few more
ok 'has a ratio alone' shown '^one launch  *2\.00 - .*netpipe:latency_us'
ok 'and says what one launch is worth' told 'One launch cannot tell'
ok 'nothing to tell does not pass' says 3 \
    'could not have been seen in 2 of 2 tested metrics: netpipe:latency_us (1 and 1 launch' \
    --fail-on slower few more
launches few netpipe netpipe latency_us 1500 100 101 102
launches more netpipe netpipe latency_us 1500 200 202 204
ok 'three launches a side' ends 0 few more
ok 'have a range' shown '^not tested  *2\.00 (1\.96, 2\.04) .*netpipe:latency_us'
ok 'and it is said how many would do' told '6 launches a side'
ok 'first of all' [ "$(grep -n 'So few launches cannot tell' "$work/out" | cut -d : -f 1)" = 1 ]
ok 'which is status 3' says 3 'netpipe:latency_us (3 and 3 launches; 6 a side would do)' \
    --fail-on slower few more

# ---- A loss that could not have been seen --------------------------------------------------------

# With launches spread over a factor of 32, a loss of 25 % is not visible; a second metric has a
# verdict.
for side in wide_base wide_new; do
    launches $side loggp loggp half_trip_us 1500 1 2 4 8 16 32
    launches $side netpipe netpipe latency_us 1500 100 101 102 103 104 105
done
ok 'one of two metrics could not have been seen' says 3 \
    'could not have been seen in 1 of 3 tested metrics: loggp:half_trip_us (visible: a' \
    --fail-on slower wide_base wide_new
ok 'as --fail-on different' says 3 'loggp:half_trip_us' --fail-on different wide_base wide_new
ok 'without --fail-on that is no failure' ends 0 wide_base wide_new
# A deviation of 3 % is narrow enough, one of 20 % is not.
launches narrow_base netpipe netpipe latency_us 1500 100 104 97 101 98 103
launches narrow_new netpipe netpipe latency_us 1500 103 97 100 105 96 102
ok 'what could have been seen passes' ends 0 --fail-on slower --margin 0 narrow_base narrow_new
ok 'though no verdict was given' shown '^cannot tell .*netpipe:latency_us$'
launches rough_base netpipe netpipe latency_us 1500 100 125 80 130 90 110
launches rough_new netpipe netpipe latency_us 1500 125 82 100 128 92 108
ok 'what could not does not' says 3 'netpipe:latency_us (visible' \
    --fail-on slower rough_base rough_new
ok 'a loss that is seen is status 1, whatever else could not be' ends 1 --fail-on slower base new

# ---- States over launches ------------------------------------------------------------------------

# Two states with different shares: 2 of 6 and 4 of 6. Within the higher state, new takes 1.1 times
# as long.
launches two_base netpipe netpipe latency_us 1500 22 9.3 22 22 9.3 22
launches two_new netpipe netpipe latency_us 1500 9.3 9.3 24.2 9.3 24.2 9.3
states='two states: base 9.30 in 2 of 6, 22.0 in 4; new 9.30 in 4 of 6, 24.2 in 2;'
within='ratio 1.00 within the lower, 1.10 within the higher'
ok 'states over launches' ends 0 two_base two_new
unfolded() { tr -s ' \n' ' ' <"$work/out" | grep -q -e "$1" || { show "$work/out"; false; }; }
ok 'are said instead of the median' unfolded "mixed mixed us netpipe:latency_us $states"
ok 'compared within' unfolded "$within;"
# Four or more of new's six in the lower one where six of the twelve are: 2 * (225 + 36 + 1) / 924.
ok 'and by their shares' unfolded \
    'the higher state: 4 of 6 launches before, 2 of 6 now: cannot tell (p = 0.567)'
# In the lower state all are equal; in the higher one, 2 values of 24.2 above 4 of 22 are 1 way of
# 15.
ok 'with a verdict from within' unfolded 'cannot tell 1.05 (1.00, 1.10) 1.06 mixed'
ok 'rows have them, too' unfolded \
    "mixed mixed us low netpipe:median_s size_bytes=8 $states $within "
# Twelve launches a side, as many in each state, and 1.25 times as long in both.
launches both_base netpipe netpipe latency_us 1500 10 20 10.1 20.2 10.2 20.4 10.3 20.6 10.4 20.8 \
    10.5 21
launches both_new netpipe netpipe latency_us 1500 12.5 25 12.6 25.2 12.7 25.4 12.8 25.6 12.9 25.8 \
    13 26
ok 'a change in both states' ends 1 --fail-on slower both_base both_new
ok 'is found within them' unfolded \
    'slower 1.24 \[1.2[0-9], 1.2[0-9]\] 1.0[0-9] mixed mixed us netpipe:latency_us'
# One state of two before, 11 of 12 launches in the other one now.
launches most_base netpipe netpipe latency_us 1500 10 10 10 10.1 10.1 10.1 10.2 10.2 10.2 10 20 20
launches most_new netpipe netpipe latency_us 1500 10 20 20 20.1 20.1 20.1 20.2 20.2 20.2 20 20 20
ok 'a state that is most launches now' ends 0 most_base most_new
ok 'is said apart' unfolded \
    'slower 1.00 .* higher state: 2 of 12 launches before, 11 of 12 now: differs (p = 6.44e-4)'
ok 'and fails' ends 1 --fail-on slower most_base most_new
ok 'the other way it is a gain' ends 0 --fail-on slower most_new most_base
# Half of the launches in each state, then a quarter: this can happen by chance.
launches some_new netpipe netpipe latency_us 1500 10 10.1 10.1 10.2 10 20.1 10.2 10.2 10.1 20 20 10
ok 'shares that may be alike are named' \
    says 3 'seen in .* netpipe:latency_us (whether the shares of its two states differ)' \
    --fail-on slower both_base some_new
ok 'another build, whose only level is neither' ends 0 two_base narrow_base
ok 'is not compared' unfolded \
    'cannot tell - - - mixed .* new 100 in all 6; not compared: which of them are the same is unk'
launches low_new netpipe netpipe latency_us 1500 9.4 9.3 9.35 9.3 9.2 9.3
ok 'one that has one of the states alone' ends 0 two_base low_new
ok 'is compared within it' unfolded \
    'cannot tell 1.00 .* new 9.30 in all 6; ratio 1.00 within the lower; the higher state: 4 of 6'
ok 'where 2 and 6 launches could have seen no loss' says 3 \
    'netpipe:latency_us (too few launches in the same state)' --fail-on slower two_base low_new
ok 'two builds of one state each' ends 0 base new
ok 'have no states' hidden 'two states'
ok 'a page of states' ends 0 --html states.html two_base two_new
ok 'has them' has "$states" "$work/states.html"

# ---- One result after the other ------------------------------------------------------------------

# dated DIR MINUTE...: the launches were made then.
dated()
{
    dir=$1 k=0; shift
    for minute; do
        k=$((k + 1))
        sed -i "s/^# date: .*/# date: 2026-11-28T10:$minute:00Z/" \
            "$work/$dir/launches/netpipe.$k.txt"
    done
    cp "$work/$dir/launches/netpipe.1.txt" "$work/$dir/netpipe.txt"
}
dated low_new 20 21 22 23 24 25
ok 'launches without dates' ends 0 two_base low_new
ok 'are not said to be in a row' hidden 'after the other'
dated two_base 10 11 12 13 14 15
ok 'launches one after the other' ends 0 two_base low_new
ok 'are noted' told 'one result was measured after the other: a state'
dated two_base 10 11 12 13 14 22
ok 'nor are they the same ones' hidden 'are copies of'
cp -R "$work/two_base" "$work/two_copy"
ok 'copied launches' ends 0 two_base two_copy
ok 'are noted' \
    told 'of two_copy are copies of those of two_base and cannot show a *change: netpipe (6 of 6)'
ok 'launches in turns' ends 0 two_base low_new
ok 'are not' hidden 'after the other'

# Values of different units have no ratio.
launches unit_base netpipe netpipe latency_us 1500 100 101 102 103 104 105
launches unit_new netpipe netpipe latency_us 1500 100 101 102 103 104 105
sed -i '/latency_us/s/ us$/ ms/' "$work/unit_new/netpipe.txt" "$work"/unit_new/launches/*
ok 'a metric in another unit' ends 3 --fail-on slower unit_base unit_new
ok 'is not compared, and that is noted' \
    told 'netpipe:latency_us is not compared: it is in us and in ms'
ok 'it has no ratio' hidden '[0-9] .*netpipe:latency_us$'

# ---- Cores at other distances --------------------------------------------------------------------

squeezed() { tr -s ' \n' ' ' <"$work/out" | grep -qF "$1" || { show "$work/out"; false; }; }
launches near netpipe netpipe latency_us 1500 100 101 102 103 104 105
launches far netpipe netpipe latency_us 1500 150 151 152 153 154 155
sed -i '1a # pair_distance_ns: 12' "$work"/near/netpipe.txt "$work"/near/launches/*.txt
sed -i '1a # pair_distance_ns: 95' "$work"/far/netpipe.txt "$work"/far/launches/*.txt
ok 'launches on cores at other distances' ends 0 near far
ok 'have no verdict' shown '^cannot tell  *1\.4[0-9] .* netpipe:latency_us$'
ok 'and a remark' squeezed 'new 95 ns in 6 of 6 launches: the difference may be that of the'
ok 'which is no difference of the machines' hidden 'pair_distance'
sed -i 's/^# pair_distance_ns: .*/# pair_distance_ns: 13/' "$work"/far/netpipe.txt \
    "$work"/far/launches/netpipe.[12].txt
ok 'where some launches are at one distance' ends 0 near far
ok 'there is a verdict' shown '^slower  *1\.4[0-9] .* netpipe:latency_us$'
ok 'with a remark' squeezed 'new 13 ns in 2 of 6 launches, 95 ns in 4'

# ---- Left out ------------------------------------------------------------------------------------

launches left netpipe netpipe latency_us 1500 100 101 102 103 104 105 106
result "$work/left/launches/netpipe.7.txt" netpipe latency_us 999 1500 FAIL
sed '/RESULT/d' "$work/left/launches/netpipe.6.txt" >"$work/cut"
cp "$work/cut" "$work/left/launches/netpipe.6.txt"
launches left linkmap linkmap slowest_pair_us 1500 1
ok 'launches that failed or did not end' ends 0 base left
ok 'are told' told 'netpipe.7.txt is left out: a metric is FAIL'
ok 'each' told 'netpipe.6.txt is left out: it has no metric'
ok 'and not counted' shown '^new .*(2 benchmarks, 1 to 5 launches)'
ok 'what only one side has is told' told 'only in .*left: linkmap'
echo 'no such program' >"$work/left/farm.skipped"
for side in 'left base' 'base left'; do
    ok 'what either side left out' ends 0 $side
    ok 'a launch of the base, too' [ "$(grep -c 'netpipe.7.txt is left out' "$work/out")" -eq 1 ]
    ok 'and what it skipped' [ "$(grep -c 'left: farm skipped' "$work/out")" -eq 1 ]
done
ok 'of a base of two others' ends 0 left base new
ok 'once' [ "$(tr '\n' ' ' <"$work/out" | grep -o 'netpipe.7.txt is left' | wc -l)" -eq 1 ]
ok 'of a result and itself' ends 0 left left
ok 'once, too' [ "$(grep -c 'left: farm skipped' "$work/out")" -eq 1 ]
ok 'what only one side has, again' ends 0 base left
ok 'in both directions' told 'only in .*base: hint, loggp, stream'

# ---- Single results ------------------------------------------------------------------------------

result "$work/one.txt" netpipe latency_us 10
result "$work/two.txt" netpipe latency_us 20
ok 'two files of one program' ends 0 one.txt two.txt
ok 'are one benchmark' shown '^one launch  *2\.00 .*netpipe:latency_us'
ok 'a file and a folder' ends 0 one.txt few
ok 'as well' shown 'netpipe:latency_us'
in_folder()
{
    (cd "$work/base" && "$suite" compare netpipe.txt ../new/netpipe.txt) >"$work/out" &&
        shown '^slower  *1\.50 \[1\.44, 1\.56\]'
}
# The medians: 102.5 and 153.75.
result "$work/base/netpipe.txt" netpipe latency_us 102.5
result "$work/new/netpipe.txt" netpipe latency_us 153.75
sed -i '1a # launches: 6' "$work/base/netpipe.txt" "$work/new/netpipe.txt"
ok 'two results over launches' ends 0 base/netpipe.txt new/netpipe.txt
ok 'are compared by their launches' shown '^slower  *1\.50 \[1\.44, 1\.56\]'
ok 'and nothing is to be noted' hidden '^Notes:'
ok 'from inside the folder' in_folder
mkdir "$work/mixed"
cp -R "$work/base/launches" "$work/base/netpipe.txt" "$work/mixed"
sed 's/latency_us 102.5/latency_us 99/' "$work/base/netpipe.txt" >"$work/mixed/netpipe.before.txt"
ok 'a changed copy beside the launches' ends 0 mixed/netpipe.before.txt mixed/netpipe.txt
ok 'is not made of them' shown '^one launch  *1\.04 .* 99\.0  *102 us  *netpipe:latency_us$'
ok 'which is noted' told 'netpipe.before.txt counts as one launch'
mv "$work/mixed/netpipe.before.txt" "$work/mixed/netpipe.txt"
ok 'nor is a result beside the launches of another' ends 0 mixed/netpipe.txt base/netpipe.txt
ok 'it is one launch' shown '^one launch  *1\.04 .*netpipe:latency_us$'
ok 'and that is noted' told 'mixed/netpipe.txt counts as one launch: those beside it give other'
rm "$work/mixed/launches/netpipe.3.txt"
cp "$work/base/netpipe.txt" "$work/mixed/netpipe.txt"
ok 'nor if a launch is missing' ends 0 mixed/netpipe.txt new/netpipe.txt
ok 'which is named' told 'counts as one launch: .*netpipe.3.txt: No such'
rm "$work/base/netpipe.txt" "$work/new/netpipe.txt"
printf 'version: 1\nhosts: this host\n' >"$work/mixed/run.txt"
ok 'how a run was made' says 2 'mixed/run.txt says how a run was made; give its folder' \
    base mixed/run.txt
ok 'three results' ends 0 base new base
ok 'make two comparisons' [ "$(grep -c '^new ' "$work/out")" -eq 2 ]
ok 'whose tests share the false alarms' told 'among the 8 tests'

# ---- For continuous tests ------------------------------------------------------------------------

ok 'slower fails' ends 1 --fail-on slower base new
ok 'faster is different' ends 1 --fail-on different base new
mkdir -p "$work/fast/launches"
cp "$work"/new/launches/stream.* "$work/fast/launches"
mkdir -p "$work/stream_base/launches"
cp "$work"/base/launches/stream.* "$work/stream_base/launches"
ok 'faster alone is not slower' ends 0 --fail-on slower stream_base fast
ok 'a program that is gone is named' says 3 'seen in .*netpipe:latency_us (not in .*fast)' \
    --fail-on slower base fast
ok 'but different' ends 1 --fail-on different base fast
ok 'the same is not' ends 0 --fail-on different narrow_base narrow_base
launches holes netpipe netpipe latency_us 1500 100 101 nan 103 104 105
rm "$work/holes/launches/netpipe.2.txt"
ok 'launches that are not there, or have no value' ends 0 base holes
ok 'are named' told 'holes: launch 2 of netpipe is missing'
# In the text, its lines joined, blanks as one.
joined() { tr -s '\n ' ' ' <"$work/out" | grep -q -e "$1" || { show "$work/out"; false; }; }
ok 'likewise' joined \
    'netpipe:latency_us new: in 4 of 5 launches; not in launches/netpipe.3.txt (nan)'
launches most netpipe netpipe latency_us 1500 nan nan nan nan 104 nan
ok 'one value of six' ends 0 base most
ok 'cannot be told' shown '^cannot tell .*netpipe:latency_us$'
ok 'and says why' joined 'netpipe.3.txt (nan) and 2 more too few launches are left to tell'
ok 'which is no pass' says 3 'netpipe:latency_us (6 and 1 launches; 6 a side would do)' \
    --fail-on slower base most
launches none netpipe netpipe latency_us 1500 nan nan nan
ok 'no value at all' ends 0 base none
ok 'is told' joined \
    'latency_us cannot be compared: no launch of none has it: not in launches/netpipe.1.txt (nan), '
launches zero netpipe netpipe latency_us 1500 100 0 102 -1 104 105
ok 'values without a ratio' ends 0 base zero
ok 'are named' joined \
    'new: no ratio, because 2 of 6 values are not above 0: launches/netpipe.4.txt (below 0), '
printf 'netpipe:latency_us 102 +-5%%\n' >"$work/expect"
ok 'what is expected of launches without a value' ends 0 --expect expect holes
ok 'says of how many it is' shown \
    'PASS netpipe:latency_us 104 in 4 of 5 launches, expected 102 +-5%$'

# ---- A launch that stands alone, and what cannot vary --------------------------------------------

launches calm netpipe netpipe latency_us 1500 \
    100 101 102 103 104 105 100.5 101.5 102.5 103.5 104.5 102
launches rare netpipe netpipe latency_us 1500 \
    100 101 102 103 2060 105 100.5 101.5 102.5 103.5 104.5 102
ok 'one launch of twelve, 20 times the others' ends 0 --html rare.html --json rare.json calm rare
ok 'is not the same' shown '^cannot tell .*netpipe:latency_us$'
ok 'and is named' joined \
    'new: 1 of 12 launches took 20.[0-9] times the median: see launches/netpipe.5.txt'
ok 'on the page, too' grep -q '1 of 12 launches took 20.[0-9] times the median' "$work/rare.html"
ok 'and in the JSON' grep -q '1 of 12 launches took 20.[0-9] times the median' "$work/rare.json"
ok 'it does not pass' says 3 'netpipe:latency_us (launches of one result stand alone)' \
    --fail-on slower calm rare
ok 'in both results' ends 0 rare rare
ok 'it is the same, and said' joined \
    'the same .* base: 1 of 12 launches took .* new: 1 of 12 launches'
launches calm_rate stream stream triad_MB_per_s 1500 1000 1010 1020 1005 1015 1001
launches rare_rate stream stream triad_MB_per_s 1500 1000 1010 1020 1005 50 1001
sed -i 's|MB_per_s \(.*\) us$|MB_per_s \1 MB/s better=high|' "$work"/*_rate/launches/*
rm "$work"/*_rate/stream.txt
ok 'of a rate' ends 0 calm_rate rare_rate
ok 'its part of the median' joined 'new: 1 of 6 launches reached 0.0[0-9]* of the median: see'

# alone HOSTS DIR: a ratio to the other hosts.
alone()
{
    launches "$2" nodes nodes slowest_ratio 1500 1 1 1 1 1 1
    sed -i "1a # hosts: $1\n# ranks: 4" "$work/$2"/launches/*
    sed -i 's|slowest_ratio 1 us|slowest_ratio 1 1|' "$work/$2"/launches/*
    rm "$work/$2/nodes.txt"
}
alone 1 alone
alone 2 beside
ok 'a ratio to others of one host' ends 0 alone alone
ok 'is not tested' joined 'nodes:slowest_ratio is not tested: with one host or rank it is always 1'
untested() { ! sed '/^Headline/,/^Other metrics/!d' "$work/out" | grep -q slowest_ratio; }
ok 'but shown' untested
ok 'nor is it a loss that could not be seen' says 3 'no tested metric is in both' \
    --fail-on slower alone alone
ok 'of two hosts' ends 0 beside beside
ok 'it is tested' shown '^the same .*nodes:slowest_ratio$'

# expect STATUS LINE... : against base, whose median latency is 102.5.
expect()
{
    status=$1; shift
    printf '%s\n' "$@" >"$work/expect"
    ends "$status" --expect expect base
}
ok 'what is expected' expect 0 '# a remark' '' 'netpipe:latency_us 100 +-3% # about'
ok 'passes' shown 'PASS netpipe:latency_us 102, expected 100 +-3%$'
ok 'what is not' expect 1 'netpipe:latency_us 100 +-2%'
ok 'fails' shown 'FAIL netpipe:latency_us 102, expected 100 +-2%$'
ok 'at most 3 per cent above' expect 0 'netpipe:latency_us 100 +3%'
ok 'at most 2 per cent above' expect 1 'netpipe:latency_us 100 +2%'
ok 'any way below' expect 0 'netpipe:latency_us 1000 +0%'
ok 'at most 3 per cent below' expect 0 'netpipe:latency_us 105 -3%'
ok 'at most 2 per cent below' expect 1 'netpipe:latency_us 105 -2%'
ok 'one of two' expect 1 'netpipe:latency_us 100 +-3%' 'stream:triad_MB_per_s 1 +-3%'
ok 'what was not measured' expect 1 'netpipe:gap_us 1 +-3%'
ok 'fails, too' shown 'FAIL netpipe:gap_us was not measured'
crlf=$(printf '\r.') mark=$(printf '\357\273\277')
ok 'lines that an editor of another system wrote' \
    expect 0 "${mark}netpipe:latency_us 100 +-3%${crlf%.}" 'netpipe:latency_us 1000 +0%'
# wrong REGEX LINE...
wrong()
{
    regex=$1; shift
    printf '%s\n' "$@" >"$work/expect"
    says 2 "$regex" --expect expect base
}
ok 'too few words' wrong 'expect:2: a line is NAME:METRIC' 'netpipe:latency_us 1 +1%' 'netpipe:a 1'
ok 'no benchmark' wrong 'expect:1: the first word' 'latency_us 1 +1%'
ok 'no number' wrong 'expect:1: the second word' 'netpipe:latency_us one +1%'
ok 'no tolerance' wrong 'expect:1: the third word' 'netpipe:latency_us 1 5%'
ok 'no per cent' wrong 'expect:1: the third word' 'netpipe:latency_us 1 +-5'
ok 'a tolerance below 0' wrong 'expect:1: the third word' 'netpipe:latency_us 1 +--5%'
ok 'two signs' wrong 'expect:1: the third word' 'netpipe:latency_us 1 ++5%'
ok 'three signs' wrong 'expect:1: the third word' 'netpipe:latency_us 1 +-+5%'
ok 'nothing' wrong 'expects nothing' '# nothing'
printf 'netpipe:latency_us 150 +-5%%\n' >"$work/expect"
ok 'of two results the second is held against it' ends 0 --expect expect base new

# ---- Files ---------------------------------------------------------------------------------------

mkdir -p "$work/tools" "$work/tmp"
cat >"$work/tools/gnuplot" <<'END'
#!/bin/sh
figure=$(printf '%s' "$3" | sed "s/.*figure='\([^']*\)'.*/\1/")
printf '%s\n' "$3" >>"$SETTINGS"
printf '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg">\n' >"$figure"
printf '<title>t</title>\n<desc>d</desc>\n' >>"$figure"
printf '<text>%s</text>\n</svg>\n' "${figure%.part.svg}" >>"$figure"
END
chmod +x "$work/tools/gnuplot"
sed -i 's/^# host: .*/# host: <b>"\&/' "$work"/new/launches/netpipe.*
all()
{
    PATH=$work/tools:$PATH SETTINGS=$work/settings TMPDIR=$work/tmp ends 0 --html p.html \
        --output p.txt ${jq:+--json p.json} "$@" base new
}
ok 'a page, a text, JSON' all
ok 'the text is that on standard output' cmp -s "$work/out" "$work/p.txt"
ok 'the page has the verdicts' has 'class="slower">slower<' "$work/p.html"
ok 'escaped metadata' has '<td>&lt;b&gt;&quot;&amp;</td>' "$work/p.html"
ok 'all results in one figure, by its own script' has 'id="netpipe-compare"' "$work/p.html"
ok 'or as the manifest says' has 'id="loggp-compare"' "$work/p.html"
ok 'their titles are the names of the results' \
    has "titles='\"base\" \"new\"'.*curves='median_MB_per_s kernel" "$work/settings"
figures() { [ "$(grep -c '<text>netpipe-throughput.svg</text>' "$1")" -eq 2 ]; }
ok 'the figures of both sides' figures "$work/p.html"
if command -v xmllint >/dev/null 2>&1; then
    ok 'the page is well-formed' xmllint --noout "$work/p.html"
else skip 'the page is well-formed' 'there is no xmllint'
fi
ok 'no folder of figures is left' [ -z "$(ls "$work/tmp")" ]
if [ -n "$jq" ]; then
    of_netpipe='.comparisons[0].headline[] | select(.benchmark == "netpipe") |'
    asked() { jq -r "$1" "$work/p.json"; }
    ok 'JSON has the verdict' [ 'slower low 6 95% 102.5' = "$(asked "$of_netpipe
        [.verdict, .better, (.base | length), .interval, .base_median] | join(\" \")")" ]
    ok 'and p' near "$(asked "$of_netpipe .p")" 0.0021645
    ok 'adjusted for four tests' near "$(asked "$of_netpipe .p_adjusted")" 0.008658
    ok 'and the rows' [ "$(asked '.comparisons[0].rows | length')" -eq 8 ]
    ok 'and what differs' [ 'eth0 mtu_bytes=9000' = \
        "$(asked '.comparisons[0].differences[] | select(.key == "nic") | .new')" ]
else skip 'JSON has the verdict' 'no jq, or a build without JSON'
fi
cp "$work/p.html" "$work/kept.html"
ok 'a page is not overwritten' says 2 '^clustermark: compare: --html .*p.html exists' \
    --html p.html base new
ok 'a text neither' says 2 '^clustermark: compare: --output .* exists' \
    --output p.txt base new
ok 'it is as it was' cmp -s "$work/p.html" "$work/kept.html"
ok 'only with --force' all --force
ok 'one file for two' says 2 'are the same file' --html x --output ./x base new
printf 'latency_us 1 5%%\n' >"$work/wanted"
cp "$work/wanted" "$work/wanted.kept"
ok 'what is read is not written' says 2 '^clustermark: compare: --output wanted is what is read' \
    --force --expect wanted --output wanted base
ok 'and is as it was' cmp -s "$work/wanted" "$work/wanted.kept"
ok 'a folder that is not there' says 2 'cannot be created' --html no/x base new
bare() { (PATH=/nowhere; compare --html q.html base new); }
ok 'without gnuplot' bare
without_figures() { has slower "$work/q.html" && ! has '<figure' "$work/q.html"; }
ok 'a page without figures' without_figures

# ---- Wrong usage ---------------------------------------------------------------------------------

mkdir "$work/empty"
ok 'no result' says 2 'RESULT is missing'
ok 'one result' says 2 'give a second RESULT' base
ok 'one that is not there' says 2 'nowhere: No such file' base nowhere
ok 'an empty folder' says 2 'empty has no result that passed' base empty
ok 'a result that did not end' says 2 'has no result that passed: .*cut' cut base
echo '# program: cm-x' >"$work/x.txt"; echo '# RESULT: PASS x 1 1' >>"$work/x.txt"
ok 'nothing in common' says 2 'have nothing in common' base x.txt
ok 'a margin below 0' says 2 'margin' --margin -1 base new
ok '--fail-on needs two' says 2 'needs a second' --fail-on slower --expect expect base
finish
