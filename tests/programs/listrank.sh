#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# listrank.sh: cm-listrank: what it refuses, lists from in order to random at several
# numbers of processes, its supersteps, its figures.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
program=$(pwd)/../sscrap/listrank/cm-listrank

ok 'no nodes' refuses '^cm-listrank: .*--items.*0' "$program" -n 0

ok 'lists of a share of local links' ./programs/listrank_local

if [ "$comm" = dummy ]; then
    ok 'ranks that are not there' \
        run 2 2 '^cm-listrank: 2 ranks: .*CM_DUMMY=ranks=1' "$program" -n 1000
    counts=1
elif [ "$comm" = mpi ]; then counts=$(tier '1 2 3' '1 2 3 4 7') # more are slow there
else counts=$(tier '1 2 3 4' '1 2 3 4 5 7 8')
fi
# On several processes make check runs one of each kind, bigcheck all. 5 nodes are fewer than 7
# processes. 1000 nodes are ranked by one process, or by every process. More nodes use rulers.
for p in $counts; do
    for list in '1 1 unit' '5 1 random' '1000 0.1 unit' '30000 1 random' '30000 0.01 unit' \
        '40000 0 random'; do
        set -- $list
        ok "$1 nodes, permuted $2, distances $3, $p processes" run "$p" 0 '' "$program" -q \
            -n "$1" --repeat 2 --permuted "$2" -d "$3" -o "$work/$p.txt" --force
    done
    [ "$p" = 1 ] || ok "$p processes of one host: copies, three supersteps" \
        awk '$1 == p { steps = $19 } END { exit !(steps == 3) }' p="$p" "$work/$p.txt"
    case $p in 1) methods= ;; 2) methods='runs rulers tokens' ;; *) methods='rulers tokens' ;; esac
    permutations='0 0.01 1' locals='0 0.7 1'
    [ "$p" -le 1 ] || permutations=$(tier 0.01 "$permutations") locals=$(tier 0.7 "$locals")
    for method in $methods; do
        for permuted in $permutations; do
            ok "$method, permuted $permuted, $p processes" run "$p" 0 '' \
                "$program" -q -n 30000 --repeat 2 -m $method --permuted "$permuted"
        done
    done
    for method in auto $methods; do
        for local in $locals; do
            ok "$method, local $local, $p processes" run "$p" 0 '' \
                "$program" -q -n 30001 --repeat 1 -m $method --local $local \
                -o "$work/local.txt" --force
            ok "is in the metadata" has "^# local: $local\$" "$work/local.txt"
            ok "and verified" has '^# CHECK: local_difference: .* PASS$' "$work/local.txt"
        done
    done
    [ "$p" != 2 ] && [ "$p" != 3 ] || for n in $(tier '2 129' '1 2 3 129 12345'); do
        ok "$n nodes, copies of $p processes" \
            run "$p" 0 '' "$program" -q -n $n --repeat 3 -m copies -d random
    done
    # Two processes may both say so.
    [ "$p" = 2 ] && said= || said='list ranking: the nodes are not one list with one end$'
    [ "$p" -gt 2 ] && said="rank 0 .*: $said" || :
    shapes='ring:20 half:20 ring:30001 half:30001 ends:20 ends:30001 tail:20 tail:30001'
    [ "$p" -le 1 ] || shapes=$(tier 'ring:30001 half:20 ends:30001 tail:20' "$shapes")
    [ "$p" != 4 ] || shapes="$shapes island:100 island:30001 fork:100 fork:30001 beyond:30001"
    [ "$p" = 7 ] || for shape in $shapes; do
        shape="${shape%:*} ${shape#*:}"
        # shellcheck disable=SC2086
        ok "$shape nodes, no list, $p processes" \
            run "$p" 1 "$said" ./programs/listrank_endless $shape
        # shellcheck disable=SC2086
        [ "$p" != 2 ] || ok "$shape nodes, no list, by runs" \
            run 2 1 '' ./programs/listrank_endless $shape runs
    done
    more=$(tier '' yes)
    [ "$p" != 3 ] || for shape in ${more:+ring:20 half:30001 fork:100} ring:30001 island:100 \
        fork:30001 beyond:30001; do
        shape="${shape%:*} ${shape#*:}"
        # If nodes of two processes lead to the same node, any of the processes may notice it.
        # shellcheck disable=SC2086
        ok "$shape nodes, no list, by copies" \
            run 3 1 '' ./programs/listrank_endless $shape copies
    done
    [ "$p" != 3 ] || for shape in ${more:+half:30001 ends:20 ends:30001 tail:20 tail:30001} \
        ring:30001 ends:2000 tail:2000 fork:20; do
        shape="${shape%:*} ${shape#*:}"
        # shellcheck disable=SC2086
        ok "$shape nodes, no list, by rulers" \
            run 3 1 "$said" ./programs/listrank_endless $shape rulers
    done
    ok 'links, ranks and sum are verified' \
        [ "$(grep -c '^# CHECK: .* 0 == 0  PASS$' "$work/$p.txt")" = 3 ]
    [ "$p" -lt 3 ] || for n in 1000 30000 60000; do
        run "$p" 0 '' "$program" -q -n $n -m tokens --repeat 2 -o "$work/$p.txt" --force
        ok "$n nodes, $p processes, tokens: at most 15 supersteps" \
            awk '$1 == n && $2 == size { steps = $19 } END { exit !(steps > 0 && steps <= 15) }' \
            n="$p" size=$n "$work/$p.txt"
    done
    # Sums of distances exceed 32 bits, so ranking uses words of eight bytes.
    [ "$p" = 1 ] || for n in 100 30000; do
        ok "$n nodes, long distances, against walking, $p processes" \
            run "$p" 0 '' ./programs/listrank_walked $n
    done
    [ "$p" != 2 ] || ok 'long distances by copies' \
        run 2 2 '' ./programs/listrank_walked 100 copies
