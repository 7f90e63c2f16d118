#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract's programs under valgrind. Skipped for mpi: run-ranks says why.
for program in p2p requests probe groups overlap; do
    ./run-ranks -v -n 2 -t 200 ./contract/$program.ranks
done | "${srcdir-.}/tap-merge"
