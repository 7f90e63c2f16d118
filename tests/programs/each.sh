#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# each.sh: every program runs once, as briefly as possible, and gives right answers. For make
# smallcheck; the programs' own tests do more.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/doc/words.inc"
. "$srcdir/programs/xhpl.inc"

options() # PROGRAM
{
    case $1 in
    cm-bisection | cm-patterns | cm-loggp) echo '--upper 1024 --time-limit 0.002' ;;
    cm-bspbench) echo '--items 1000 --nodes 1000 --order 20 --repeat 1' ;;
    cm-collective) echo '--upper 64 --time-limit 0.0005' ;;
    cm-congestion) echo '--rounds 2 --warm-up 0.001 --time-limit 0.005' ;;
    cm-farm) echo '--units 300' ;;
    cm-heat) echo '--size 128 --iterations 20' ;;
    cm-hint) echo '--upper 3000 --trials 1 --trial-seconds 1e-5' ;;
    cm-linkmap) echo '--time-limit 0.002 --map-limit 1 --again-limit 1' ;;
    cm-linpack) echo '--order 100 --repeat 1' ;;
    cm-listrank | cm-sort) echo '--items 1000 --repeat 1' ;;
    cm-matmul) echo '--order 50 --repeat 1' ;;
    cm-netpipe) echo '--upper 1024 --time-limit 0.002 --trial-seconds 1e-4' ;;
    cm-nodes) echo '--rounds 9 --again 4 --trial-seconds 0.001' ;;
    cm-noise) echo '--seconds 0.04' ;;
    cm-sockets) echo '--seconds 0.002 --warm-up 0.001 --time-limit 0.003 --size 1000' ;;
    cm-stream) echo '--size 100000 --no-cache --time-limit 0.002 --passes 2' ;;
    cm-xhpl) ;;
    *) return 1 ;;
    esac
}

programs | grep '^cm-' >"$work/programs"
while read -r program <&3; do
    options "$program" >"$work/options" || { ok "$program has options here" false; continue; }
    ranks=2
    case $comm:$program in
    dummy:*) ranks=1 ;;
    *:cm-congestion) ranks=4 ;;
    esac
    if ! runs "$program"; then skip "$program" 'it does not run here'; continue; fi
    if [ "$program" = cm-xhpl ]; then   # HPL.dat has its options, and HPL's lines its result
        dat 1 "$work/at"
        ok "$program" xhpl $ranks 0 "$work/at"
        ok "$program verifies" has ' 1 tests completed and passed' "$work/at/out"
        continue
    fi
    # shellcheck disable=SC2046
    ok "$program" run $ranks 0 '' "$(path_of "$program")" --quiet -o "$work/$program.txt" \
        $(cat "$work/options")
    ok "$program verifies" has '^# RESULT: PASS ' "$work/$program.txt"
done 3<"$work/programs"
finish
