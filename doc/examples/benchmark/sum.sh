#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sum.sh: cm-sum: refused options, and a result.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
folder=sum
. "$srcdir/figure.inc"
program=$(pwd)/../sum/cm-sum
result=$work/r.txt

ok 'less than a number' run 1 2 '^cm-sum: .*--upper.*7' "$program" --upper 7
ok 'more than the memory' run 1 2 "^cm-sum: .*--upper.*9Gi" "$program" --upper 9Gi
if [ "$comm" = dummy ]; then ranks=1; else ranks=2; fi
ok 'a result' run $ranks 0 '' \
    "$program" --upper 64 --warm-up 0 --time-limit 0.02 --quiet -o "$result"
ok 'the inequality' has '^# CHECK: wrong_numbers: 0 == 0  PASS$' "$result"
ok 'the metric' has '^# RESULT: PASS sum_us ' "$result"
ok 'a row for each size' [ "$(rows_of "$result" | wc -l)" = 4 ]
drawings sum "$result" 'Sum over all ranks'
finish
