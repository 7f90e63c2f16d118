/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_check.c: checks the options, and that ranks and memory suffice for them. */
#include "hint.h"

/* Returns the memory in which every requested kernel can compute the smallest size. */
static int64_t least_bytes(const hint_options *options)
{
    int64_t most = 0;
    for (int type = 0; type < HINT_TYPES; type++)
        for (int kernel = 0; kernel < HINT_KERNELS; kernel++) {
            if (!hint_asks(options, type, kernel)) continue;
            int64_t bytes = (int64_t)hint_kernel_of((hint_type)type, (hint_kernel_kind)kernel)
                                ->bytes(options->lower);
            if (bytes > most) most = bytes;
        }
    return most;
}

int hint_check(const cm_program *program, void *of_program)
{
    hint_options *options = of_program;
    cm_sampling_check(&options->sampling);
    if (options->type != HINT_TYPES && options->kernel != HINT_KERNELS
        && !hint_asks(options, options->type, options->kernel))
        return cm_option_error(program,
                               "--kernel %s does not compute in --type %s; use --kernel original",
                               hint_kernel_names[options->kernel], hint_type_names[options->type]);
    for (int type = 0; type < HINT_TYPES; type++) {
        const long long columns = (long long)hint_work_alone((hint_type)type).columns;
        if (hint_asks(options, type, HINT_ORIGINAL) && options->lower >= columns)
            return cm_option_error(program,
                                   "--lower %lld: --kernel original in --type %s ends below %lld "
                                   "subintervals; use a smaller one",
                                   (long long)options->lower, hint_type_names[type], columns);
    }
    if (options->upper >= 0 && options->upper < options->lower)
        return cm_option_error(program, "--upper %lld is below --lower %lld",
                               (long long)options->upper, (long long)options->lower);
    if (options->scatter && options->copies)
        return cm_option_error(program, "--scatter and --copies exclude each other");
    const int64_t limit = options->max_memory_bytes, least = least_bytes(options);
    if (limit >= 0 && limit < least)
        return cm_option_error(program,
                               "--max-memory %lld is below the %lld bytes that %lld "
                               "subintervals need",
                               (long long)limit, (long long)least, (long long)options->lower);
    if (limit < 0 && options->swap)
        return cm_option_error(program, "--swap needs --max-memory as its limit");
    if (limit < 0 || options->swap) return 0;
    return cm_run_check_memory(program, (size_t)limit, "--max-memory, or --swap",
                               "--max-memory %lld", (long long)limit);
}

/* Returns the first size of the sweep at which each strip of all ranks has a subinterval. */
static int64_t first_size(const hint_options *options, int ranks)
{
    int64_t n = options->lower;
    while (n < (int64_t)HINT_STRIPS * ranks) n = hint_size_after(options, n);
    return n;
}

/* The strips of several ranks have fewer columns than the grid of one. */
static int check_original(const cm_program *program, const hint_options *options, int ranks)
{
    const int64_t first = first_size(options, ranks);
    for (int type = 0; type < HINT_TYPES; type++) {
        hint_work work;
        if (!hint_asks(options, type, HINT_ORIGINAL)) continue;
        hint_work_scattered((hint_type)type, ranks, 0, &work);
        if (first >= work.columns)
            return cm_option_error(program,
                                   "--lower %lld: --kernel original in --type %s ends below %lld "
                                   "subintervals on %d ranks; use a smaller one",
                                   (long long)options->lower, hint_type_names[type],
                                   (long long)work.columns, ranks);
    }
    return 0;
}

int hint_check_ranks(const cm_program *program, const hint_options *options)
{
    const int size = cm_size(cm_world());
    int status = cm_run_require_processes(program, "have no part of the work");
    if (status || !hint_is_parallel(options)) return status;
    hint_work work;
    for (int type = 0; type < HINT_TYPES; type++)
        if (hint_asks(options, type, options->kernel)
            && !hint_work_scattered((hint_type)type, size, 0, &work))
            return cm_option_error(
                program,
                "--type %s has %lld columns, too few for %d ranks with 4 strips of 2; use fewer "
                "ranks or another type",
                hint_type_names[type], (long long)hint_work_alone((hint_type)type).columns, size);
    const int64_t first = first_size(options, size);
    if (options->upper >= 0 && options->upper < first)
        return cm_option_error(
            program,
            "--upper %lld is below %lld, the first size that has the %d strips of %d ranks",
            (long long)options->upper, (long long)first, HINT_STRIPS * size, size);
    return check_original(program, options, size);
}

/* job->limit_bytes is the same on all ranks, so all come to the same result. */
int hint_check_memory(const cm_program *program, const hint_job *job)
{
    for (size_t k = 0; k < job->count; k++) {
        const int64_t n = hint_first_size(job, &job->series[k]);
        const int64_t least = hint_rank_bytes(job, &job->series[k], n);
        if (least <= job->limit_bytes) continue;
        return cm_option_error(program,
                               "%s leaves %lld bytes for each rank, below the %lld that its "
                               "part of %lld subintervals needs; try a smaller --lower%s",
                               job->options->max_memory_bytes < 0 ? "half of the free memory"
                                                                  : "--max-memory",
                               (long long)job->limit_bytes, (long long)least, (long long)n,
                               job->options->max_memory_bytes < 0 ? "" : " or a larger limit");
    }
    return 0;
}
