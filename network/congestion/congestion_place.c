/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_place.c: divides the ranks into victims and aggressors, and orders each group. */
#include <math.h>
#include <stdlib.h>
#include "congestion.h"
#include "random/random.h"

const char *const congestion_placements[] = {"random", "alternate", 0};

static int count_aggressors(double share, int ranks)
{
    int most = ranks - CONGESTION_LEAST_OF_A_KIND, n = (int)lround(share * ranks);
    return n < CONGESTION_LEAST_OF_A_KIND ? CONGESTION_LEAST_OF_A_KIND : n > most ? most : n;
}

/* Rank `rank` is one of n of ranks that are spread evenly. */
static bool spread(int64_t rank, int64_t n, int64_t ranks)
{
    return (rank + 1) * n / ranks > rank * n / ranks;
}

void congestion_place_open(congestion_place *place, const congestion_options *options)
{
    int ranks = cm_size(cm_world()), own = cm_rank(cm_world());
    int aggressors = count_aggressors(options->share, ranks), key = own;
    size_t *order = calloc((size_t)ranks, sizeof *order);
    if (!order) cm_abort(CM_EXIT_SYSTEM, "out of memory for the places of %d ranks", ranks);
    *place = (congestion_place){.aggressors = aggressors,
                                .victims = ranks - aggressors,
                                .victim_root = -1,
                                .load_root = -1};
    cm_random_shuffle((uint64_t)options->seed, 0, (size_t)ranks, order);
    for (int k = 0; k < ranks; k++) {
        bool random = options->placement == CONGESTION_RANDOM;
        int rank = random ? (int)order[k] : k;
        bool aggressor = random ? k < aggressors : spread(rank, aggressors, ranks);
        int *root = aggressor ? &place->load_root : &place->victim_root;
        if (*root < 0) *root = rank;
        if (rank != own) continue;
        key = k;
        place->aggressor = aggressor;
    }
    free(order);
    place->group = cm_split(cm_world(), place->aggressor, key);
}

void congestion_place_close(congestion_place *place) { cm_group_free(place->group); }
