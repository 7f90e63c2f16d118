#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linpack_verdict_grids.sh: linpack_verdict on five and on six ranks.
exec ./run-ranks -n '5 6' programs/linpack_verdict.ranks
