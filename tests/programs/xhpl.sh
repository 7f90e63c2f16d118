#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# xhpl.sh: cm-xhpl: the lines of HPL 2.3, its matrix, its devices, what it refuses, and the HPL.dat
# that it writes.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/programs/xhpl.inc"
at=$work/at

# edit LINE TEXT...: replaces lines of the usual file in the folder.
edit()
{
    dat 1 "$at"
    while [ $# -gt 1 ]; do
        awk -v at="$1" -v text="$2" 'NR == at { $0 = text } { print }' "$at/HPL.dat" >"$at/new" &&
            mv "$at/new" "$at/HPL.dat"
        shift 2
    done
}
said() { [ "$(grep -c '^cm-xhpl: ' "$at/err")" = "$1" ] || { show "$at/err"; false; }; }
# refused REGEX ARGUMENT...: one line, status 2, nothing on stdout
refused()
{
    regex=$1; shift
    refuses "$regex" "$work/in_quietly" "$at" "$xhpl" "$@" && [ ! -s "$work/refuses.out" ]
}
printf '#!/bin/sh\ncd "$1" || exit 99\nshift\nexec "$@"\n' >"$work/in_quietly"
chmod +x "$work/in_quietly"

# ---- The lines ---------------------------------------------------------------------------------

# HPL_pdinfo.c, HPL_pdtest.c and HPL_pddriver.c of HPL 2.3. The norms are those that HPL itself
# prints of this system (hpcc 1.5.0): the matrix is the same.
cat >"$work/want" <<'END'
An explanation of the input/output parameters follows:
T/V    : Wall time / encoded variant.
N      : The order of the coefficient matrix A.
NB     : The partitioning blocking factor.
P      : The number of process rows.
Q      : The number of process columns.
Time   : Time in seconds to solve the linear system.
Gflops : Rate of execution for solving the linear system.

The following parameter values will be used:

N      :      60 
NB     :       1        2        3        4        5        6        7        8 
               9 
PMAP   : Column-major process mapping
P      :       1 
Q      :       1 
PFACT  :    Left 
NBMIN  :       4 
NDIV   :       2 
RFACT  :   Right 
BCAST  :  BlongM 
DEPTH  :       0 
SWAP   : Spread-roll (long)
L1     : no-transposed form
U      : transposed form
EQUIL  : no
ALIGN  : 16 double precision words

--------------------------------------------------------------------------------

- The matrix A is randomly generated for each test.
- The following scaled residual check will be computed:
      ||Ax-b||_oo / ( eps * ( || x ||_oo * || A ||_oo + || b ||_oo ) * N )
- The relative machine precision (eps) is taken to be               1.110223e-16
- Computational tests pass if scaled residuals are less than                 0.0

END
for nb in 1 2 3 4 5 6 7 8 9; do
    cat <<END
================================================================================
T/V                N    NB     P     Q               Time                 Gflops
--------------------------------------------------------------------------------
WC05R2L4          60     $nb     1     1 TIME RATE
--------------------------------------------------------------------------------
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= RESIDUAL ...... FAILED
||Ax-b||_oo  . . . . . . . . . . . . . . . . . = RESIDUAL
||A||_oo . . . . . . . . . . . . . . . . . . . =          17.619130
||A||_1  . . . . . . . . . . . . . . . . . . . =          17.357151
||x||_oo . . . . . . . . . . . . . . . . . . . =           1.305602
||x||_1  . . . . . . . . . . . . . . . . . . . =          24.026157
||b||_oo . . . . . . . . . . . . . . . . . . . =           0.490988
END
done >>"$work/want"
cat >>"$work/want" <<'END'
================================================================================

Finished      9 tests with the following results:
              0 tests completed and passed residual checks,
              9 tests completed and failed residual checks,
              0 tests skipped because of illegal input values.
--------------------------------------------------------------------------------

End of Tests.
END
edit 7 9 8 '1 2 3 4 5 6 7 8 9' 9 1 13 1e-9 15 0 21 2 23 5 25 0 26 1 28 1 30 0 31 16
ok 'a residual above the threshold' xhpl 1 1 "$at"
plain "$at/out" >"$work/got"
same() { diff "$work/want" "$work/got" >"$work/diff" || { show "$work/diff"; false; }; }
ok "the lines of HPL, and HPL's matrix" same
ok 'nothing on stderr' [ ! -s "$at/err" ]
ok 'the heading says by whom' has '^cm-xhpl [0-9.]*  --  ' "$at/out"
ok 'and not HPL' sh -c "! grep -q '^HPLinpack' '$at/out'"
date='[A-Z][a-z][a-z] [A-Z][a-z][a-z] [ 0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9] [0-9]\{4\}'
ok 'when a test began' [ "$(grep -c "^HPL_pdgesv() start time $date\$" "$at/out")" = 9 ]
ok 'and ended' [ "$(grep -c "^HPL_pdgesv() end time   $date\$" "$at/out")" = 9 ]
time_and_rate='[0-9]*\.[0-9][0-9]  *[0-9]\.[0-9]\{4\}e[+-][0-9][0-9]'
ok 'its time and rate' [ "$(grep -c \
    "^WC05R2L4          60     [1-9]     1     1  *$time_and_rate\$" "$at/out")" = 9 ]
for unused in 'PFACT, RFACT: ' 'NBMIN, NDIV: ' 'BCAST 5: as 4$' 'L1, U: ' 'Equilibration: ' \
    'memory alignment: '; do
    ok "the heading says what is unused: $unused" has "^Unused: $unused" "$at/out"
done
ok 'and nothing else' [ "$(grep -c '^Unused: ' "$at/out")" = 6 ]
ok 'all these lines are as wide' [ "$(grep '^W[RC]' "$at/out" | awk '{ print length }' |
    sort -u)" = 80 ]

# HPL prints one heading, and no residual, if it does not check.
edit 13 0 7 2 8 '8 9'
ok 'without a threshold' xhpl 1 0 "$at"
ok 'one heading' [ "$(grep -c '^T/V .*Gflops$' "$at/out")" = 1 ]
ok 'for two tests' [ "$(grep -c '^WR11C2R4 ' "$at/out")" = 2 ]
ok 'without residuals' sh -c "! grep -q 'Ax-b' '$at/out'"
ok 'which are counted so' has '^              2 tests completed without checking,$' "$at/out"

edit 6 0
ok 'N = 0' xhpl 1 0 "$at"
ok 'has a line' has '^WR11C2R4           0     8     1     1  *0\.00  *0\.0000e+00$' "$at/out"
ok 'and passes' has '||b||_oo)\*N)=   0\.00000000e+00 \.\.\.\.\.\. PASSED$' "$at/out"
ok 'and is said' has '^cm-xhpl: HPL.dat:6: Ns: N = 0' "$at/err"
ok 'in one line' said 1

edit 6 90000000
ok 'a matrix beyond the memory' xhpl 1 0 "$at"
ok 'is skipped' has '^              1 tests skipped because' "$at/out"
ok 'with a line' has '^cm-xhpl: N = 90000000 on 1x1 ranks takes more than 95 % of' "$at/err"

# ---- Devices -----------------------------------------------------------------------------------

edit 4 7
ok 'device 7' xhpl 1 0 "$at"
ok 'is standard error' has '^WR11C2R4 ' "$at/err"
edit 4 8 3 'mine.out and more'
ok 'device 8' xhpl 1 0 "$at"
ok 'is the file' has '^WR11C2R4 ' "$at/mine.out"
ok 'and nothing else' [ ! -s "$at/out" ]
ok 'which is not overwritten' refused '^cm-xhpl: HPL.dat:3: mine.out exists;'
ok 'but by --force' xhpl 1 0 "$at" --force
edit 4 8 3 HPL.dat
ok 'not the file itself' refused '^cm-xhpl: HPL.dat:3: the output file is this file'
edit 4 8 3 ./HPL.dat
ok 'by no other name' refused '^cm-xhpl: HPL.dat:3: the output file is this file' --force
edit 4 8 3 /dev/null
ok 'a device is written to' xhpl 1 0 "$at"
edit 4 8 3 /dev/full
ok 'a full one is not' xhpl 1 3 "$at"
ok 'which is said, with the cause' \
    has '^cm-xhpl: /dev/full cannot be written: No space left on device$' "$at/err"
edit
export OMP_NUM_THREADS=3
ok 'threads of the environment' env -u OPENBLAS_NUM_THREADS -u BLIS_NUM_THREADS \
    -u MKL_NUM_THREADS "$work/in" "$at" "$xhpl"
ok 'are taken, and the heading says from where' \
    has ' threads a rank: [13], by OMP_NUM_THREADS$' "$at/out"
ok 'but not instead of -t' xhpl 1 0 "$at" -t 2
ok 'which the heading has' has ' threads a rank: [12]$' "$at/out"
unset OMP_NUM_THREADS

# ---- Ranks -------------------------------------------------------------------------------------

if [ "$comm" = dummy ]; then skip 'several ranks' 'ranks of the dummy backend do not compute'
else
    edit 11 2 12 2 13 1e-9 23 4
    ok 'four of five ranks' xhpl 5 1 "$at"
    ok 'solve the same system' [ "$(grep -c -e '17\.619130$' -e '17\.357151$' -e '1\.305602$' \
        -e '24\.026157$' -e '0\.490988$' "$at/out")" = 5 ]
    edit 12 3 9 1
    ok 'three in a row' xhpl 3 0 "$at"
    ok 'pass' has ' PASSED$' "$at/out"
    edit 12 9
    ok 'a grid for more ranks' run 2 2 \
        'HPL.dat:11: the grid 1x9 needs 9 ranks, but the job has 2$' \
        "$work/in_quietly" "$at" "$xhpl"
fi

# ---- What HPL itself refuses, or cannot read ---------------------------------------------------

edit 8 NBs
ok 'a word for NB' \
    refused "^cm-xhpl: HPL.dat:8: NBs: value 1 of 1 is 'NBs'; expected a whole number from 1"
edit 6 -1
ok 'N below 0' refused "^cm-xhpl: HPL.dat:6: Ns: value 1 of 1 is '-1'"
edit 7 21
ok '21 NBs' \
    refused "^cm-xhpl: HPL.dat:7: # of NBs: it is '21'; expected a whole number from 1 to 20"
edit 7 4 8 '8 9'
ok 'values beyond the end' refused '^cm-xhpl: HPL.dat:8: NBs: value 4 of 4 is missing$'
edit 23 "$(awk 'BEGIN { printf "1 "; for (k = 0; k < 300; k++) printf "x" }')"
ok 'a line too long for HPL' refused '^cm-xhpl: HPL.dat:23: the line is longer than 252 characters'
edit; sed -i 30,31d "$at/HPL.dat"
ok 'two lines missing' refused '^cm-xhpl: HPL.dat:30: the file ends before the line of Equil'
rm "$at/HPL.dat"
ok 'no file' refused '^cm-xhpl: HPL.dat: No such file or directory; '
if [ "${TEST_COMM-unknown}" = mpi ]; then
    skip 'a process that its launcher left alone' 'process 0 says it for all MPI processes'
else
    ok 'a process that its launcher left alone' refuses 'that this is process 1, but it is alone' \
        env SLURM_PROCID=1 SLURM_NTASKS=2 "$work/in_quietly" "$at" "$xhpl"
fi
mkdir "$at/HPL.dat"
ok 'a folder' refused '^cm-xhpl: HPL.dat: Is a directory; '
rmdir "$at/HPL.dat"

# ---- Writing one -------------------------------------------------------------------------------

all=$([ "$comm" = dummy ] && echo 1 || echo 2)
value() { sed -n "$1s/ .*//p" "$at/HPL.dat"; }
# 0.01 % of some gigabytes is some hundred equations.
if ok '--write-dat' xhpl $all 0 "$at" --write-dat --fit memory=0.01%; then
    ok 'prints nothing' [ ! -s "$at/out" -a ! -s "$at/err" ]
    ok 'all 31 lines' [ "$(wc -l <"$at/HPL.dat")" = 31 ]
    ok 'N is a multiple of NB' [ "$(value 6)" -gt 0 -a $(($(value 6) % $(value 8))) = 0 ]
    ok 'P x Q are all ranks' [ $(($(value 11) * $(value 12))) = $all ]
    ok 'each line has its reason' [ "$(sed 1,3d "$at/HPL.dat" | awk 'NF > 1' | wc -l)" = 28 ]
    ok 'it runs' xhpl $all 0 "$at" --strict
    ok 'and passes' has ' 1 tests completed and passed' "$at/out"
    ok 'it is not overwritten' refused '^cm-xhpl: HPL.dat exists; --force overwrites it$' \
        --write-dat --fit memory=1%
    echo precious >"$work/precious"
    ln -s "$work/precious" "$at/HPL.dat.part"
    ok 'but by --force' xhpl $all 0 "$at" --write-dat --fit memory=0.02% --force
    ok 'which follows no link' grep -q precious "$work/precious"
fi
rm -f "$at/HPL.dat"
ok 'no memory for one panel' refused 'leave room for N = [0-9]*, which is less than a panel' \
    --write-dat --fit memory=0.0000001%
ok 'writes nothing' [ ! -e "$at/HPL.dat" ]

# holds_800_MB: is N the largest multiple of NB of which each rank holds its part in 800 MB? Beside
# it a rank holds panels: three of all its rows, for the one it solves and two that come ahead; as
# many of all its columns, for rows of U; and the diagonal blocks. A hundredth is for what is small.
holds_800_MB()
{
    awk -v n="$(value 6)" -v nb="$(value 8)" -v p="$(value 11)" -v q="$(value 12)" '
        function part(blocks, ranks) { return nb * int((blocks + ranks - 1) / ranks) }
        function numbers(blocks, rows, columns) {
            rows = part(blocks, p); columns = part(blocks, q)
            return rows * columns + nb * (3 * rows + 3 * columns + nb * blocks)
        }
        function largest(most, k) {
            for (k = 1; numbers(k) <= most; k++) {}
            return (k - 1) * nb
        }
        BEGIN {
            print "# N = " n ", NB = " nb ", " p "x" q ": " largest(0.99e8) " to " largest(1e8)
            exit !(n % nb == 0 && n >= largest(0.99e8) && n <= largest(1e8))
        }'
}
# --from: three hosts as cm-nodes says them; the second has half the memory.
nodes() # BYTES RANKS CHECKS
{
    cat >"$work/nodes.json" <<END
{"schema": "clustermark-result", "schema_version": 3, "program": "cm-nodes",
 "metadata": {"program": "cm-nodes", "ranks": 12, "memory_bytes": 8000000000},
 "hosts": [{"name": "a", "ranks": 4, "differs": {}},
           {"name": "b", "ranks": $2, "differs": {"memory_bytes": $1}},
           {"name": "c", "ranks": 4, "differs": {}}],
 "columns": [], "rows": [], "samples": [], "checks": [$3], "fits": [], "comments": [],
 "findings": [], "fastest": [],
 "results": [{"metric": "triad_MB_per_s", "value": 40000, "unit": "MB/s", "pass": true},
             {"metric": "gemm_Mflop_per_s", "value": 100000, "unit": "Mflop/s", "pass": true},
             {"metric": "latency_us", "value": 20, "unit": "us", "pass": true},
             {"metric": "link_MB_per_s", "value": 1000, "unit": "MB/s", "pass": true}]}
END
}
if [ -z "$have_json" ]; then skip '--from' 'without jansson no JSON is read'
else
    nodes 4000000000 4 ''
    if ok '--from' xhpl 1 0 "$at" --write-dat --fit memory=80% --from "$work/nodes.json"; then
        ok 'the ranks of all hosts' [ $(($(value 11) * $(value 12))) = 12 ]
        ok 'N by the smallest host' holds_800_MB
        ok 'which is named' has '^[0-9]* *Ns: 80 % of the whole memory of b, 4 GB for 4 ranks' \
            "$at/HPL.dat"
        rm "$at/HPL.dat"
    fi
    # The NB that is measured may make another grid the fastest than the NB before.
    nodes 40000000000 3 ''
    ok 'several grids' xhpl 1 0 "$at" --write-dat --fit memory=80% --from "$work/nodes.json"
    ok "the model's grid, and why" awk '/Ps: by the model/ {
        split($9, own, "x"); split($12, next_one, "x"); chosen = $1 == own[1]
        reason = /fewer rows are simpler/; slower = $13 + 0 < $10 + 0
        good = chosen && (reason ? own[1] < next_one[1] : !slower) }
        END { exit !good }' "$at/HPL.dat"
    ok 'no ranks share a column of one row' has '^1 *PMAP process mapping: the same as 0' \
        "$at/HPL.dat"
    rm "$at/HPL.dat"
    nodes 0 4 ''
    ok 'a host without memory' refused "^cm-xhpl: --from .*: it lacks memory_bytes of a host" \
        --write-dat --fit memory=80% --from "$work/nodes.json"
    nodes 4000000000 2000000000 ''
    ok 'too many ranks' refused '^cm-xhpl: --from .*: its hosts have more than 1048576 ranks' \
        --write-dat --fit memory=80% --from "$work/nodes.json"
    nodes 4000000000 4 '{"name": "gemm_residual", "value": 5, "relation": "<=", "bound": 1,
        "pass": false}'
    ok 'a check that failed' refused '^cm-xhpl: --from .*: a check of it failed' \
        --write-dat --fit memory=80% --from "$work/nodes.json"
    # What the file tells of the options moves none of its lines.
    nodes 4000000000 4 ''
    odd=$work/$(printf 'two\nlines.json')
    mv "$work/nodes.json" "$odd"
    part=$(printf 'memory=\n%0300d%%' 20)
    ok 'a name of two lines' xhpl 1 0 "$at" --write-dat --fit "$part" --from "$odd"
    ok 'is one line' [ "$(wc -l <"$at/HPL.dat")" = 31 ]
    ok 'no line is too long for HPL' [ "$(awk 'length > 252' "$at/HPL.dat" | wc -l)" = 0 ]
    ok 'no such file' refused '^cm-xhpl: --from .*/none' --write-dat --fit memory=80% --from /none
fi
finish
