/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_map.c: the times of all pairs. */
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
    if (!map->host) out_of_memory(ranks);
    for (int size = 0; size < LINKMAP_SIZES; size++)
        for (int condition = 0; condition < LINKMAP_CONDITIONS; condition++) {
            double *time_s = calloc(n * n, sizeof *time_s);
            if (!time_s) out_of_memory(ranks);
            for (size_t k = 0; k < n * n; k++) time_s[k] = NAN;
            map->time_s[size][condition] = time_s;
        }
    map->hosts = cm_run_number_hosts(cm_world(), map->host);
}

void linkmap_map_close(linkmap_map *map)
{
    free(map->host);
    for (int size = 0; size < LINKMAP_SIZES; size++) free(map->alone[size]);
    for (int size = 0; size < LINKMAP_SIZES; size++)
        for (int condition = 0; condition < LINKMAP_CONDITIONS; condition++)
            free(map->time_s[size][condition]);
}

void linkmap_map_alone(linkmap_map *map, linkmap_size size, int first, int second,
                       const cm_summary *time_s)
{
    size_t n = map->n_alone[size];
    struct linkmap_alone *longer = realloc(map->alone[size], (n + 1) * sizeof *longer);
    if (!longer) out_of_memory(map->ranks);
    map->alone[size] = longer;
    longer[n] = (struct linkmap_alone){first, second, *time_s};
    map->n_alone[size]++;
}

const cm_summary *linkmap_map_summary(const linkmap_map *map, linkmap_size size, int first,
                                      int second)
{
    for (size_t k = 0; k < map->n_alone[size]; k++) {
        const struct linkmap_alone *pair = &map->alone[size][k];
        if (pair->first == first && pair->second == second) return &pair->time_s;
    }
    return NULL;
}

void linkmap_map_times(const linkmap_map *map, linkmap_size size, cm_samples *times)
{
    *times = (cm_samples)CM_SAMPLES_EMPTY;
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++) {
            double time_s = *linkmap_map_at(map, size, LINKMAP_TOGETHER, first, second);
            if (!isnan(time_s) && !cm_samples_add(times, time_s)) out_of_memory(map->ranks);
        }
}
