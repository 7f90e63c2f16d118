/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_size.c: chooses the length of the arrays. */
#include <math.h>
#include "machine/machine.h"
#include "machine/node.h"
#include "stream.h"

enum { ARRAYS = 3, LINE = 8 };

/* Returns the numbers of whole lines that have at least so many bytes. */
static int64_t whole_lines(int64_t bytes)
{
    const int64_t line_bytes = LINE * (int64_t)sizeof(double);
    return (bytes + line_bytes - 1) / line_bytes * LINE;
}

/* Combines a number of all ranks, so that all arrays have the same length. */
static int64_t of_all(int64_t n, cm_op op)
{
    int64_t all;
    cm_allreduce(cm_world(), &n, &all, 1, CM_INT64, op, CM_AUTO);
    return all;
}

static size_t agreed(int64_t n)
{
    const int64_t least = of_all(n, CM_MIN);
    return (size_t)(least < LINE ? LINE : least / LINE * LINE);
}

int64_t stream_own_cache_bytes(void)
{
    bool floor;
    const int64_t all = cm_machine_last_caches_bytes(&floor), own = cm_machine_last_cache_bytes();
    const int64_t least = floor ? CM_NODE_FLOOR_BYTES : own > 0 ? own : all;
    return own > least ? own : least;
}

size_t stream_memory_n(int64_t size_bytes)
{
    if (size_bytes) return (size_t)size_bytes / sizeof(double);
    const int64_t ranks = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    const int64_t free_bytes = cm_machine_memory_share_bytes((int)ranks, NULL);
    const int64_t caches = CM_STREAM_CACHES * cm_machine_last_caches_bytes(NULL);
    const int64_t together = whole_lines((caches + ranks - 1) / ranks);
    const int64_t alone = whole_lines(CM_STREAM_CACHES * stream_own_cache_bytes());
    const int64_t share = free_bytes / 2 / (int64_t)sizeof(double) / ARRAYS;
    const int64_t most = share > together ? share : together;
    const int64_t wanted = of_all(together > alone ? together : alone, CM_MAX);
    const int64_t fits = (int64_t)agreed(free_bytes > 0 ? most : INT64_MAX);
    return (size_t)(wanted <= fits ? wanted : fits);
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
