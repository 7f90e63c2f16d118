#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_grids.sh: linpack_factor and linpack_refine on five and on six ranks, which make the grids
# 1x5, 2x3 and 3x2. Over MPI, whose ranks spin, refining would take a minute and a half. One
# launcher is enough. Six ranks take half a minute on two processors, several times that beside
# other tests.
programs=linpack_factor
[ "$TEST_COMM" = mpi ] || programs="$programs linpack_refine"
for program in $programs; do
    ./run-ranks -n '5 6' -t 900 -o none programs/$program.ranks
done | "${srcdir-.}/tap-merge"
