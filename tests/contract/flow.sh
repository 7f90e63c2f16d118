#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contract/flow at several sizes and with several pools (CM_UNEXPECTED_BYTES), down to none, and the
# rest of the contract without credit for any message. The argument `long`, used by make check-long,
# sends a million messages and ten thousand large ones. TEST_COMM comes from the Makefile.
case $TEST_COMM in
mpi) launcher=mpiexec ;;
dummy) echo '1..0 # SKIP the echo peers of the dummy backend send no floods'; exit 0 ;;
*) launcher=cmrun ;;
esac

# flow COUNTS MANY LARGE
flow() { ./run-ranks -l $launcher -n "$1" -t 280 ./contract/flow "$2" "$3"; }
with_pool() { CM_UNEXPECTED_BYTES=$1; export CM_UNEXPECTED_BYTES; }

{
    if [ "$1" = long ]; then
        flow 2 1000000 10000
        flow 4 1000000 2000
    elif [ $launcher = mpiexec ]; then
        # MPICH spins: with more ranks than cores it is slow.
        flow 2 100000 100
        flow 3 6400 16
    else flow '2 4' 200000 100
    fi
    if [ $launcher = cmrun ]; then
        for pool in 0 1000 65536; do
            with_pool $pool
            if [ "$1" = long ]; then
                flow '2 4' 10000 500
                flow 7 1024 64
            else flow 3 1024 16
            fi
        done
        with_pool 0
        ./run-ranks -l cmrun -n 3 ./contract/contract.ranks p2p requests probe collectives overlap
    fi
} | "${srcdir-.}/tap-merge"
