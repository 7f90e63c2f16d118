#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# crossing.sh: contract/crossing with two ranks and with 1,035 pairs of ranks.
export CM_TIMEOUT_S=60
./run-ranks -l "$(case ${TEST_COMM-} in
    mpi) echo mpiexec ;; dummy) echo none ;; *) echo cmrun ;; esac)" \
    -n "$(case ${TEST_COMM-} in mpi | dummy) echo 1 ;; *) echo 2 3 46 ;; esac)" ./contract/crossing
