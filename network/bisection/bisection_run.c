/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_run.c: measures all sizes, all pairs at once, and averages over the pairs. */
#include <math.h>
#include <stdlib.h>
#include "bisection.h"

/* The eager limit of the paper's MPICH, assumed of MPI libraries, which do not report theirs. */
enum { PAPERS_SPLIT_BYTES = 65536 };

/* ---- Average over the pairs ----------------------------------------------------------------- */

/* Returns the average of the pairs' times of one exchange, as the paper does. cm_pairs has them by
   the rank that leads. */
static double command(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    double time_s = cm_pairs_conduct.command(channel, mode, operation, bytes, iterations);
    if (operation != CM_PAIR_TRIAL && operation != CM_PAIR_CHECKED) return time_s;
    int pairs = 0;
    double sum_s = 0;
    for (int rank = 0; rank < channel->pairs->ranks; rank++) {
        if (isnan(channel->pairs->time_s[rank])) continue;
        sum_s += channel->pairs->time_s[rank];
        pairs++;
    }
    return sum_s / pairs;
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

typedef struct {
    const bisection_options *options;
    cm_pair_channel *channel;
    const cm_pair_mode *mode;
    cm_result *result;
    size_t n;
    int64_t *size_bytes;
    double *bytes;      /* [n] */
    cm_summary *time_s; /* [n] */
} table;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples"); }

static void measure(table *t)
{
    const cm_sampling *sampling = &t->options->job.sampling;
    cm_pair_point point = {.iterations = 1, .samples = CM_SAMPLES_EMPTY};
    cm_pair_warm_up(t->channel, t->mode, sampling, t->options->lower_bytes);
    for (size_t k = 0; k < t->n; k++) {
        point.bytes = t->size_bytes[k];
        cm_result_progress(t->result, (double)k / (double)t->n, "%lld bytes",
                           (long long)point.bytes);
        if (!cm_pair_measure(t->channel, t->mode, sampling, &point)) out_of_memory();
        if (t->channel->damage.wrong_bytes) break;
        t->bytes[k] = (double)point.bytes;
        t->time_s[k] = point.summary;
        bisection_result_row(t->result, t->channel->pairs, &point, 0,
                             1e-6 * t->bytes[k] / point.summary.median);
    }
    cm_samples_free(&point.samples);
}

static int lead(const cm_benchmark *benchmark, table *t)
{
    t->result = bisection_result_open(benchmark, t->channel);
    t->n = cm_pair_sizes(t->options->lower_bytes, t->options->upper_bytes, 0, &t->size_bytes);
    t->bytes = calloc(t->n + 1, sizeof *t->bytes);
    t->time_s = calloc(t->n + 1, sizeof *t->time_s);
    if (t->n == 0 || !t->bytes || !t->time_s) out_of_memory();

    measure(t);
    const cm_pair_distances_said said = cm_pair_distances_say(t->channel);
    cm_pair_write_distances(t->result, &said);
    cm_pair_command(t->channel, t->mode, CM_PAIR_QUIT, 0, 0);
    int status = bisection_result_close(t->result, t->options, &t->channel->damage, t->n, t->bytes,
                                        t->time_s);
    free(t->size_bytes);
    free(t->bytes);
    free(t->time_s);
    return status;
}

/* ---- Every rank ----------------------------------------------------------------------------- */

int bisection_run(const cm_benchmark *benchmark)
{
    bisection_options *options = benchmark->options;
    const cm_pair_mode *mode = &cm_pair_pingpong[CM_PAIR_IN_TIME];
    cm_pair_conduct conduct = cm_pairs_conduct;
    cm_pair_channel channel;
    cm_pairs pairs;
    int64_t eager_bytes = cm_pair_job_eager_bytes();
    if (options->split_bytes < 0)
        options->split_bytes = eager_bytes >= 0 ? eager_bytes : PAPERS_SPLIT_BYTES;
    cm_pair_job_open(&options->job, "--upper", options->upper_bytes, &channel, &pairs);
    int rank = cm_rank(cm_world()), half = cm_size(cm_world()) / 2, status = 0;
    conduct.command = command;
    channel.conduct = &conduct;
    channel.peer = rank < half ? rank + half : rank - half;
    pairs.leads = rank < half;

    table t = {.options = options, .channel = &channel, .mode = mode};
    if (options->random) status = bisection_random_run(benchmark, &channel, mode);
    else if (rank == CM_PAIR_LEADER) status = lead(benchmark, &t);
    else cm_pairs_follow(&channel, mode);
    cm_pair_job_close(&channel);
    return status;
}
