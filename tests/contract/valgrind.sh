#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract under valgrind. Skipped for mpi: run-ranks says why.
exec ./run-ranks -v -n 2 -t 400 ./contract/contract.ranks p2p requests probe groups overlap
