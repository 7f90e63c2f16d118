#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_hpl.sh: cm-linpack --hpl: every test of an HPL.dat in HPL's order, its lines, files that
# are wrong.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
program=$(pwd)/../linpack/cm-linpack
dat=$srcdir/programs/linpack_hpl.dat
few='--quiet --repeat 1'
# The dummy backend has one rank that computes.
if [ "$comm" = dummy ]; then all=1; else all=2; fi
plain=$work/plain.dat
if [ "$comm" = dummy ]; then
    sed -e 's/^2 1 1  /1 1 1  /' -e 's/^1 2 1  /1 1 1  /' "$dat" >"$plain"
    grids='1,1 1,1 1,1'
else
    cp "$dat" "$plain"
    grids='2,1 1,2 1,1'
fi

# edit EXPRESSION...: the file with changes.
edit() { sed "$@" "$plain" >"$work/other.dat"; }
# hpl_lines FILE: the lines of a result that are in HPL's format, as HPL prints them.
hpl_lines() { sed -n 's/^# \(W[RC][0-9]\)/\1/p' "$1"; }

# ---- All tests in HPL's order ------------------------------------------------------------------

result=$work/all.txt
ok 'a sweep of everything' run $all 0 '' "$program" $few --hpl "$plain" -o "$result"

# HPL_pddriver.c: grids outside, then N, NB, DEPTH, BCAST, RFACT, PFACT, NBMIN, NDIV.
for grid in $grids; do for n in 29 0 130; do for nb in 4 200; do for depth in 0 12; do
    for bcast in 4 1; do for stop in 2 4; do
        echo "WR$depth${bcast}C3L$stop $n $nb ${grid%,*} ${grid#*,}"
    done; done
done; done; done; done >"$work/want"
hpl_lines "$result" | sed -e 's/: .*//' -e 's/ [NBPQ]*=/ /g' |
    awk '{ print $1, $2, $3, $4, $5 }' >"$work/got"
ok 'all 144 tests, in the order of HPL' cmp "$work/want" "$work/got"
ok 'a row of the result for each that has equations' \
    [ "$(rows_of "$result" | wc -l)" = 96 ]
rows_of "$result" | awk '{ print $1, $5, $6 }' >"$work/of_rows"
awk '$2 > 0 { print $2, $4, $5 }' "$work/got" >"$work/of_lines"
ok 'with the same grid' cmp "$work/of_lines" "$work/of_rows"

# ---- The lines ---------------------------------------------------------------------------------

