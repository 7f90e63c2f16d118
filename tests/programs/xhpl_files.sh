#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# xhpl_files.sh: cm-xhpl on files as people have them (xhpl_files.txt, and those of TEST_INPUTS): it
# runs all tests of each, says what it mapped, and with --strict refuses just these.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/programs/xhpl.inc"
inputs=${TEST_INPUTS:-$srcdir/../../shared/inputs}/hpl

# whole FOLDER SAID: all tests ended, the status is that of the residuals, and SAID lines on stderr
# are of the file.
whole()
{
    said=$(grep -c '^cm-xhpl: HPL\.dat:[0-9]*: ' "$1/err")
    cat "$1"/out "$1"/err "$1"/HPL* >"$1/all"
    tests=$(grep -c '^W[RC]' "$1/all")
    want=$(awk '/^N  *:/ { at = 1 } !at { next } /^(PMAP|SWAP)/ { list = 0 }
        /^ / && list { n[name] += NF }
        /^(N|NB|P|PFACT|NBMIN|NDIV|RFACT|BCAST|DEPTH) *:/ {
            name = $1; sub(/:/, "", name); sub(/^[^:]*:/, ""); n[name] = NF; list = 1 }
        /^Q/ { list = 0 }
        /^SWAP/ { product = 1; for (k in n) product *= n[k]; print product; exit }' "$1/all")
    [ "$said" = "$2" ] && [ "$tests" -gt 0 ] && [ "$tests" = "$want" ] &&
        [ "$(grep -c 'End of Tests' "$1/all")" = 1 ] ||
        { echo "# said $said, want $2; $tests tests of $want"; show "$1/err"; false; }
}
# strictly FOLDER SAID: what was mapped is refused.
strictly()
{
    [ "$2" -gt 0 ] || return 0
    refuses '^cm-xhpl: --strict: HPL\.dat:[0-9]*: ' \
        sh -c 'cd "$1" && rm -f HPL.out* HPL_*.out && "$2" --strict' sh "$1" "$xhpl"
}

number=0
every=$(tier 3 1)
awk -v want=0 -f "$srcdir/programs/xhpl_file.awk" "$files" >"$work/list"
ok 'forty files and more' [ "$(wc -l <"$work/list")" -gt 40 ]
while read -r ranks said cut name <&3; do
    number=$((number + 1))
    [ $((number % every)) = 0 ] || continue
    if [ "$comm" = dummy ] && [ "$ranks" -gt 1 ]; then
        skip "$name" 'ranks of the dummy backend do not compute'
        continue
    fi
    dat $number "$work/dat"
    # Its threshold is below the residuals of a small system.
    status=$(grep -q '^0.0001 ' "$work/dat/HPL.dat" && echo 1 || echo 0)
    ok "$name" xhpl "$ranks" "$status" "$work/dat" &&
        ok "$name: all of it" whole "$work/dat" "$said" &&
        ok "$name: --strict" strictly "$work/dat" "$said"
done 3<"$work/list"

# ---- The folder of inputs ------------------------------------------------------------------------

# Their N is for whole machines; NBMIN of one was replaced together with N.
input() # FILE N SAID
{
    rm -rf "$work/dat" && mkdir "$work/dat" &&
        sed -e "6s/^[0-9]*/$2/" -e '11,12s/^[0-9]*/1/' "$inputs/$1" >"$work/dat/HPL.dat"
    ok "$1" xhpl 1 0 "$work/dat" && ok "$1: all of it" whole "$work/dat" "$3" &&
        ok "$1: --strict" strictly "$work/dat" "$3"
}
if [ -d "$inputs" ]; then
    input mkl-bcast6.dat 456 1
    input mkl-bcast6-small.dat 200 1
    input rochpl-ibcast.dat 400 1
    input sed-nbmin.dat 300 1
    ok 'NBMIN that exceeds NB is said' \
        has '^cm-xhpl: HPL.dat:17: NBMINs: 2000 exceeds the largest NB' "$work/dat/err"
    ok 'there is no other file' [ "$(find "$inputs" -name '*.dat' | wc -l)" = 4 ]
else skip 'files of other packages' 'there are none (TEST_INPUTS)'
fi
finish
