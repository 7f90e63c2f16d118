#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bspbench.sh: cm-bspbench: what it refuses, its result and
# predictions at all numbers of processes, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=sscrap/bspbench
. "$srcdir/figure.inc"
program=$(pwd)/../sscrap/bspbench/cm-bspbench

ok 'too few words' run 1 2 '^cm-bspbench: .*--words.*7' "$program" -w 7
ok 'more keys than memory' run 1 2 '^.*--items 1000000000000000.* takes .* try a smaller --items' \
    "$program" -n 1000000000000000

number='[-0-9.e]*' error='[0-9.e-]*'
# adds_up FILE ALGORITHM: the parts of its prediction are the whole.
adds_up()
{
    grep "^# prediction: algorithm=$2 " "$1" | tr ' ' '\n' | awk -F = '
        function size(x) { return x < 0 ? -x : x }
        { v[$1] = $2 }
        END {
            d = v["work_s"] + v["g_h_s"] + v["l_s"] + v["memory_s"] - v["predicted_s"]
            whole = size(v["work_s"]) + size(v["g_h_s"]) + size(v["l_s"]) + v["memory_s"]
            exit !(v["work_s"] > 0 && size(d) < 1e-3 * whole)
        }'
}
[ "$comm" = dummy ] && counts=1 || counts='1 2 3 4 7'
for p in $counts; do
    file=$work/$p.txt
    ok "$p processes" run "$p" 0 '' "$program" -q -w 20 -b 5000 --repeat 2 -n 5000 --nodes 5000 \
        --order 30 -o "$file" || continue
    ok 'every word arrives' has '^# CHECK: words_wrong: 0 == 0  PASS$' "$file"
    ok 'the algorithms are right' has '^# CHECK: algorithms_wrong: 0 == 0  PASS$' "$file"
    for model in bsp_words bsp_blocks; do
        fit="g_s_per_word=$number g_s_per_word_error=$error l_s=$number l_s_error=$error"
        ok "$model: g, l and their errors" has "^# fit: model=$model $fit " "$file"
    done
    for algorithm in sort listrank; do
        ok "the sum of a prediction: $algorithm" adds_up "$file" $algorithm
    done
    # Two processes of one host rank by copies, which fetch a node once, as one process does.
    [ "$p" -le 2 ] && memory=0 || memory=$((3 * 5000 / 2 / p))
    of_list='^# prediction: algorithm=listrank'
    ok 'accesses to memory that one process has not' \
        has "$of_list .* accesses=$memory access_s=" "$file"
    ok 'list ranking is predicted' \
        has "$of_list .* size=5000 .* predicted_s=-*[0-9].* measured_s=[0-9]" "$file"
    [ "$p" = 1 ] || ok 'sorting has three supersteps' \
        has '^# prediction: algorithm=sort .* supersteps=3 ' "$file"
done
p=2; [ "$comm" = dummy ] && p=1
ok 'r has the interval of its trials' encloses "$work/$p.txt" r_flop_per_s trials
for metric in g_s_per_word g_block_s_per_word l_s; do
    ok "$metric has that of its fit" encloses "$work/$p.txt" $metric sizes
done
ok 'without algorithms' run 1 0 '' \
    "$program" -q -w 8 -b 1024 --repeat 1 -n 0 --nodes 0 --order 0 -o "$work/alone.txt"
ok 'there is no prediction' sh -c "! grep -q '^# prediction' '$work/alone.txt'"
drawings bspbench "$work/$p.txt" 'word by word'
if command -v gnuplot >/dev/null 2>&1; then
    sed 's/_error=[^ ]*/_error=6e-11/g' "$work/drawn.txt" >"$work/round.txt"
    ok 'a number without a point' draw "$work/round.txt" "$work/round.svg" bspbench
fi
drawings prediction "$work/$p.txt" 'measured'
finish