# HPL_pdtest.c: "%12d %5d %5d %5d %18.2f    %19.4e" behind the name: with a name of eight characters
# every number ends below its heading.
heading='T/V                N    NB     P     Q               Time                 Gflops'
ok "HPL's heading" [ "$(grep -c "^# $heading\$" "$result")" = 96 ]
ok 'every line is as wide as it' sh -c "grep '^# WR[0-9]..... ' '$result' | grep -v skipped |
    awk 'length(\$0) != 82 || \$8 !~ /^[0-9]*[.][0-9][0-9][0-9][0-9]e[+-][0-9][0-9]\$/ ||
        \$7 !~ /^[0-9]*[.][0-9][0-9]\$/ { bad = 1 } { n++ } END { exit bad || n != 48 }'"
# Its Gflop/s is 2/3 n^3 + 3/2 n^2 divided by our own time, in the row above the line.
ok 'its rate is by its own count' sh -c "awk '
    /^# WR/ && !/skipped/ { 
        flop[++lines] = \$3 * \$3 * (2 * \$3 / 3 + 1.5)
        gflops[lines] = \$8
    }
    /^#/ { next }
    !at { for (i = 1; i <= NF; i++) is[\$i] = i; at = 1; next }
    { time[++rows] = \$is[\"total_s\"] }
    END {
        for (k = 1; k <= rows; k++) {
            r = gflops[k] * 1e9 * time[k] / flop[k]
            if (r < 0.999 || r > 1.001) bad = 1
        }
        exit bad || rows != 96 || lines != 96 }' '$result'"
residual='||Ax-b||_oo/(eps\*(||A||_oo\*||x||_oo+||b||_oo)\*N)= '
ok 'and the test of its residual' [ "$(grep -c \
    "^# $residual  [0-9]\.[0-9]\{8\}e-[0-9][0-9] \.\.\.\.\.\. PASSED\$" "$result")" = 96 ]
ok "which is our own row's" sh -c "awk '
    /^# [|][|]Ax-b/ { sub(/.*= */, \"\"); said[++lines] = \$1; next }
    /^#/ { next }
    !at { for (i = 1; i <= NF; i++) is[\$i] = i; at = 1; next }
    { ours[++rows] = \$is[\"hpl_residual\"] }
    END {
        for (k = 1; k <= rows; k++)
            if (ours[k] < 0.999 * said[k] || ours[k] > 1.001 * said[k]) bad = 1
        exit bad || lines != 96 }' '$result'"
ok 'the counts' has '^# Finished    144 tests with the following results:$' "$result"
ok 'of those that passed' \
    has '^#              96 tests completed and passed residual checks,$' "$result"
ok 'that failed' has '^#               0 tests completed and failed residual checks,$' "$result"
ok 'that were skipped' \
    has '^#              48 tests skipped because of illegal input values\.$' "$result"
ok 'and the end' has '^# End of Tests\.$' "$result"
ok 'the precision is double' has '^# precision: double$' "$result"
ok 'rows go round, for SWAP 2' has '^# exchange: roll$' "$result"
for unused in PFACT RFACT NBMIN NDIV BCAST SWAP L1 U Equilibration alignment; do
    ok "$unused is named as unused" has "^# hpl_unused: .*\\b$unused\\b" "$result"
done
# DEPTH 0 and 12: the look-ahead is 12, or all panels but one if there are fewer: 7 for order 29
# with panels of 4, 32 for order 130.
depths=$(rows_of "$result" | awk '{ print $3 }' | sort -nu | tr '\n' ' ')
want=$(if [ "$comm" = dummy ]; then echo '0 '; else echo '0 7 12 '; fi)
ok 'look-ahead by DEPTH' [ "$depths" = "$want" ]

# ---- One test: mapping, devices, thresholds ----------------------------------------------------

one=$work/one.dat
{
    sed -n 1,4p "$plain"
    printf '%s\n' 1 50 1 8 0 1 1 1 16.0 1 2 1 1 1 2 1 0 1 3 1 1 0 64 0 0 1 8
} >"$one"
variant=WR13L2R1
# edit LINE TEXT: the file with another line.
edit() { awk -v at="$1" -v text="$2" 'NR == at { $0 = text } { print }' "$one" >"$work/other.dat"; }

ok 'values without comments' run 1 0 '' "$program" $few --hpl "$one" -o "$work/one.txt"
ok 'the name' has "^# $variant  *50 " "$work/one.txt"
for value in BCAST.3 PFACT NBMIN L1; do
    ok "$value is named as unused" has "^# hpl_unused: .*\\b$value\\b" "$work/one.txt"
done
for value in 'BCAST [15]' DEPTH SWAP Equilibration; do
    ok "$value, which is not asked for, is not" \
        sh -c "! grep -q '^# hpl_unused: .*\\b$value\\b' '$work/one.txt'"
done
ok 'rows go directly, for SWAP 0' has '^# exchange: direct$' "$work/one.txt"
ok 'refined' run 1 0 '' "$program" $few --refine --hpl "$one" -o "$work/refined.txt"
ok 'is from single precision' \
    has '^# refined: order=50 factors=single matrix=kept$' "$work/refined.txt"
edit 9 1
ok 'column-major' run 1 0 '' "$program" $few --hpl "$work/other.dat" -o "$work/column.txt"
ok 'is in the name' has '^# WC13L2R1 ' "$work/column.txt"
if [ "$comm" = dummy ]; then skip 'four of five ranks' 'ranks of the dummy backend do not compute'
else
    for mapping in 0 1; do
        awk -v mapping=$mapping 'NR == 9 { $0 = mapping } NR == 11 || NR == 12 { $0 = 2 }
            { print }' "$one" >"$work/four.dat"
        ok "four of five ranks, PMAP $mapping" run 5 0 '' "$program" $few --hpl "$work/four.dat" \
            -o "$work/four$mapping.txt"
        ok 'are a grid of 2 x 2' has '^# W[RC]13L2R1  *50 *8 *2 *2 ' "$work/four$mapping.txt"
    done
    edit 12 9
    ok 'a grid for more ranks than there are' run 2 2 \
        ': --hpl .*other.dat:11: the grid 1x9 needs 9 ranks, but the job has 2$' \
        "$program" $few --hpl "$work/other.dat"
fi
edit 4 7
printf '#!/bin/sh\nexec "$@" 2>%s\n' "$work/7" >"$work/apart"
chmod +x "$work/apart"
ok 'device 7' run 1 0 '' "$work/apart" "$program" $few --hpl "$work/other.dat" -o "$work/7.txt"
ok 'is standard error' has "^$variant  *50 " "$work/7"
ok 'and not the result' sh -c "! grep -q '^# WR' '$work/7.txt'"
edit 4 8
sed "3s,.*,$work/HPL.out HPL.out," "$work/other.dat" >"$work/file.dat"
ok 'device 8' run 1 0 '' "$program" $few --hpl "$work/file.dat"
ok 'is the file' has "^$variant  *50 " "$work/HPL.out"
ok 'which ends as HPL ends' [ "$(tail -n 2 "$work/HPL.out" | head -n 1)" = 'End of Tests.' ]
ok 'it is not overwritten' \
    run 1 2 'cm-linpack: --hpl .*file.dat:3: .*HPL.out exists; choose another name, or --force' \
    "$program" $few --hpl "$work/file.dat"
echo old >"$work/HPL.out"
ok 'but with --force' run 1 0 '' "$program" $few --force --hpl "$work/file.dat"
ok 'it is' has "^$variant  *50 " "$work/HPL.out"
ok 'and nothing stays beside it' [ "$(ls "$work"/HPL.out*)" = "$work/HPL.out" ]
sed "3s,.*,/nowhere/HPL.out," "$work/file.dat" >"$work/nowhere.dat"
ok 'a file without a folder' \
    run 1 2 ': --hpl .*nowhere.dat:3: /nowhere/HPL.out cannot be created: folder /nowhere: ' \
    "$program" $few --hpl "$work/nowhere.dat"
edit 13 1e-9
ok 'a threshold that nothing meets' run 1 1 '' "$program" $few --hpl "$work/other.dat" \
    -o "$work/failed.txt"
ok 'fails' has '^# ||Ax-b.* \.\.\.\.\.\. FAILED$' "$work/failed.txt"
ok 'is counted' \
    has '^#               1 tests completed and failed residual checks,$' "$work/failed.txt"
edit 13 0
ok 'without a threshold' run 1 0 '' "$program" $few --hpl "$work/other.dat" -o "$work/unchecked.txt"
ok 'HPL checks nothing' has '^#               1 tests completed without checking,$' \
    "$work/unchecked.txt"
ok 'and says nothing' sh -c "! grep -q PASSED '$work/unchecked.txt'"
ok 'but our own rule holds' has '^# CHECK: order 50: ' "$work/unchecked.txt"
edit 6 0
ok 'a test of order 0 alone, which HPL passes' run 1 0 '' "$program" $few --hpl "$work/other.dat" \
    -o "$work/empty.txt"
ok 'is told as skipped' has "^# $variant N=0 NB=8 P=1 Q=1: there are no equations; skipped$" \
    "$work/empty.txt"
ok 'is counted so' has '^#               1 tests skipped because of illegal input values\.$' \
    "$work/empty.txt"
ok 'and no rate is missed' has '^# no rate: every test has N = 0, nothing to solve$' \
    "$work/empty.txt"
awk 'NR == 5 { $0 = 2 } NR == 6 { $0 = "0 900000" } { print }' "$one" >"$work/other.dat"
ok 'beside a test that the memory forbids it does not hide that nothing ran' run 1 3 '' \
    "$program" $few --hpl "$work/other.dat"
edit 6 900000
ok 'a matrix above the memory is skipped, and nothing is left to run' run 1 3 \
    'cm-linpack: N = 900000 on 1x1 ranks takes more than 90 % of .*; skipped$' \
    "$program" $few --hpl "$work/other.dat" -o "$work/large.txt"
ok 'with its reason' has "^# $variant N=900000 .*: the matrix does not fit .*; skipped$" \
    "$work/large.txt"
ok 'a test without a solution' run 1 1 '' "$program" $few --generator huge --precision single \
    --hpl "$one" -o "$work/none.txt"
ok 'is told so' \
    has "^# $variant N=50 .*: overflow; no solution$" "$work/none.txt"
ok 'is counted so' has '^#               1 tests ended without a solution\.$' "$work/none.txt"
ok 'and among all' has '^# Finished      1 tests with the following results:$' "$work/none.txt"
ok 'but not as skipped' \
    has '^#               0 tests skipped because of illegal input values\.$' "$work/none.txt"
ok 'a solution with a residual that is too large' run 1 1 '' "$program" $few \
    --generator wilkinson --hpl "$one" -o "$work/grown.txt"
ok 'has a time' has "^# $variant  *50 .*e[+-][0-9][0-9]\$" "$work/grown.txt"
ok 'has failed' has '^# ||Ax-b||.* FAILED$' "$work/grown.txt"
ok 'and is counted so' has '^#               1 tests completed and failed residual checks[,.]' \
    "$work/grown.txt"
ok 'single precision if asked' run 1 0 '' "$program" $few --precision single --hpl "$one" \
    -o "$work/single.txt"
ok 'and only then' has '^# precision: single$' "$work/single.txt"

# ---- Files that are wrong ----------------------------------------------------------------------

# wrong LINE TEXT REGEX: a file whose line LINE is TEXT is refused with a message that matches
# REGEX.
wrong()
{
    edit "$1" "$2"
    ok "line $1: '$2'" run 1 2 "^cm-linpack: --hpl .*other.dat:$1: $3" "$program" \
        --hpl "$work/other.dat"
}
edit 3 "$work/same.txt"
sed '4s/.*/8/' "$work/other.dat" >"$work/same.dat"
ok 'one file for both results' run 1 2 \
    '^cm-linpack: --hpl .*same.dat:3 and --output .*same.txt: give two different files' \
    "$program" $few --hpl "$work/same.dat" -o "$work/same.txt"
wrong 5 0 "# of problems sizes \(N\): it is '0'; expected a whole number from 1 to 20$"
wrong 5 21 "# of problems sizes \(N\): it is '21'; expected a whole number from 1 to 20$"
wrong 6 Ns "Ns: value 1 of 1 is 'Ns'; expected a whole number from 0 to 100000000$"
wrong 6 '' 'Ns: value 1 of 1 is missing; expected a whole number from 0 to 100000000$'
wrong 6 100x "Ns: value 1 of 1 is '100x'; "
wrong 6 99999999999999999999 "Ns: value 1 of 1 is '99999999999999999999'; "
wrong 8 0 "NBs: value 1 of 1 is '0'; expected a whole number from 1 to 1024$"
wrong 9 2 "PMAP .*: it is '2'; expected a whole number from 0 to 1$"
wrong 11 0 "Ps: value 1 of 1 is '0'; expected a whole number from 1 to "
wrong 13 many "threshold: it is 'many'; expected a number$"
wrong 15 3 "PFACTs .*: value 1 of 1 is '3'; expected a whole number from 0 to 2$"
wrong 19 1 "NDIVs: value 1 of 1 is '1'; expected a whole number from 2$"
wrong 23 6 "BCASTs .*: value 1 of 1 is '6'; expected a whole number from 0 to 5$"
wrong 25 -1 "DEPTHs: value 1 of 1 is '-1'; expected a whole number from 0$"
wrong 31 0 "memory alignment .*: it is '0'; expected a whole number from 1$"
head -n 22 "$one" >"$work/short.dat"
ok 'a file that is cut off' \
    run 1 2 '^cm-linpack: --hpl .*short.dat:23: the file ends before the line of BCASTs' \
    "$program" --hpl "$work/short.dat"
ok 'a file that is not there' run 1 2 '^cm-linpack: --hpl /nowhere: No such file' \
    "$program" --hpl /nowhere
ok 'two choices' run 1 2 '^cm-linpack: --hpl .*one.dat: the file chooses what --grid would' \
    "$program" --hpl "$one" --grid 1x1
finish
