#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract's programs under valgrind. Skipped for mpi: run-ranks says why.
for program in contract_p2p contract_requests contract_probe contract_groups contract_overlap; do
    ./run-ranks -v -n 2 -t 200 ./$program.ranks
done | "${srcdir-.}/tap-merge"
