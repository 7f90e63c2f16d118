#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands for the tests of cm-linpack that call LAPACK where configure found none.
why='no LAPACK: give configure LAPACK_LIBS=FLAGS'
k=0
for name in linpack_factor linpack_answer linpack_verdict linpack_refine linpack_grids \
            linpack_verdict_grids
do
    k=$((k + 1))
    echo "ok $k - programs/$name # SKIP $why"
done
echo "1..$k"
