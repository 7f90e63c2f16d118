/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_run.c: runs the curves of a job on their ranks, from the options to the result. */
#include <stdlib.h>
#include "hint.h"

enum { LEADER = 0 };

static void add(hint_job *job, hint_type type, hint_kernel_kind kernel, int ranks, cm_group *group)
{
    hint_series *series = realloc(job->series, (job->count + 1) * sizeof *series);
    if (!series) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu curves", job->count + 1);
    job->series = series;
    series[job->count++] =
        (hint_series){.type = type, .kernel = kernel, .ranks = ranks, .group = group};
}

/* Returns the next of 1, 2, 4... and all ranks; without --speed-up only all ranks. */
static int next_ranks(const hint_options *options, int ranks, int size)
{
    if (!options->speed_up || ranks >= size) return ranks == 0 ? size : 0;
    return ranks == 0 ? 1 : 2 * ranks < size ? 2 * ranks : size;
}

static void make_series(hint_job *job)
{
    const hint_options *o = job->options;
    const int size = cm_size(cm_world()), rank = cm_rank(cm_world());
    for (int ranks = 0; (ranks = next_ranks(o, ranks, size)) > 0;) {
        cm_group *group = cm_split(cm_world(), rank < ranks ? 0 : -1, rank);
        for (int type = 0; type < HINT_TYPES; type++)
            for (int kernel = 0; kernel < HINT_KERNELS; kernel++)
                if (hint_asks(o, type, kernel))
                    add(job, (hint_type)type, (hint_kernel_kind)kernel, ranks, group);
    }
}

static void close_job(hint_job *job)
{
    for (size_t k = job->count; k-- > 0;) {
        for (size_t j = 0; j < job->series[k].count; j++)
            for (int value = 0; value < HINT_VALUES; value++)
                cm_samples_free(&job->series[k].points[j].samples[value]);
        free(job->series[k].points);
        if (job->series[k].group && (k == 0 || job->series[k - 1].group != job->series[k].group))
            cm_group_free(job->series[k].group);
    }
    free(job->series);
    free(job->memory);
}

/* Refuses a --lap-limit that left a curve without any size: no answer was wrong. */
static int refuse_limit(const cm_program *program, const hint_job *job)
{
    size_t cut = 0;
    for (size_t k = 0; k < job->count; k++) cut += hint_cut(&job->series[k]);
    if (!cut) return CM_EXIT_PASS;
    return cm_option_error(program,
                           "--lap-limit %g leaves %zu of %zu curves without a size: the first lap "
                           "took longer; expected a greater limit",
                           job->options->lap_limit_s, cut, job->count);
}

int hint_run(const cm_benchmark *benchmark)
{
    const hint_options *options = benchmark->options;
    int status = hint_check_ranks(benchmark->program, options);
    if (status) return status;
    cm_run_bind(options->sampling.bind);
    hint_job job = {.options = options};
    job.limit_bytes = hint_limit_of_rank(options);
    make_series(&job);
    status = hint_check_memory(benchmark->program, &job);
    if (!status) {
        cm_result *result =
            cm_rank(cm_world()) == LEADER ? hint_result_open(benchmark, &job) : NULL;
        hint_sweep(&job, result);
        if (result) {
            hint_result_write(&job, result);
            const int refused = refuse_limit(benchmark->program, &job);
            status = cm_result_close(result);
            if (refused) status = refused;
        }
    }
    close_job(&job);
    return status;
}
