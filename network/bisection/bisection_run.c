/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_run.c: all sizes, all pairs at once; the average over the pairs and its lines. */
#include <math.h>
#include <stdlib.h>
#include "bisection.h"

const cm_metric bisection_metrics[] = {
    {"latency_us", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message, average over the pairs, median"},
    {"bandwidth_MB_per_s", "MB/s", CM_BETTER_HIGH, "the highest throughput of a pair, 10^6 B/s"},
    {"crossover_bytes", "B", CM_BETTER_NEITHER, "where the lines of short and long messages meet"},
    {0},
};

/* Of MPICH in the paper, and of MPI libraries that do not say theirs. */
enum { PAPERS_SPLIT_BYTES = 65536, COLUMNS = CM_SAMPLE_COLUMN_COUNT + 8 };

/* ---- Average over the pairs ----------------------------------------------------------------- */

/* The pairs' times of one exchange, averaged: the paper's rule. cm_pairs has them by rank; the
   first half of the ranks leads. */
static double command(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    double time_s = cm_pairs_conduct.command(channel, mode, operation, bytes, iterations);
    if (operation != CM_PAIR_TRIAL && operation != CM_PAIR_CHECKED) return time_s;
    int pairs = channel->pairs->ranks / 2;
    double sum_s = 0;
    for (int leader = 0; leader < pairs; leader++) sum_s += channel->pairs->time_s[leader];
    return sum_s / pairs;
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

typedef struct {
    const bisection_options *options;
    cm_pair_channel *channel;
    const cm_pair_mode *mode;
    cm_result *result;
    int pairs;
    size_t n, done;
    int64_t *size_bytes;
    double *bytes, *median_s; /* [done] */
} table;

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    static const cm_result_column columns[] = {
        {"size_bytes", "%.0f"},         CM_SAMPLE_COLUMNS("_s", "%.4e"), {"MB_per_s", "%.4g"},
        {"aggregate_MB_per_s", "%.4g"}, {"round_trips", "%.0f"},         {"slowest_pair", "%.0f"},
        {"slowest_pair_s", "%.4e"},     {"fastest_pair_s", "%.4e"},      {"spread", "%.4g"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

static void write_metadata(const table *t)
{
    const cm_pair_job *job = &t->options->job;
    cm_pair_write_place(t->result, t->channel, job->sampling.bind);
    cm_result_meta_number(t->result, "pairs", t->pairs, "%.0f");
    cm_result_meta(t->result, "pairing", "ranks 0 to %d with ranks %d to %d", t->pairs - 1,
                   t->pairs, 2 * t->pairs - 1);
    cm_pair_write_sampling(
        t->result, &job->sampling, job->integrity,
        "a trial: time of its round trips / (2 * round_trips), averaged over the pairs");
    cm_result_meta(t->result, "throughput", "of a pair in that time, and of all pairs together");
    cm_result_meta_number(t->result, "split_bytes", (double)t->options->split_bytes, "%.0f");
}

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples"); }

static void write_row(const table *t, const cm_pair_point *point)
{
    const cm_summary *s = &point->summary;
    cm_pairs_spread pairs;
    if (!cm_pairs_compare(t->channel->pairs, &pairs)) out_of_memory();
    double MB_per_s = 1e-6 * (double)point->bytes / s->median;
    double values[COLUMNS] = {(double)point->bytes}, *next = cm_sample_values(s, values + 1);
    *next++ = MB_per_s;
    *next++ = t->pairs * MB_per_s;
    *next++ = (double)point->iterations;
    *next++ = pairs.slowest;
    *next++ = pairs.slowest_s;
    *next++ = pairs.fastest_s;
    *next++ = pairs.slowest_s / pairs.fastest_s;
    cm_result_row(t->result, values, &point->samples, "s");
}

static void measure(table *t)
{
    const cm_sampling *sampling = &t->options->job.sampling;
    cm_pair_point point = {.iterations = 1, .samples = CM_SAMPLES_EMPTY};
    cm_pair_warm_up(t->channel, t->mode, sampling, t->options->lower_bytes);
    for (t->done = 0; t->done < t->n; t->done++) {
        point.bytes = t->size_bytes[t->done];
        cm_result_progress(t->result, (double)t->done / (double)t->n, "%lld bytes",
                           (long long)point.bytes);
        if (!cm_pair_measure(t->channel, t->mode, sampling, &point)) out_of_memory();
        if (t->channel->damage.wrong_bytes) break;
        t->bytes[t->done] = (double)point.bytes;
        t->median_s[t->done] = point.summary.median;
        write_row(t, &point);
    }
    cm_samples_free(&point.samples);
}

static void write_metrics(const table *t)
{
    size_t shorts = 0;
    double peak = 0;
    for (size_t k = 0; k < t->n; k++) {
        shorts += t->bytes[k] <= (double)t->options->split_bytes;
        peak = fmax(peak, 1e-6 * t->bytes[k] / t->median_s[k]);
    }
    if (shorts > 0)
        cm_pair_write_line(t->result, "short", "latency", shorts, t->bytes, t->median_s);
    if (shorts < t->n)
        cm_pair_write_line(t->result, "long", "latency", t->n - shorts, t->bytes + shorts,
                           t->median_s + shorts);
    double crossover = cm_pair_write_fits(t->result, "latency", t->n, t->bytes, t->median_s);
    cm_result_verdict(t->result, true, "latency_us", 1e6 * t->median_s[0]);
    cm_result_verdict(t->result, true, "bandwidth_MB_per_s", peak);
    /* One protocol has none, and that is no failure. */
    if (!isnan(crossover)) cm_result_verdict(t->result, true, "crossover_bytes", crossover);
    else cm_result_comment(t->result, "no crossover: two lines do not describe the data better");
}

static int lead(const cm_benchmark *benchmark, int argc, char **argv, table *t)
{
    t->result = open_result(benchmark, argc, argv);
    if (!t->result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    t->n = cm_pair_sizes(t->options->lower_bytes, t->options->upper_bytes, 0, &t->size_bytes);
    t->bytes = calloc(t->n + 1, sizeof *t->bytes);
    t->median_s = calloc(t->n + 1, sizeof *t->median_s);
    if (t->n == 0 || !t->bytes || !t->median_s) out_of_memory();

    write_metadata(t);
    measure(t);
    cm_pair_command(t->channel, t->mode, CM_PAIR_QUIT, 0, 0);
    double wrong = (double)t->channel->damage.wrong_bytes;
    if (wrong > 0) cm_pair_write_damage(t->result, &t->channel->damage);
    cm_result_check(t->result, "wrong_bytes", wrong, "==", 0);
    if (wrong > 0) cm_result_verdict(t->result, false, "latency_us", NAN);
    else write_metrics(t);
    free(t->size_bytes);
    free(t->bytes);
    free(t->median_s);
    return cm_result_close(t->result);
}

/* ---- Every rank ----------------------------------------------------------------------------- */

int bisection_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    bisection_options *options = benchmark->options;
    const cm_pair_mode *mode = &cm_pair_pingpong[CM_PAIR_IN_TIME];
    const cm_pair_conduct conduct = {
        .command = command, .report = cm_pairs_conduct.report, .place = cm_pairs_conduct.place};
    cm_pair_channel channel;
    cm_pairs pairs;
    int64_t eager_bytes = cm_pair_job_eager_bytes();
    if (options->split_bytes < 0)
        options->split_bytes = eager_bytes >= 0 ? eager_bytes : PAPERS_SPLIT_BYTES;
    cm_pair_job_open(&options->job, "--upper", options->upper_bytes, &channel, &pairs);
    int rank = cm_rank(cm_world()), half = cm_size(cm_world()) / 2, status = 0;
    channel.conduct = &conduct;
    channel.peer = rank < half ? rank + half : rank - half;
    pairs.leads = rank < half;

    table t = {.options = options, .channel = &channel, .mode = mode, .pairs = half};
    if (rank == CM_PAIR_LEADER) status = lead(benchmark, argc, argv, &t);
    else cm_pairs_follow(&channel, mode);
    cm_pair_job_close(&channel);
    return status;
}
