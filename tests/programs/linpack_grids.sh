#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_grids.sh: linpack_factor and linpack_refine on five and on six ranks, which make the grids
# 1x5, 2x3 and 3x2.
for program in linpack_factor linpack_refine; do
    ./run-ranks -n '5 6' programs/$program.ranks
done | "${srcdir-.}/tap-merge"
