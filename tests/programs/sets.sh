#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sets.sh: instruction sets chosen at start: CM_ISA, sets that cannot be chosen, and right answers
# of cm-hint, cm-stream, cm-heat, cm-farm, cm-sort and the unit tests of their kernels with each
# set.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset CM_ISA
bin=$(pwd)/..
small='--upper 3000 --kernel all --type all --warm-up 0 --trial-seconds 1e-5 --trials 2 --quiet'

# key_of FILE: the set that a result says.
key_of() { sed -n 's/^# kernel_set: //p' "$1"; }
# compiled NAME: did configure find it?
compiled()
{
    case $1 in
    baseline) ;;
    *) has "^#define HAVE_SET_$(echo "$1" | tr a-z A-Z) 1" "$bin/config.h" ;;
    esac
}

# refused SET REGEX PROGRAM: in one line, with status 2.
refused()
{
    export CM_ISA="$1"
    run 1 2 "$2" "$3"
    said=$?
    unset CM_ISA
    return $said
}

ok 'a set that nobody knows' refused v5 \
    '^clustermark: CM_ISA=v5: expected auto, baseline, native, v3 or v4$' "$bin/hint/cm-hint"

# plates SET: writes all temperatures after some iterations by each method to $work/SET.
plates()
{
    : >"$work/$1"
    for precision in single double; do
        for how in '-m jacobi --stores plain' '-m jacobi --stores ordinary' \
            '-m jacobi --stores past' '-m jacobi --stores past -S 5' \
            '-m jacobi --stores ordinary -S 4' '-m sor' '-m chebyshev' '-m multigrid'; do
            # shellcheck disable=SC2086
            CM_ISA=$1 "$bin/heat/cm-heat" -n 203 --rows 77 -p $precision $how --iterations 23 \
                --collect 0 --no-stream --quiet --checkpoint "$work/plate" --every 23 \
                >"$work/heat" 2>&1 || { show "$work/heat"; return 1; }
            echo "$precision $how: $(cksum <"$work/plate")" >>"$work/$1"
            rm "$work/plate"
        done
    done
}

# farm SET: cm-farm, and that unit/farm compared the set's lanes, not others, with libcrypto.
farm()
{
    CM_ISA=$1 CM_DUMMY=ranks=1 "$bin/farm/cm-farm" --units 200 --unit-bytes 1000 -b 20 \
        --sha1 multi --quiet >"$work/farm" 2>&1
    ok "$1: cm-farm" [ $? -eq 0 ] || show "$work/farm"
    CM_ISA=$1 ./unit/farm >"$work/farm" 2>&1
    ok "$1: unit/farm" [ $? -eq 0 ] || grep '^not ok' "$work/farm" | show
    case $1 in v3) words=8 ;; v4) words=16 ;; *) return ;; esac
    ok "$1: vectors of $words words" \
        has "^ok .* vectors of $words words: .* messages of their own" "$work/farm"
}

# Without CM_ISA the best: the unit tests of make check have it already.
# shellcheck disable=SC2086
"$bin/hint/cm-hint" $small >"$work/chosen" 2>&1
chosen=$(key_of "$work/chosen")
best=baseline
for set in baseline native v3 v4; do
    if ! compiled $set; then
        ok "$set: this build has none" refused $set \
            "^cm-hint: CM_ISA=$set: this build has no kernels for $set; expected one of auto, b" \
            "$bin/hint/cm-hint"
        continue
    fi
    # shellcheck disable=SC2086
    CM_ISA=$set "$bin/hint/cm-hint" $small >"$work/hint" 2>"$work/err"
    status=$?
    if [ $status -eq 2 ]; then
        # unit/sets compares the same with what the kernel says.
        ok "$set: refused in one line" has \
            "^cm-hint: CM_ISA=$set: this processor lacks [a-z0-9_]*; expected one of auto, baseli" \
            "$work/err"
        continue
    fi
    best=$set
    ok "$set: cm-hint" [ $status -eq 0 ] || show "$work/err"
    ok "$set: in the result" [ "$(key_of "$work/hint")" = $set ]
    # shellcheck disable=SC2086
    CM_ISA=$set "$bin/stream/cm-stream" --size 80k --time-limit 0.01 --passes 3 --quiet \
        >"$work/stream" 2>"$work/err"
    ok "$set: cm-stream" [ $? -eq 0 ] || show "$work/err"
    # Its answer is checked key by key.
    CM_ISA=$set "$bin/sscrap/sort/cm-sort" --items 30000 --repeat 1 --quiet -l buckets \
        >"$work/sort" 2>"$work/err"
    ok "$set: cm-sort" [ $? -eq 0 ] || show "$work/err"
    ok "$set: cm-heat by each method" plates $set
    ok "$set: the same bits as those of the baseline" cmp "$work/baseline" "$work/$set"
    [ ! -x unit/farm ] || farm $set
    [ $set != "$chosen" ] || continue
    for test in hint stream sort_spread; do
        CM_ISA=$set ./unit/$test >"$work/$test" 2>&1
        ok "$set: unit/$test" [ $? -eq 0 ] || grep '^not ok' "$work/$test" | show
    done
done

ok "without CM_ISA the best, $best" [ "$chosen" = $best ]

if compiled v4; then
    ok 'a processor that lacks it' refused v4 \
        '^sets_false_cpu: CM_ISA=v4: this processor lacks [a-z0-9_]*; expected one of auto, base' \
        "$(pwd)/unit/sets_false_cpu"
    set=$(./unit/sets_false_cpu 2>"$work/err")
    case $set in baseline | v3 | native) status=0 ;; *) status=1 ;; esac
    ok "which then takes another: $set" [ $status -eq 0 ] || show "$work/err"
else
    skip 'a processor that lacks it' 'this build has no v4'
fi
finish
