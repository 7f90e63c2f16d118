/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_map.c: the times of all pairs, in order and between hosts. */
#include <math.h>
#include <stdlib.h>
#include "linkmap.h"

static void out_of_memory(int ranks)
{
    cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of %d ranks", ranks);
}

void linkmap_map_open(linkmap_map *map, int ranks, int64_t long_bytes)
{
    size_t n = (size_t)ranks;
    *map =
        (linkmap_map){.ranks = ranks, .bytes = {[LINKMAP_SMALL] = 1, [LINKMAP_LONG] = long_bytes}};
    map->host = calloc(n, sizeof *map->host);
    for (int size = 0; size < LINKMAP_SIZES; size++) {
        map->time_s[size] = calloc(n * n, sizeof **map->time_s);
        if (!map->host || !map->time_s[size]) out_of_memory(ranks);
        for (size_t k = 0; k < n * n; k++) map->time_s[size][k] = NAN;
    }
    cm_run_number_hosts(cm_world(), map->host);
}

void linkmap_map_close(linkmap_map *map)
{
    free(map->host);
    for (int size = 0; size < LINKMAP_SIZES; size++) free(map->time_s[size]);
}

double *linkmap_map_at(const linkmap_map *map, linkmap_size size, int first, int second)
{
    return &map->time_s[size][(size_t)first * (size_t)map->ranks + (size_t)second];
}

static int slower(const void *a, const void *b)
{
    const linkmap_pair *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s < y->time_s ? 1 : -1;
    return x->first != y->first ? x->first - y->first : x->second - y->second;
}

linkmap_pair *linkmap_map_sorted(const linkmap_map *map, linkmap_size size, size_t *n)
{
    linkmap_pair *pairs = calloc((size_t)map->ranks * (size_t)map->ranks, sizeof *pairs);
    if (!pairs) out_of_memory(map->ranks);
    *n = 0;
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++)
            if (!isnan(*linkmap_map_at(map, size, first, second)))
                pairs[(*n)++] =
                    (linkmap_pair){first, second, *linkmap_map_at(map, size, first, second)};
    qsort(pairs, *n, sizeof *pairs, slower);
    return pairs;
}

double linkmap_map_between(const linkmap_map *map, linkmap_size size, int one, int other,
                           size_t *pairs)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary s;
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++) {
            int a = map->host[first], b = map->host[second];
            double time_s = *linkmap_map_at(map, size, first, second);
            bool theirs = (a == one && b == other) || (a == other && b == one);
            if (theirs && !isnan(time_s) && !cm_samples_add(&samples, time_s))
                out_of_memory(map->ranks);
        }
    if (!cm_summarize(&samples, &s)) out_of_memory(map->ranks);
    cm_samples_free(&samples);
    *pairs = s.n;
    return s.median;
}
