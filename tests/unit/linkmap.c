/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.c: rounds in which nobody is in two pairs, and after which all have met once. */
#include <stdlib.h>
#include "../network/linkmap/linkmap.h"
#include "tap.h"

enum { MOST_RANKS = 65 };

static void test_ranks(int ranks)
{
    static int met[MOST_RANKS][MOST_RANKS];
    int unequal = 0, selves = 0, out = 0, wrong = 0;
    memset(met, 0, sizeof met);
    for (int round = 0; round < linkmap_rounds(ranks); round++)
        for (int rank = 0; rank < ranks; rank++) {
            int peer = linkmap_peer(ranks, round, rank);
            out += peer < 0;
            selves += peer == rank;
            if (peer < 0) continue;
            unequal += peer >= ranks || linkmap_peer(ranks, round, peer) != rank;
            if (peer < ranks) met[rank][peer]++;
        }
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++) wrong += met[a][b] != (a != b);
    ok(linkmap_rounds(ranks) == ranks - 1 + ranks % 2, "%d ranks: as few rounds as can be", ranks);
    ok(unequal == 0 && selves == 0, "%d ranks: who is met meets", ranks);
    ok(wrong == 0, "%d ranks: all meet once", ranks);
    ok(out == (ranks % 2 ? ranks : 0), "%d ranks: an odd number leaves each out once", ranks);
}

int main(void)
{
    for (int ranks = 2; ranks <= 17; ranks++) test_ranks(ranks);
    test_ranks(MOST_RANKS - 1);
    test_ranks(MOST_RANKS);
    return tap_done();
}
