#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sort.sh: cm-sort: what it refuses, all inputs and keys at all
# numbers of processes, its result, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
program=$(pwd)/../sscrap/sort/cm-sort

ok 'no keys' refuses '^cm-sort: .*--items.*0' "$program" -n 0

if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' run 2 2 '^cm-sort: 2 ranks: .*CM_DUMMY=ranks=1' "$program" -n 1000
fi
[ "$comm" = dummy ] && counts=1 || counts=$(tier '1 2 3' '1 2 3 4 7')
for p in $counts; do
    case $p in
    1) key=double input=gaussian ;;
    2) key=float input=equal ;;
    3) key=int32 input=staggered ;;
    4) key=int64 input=few ;;
    *) key=double input=reverse ;;
    esac
    for n in 5 30000; do
        ok "$n keys ($key, $input), $p processes" run "$p" 0 '' "$program" -q -n $n --repeat 2 \
            -k $key -i $input -l buckets -o "$work/$p.$n.txt" || continue
        ok 'no key is lost' has '^# CHECK: keys_missing: 0 == 0  PASS$' "$work/$p.$n.txt"
    done
done
if [ "$comm" != dummy ]; then
    for input in uniform sorted; do
        ok "$input" run 2 0 '' "$program" -q -n 50000 --repeat 2 -i $input
    done
fi
# The harness runs other numbers. MPI's ranks spin, which takes long with 8.
case $comm in
dummy) counts= ;;
mpi) counts=$(tier '' 5) ;;
*) counts=$(tier 5 '5 8') ;;
esac
for p in $counts; do
    ok "all inputs and keys, $p processes" run $p 0 '' "$(pwd)/programs/sort_reference.ranks"
done
for local in auto radix library; do
    for p in 1 2 3; do
        [ "$p" = 1 ] || [ "$comm" != dummy ] || continue
        ok "$local sorts alike, $p processes" run $p 0 '' \
            "$program" -q -n 15000 --repeat 2 -l $local -k int32 -i gaussian
    done
done

# run sets ranks.
all=2; [ "$comm" = dummy ] && all=1
# Each kind of error in a single key is found by its check.
faulty=$(pwd)/programs/sort_faulty
ok 'a sort of another kind' run $all 0 '' "$faulty" -q -n 3000 --repeat 1 -k int64 -l vector
for fault in swap:keys_out_of_order below:checksum_difference twice:checksum_difference \
    larger:checksum_difference $([ $all = 1 ] || echo below:keys_out_of_order); do
    TEST_FAULT=${fault%:*}; export TEST_FAULT
    ok "one wrong key is found ($fault)" run $all 1 '' "$faulty" -q -n 3000 --repeat 1 \
        -k int64 -l vector -o "$work/faulty.txt" --force
    ok "by ${fault#*:}" has "^# CHECK: ${fault#*:}: [1-9].* FAIL\$" "$work/faulty.txt"
    unset TEST_FAULT
done
ok 'a series' run $all 0 '' \
    "$program" -q --each --from 1000 -n 3000 --repeat 2 -o "$work/series.txt"
if ! grep -q 'HAVE_HIGHWAY 1' ../config.h; then skip 'what auto took' 'this build has no Highway'
else
    ok 'trials' run $all 0 '' "$program" -q -n 40000 --repeat 1 -o "$work/took.txt"
    ok 'what auto took' \
        has "^# took with processes=$all items=40000: .*\(buckets\|vqsort\)\$" "$work/took.txt"
fi
ok 'sizes and processes' \
    [ "$(awk '!/^#/ && $1 ~ /^[0-9]/ { printf "%s:%s ", $1, $2 }' "$work/series.txt")" = \
    "$(for p in $(seq $all); do printf '%s:1000 %s:2000 %s:3000 ' $p $p $p; done)" ]
[ $all = 1 ] || ok 'the largest part is that of two processes' \
    has '^# CHECK: largest_part: 1\.[0-9]* <= 1\.2' "$work/series.txt"
[ $all = 1 ] || ok 'three supersteps' \
    [ "$(awk '$1 == 2 { s = $19 } END { print s }' "$work/series.txt")" = 3 ]
if [ $all = 2 ]; then
    # 1309 samples are sent and hardly any key: less than 20 bytes a sample.
    ok 'samples of sorted keys' run 2 0 '' \
        "$program" -q -n 3000 --repeat 1 -i sorted -o "$work/sorted.txt"
    ok 'bytes of samples' \
        [ "$(awk '$1 == 2 { print $20 < 26000 }' "$work/sorted.txt")" = 1 ]
fi
ok 'pairs' run $all 0 '' "$program" -q --pairs -n 30000 --repeat 2 -k float -o "$work/pairs.txt"
ok 'values are with their keys' \
    has '^# CHECK: values_of_other_keys: 0 == 0  PASS$' "$work/pairs.txt"
ok 'metadata: value' has '^# value: 8 bytes: the index' "$work/pairs.txt"
[ $all = 1 ] || ok 'half of the pairs, of 12 bytes, and samples leave' \
    [ "$(awk '$1 == 2 { print ($20 > 85000 && $20 < 125000) }' "$work/pairs.txt")" = 1 ]
# With fewer than four processes there is one level.
[ "$comm" = dummy ] && counts=1 || counts=$(tier '2 4' '2 4 5 7')
for p in $counts; do
    [ $p -ge 4 ] && steps=8 || steps=$((p > 1 ? 3 : 0))
    ok "two levels, $p processes" run $p 0 '' "$program" -q --levels 2 -n 30000 --repeat 2 \
        -i staggered -o "$work/levels.$p.txt"
    ok "$steps supersteps" \
        [ "$(awk '!/^#/ && $1 ~ /^[0-9]/ { print $19 }' "$work/levels.$p.txt")" = $steps ]
done
for key in clock_hz clock_source place key value input local_sort levels; do
    ok "metadata: $key" has "^# $key: ." "$work/series.txt"
done

folder=sscrap/common
drawings cycles "$work/series.txt" '1 process'
[ $all = 1 ] || drawings processes "$work/series.txt" '2000 keys'
if draws; then
    both()
    {
        gnuplot -d -e "$1; figure='$work/both.svg'" "$srcdir/../sscrap/common/figures/$2.gp" \
            >"$work/said" 2>&1 && ! [ -s "$work/said" ] || { show "$work/said"; false; }
    }
    # One process makes no curve over processes.
    for figure in cycles $([ $all = 1 ] || echo processes); do
        ok "$figure of two results" \
            both "result='$work/drawn.txt'; second='$work/drawn.txt'" $figure
        ok "$figure: the second's curves" grep -q 'rgb(  0, 158, 115)' "$work/both.svg"
    done
    # Twice the cycles, half of which are saved.
    awk '!/^#/ && $1 ~ /^[0-9]/ { $16 *= 2 } { print }' "$work/drawn.txt" >"$work/slow.txt"
    saved=$(awk -f "$srcdir/../sscrap/common/figures/gain.awk" "$work/drawn.txt" "$work/slow.txt" |
        awk '{ printf "%s:%.0f ", $1, $2 }')
    ok 'what is saved' [ "$saved" = "$(for p in $(seq $all); do printf '%s:50 ' $p; done)" ]
    ok 'relative' both "results='$work/drawn.txt'; others='$work/slow.txt'" relative
    ok 'relative: at which size' grep -q 'cm-sort, 3000 keys' "$work/both.svg"
    ok 'relative: the paper' grep -q 'ben-fradj-2003, 70 %' "$work/both.svg"
fi
finish
