/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_size.c: chooses the length of the arrays. */
#include <math.h>
#include "machine/machine.h"
#include "stream.h"

enum { ARRAYS = 3, LINE = 8 };

/* Returns the smallest n of all ranks, so that all arrays have the same length. */
static size_t agreed(int64_t n)
{
    int64_t least;
    cm_allreduce(cm_world(), &n, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    return (size_t)(least < LINE ? LINE : least / LINE * LINE);
}

size_t stream_memory_n(int64_t size_bytes)
{
    if (size_bytes) return (size_t)size_bytes / sizeof(double);
    int64_t ranks = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    int64_t free_bytes = cm_machine_memory_free_bytes();
    int64_t n = (int64_t)cm_stream_least_n(), together = n / ranks + 1;
    int64_t share = free_bytes / 2 / (int64_t)sizeof(double) / ARRAYS / ranks;
    if (free_bytes > 0 && n > share) n = share > together ? share : together;
    return agreed(n);
}

int stream_cache_level(void)
{
    return cm_machine_is_virtual() && cm_machine_cache_bytes(2) > 0 ? 2 : 0;
}

size_t stream_cache_n(void)
{
    int level = stream_cache_level();
    if (level) return agreed(cm_machine_cache_bytes(level) / 2 / ARRAYS / (int64_t)sizeof(double));
    int64_t ranks = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    int64_t share = cm_machine_last_cache_share_bytes((int)ranks);
    if (share <= 0) share = cm_machine_last_caches_bytes(NULL) / ranks;
    return agreed(share / 2 / ARRAYS / (int64_t)sizeof(double));
}

size_t stream_first_n(void)
{
    enum { UNKNOWN = 32 << 10 };
    int64_t cache = cm_machine_cache_bytes(1);
    return agreed((cache > 0 ? cache : UNKNOWN) / 2 / ARRAYS / (int64_t)sizeof(double));
}

size_t stream_step_n(size_t longest, int64_t step, int64_t per_octave)
{
    if (step == 0) return longest;
    double n = (double)longest * exp2(-(double)step / (double)per_octave);
    return (size_t)n / LINE * LINE;
}
