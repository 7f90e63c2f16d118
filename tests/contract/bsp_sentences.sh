#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsp_sentences.sh: bsp_sentences.tab names a test, or a reason, for each sentence of BSPlib's
# standard: the tests are built, their points are there, and no call is missing.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
here=$srcdir/contract table=$srcdir/contract/bsp_sentences.tab

grep -v '^#' "$table" | grep . >"$work/rows"
columns() { ! awk -F ' [|] ' 'NF != 4 || $2 == "" || $4 == ""' "$work/rows" | grep .; }
ok 'four columns in each row' columns

# Prints the rows whose test lacks their point or is in no list of tests.
missing()
{
    while IFS='|' read -r call sentence test point; do
        test=${test# } test=${test% } point=${point# }
        [ "$test" != - ] || continue
        grep -qF -- "$point" "$here/$test" 2>/dev/null || echo "$call: $sentence: $test: $point"
        name=contract/${test%.[cf]*}
        grep -qE -- "$name([. ]|\$)" "$here/local.mk" || echo "$test is in no list"
    done <"$work/rows"
}
missing >"$work/missing"
ok 'each test has its point' [ ! -s "$work/missing" ] || show "$work/missing"

# The twenty calls of the standard, from the header: without those with 64, MulticoreBSP's and the
# library's own additions.
sed -n 's/^.*[a-z] \(bsp_[a-z_]*\)(.*/\1/p' "$srcdir/../src/bsp/bsp.h" \
    | grep -Evx 'bsp_(direct_get|hpsend|vabort)' | sort -u >"$work/calls"
sed -n 's/^\(bsp_[a-z_]*\) .*/\1/p' "$work/rows" | sort -u >"$work/named"
ok 'the header has twenty calls' [ "$(wc -l <"$work/calls")" -eq 20 ] || show "$work/calls"
ok 'each is in the table' cmp -s "$work/calls" "$work/named" || diff "$work/calls" "$work/named"
finish
