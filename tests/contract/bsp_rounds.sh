#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bsp_rounds.sh: BSPlib's subjects again, on 5 processes and one on 8, with all supersteps ending
# in rounds.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

if [ "$comm" = dummy ]; then
    skip 'the subjects in rounds' 'BSP needs one process for each rank'
    finish
fi
CM_BSP_DIRECT_MOST=1
export CM_BSP_DIRECT_MOST
ok 'the subjects on 5 processes, in rounds' run 5 0 '' contract/contract.ranks \
    bsp_conform bsp_messages bsp_level1 bsp_standard bsp_now
ok 'messages on 8' run 8 0 '' contract/contract.ranks bsp_messages
# Rank 0's setting is that of all.
ok 'the settings of ranks differ' run 3 0 '' /bin/sh -c \
    'export CM_BSP_DIRECT_MOST=$((1 + 8 * ${PMI_RANK-${OMPI_COMM_WORLD_RANK-0}})); exec "$@"' sh \
    contract/contract.ranks bsp_messages
finish
