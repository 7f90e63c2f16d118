/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_run.c: curves, memory and ranks of a job; rank 0 measures, the others follow. */
#include <stdlib.h>
#include <string.h>
#include "hint.h"
#include "machine/machine.h"

enum { LEADER = 0 };

/* Every rank comes to the same answer. */
static int refuse(const cm_benchmark *benchmark, const hint_options *options, int size)
{
    hint_work work;
    const bool scatter = options->scatter || (!options->copies && size > 1);
    const bool leads = cm_rank(cm_world()) == LEADER;
    if (size > 1 && !cm_comm_has(CM_HAS_PROCESSES))
        return leads ? cm_option_error(benchmark->program,
                                       "the dummy backend's other ranks only echo: "
                                       "%d ranks cannot share the work, 1 can",
                                       size)
                     : CM_EXIT_USAGE;
    for (int type = 0; scatter && type < HINT_TYPES; type++)
        if ((options->type == HINT_TYPES || options->type == type)
            && !hint_work_scattered((hint_type)type, size, 0, &work))
            return leads ? cm_option_error(
                       benchmark->program,
                       "--type %s has %lld columns, too few for "
                       "%d ranks with 4 strips of 2; take fewer ranks or another type",
                       hint_type_names[type], (long long)hint_work_alone((hint_type)type).columns,
                       size)
                         : CM_EXIT_USAGE;
    if (scatter && options->upper >= 0 && options->upper < (int64_t)HINT_STRIPS * size)
        return leads ? cm_option_error(benchmark->program,
                                       "--upper %lld is below %d, the strips of %d "
                                       "ranks",
                                       (long long)options->upper, HINT_STRIPS * size, size)
                     : CM_EXIT_USAGE;
    return 0;
}

static void add(hint_job *job, hint_type type, hint_kernel_kind kernel, int ranks, cm_group *group)
{
    hint_series *series = realloc(job->series, (job->count + 1) * sizeof *series);
    if (!series) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu curves", job->count + 1);
    job->series = series;
    series[job->count++] =
        (hint_series){.type = type, .kernel = kernel, .ranks = ranks, .group = group};
}

/* 1, 2, 4... and all of them, or these alone. */
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
                if ((o->type == HINT_TYPES || o->type == type)
                    && (o->kernel == HINT_KERNELS || o->kernel == kernel))
                    add(job, (hint_type)type, (hint_kernel_kind)kernel, ranks, group);
    }
}

/* The ranks of the host that has least for each. */
static int64_t limit_of_rank(const hint_options *options)
{
    const int on_host = cm_run_ranks_on_host(cm_world(), cm_rank(cm_world()));
    int64_t host = options->max_memory_bytes, least = 0;
    if (host < 0) host = cm_machine_memory_free_bytes() / 2;
    else if (!options->swap)
        cm_run_require_memory((size_t)(host / on_host), "--max-memory", "--max-memory %lld",
                              (long long)host);
    int64_t mine = host > 0 ? host / on_host : INT64_MAX;
    cm_allreduce(cm_world(), &mine, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    return least;
}

static void close_job(hint_job *job)
{
    for (size_t k = job->count; k-- > 0;) {
        for (size_t j = 0; j < job->series[k].count; j++)
            cm_samples_free(&job->series[k].points[j].samples);
        free(job->series[k].points);
        if (job->series[k].group && (k == 0 || job->series[k - 1].group != job->series[k].group))
            cm_group_free(job->series[k].group);
    }
    free(job->series);
    free(job->memory);
}

/* The limit is that of all ranks, so that all come to the same answer. */
static int refuse_memory(const cm_benchmark *benchmark, const hint_job *job)
{
    for (size_t k = 0; k < job->count; k++) {
        const int64_t n = hint_first_size(job, &job->series[k]);
        const int64_t least = hint_rank_bytes(job, &job->series[k], n);
        if (least <= job->limit_bytes) continue;
        if (cm_rank(cm_world()) != LEADER) return CM_EXIT_USAGE;
        return cm_option_error(benchmark->program,
                               "%s leaves a rank %lld bytes, below the %lld that its "
                               "part of %lld subintervals takes",
                               job->options->max_memory_bytes < 0 ? "half of the free memory"
                                                                  : "--max-memory",
                               (long long)job->limit_bytes, (long long)least, (long long)n);
    }
    return 0;
}

int hint_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const hint_options *options = benchmark->options;
    int status = refuse(benchmark, options, cm_size(cm_world()));
    if (status) return status;
    if (options->bind) cm_run_bind();
    hint_job job = {.options = options};
    job.limit_bytes = limit_of_rank(options);
    make_series(&job);
    status = refuse_memory(benchmark, &job);
    if (status) {
        close_job(&job);
        return status;
    }
    if (cm_rank(cm_world()) == LEADER) {
        cm_result *result = hint_open(benchmark, argc, argv);
        if (!result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
        hint_write_metadata(&job, result);
        hint_sweep(&job, result);
        hint_command_end(&job);
        hint_write(&job, result);
        status = cm_result_close(result);
    } else {
        hint_follow(&job);
    }
    close_job(&job);
    return status;
}
