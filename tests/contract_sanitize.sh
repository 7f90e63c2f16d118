#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract's programs with the layer compiled anew under the address, undefined-behaviour and
# leak sanitizers, at 2 and 3 ranks.
set -u
srcdir=${srcdir-.}
. "$srcdir/sanitize.inc"
[ "$CM_COMM" = sockets ] || skip "for the sockets backend: an MPI library has reports of its own"
sanitize_begin sanitized.dir address,undefined
sanitize_compile $(files 'comm/*.c' 'comm/engine/*.c' 'comm/pmi/*.c')
for program in contract_p2p contract_requests contract_probe contract_groups contract_overlap \
    contract_collectives; do
    sanitize_link $program "$srcdir/$program.c"
    ./run-ranks -n "2 3" -t 100 $folder/$program
done | "$srcdir/tap-merge"
