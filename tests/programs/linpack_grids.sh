#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_grids.sh: linpack_factor on six ranks, which make the grids 2x3 and 3x2. make bigcheck
# also runs it on five, and linpack_refine, but not over MPI, whose ranks spin: refining would take
# a minute and a half. One launcher is enough. Six ranks take half a minute on two processors, and
# several times that while other tests run.
programs=linpack_factor counts=6
if [ "${TEST_TIER-}" = big ]; then
    counts='5 6'
    [ "$TEST_COMM" = mpi ] || programs="$programs linpack_refine"
fi
for program in $programs; do
    ./run-ranks -n "$counts" -t 900 -o none programs/$program.ranks
done | "${srcdir-.}/tap-merge"
