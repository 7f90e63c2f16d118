/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_rounds.c: who meets whom in which round.

   Of an even number p of players one stands still, the others go round in a circle of p - 1. In
   round r those players i and j of the circle meet for which i + j = r modulo p - 1; the one with 2
   i = r meets who stands still. With an odd number of ranks nobody stands there. */
#include "linkmap.h"

static int players(int ranks) { return ranks + ranks % 2; }

int linkmap_rounds(int ranks) { return players(ranks) - 1; }

int linkmap_peer(int ranks, int round, int rank)
{
    int circle = players(ranks) - 1, still = circle, peer;
    if (rank == still) {
        /* Half of r modulo an odd number. */
        peer = round % 2 == 0 ? round / 2 : (round + circle) / 2;
    } else {
        peer = (round - rank + circle) % circle;
        if (peer == rank) peer = still;
    }
    return peer < ranks ? peer : -1;
}
