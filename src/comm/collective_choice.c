/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_choice.c: chooses the algorithm of auto: by the tables of measured choices (tuning.h),
   which know operation, place, number of ranks and size. Where ranks share hosts and there are
   several, hosts is taken: it moves the fewest bytes between hosts, wherever the ranks are placed.
   It uses the tables inside hosts and between them. */
#include "comm/collective.h"
#include "comm/hosts.h"
#include "comm/tuning.h"

/* auto and native have no builders of their own: they stand for other algorithms. */
const cm_algorithm_entry cm_auto_builders[CM_COLLECTIVES], cm_native_builders[CM_COLLECTIVES];

/* A vector of fewer elements than ranks cannot be cut into a part for each rank. An algorithm that
   cuts it would take all its rounds and still send whole elements: the record of a pivot search, a
   minloc of one element. */
static bool cuts(const cm_collective_call *call, int size, cm_algorithm algorithm)
{
    return call->collective == CM_COLLECTIVE_ALLREDUCE && call->count < (size_t)size
           && cm_algorithm_has(algorithm.kind, CM_CUTS_VECTORS);
}

static bool possible(cm_algorithm algorithm)
{
    return algorithm.kind != CM_KIND_DIRECT || cm_backend_direct();
}

/* Returns the size that the tables know, which is the same on all ranks. */
static size_t size_bytes(const cm_collective_call *call, int size)
{
    if (!cm_tuning_sized(call->collective)) return 0;
    if (call->collective == CM_COLLECTIVE_REDUCE_SCATTER) return call->bytes / (size_t)size;
    if (call->collective != CM_COLLECTIVE_ALLGATHERV || !call->out_bytes) return call->bytes;
    return cm_counts_sum(call->out_bytes, 0, size) / (size_t)size;
}

static cm_algorithm choose(const cm_collective_call *call, int size, cm_tuning_place place)
{
    size_t n;
    const cm_tuning_row *row = cm_tuning_find(call->collective, place, size, &n);
    const size_t bytes = size_bytes(call, size);
    while (row && n-- > 0)
        if (row[n].from_bytes <= bytes && possible(row[n].algorithm)
            && !cuts(call, size, row[n].algorithm))
            return row[n].algorithm;
    return call->collective == CM_COLLECTIVE_ALLREDUCE ? CM_DOUBLING : CM_LINEAR;
}

cm_algorithm cm_collective_choose(const cm_collective_call *call, int size)
{
    if (cm_hosts_help(call)) return CM_HOSTS;
    return choose(call, size,
                  call->hosts && call->hosts->hosts > 1 ? CM_TUNING_BETWEEN
                  : cm_backend_oversubscribed()         ? CM_TUNING_SHARED
                                                        : CM_TUNING_OWN);
}

cm_algorithm cm_collective_choose_between(const cm_collective_call *call, int hosts)
{
    return choose(call, hosts, CM_TUNING_BETWEEN);
}
