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

static void find_clock(const char *key, const char *value, void *context)
{
    if (strcmp(key, "tsc_hz") == 0) *(double *)context = strtod(value, NULL);
}

double sscrap_clock_hz(const char **source)
{
    double hz = NAN;
    cm_machine_describe(find_clock, &hz);
    *source = isnan(hz) ? "not known" : "tsc_hz of the machine; a core's own clock may differ";
    return hz;
}
