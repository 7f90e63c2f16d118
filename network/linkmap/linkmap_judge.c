/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_judge.c: is the slowest pair slower than the slowest of pairs that are alike? */
#include <math.h>
#include "linkmap.h"
#include "measure/outliers.h"

void linkmap_refer(linkmap_map *map, const linkmap_plan *plan)
{
    map->references = 0;
    for (int k = 0; k < plan->rounds; k++)
        for (int rank = 0; rank < plan->ranks; rank++) {
            int peer = linkmap_plan_peer(plan, k, rank);
            if (peer <= rank || map->references == LINKMAP_REFERENCES) continue;
            map->reference[map->references++] = (linkmap_pair){rank, peer, NAN};
        }
}

static double alone_s(const linkmap_map *map, linkmap_size size, const linkmap_pair *pair)
{
    return *linkmap_map_at(map, size, LINKMAP_ALONE, pair->first, pair->second);
}

linkmap_pair linkmap_next_reference(const linkmap_map *map, linkmap_size size)
{
    for (int k = 0; k < map->references; k++) {
        const linkmap_pair *pair = &map->reference[k];
        if (isnan(alone_s(map, size, pair))
            && !isnan(*linkmap_map_at(map, size, LINKMAP_TOGETHER, pair->first, pair->second)))
            return *pair;
    }
    return (linkmap_pair){.first = -1, .second = -1, .time_s = NAN};
}

/* Logarithms of the times of the reference pairs, NaN: none, and half the 95 % intervals. Returns
   how many there are. */
static size_t references(const linkmap_map *map, linkmap_size size, double *y, double *half)
{
    size_t known = 0;
    for (int k = 0; k < map->references; k++) {
        const linkmap_pair *pair = &map->reference[k];
        const cm_summary *s = linkmap_map_summary(map, size, pair->first, pair->second);
        y[k] = s ? log(s->median) : NAN;
        half[k] = s && s->interval == CM_INTERVAL_95 ? log(s->high / s->low) / 2 : NAN;
        known += !isnan(y[k]);
    }
    return known;
}

double linkmap_limit(const linkmap_map *map, linkmap_size size)
{
    static const double alpha = 0.05 / 2 / LINKMAP_SIZES;
    double y[LINKMAP_REFERENCES], half[LINKMAP_REFERENCES], limit;
    size_t known = references(map, size, y, half), n = 0;
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++)
            n += !isnan(*linkmap_map_at(map, size, LINKMAP_TOGETHER, first, second));
    if (!cm_outliers_limit(n > known ? n : known, known, alpha, &limit))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the limit of %zu pairs", n);
    return limit;
}

linkmap_judged linkmap_judge(const linkmap_map *map, linkmap_size size, double limit)
{
    static const double half_of_sigma = 1.96; /* of a 95 % interval */
    double y[LINKMAP_REFERENCES], half[LINKMAP_REFERENCES], middle, scale, error = NAN, unused;
    linkmap_judged judged = {.deviations = NAN, .factor = NAN};
    linkmap_pair slow = linkmap_slowest(map, size, LINKMAP_ALONE);
    const size_t n = (size_t)map->references;
    const cm_summary *s =
        slow.first < 0 ? NULL : linkmap_map_summary(map, size, slow.first, slow.second);
    if (!s) judged.doubt = "no pair was measured alone";
    else if (references(map, size, y, half) < CM_OUTLIERS_FEWEST)
        judged.doubt = "fewer than 4 others were measured alone";
    if (judged.doubt) return judged;
    if (cm_outliers_scale(n, half, 0, &error, &unused)) error /= half_of_sigma;
    if (!cm_outliers_scale(n, y, error, &middle, &scale))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu pairs", n);
    judged.deviations = (log(slow.time_s) - middle) / scale;
    judged.factor = exp(limit * scale);
    if (s->interval != CM_INTERVAL_95) judged.doubt = "there are too few trials";
    else if (cm_disturbed_summary(s) == CM_DISTURBED_YES)
        judged.doubt = "other activity of the machine disturbed it";
    else if (!(judged.deviations > limit)) judged.doubt = "pairs that are all alike differ as much";
    else if (!(log(s->low) > middle + limit * scale))
        judged.doubt = "its interval reaches times that are usual";
    return judged;
}