done

# From ten processes on the rulers are a list that is dealt and ranked by tokens in turn.
if has_native && [ "$(tier '' yes)" ]; then
    ok '30000 nodes, 12 processes, tokens' run 12 0 '' \
        "$program" -q -n 30000 -m tokens --repeat 2 -o "$work/12.txt" --force
    ok 'a list of rulers is ranked by tokens, too' \
        awk '$1 == 12 { steps = $19 } END { exit !(steps > 15) }' "$work/12.txt"
    ok '30000 nodes, long distances, against walking, 12 processes' \
        run 12 0 '' ./programs/listrank_walked 30000
fi

# Memory is enough for another method, but not for copies. The error message says how much is left.
# auto divides it by the processes, which leaves room for messages.
limited() { (ulimit -v "$1" && shift && "$@"); }
if has_native; then
    n=2000000 limit=2000000
    limited $limit ../src/cmrun -n 8 "$program" -q -n 1e12 2>"$work/refused"
    free=$(sed -n 's/.* but \([0-9]*\) are left of the limit of .*/\1/p' "$work/refused")
    limit=$((limit - ${free:-0} / 1024))
    ok 'more memory than there is for copies' limited $((limit + 8 * n / 1024)) \
        run 8 2 "^.*--items $n takes .* try a smaller --items" "$program" -n $n -m copies
    ok 'auto takes another method' limited $((limit + 68 * n / 1024)) run 8 0 '' \
        "$program" -q -n $n --repeat 1 -o "$work/fits.txt"
    ok 'and says why' has '^# method: auto: tokens: copies take [0-9]* bytes .* are free' \
        "$work/fits.txt"
    ok 'verified' has '^# RESULT: PASS' "$work/fits.txt"
else skip 'memory for another method' 'the launcher takes memory of its own'; fi

ranks=2; [ "$comm" = dummy ] && ranks=1
# Wrong ranks are found, each kind by its check.
faulty=$(pwd)/programs/listrank_faulty
counts=$(tier 2 '2 3'); [ "$comm" = dummy ] && counts=1
for p in $counts; do
    for fault in one:links_wrong one:ranks_not_as_known one:sum_difference swap:links_wrong \
        shift:links_wrong shift:ranks_not_as_known; do
        TEST_FAULT=${fault%:*}; export TEST_FAULT
        ok "wrong ranks are found ($fault, $p processes)" run "$p" 1 '' \
            "$faulty" -q -n 3001 --repeat 1 -o "$work/faulty.txt" --force
        ok "by ${fault#*:}" has "^# CHECK: ${fault#*:}: -*[1-9].* FAIL\$" "$work/faulty.txt"
        unset TEST_FAULT
    done
done
ok 'a series' run $ranks 0 '' \
    "$program" -q --each --from 10000 -n 30000 --repeat 2 -o "$work/series.txt"
if [ $ranks = 2 ]; then
    # On two processes, of all sizes.
    supersteps() { awk '$1 == 2 { print $19 }' "$1" | sort -nu; }
    ok 'two processes of one host: copies, three supersteps' \
        [ "$(supersteps "$work/series.txt")" = 3 ]
    ok 'a series by runs' run 2 0 '' \
        "$program" -q --from 10000 -n 30000 --repeat 2 -m runs -o "$work/runs.txt"
    ok 'runs: four supersteps' [ "$(supersteps "$work/runs.txt")" = 4 ]
    # 15 supersteps to walk and to count, 2 to ask, 2 for the last list, whatever the number of
    # nodes.
    ok 'a series by rulers' run 2 0 '' \
        "$program" -q --from 10000 -n 30000 --repeat 2 -m rulers -o "$work/rulers.txt"
    most=$(supersteps "$work/rulers.txt" | tail -n 1)
    ok 'few supersteps' [ "${most:-0}" -gt 4 -a "${most:-0}" -le 19 ]
fi
folder=sscrap/common
drawings cycles "$work/series.txt" '1 process'
[ $ranks = 1 ] || drawings processes "$work/series.txt" '20000 nodes'
finish
