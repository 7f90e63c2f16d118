#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_tune.sh: cm-linpack --tune: which settings it tries, which it leaves alone, and that the
# best one is kept.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../linpack/cm-linpack
few='--quiet --repeat 2'
ranks() { if [ "$comm" = dummy ]; then echo 1; else echo "$1"; fi; }

# tried FILE KEY: the different values of a key that were tried.
tried() { sed -n "s/^# tune: .* $2=\([^ ]*\).*/\1/p" "$1" | sort -u | tr '\n' ' '; }
# chosen FILE: grid, panel, look-ahead, slices and threads that go on; row FILE: those of the row.
chosen()
{
    sed -n '/^# tune: .* chosen$/p' "$1" |
        sed -e 's/.*grid=\(.*\)x\(.*\) panel=\(.*\) look_ahead=\(.*\) slices=/\1 \2 \3 \4 /' \
            -e 's/ threads=\([0-9]*\).*/ \1/'
}
row()
{
    awk '/^#/ { next }
        !at { for (i = 1; i <= NF; i++) is[$i] = i; at = 1; next }
        { print $is["grid_rows"], $is["grid_columns"], $is["panel"], $is["look_ahead"], \
            $is["slices"], $is["threads"] }
        ' "$1"
}

ok 'the algorithm of 1995 has nothing to tune' \
    run 1 2 '^cm-linpack: --tune: --algorithm classic has nothing' "$program" -a classic --tune

for way in '1 grid' '2 grid' '3 blocked' '4 grid'; do
    set -- $way
    result=$work/$1$2.txt
    ok "$way" run "$(ranks "$1")" 0 '' \
        "$program" $few -a "$2" --series 400,300 --tune -o "$result" ||
        continue
    ok "$way: the answers are right" [ "$(grep -c '^# CHECK: .*PASS$' "$result")" = 4 ]
    ok "$way: every order is tuned" [ "$(grep -c '^# tuned: order=[34]00 ' "$result")" = 2 ]
    ok "$way: its default first" [ "$(grep -c '^# tune: .* default' "$result")" = 2 ]
    ok "$way: one is chosen for each" [ "$(chosen "$result" | wc -l)" = 2 ]
    ok "$way: the rows have it" [ "$(row "$result")" = "$(chosen "$result")" ]
    ok "$way: nothing is tried twice" sh -c "
        sed -n 's/^# tune: \(.*\) predicted_s.*/\1/p' '$result' | sort | uniq -d | grep . && exit 1
        exit 0"
    # nan occurs if, on a busy machine, the longer factorization took no longer than the shorter
    # one.
    ok "$way: every trial ended where it should" \
        sh -c "! grep '^# tune: .*predicted_s=\(-\|inf\)' '$result'"
    ok "$way: the chosen one is the default or is predicted to be faster" awk '
        /^# tune: / { s = $0; sub(/.*predicted_s=/, "", s); s += 0 }
        / default/ { usual = s }
        / chosen$/ && !/ default/ && s > 0.97001 * usual { bad = 1 }
        END { exit bad }' "$result"
done
three=$work/3blocked.txt
if [ "$comm" != dummy ] && [ -e "$three" ]; then
    ok 'where only rows are dealt out there is one grid' [ "$(tried "$three" grid)" = '3x1 ' ]
fi

# Given settings are not tried. With this number of ranks there is only one grid: 1x1, or the given
# one.
two=$(ranks 2)
grid=$([ "$two" = 1 ] && echo 1x1 || echo 2x1)
ok 'all is given' run "$two" 0 '' "$program" $few -n 300 --tune --panel 24 --look-ahead 0 \
    --slices 1 --threads 1 --grid "$grid" -o "$work/given.txt"
ok 'so one setting is tried' [ "$(grep -c '^# tune: ' "$work/given.txt")" = 1 ]
ok 'which is that' has "^# tune: .* grid=$grid panel=24 look_ahead=0 slices=1 threads=1 " \
    "$work/given.txt"
ok 'a given panel' run 1 0 '' "$program" $few -n 300 --tune --panel 24 -o "$work/panel.txt"
ok 'stays' [ "$(tried "$work/panel.txt" panel)" = '24 ' ]
ok 'another is not' run 1 0 '' "$program" $few -n 400 --tune --threads 1 -o "$work/threads.txt"
ok 'but the threads are' [ "$(tried "$work/threads.txt" threads)" = '1 ' ]
ok 'a matrix of less than two panels' run 1 0 '' "$program" $few -n 40 --tune -o "$work/small.txt"
ok 'has no time to try' has '^# tune: order=40 .*predicted_s=nan default chosen$' "$work/small.txt"
ok 'and is solved' has '^# RESULT: PASS single_Gflop_per_s ' "$work/small.txt"
ok 'double precision, refined' run "$two" 0 '' "$program" $few -n 300 --tune --refine \
    -o "$work/refined.txt"
finish
