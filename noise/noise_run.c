/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_run.c: measures on all ranks at once and brings what each found to rank 0. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include "machine/disturbance.h"
#include "measure/clock.h"
#include "noise.h"

enum { LEADER = 0, TAG = 1 };
static const double false_alarms = 0.01; /* of a period by chance, over all ranks */

static void *array(size_t n, size_t bytes)
{
    void *all = calloc(n, bytes);
    if (!all) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu values of %zu bytes", n, bytes);
    return all;
}

static int64_t largest(int64_t mine)
{
    int64_t all;
    cm_allreduce(cm_world(), &mine, &all, 1, CM_INT64, CM_MAX, CM_AUTO);
    return all;
}

/* All at once, so that each core shares what it shares in the measurement. All ranks get the steps
   of the fastest one. */
static int64_t same_work(double seconds)
{
    cm_barrier(cm_world(), CM_AUTO);
    return largest(noise_work_steps(seconds));
}

/* Returns an amount of work that reading the clock after each unit slows down by at most 2 %. */
static int64_t unit_steps(const noise_options *options, int64_t steps)
{
    static const double units = 200, share = 0.02;
    double unit_s = fmax(options->quantum_s / units, cm_clock_cost_s() / share);
    double unit = (double)steps * fmin(unit_s / options->quantum_s, 1);
    return largest(unit < 1 ? 1 : (int64_t)unit);
}

/* ---- One rank -------------------------------------------------------------------------------- */

static void fixed_work(const noise_options *options, int64_t steps, cm_samples *time_s,
                       noise_core *core, int64_t *wrong)
{
    size_t most = 2 * noise_quanta(options);
    if (!cm_samples_reserve(time_s, most))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu quanta; try fewer --seconds", most);
    cm_barrier(cm_world(), CM_AUTO);
    time_s->n = noise_fixed_work(steps, options->seconds, most, time_s->value, wrong);
    if (!noise_core_work(time_s, core)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
}

static void fixed_time(const noise_options *options, int64_t steps, noise_core *core,
                       int64_t *wrong)
{
    size_t n = noise_quanta(options);
    double *done = array(n, sizeof *done);
    cm_barrier(cm_world(), CM_AUTO);
    noise_fixed_time(steps, options->quantum_s, n, done, wrong);
    if (!noise_core_time(done, n, options->quantum_s, false_alarms / cm_size(cm_world()), core))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the spectrum of %zu quanta", n);
    free(done);
}

static int processor(void)
{
    cm_machine_watch watch;
    cm_machine_counts counts;
    cm_machine_watch_open("", &watch);
    cm_machine_watch_read(&watch, &counts);
    cm_machine_watch_close(&watch);
    return counts.cpu;
}

/* ---- All ranks ------------------------------------------------------------------------------- */

/* Quanta of all ranks are as many as there is memory for; those of the first ranks are kept. */
static int sampled_ranks(size_t quanta)
{
    size_t most = NOISE_MOST_SAMPLES / (size_t)largest((int64_t)quanta);
    size_t ranks = (size_t)cm_size(cm_world());
    return (int)(most < 1 ? 1 : most < ranks ? most : ranks);
}

static void send_samples(const cm_samples *time_s, int sampled)
{
    if (cm_rank(cm_world()) >= sampled) return;
    cm_send(cm_world(), time_s->value, time_s->n * sizeof *time_s->value, LEADER, TAG);
}

static void write_row(cm_result *result, int rank, int sampled, const noise_core *core,
                      cm_samples *time_s)
{
    if (rank != LEADER && rank < sampled) {
        if (!cm_samples_reserve(time_s, core->time_s.n))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu quanta", core->time_s.n);
        time_s->n = core->time_s.n;
        cm_recv(cm_world(), time_s->value, time_s->n * sizeof *time_s->value, rank, TAG, NULL);
    }
    noise_result_row(result, rank, core, rank < sampled ? time_s : NULL);
}

static int write_result(const cm_benchmark *benchmark, const noise_found *found, int sampled,
                        cm_samples *time_s)
{
    cm_result *result = noise_result_open(benchmark, found, sampled);
    for (int rank = 0; rank < found->ranks; rank++)
        write_row(result, rank, sampled, &found->core[rank], time_s);
    return noise_result_close(result, found);
}

int noise_run(const cm_benchmark *benchmark)
{
    const noise_options *options = benchmark->options;
    int status = cm_run_require_processes(benchmark->program, "have no core of their own");
    if (status) return status;
    cm_run_bind(options->bind);
    int rank = cm_rank(cm_world());
    noise_found found = {.ranks = cm_size(cm_world())};
    noise_core core = {.cpu = processor()};
    cm_samples time_s = CM_SAMPLES_EMPTY;
    int64_t wrong[3] = {0};
    int *host = array((size_t)found.ranks, sizeof *host);
    found.hosts = cm_run_number_hosts(cm_world(), host);
    core.host = host[rank];

    found.steps = same_work(options->quantum_s);
    fixed_work(options, found.steps, &time_s, &core, &wrong[0]);
    fixed_time(options, unit_steps(options, found.steps), &core, &wrong[1]);
    noise_step_measure(found.steps, options->seconds, &found.measured, &wrong[2]);
    noise_distribution_of(&time_s, &found.host);
    noise_distribution_of_hosts(&found.host);

    int64_t mine = wrong[0] + wrong[1] + wrong[2];
    cm_allreduce(cm_world(), &mine, &found.wrong, 1, CM_INT64, CM_SUM, CM_AUTO);
    if (rank == LEADER) found.core = array((size_t)found.ranks, sizeof *found.core);
    cm_gather(cm_world(), &core, sizeof core, found.core, LEADER, CM_AUTO);
    int sampled = sampled_ranks(time_s.n);
    if (rank == LEADER) status = write_result(benchmark, &found, sampled, &time_s);
    else send_samples(&time_s, sampled);
    cm_samples_free(&found.measured.step_s);
    cm_samples_free(&found.measured.barrier_s);
    cm_samples_free(&time_s);
    free(found.core);
    free(host);
    return status;
}
