/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_rounds.c: determines which ranks are paired in each round.

   If the number p of players is even, one of them stays fixed and the others rotate in a circle of
   p - 1. In round r, the players i and j of the circle meet if i + j = r modulo p - 1. The player
   with 2 i = r meets the fixed player. With an odd number of ranks, no rank has the fixed place.

   Ranks are assigned to players at random, and the rounds are in random order. The first of many
   rounds are therefore random pairings in which all ranks occur equally often. */
#include <stdlib.h>
#include "linkmap.h"
#include "random/random.h"

static int players(int ranks) { return ranks + ranks % 2; }

int linkmap_rounds(int ranks) { return players(ranks) - 1; }

static int peer_of(int ranks, int round, int rank)
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

/* Fisher and Yates. */
static int *shuffled(int n, uint64_t *state)
{
    int *list = malloc((size_t)n * sizeof *list);
    if (!list) return NULL;
    for (int k = 0; k < n; k++) list[k] = k;
    for (int k = n - 1; k > 0; k--) {
        int other = (int)(cm_random_next(state) % (uint64_t)(k + 1)), kept = list[k];
        list[k] = list[other];
        list[other] = kept;
    }
    return list;
}

bool linkmap_plan_open(linkmap_plan *plan, int ranks, uint64_t seed)
{
    *plan = (linkmap_plan){.ranks = ranks, .rounds = linkmap_rounds(ranks)};
    plan->round = shuffled(plan->rounds, &seed);
    plan->rank = shuffled(ranks, &seed);
    plan->player = malloc((size_t)ranks * sizeof *plan->player);
    if (!plan->round || !plan->rank || !plan->player) return false;
    for (int player = 0; player < ranks; player++) plan->player[plan->rank[player]] = player;
    return true;
}

void linkmap_plan_close(linkmap_plan *plan)
{
    free(plan->round);
    free(plan->rank);
    free(plan->player);
}

int linkmap_plan_peer(const linkmap_plan *plan, int k, int rank)
{
    int player = peer_of(plan->ranks, plan->round[k], plan->player[rank]);
    return player < 0 ? -1 : plan->rank[player];
}
