/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_rounds.c: who meets whom in which round, and which pairs communicate at the same time. */
#include <stdlib.h>
#include "nodes.h"
#include "random/random.h"

static void shuffle(int n, uint64_t seed, int *order)
{
    for (int k = 0; k < n; k++) order[k] = k;
    for (int k = n - 1; k > 0; k--) {
        int other = (int)(cm_random_next(&seed) % (uint64_t)(k + 1));
        int keep = order[k];
        order[k] = order[other];
        order[other] = keep;
    }
}

/* A round-robin tournament by the circle method, of players in a random order, whose rounds come in
   a random order; another one begins when all have met. */
void nodes_partners(int hosts, uint64_t seed, int64_t round, int *partner)
{
    const int players = hosts + hosts % 2, circle = players - 1;
    for (int host = 0; host < hosts; host++) partner[host] = -1;
    if (hosts < 2) return;
    int *order = malloc(2 * (size_t)players * sizeof *order), *rounds = order + players;
    if (!order) cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of %d hosts", hosts);
    uint64_t tournament = cm_random_word(seed, (uint64_t)(round / circle));
    shuffle(players, tournament, order);
    shuffle(circle, ~tournament, rounds);
    const int r = rounds[round % circle];
    for (int i = 0; i < circle; i++) {
        int j = (r - i + circle) % circle;
        if (i > j) continue;
        int one = order[i], other = order[i == j ? circle : j];
        if (one >= hosts || other >= hosts) continue;
        partner[one] = other;
        partner[other] = one;
    }
    free(order);
}

/* The largest number of pairs that one computer is in. */
static int most_pairs(const nodes_place *place, int pairs, const int *first, const int *second)
{
    int most = 0, *load = calloc((size_t)place->computers, sizeof *load);
    if (!load) cm_abort(CM_EXIT_SYSTEM, "out of memory for the order of %d pairs", pairs);
    for (int k = 0; k < pairs; k++) {
        if (second[k] < 0) continue;
        int a = ++load[place->computer[first[k]]], b = ++load[place->computer[second[k]]];
        if (a > most) most = a;
        if (b > most) most = b;
    }
    free(load);
    return most;
}

int nodes_waves(const nodes_place *place, int pairs, const int *first, const int *second, int *wave)
{
    /* A pair finds a free wave behind those of the other pairs of its two computers. */
    const size_t most = 2 * (size_t)most_pairs(place, pairs, first, second) + 1;
    int waves = 0;
    bool *busy = calloc((size_t)place->computers * most, sizeof *busy);
    if (!busy) cm_abort(CM_EXIT_SYSTEM, "out of memory for the order of %d pairs", pairs);
    for (int k = 0; k < pairs; k++) {
        wave[k] = -1;
        if (second[k] < 0) continue;
        bool *a = busy + most * (size_t)place->computer[first[k]];
        bool *b = busy + most * (size_t)place->computer[second[k]];
        int w = 0;
        while (a[w] || b[w]) w++;
        a[w] = b[w] = true;
        wave[k] = w;
        if (w >= waves) waves = w + 1;
    }
    free(busy);
    return waves;
}
