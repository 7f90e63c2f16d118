/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_run.c: the rounds, the slowest pairs again, and the result. */
#include <math.h>
#include <stdlib.h>
#include "linkmap.h"

const cm_metric linkmap_metrics[] = {
    {"slowest_pair_us", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message between the slowest pair, median"},
    {"spread", "1", CM_BETTER_LOW, "the slowest pair's time over the fastest pair's"},
    {0},
};

enum { SMALL, LONG, SIZES, COLUMNS = CM_SAMPLE_COLUMN_COUNT + 7 };

/* ---- What all ranks do next ----------------------------------------------------------------- */

typedef enum { STEP_END, STEP_MEET, STEP_ROUND, STEP_ALONE } step_kind;
typedef struct {
    int32_t kind, first, second;
} step; /* ROUND: first is its number */

/* Every rank: rank 0's step, and this rank's peer in it. The lower rank of a pair leads it. */
static step agree(cm_pair_channel *channel, step next)
{
    int rank = cm_rank(channel->group), size = cm_size(channel->group);
    cm_bcast(channel->group, &next, sizeof next, CM_PAIR_LEADER, CM_AUTO);
    channel->peer = -1;
    if (next.kind == STEP_ROUND) channel->peer = linkmap_peer(size, next.first, rank);
    if (next.kind == STEP_ALONE && rank == next.first) channel->peer = next.second;
    if (next.kind == STEP_ALONE && rank == next.second) channel->peer = next.first;
    channel->pairs->leads = channel->peer > rank;
    return next;
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

typedef struct {
    const linkmap_options *options;
    cm_pair_channel *channel;
    const cm_pair_mode *mode;
    cm_result *result;
    int ranks;
    int *host; /* [rank]: the number of its host */
    int64_t bytes[SIZES];
    double *time_s[SIZES]; /* [first * ranks + second], first < second; alone where so
                                     measured */
    cm_pair_point point;
} table;

static void out_of_memory(int ranks)
{
    cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of %d ranks", ranks);
}

static double *at(const table *t, int size, int first, int second)
{
    return &t->time_s[size][(size_t)first * (size_t)t->ranks + (size_t)second];
}

static void open_table(table *t)
{
    size_t ranks = (size_t)t->ranks;
    t->host = calloc(ranks, sizeof *t->host);
    for (int size = 0; size < SIZES; size++) {
        t->time_s[size] = calloc(ranks * ranks, sizeof **t->time_s);
        if (!t->host || !t->time_s[size]) out_of_memory(t->ranks);
        for (size_t k = 0; k < ranks * ranks; k++) t->time_s[size][k] = NAN;
    }
    cm_run_number_hosts(cm_world(), t->host);
}

static void close_table(table *t)
{
    free(t->host);
    for (int size = 0; size < SIZES; size++) free(t->time_s[size]);
    cm_samples_free(&t->point.samples);
}

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    static const cm_result_column columns[] = {
        {"first", "%.0f"},
        {"second", "%.0f"},
        {"first_host", "%.0f"},
        {"second_host", "%.0f"},
        {"size_bytes", "%.0f"},
        {"alone", "%.0f"},
        CM_SAMPLE_COLUMNS("_s", "%.4e"),
        {"MB_per_s", "%.4g"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

static void write_metadata(const table *t)
{
    const cm_pair_job *job = &t->options->job;
    cm_pair_write_place(t->result, t->channel, job->sampling.bind);
    cm_result_meta_number(t->result, "pairs", t->ranks * (t->ranks - 1) / 2, "%.0f");
    cm_result_meta_number(t->result, "rounds", linkmap_rounds(t->ranks), "%.0f");
    cm_result_meta_number(t->result, "again", (double)t->options->again, "%.0f");
    cm_pair_write_sampling(t->result, &job->sampling, job->integrity,
                           "a trial of a pair: time of its round trips / (2 * "
                           "round_trips); a round stops by its slowest pair's");
}

static void write_row(table *t, int size, int first, int second, bool alone)
{
    const cm_samples *samples = &t->channel->pairs->kept[first];
    cm_summary s;
    if (!cm_summarize(samples, &s)) out_of_memory(t->ranks);
    double values[COLUMNS] = {
        first, second, t->host[first], t->host[second], (double)t->bytes[size], alone,
    };
    *cm_sample_values(&s, values + 6) = 1e-6 * (double)t->bytes[size] / s.median;
    if (s.n) *at(t, size, first, second) = s.median; /* the dummy's peers do not talk alone */
    cm_result_row(t->result, values, samples, "s");
}

/* One size of a step that all have agreed on. False: what arrived was wrong. */
static bool measure(table *t, step now, int size)
{
    t->point.bytes = t->bytes[size];
    t->point.iterations = 1;
    if (!cm_pair_measure(t->channel, t->mode, &t->options->job.sampling, &t->point))
        out_of_memory(t->ranks);
    if (t->channel->damage.wrong_bytes) return false;
    if (now.kind == STEP_ALONE) {
        write_row(t, size, now.first, now.second, true);
        return true;
    }
    for (int rank = 0; rank < t->ranks; rank++) {
        int peer = linkmap_peer(t->ranks, now.first, rank);
        if (peer > rank) write_row(t, size, rank, peer, false);
    }
    return true;
}

static bool quit(table *t, bool right)
{
    cm_pair_command(t->channel, t->mode, CM_PAIR_QUIT, 0, 0);
    return right;
}

static bool measure_rounds(table *t)
{
    int rounds = linkmap_rounds(t->ranks);
    bool right = true;
    for (int round = 0; right && round < rounds; round++) {
        step now = agree(t->channel, (step){STEP_ROUND, round, 0});
        cm_result_progress(t->result, (double)round / rounds, "round %d of %d", round + 1, rounds);
        if (round == 0)
            cm_pair_warm_up(t->channel, t->mode, &t->options->job.sampling, t->bytes[SMALL]);
        for (int size = 0; right && size < SIZES; size++) right = measure(t, now, size);
        quit(t, right);
    }
    return right;
}

typedef struct {
    int first, second;
    double time_s;
} pair;

static int slower(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->time_s != y->time_s) return x->time_s < y->time_s ? 1 : -1;
    return x->first != y->first ? x->first - y->first : x->second - y->second;
}

/* All pairs with a time, the slowest first. The caller frees them. */
static pair *sorted(const table *t, int size, size_t *n)
{
    pair *pairs = calloc((size_t)t->ranks * (size_t)t->ranks, sizeof *pairs);
    if (!pairs) out_of_memory(t->ranks);
    *n = 0;
    for (int first = 0; first < t->ranks; first++)
        for (int second = first + 1; second < t->ranks; second++)
            if (!isnan(*at(t, size, first, second)))
                pairs[(*n)++] = (pair){first, second, *at(t, size, first, second)};
    qsort(pairs, *n, sizeof *pairs, slower);
    return pairs;
}

static bool measure_again(table *t, int size)
{
    size_t n, again = (size_t)t->options->again;
    bool right = true;
    pair *pairs = sorted(t, size, &n);
    if (again > n) again = n;
    for (size_t k = 0; right && k < again; k++) {
        step now = agree(t->channel, (step){STEP_ALONE, pairs[k].first, pairs[k].second});
        right = quit(t, measure(t, now, size));
    }
    free(pairs);
    return right;
}

/* ---- Hosts, and the metrics ----------------------------------------------------------------- */

static double median_between(const table *t, int size, int one, int other, cm_samples *samples)
{
    cm_summary s;
    cm_samples_clear(samples);
    for (int first = 0; first < t->ranks; first++)
        for (int second = first + 1; second < t->ranks; second++) {
            int a = t->host[first], b = t->host[second];
            double time_s = *at(t, size, first, second);
            bool theirs = (a == one && b == other) || (a == other && b == one);
            if (theirs && !isnan(time_s) && !cm_samples_add(samples, time_s))
                out_of_memory(t->ranks);
        }
    if (!cm_summarize(samples, &s)) out_of_memory(t->ranks);
    return s.median;
}

/* Where hosts have several ranks each, their pairs together. */
static void write_hosts(const table *t)
{
    int hosts = 0;
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (int rank = 0; rank < t->ranks; rank++)
        if (t->host[rank] >= hosts) hosts = t->host[rank] + 1;
    if (hosts == t->ranks) return;
    for (int one = 0; one < hosts; one++)
        for (int other = one; other < hosts; other++) {
            double small_s = median_between(t, SMALL, one, other, &samples);
            double long_s = median_between(t, LONG, one, other, &samples);
            if (samples.n)
                cm_result_comment(t->result, "hosts: %d %d pairs=%zu latency_us=%.4g MB_per_s=%.4g",
                                  one, other, samples.n, 1e6 * small_s,
                                  1e-6 * (double)t->bytes[LONG] / long_s);
        }
    cm_samples_free(&samples);
}

static void write_metrics(const table *t)
{
    static const char *const what[SIZES] = {"latency", "bandwidth"};
    for (int size = SIZES - 1; size >= 0; size--) {
        size_t n;
        pair *pairs = sorted(t, size, &n);
        if (n > 0) {
            pair slow = pairs[0], fast = pairs[n - 1];
            cm_result_comment(t->result, "slowest %s: ranks %d and %d (%s, %s), %.4g us, %.4g MB/s",
                              what[size], slow.first, slow.second, cm_host(cm_world(), slow.first),
                              cm_host(cm_world(), slow.second), 1e6 * slow.time_s,
                              1e-6 * (double)t->bytes[size] / slow.time_s);
            if (size == SMALL) {
                cm_result_verdict(t->result, true, "slowest_pair_us", 1e6 * slow.time_s);
                cm_result_verdict(t->result, true, "spread", slow.time_s / fast.time_s);
            }
        }
        free(pairs);
    }
}

static int lead(const cm_benchmark *benchmark, int argc, char **argv, table *t)
{
    t->result = open_result(benchmark, argc, argv);
    if (!t->result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    open_table(t);
    agree(t->channel, (step){STEP_MEET, 0, 0});
    write_metadata(t);
    quit(t, true);

    bool right = measure_rounds(t);
    for (int size = 0; right && size < SIZES; size++) right = measure_again(t, size);
    agree(t->channel, (step){STEP_END, 0, 0});

    double wrong = (double)t->channel->damage.wrong_bytes;
    if (wrong > 0) cm_pair_write_damage(t->result, &t->channel->damage);
    cm_result_check(t->result, "wrong_bytes", wrong, "==", 0);
    if (wrong > 0) {
        cm_result_verdict(t->result, false, "slowest_pair_us", NAN);
    } else {
        write_hosts(t);
        write_metrics(t);
    }
    close_table(t);
    return cm_result_close(t->result);
}

/* ---- Every rank ----------------------------------------------------------------------------- */

int linkmap_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const linkmap_options *options = benchmark->options;
    cm_pair_channel channel;
    cm_pairs pairs;
    int status = 0;
    cm_pair_job_open(&options->job, "--size", options->size_bytes, &channel, &pairs);
    table t = {.options = options,
               .channel = &channel,
               .mode = &cm_pair_pingpong[CM_PAIR_IN_TIME],
               .ranks = cm_size(cm_world()),
               .bytes = {[SMALL] = 1, [LONG] = options->size_bytes},
               .point = {.samples = CM_SAMPLES_EMPTY}};
    if (cm_rank(cm_world()) == CM_PAIR_LEADER) status = lead(benchmark, argc, argv, &t);
    else
        while (agree(&channel, (step){0}).kind != STEP_END) cm_pairs_follow(&channel, t.mode);
    cm_pair_job_close(&channel);
    return status;
}
