/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_place.c: the processes that take part, and the length of a cycle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"
#include "sscrap.h"

cm_group *sscrap_place(int64_t place)
{
    cm_group *world = cm_world();
    int rank = cm_rank(world);
    cm_group *host = cm_split_host(world);
    bool takes_part = place == 0 || cm_rank(host) < place;
    cm_group_free(host);
    return cm_split(world, takes_part ? 0 : -1, rank);
}

bool sscrap_one_host(const cm_group *group)
{
    for (int rank = 1; rank < cm_size(group); rank++)
        if (strcmp(cm_host(group, rank), cm_host(group, 0)) != 0) return false;
    return true;
}

typedef struct {
    const char *key;
    double hz;
} clock_search;

static void find_clock(const char *key, const char *value, void *context)
{
    clock_search *search = context;
    if (strcmp(key, search->key) == 0) search->hz = strtod(value, NULL);
}

double sscrap_clock_hz(const char **source)
{
    bool simulated = cm_comm_has(CM_HAS_SIMULATOR);
    clock_search search = {simulated ? "simulated_clock_hz" : "tsc_hz", NAN};
    if (simulated) cm_describe(find_clock, &search);
    else cm_machine_describe(find_clock, &search);
    *source = isnan(search.hz) ? "not known"
              : simulated      ? "clock_hz of the platform's hosts"
                               : "tsc_hz of the machine; a core's own clock may differ";
    return search.hz;
}
