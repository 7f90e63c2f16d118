#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_grids.sh: linpack_factor on five and on six ranks, which make the grids 1x5, 2x3 and 3x2.
exec ./run-ranks -n '5 6' programs/linpack_factor.ranks
