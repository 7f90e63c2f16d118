/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_rank.c: which pairs are the slowest, and which of them is to be measured alone. */
#include <math.h>
#include "linkmap.h"

double *linkmap_map_at(const linkmap_map *map, linkmap_size size, linkmap_condition condition,
                       int first, int second)
{
    return &map->time_s[size][condition][(size_t)first * (size_t)map->ranks + (size_t)second];
}

/* Returns the slowest pair (sign 1) or the fastest (sign -1) of the pairs that have a time or, if
   requested, of those among them that were not measured alone. */
static linkmap_pair extreme(const linkmap_map *map, linkmap_size size, linkmap_condition condition,
                            bool not_alone, int sign)
{
    linkmap_pair found = {.first = -1, .second = -1, .time_s = NAN};
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++) {
            double time_s = *linkmap_map_at(map, size, condition, first, second);
            if (isnan(time_s)) continue;
            if (not_alone && !isnan(*linkmap_map_at(map, size, LINKMAP_ALONE, first, second)))
                continue;
            if (found.first < 0 || sign * time_s > sign * found.time_s)
                found = (linkmap_pair){first, second, time_s};
        }
    return found;
}

linkmap_pair linkmap_slowest(const linkmap_map *map, linkmap_size size, linkmap_condition condition)
{
    return extreme(map, size, condition, false, 1);
}

linkmap_pair linkmap_fastest(const linkmap_map *map, linkmap_size size, linkmap_condition condition)
{
    return extreme(map, size, condition, false, -1);
}

int64_t linkmap_count(const linkmap_map *map, linkmap_size size, linkmap_condition condition,
                      double above_s)
{
    int64_t count = 0;
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++) {
            bool alone = !isnan(*linkmap_map_at(map, size, LINKMAP_ALONE, first, second));
            if (alone == (condition == LINKMAP_ALONE)
                && *linkmap_map_at(map, size, condition, first, second) > above_s)
                count++;
        }
    return count;
}

linkmap_pair linkmap_next(const linkmap_map *map, linkmap_size size, int64_t again)
{
    linkmap_pair none = {.first = -1, .second = -1, .time_s = NAN};
    if (again == 0) return none;
    linkmap_pair fast = linkmap_fastest(map, size, LINKMAP_TOGETHER);
    if (fast.first < 0) return none;
    if (isnan(*linkmap_map_at(map, size, LINKMAP_ALONE, fast.first, fast.second))) return fast;
    linkmap_pair slow = extreme(map, size, LINKMAP_TOGETHER, true, 1);
    if (slow.first < 0) return none;
    /* As slow counts: pairs that are all alike are settled by the first of them. */
    double below_s = nextafter(slow.time_s, 0);
    return linkmap_count(map, size, LINKMAP_ALONE, below_s) >= again ? none : slow;
}
