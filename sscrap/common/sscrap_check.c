/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_check.c: refuses wrong options, backends, and sizes beyond memory before anything runs. */
#include <math.h>
#include "sscrap_series.h"

int sscrap_check_options(const cm_program *program, sscrap_job *job, const sscrap_problem *problem)
{
    cm_sampling_check(&job->sampling);
    if (job->from > job->size)
        return cm_option_error(program, "--from %lld is above %s %lld", (long long)job->from,
                               problem->size_option, (long long)job->size);
    return 0;
}

int sscrap_check_backend(const cm_program *program)
{
    return cm_run_require_processes(program, "hold no items of their own");
}

/* The first rank of a host, which checks, always takes part. */
void sscrap_require_memory(const sscrap_series *s)
{
    if (!s->all) {
        cm_run_require_memory(0, "", "no process");
        return;
    }
    int rank = cm_rank(s->all), all = cm_size(s->all),
        here = cm_run_ranks_on_computer(s->all, rank);
    int ranks = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    double most = 0;
    for (int p = s->job->each ? 1 : all; p <= all; p++)
        most = fmax(most, s->problem->bytes(s->options, s->job->size, p) * (p < here ? p : here));
    cm_run_require_memory((size_t)fmin(most / ranks, 0x1p62), s->problem->size_option, "%s %lld",
                          s->problem->size_option, (long long)s->job->size);
}
