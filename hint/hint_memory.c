/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_memory.c: limits and allocates the memory of a rank. */
#include <stdlib.h>
#include "hint.h"
#include "machine/machine.h"

/* The host with the least memory per rank sets the limit for all. */
int64_t hint_limit_of_rank(const hint_options *options)
{
    const int on_host = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    int64_t host = options->max_memory_bytes, least = 0;
    if (host < 0) host = cm_machine_memory_share_bytes(on_host, NULL) / 2 * on_host;
    else if (!options->swap)
        cm_run_require_memory((size_t)(host / on_host), "--max-memory", "--max-memory %lld",
                              (long long)host);
    int64_t mine = host > 0 ? host / on_host : INT64_MAX;
    cm_allreduce(cm_world(), &mine, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    return least;
}

static void release(hint_job *job)
{
    free(job->memory);
    job->memory = NULL;
    job->capacity_bytes = 0;
}

/* Replaces the memory. It frees the old first: its content is of no use, and both at once may not
   fit. */
static bool take(hint_job *job, size_t bytes)
{
    release(job);
    const int on_host = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    const int64_t free_bytes = cm_machine_memory_share_bytes(on_host, NULL);
    const bool fits = job->options->swap || free_bytes <= 0 || bytes <= (size_t)free_bytes;
    /* All ranks read the free memory before any of them takes some. */
    cm_barrier(cm_world(), CM_AUTO);
    job->memory = fits ? malloc(bytes) : NULL;
    job->capacity_bytes = bytes;
    int32_t mine = job->memory != NULL, all = 0;
    cm_allreduce(cm_world(), &mine, &all, 1, CM_INT32, CM_MIN, CM_AUTO);
    if (!all) release(job);
    return all;
}

bool hint_reserve(hint_job *job, size_t bytes)
{
    return bytes <= job->capacity_bytes || take(job, bytes);
}
