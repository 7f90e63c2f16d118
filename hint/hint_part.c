/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_part.c: the requested curves, and a rank's part of each. */
#include "hint.h"

/* A caller that loops over types or kernels also passes "all" of the other as such. */
bool hint_asks(const hint_options *options, int type, int kernel)
{
    const bool every = options->type == HINT_TYPES;
    if (type != HINT_TYPES && kernel != HINT_KERNELS
        && !hint_kernel_of((hint_type)type, (hint_kernel_kind)kernel)->refine)
        return false;
    return (every ? type < HINT_COMMON_TYPES || type == HINT_TYPES : options->type == type)
           && (options->kernel == HINT_KERNELS || options->kernel == kernel);
}

bool hint_is_parallel(const hint_options *options)
{
    return options->scatter || (!options->copies && cm_size(cm_world()) > 1);
}

hint_work hint_work_of(const hint_job *job, const hint_series *series, int rank)
{
    hint_work work = hint_work_alone(series->type);
    if (hint_is_parallel(job->options))
        hint_work_scattered(series->type, series->ranks, rank, &work);
    return work;
}

int64_t hint_part_of(const hint_job *job, const hint_series *series, int64_t n, int rank)
{
    return hint_is_parallel(job->options) ? hint_share(n, series->ranks, rank) : n;
}

int64_t hint_rank_bytes(const hint_job *job, const hint_series *series, int64_t n)
{
    return (int64_t)hint_kernel_of(series->type, series->kernel)
        ->bytes(hint_part_of(job, series, n, 0));
}

int64_t hint_counted_bytes(const hint_job *job, const hint_series *series, int64_t n)
{
    return series->kernel == HINT_ORIGINAL
               ? hint_original_printed_bytes(series->type, hint_part_of(job, series, n, 0))
               : hint_rank_bytes(job, series, n);
}

int64_t hint_first_size(const hint_job *job, const hint_series *series)
{
    const int64_t lower = job->options->lower, strips = (int64_t)HINT_STRIPS * series->ranks;
    return hint_is_parallel(job->options) && lower < strips ? strips : lower;
}
