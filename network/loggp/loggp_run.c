/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_run.c: measures all sizes; the four trains of a size take turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "loggp.h"

typedef struct {
    const loggp_options *options;
    loggp_end *end;
    cm_result *result;
    double clock_s;
    cm_summary first_trip_s;
    cm_samples samples[LOGGP_TIMES], delays_s;
    int64_t size_bytes_now;
    unsigned disturbed, before; /* the follower's causes: in this trial, and in the one before */
    cm_sample_tally tally;
    size_t n;
    int64_t *size_bytes; /* [n] */
    loggp_lists lists;
} table;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples"); }

/* ---- Measuring ------------------------------------------------------------------------------ */

/* The seconds of the train. Those of the command have the follower's preparations in them. */
static double train_s(table *t, loggp_kernel kernel, int64_t bytes, int64_t messages)
{
    cm_pair_command(&t->end->channel, &loggp_modes[kernel], CM_PAIR_TRIAL, bytes, messages);
    return t->end->train_s;
}

/* The pause is longer than a round trip, so the network is empty when a message begins. */
static double delay_for(table *t, int64_t bytes)
{
    enum { TRIES = 15 };
    static const double times = 1.5;
    cm_samples_clear(&t->samples[LOGGP_TRIP_S]);
    for (int k = 0; k < TRIES; k++)
        if (!cm_samples_add(&t->samples[LOGGP_TRIP_S], train_s(t, LOGGP_TRAIN, bytes, 1)))
            out_of_memory();
    return times * cm_sample_summary(&t->samples[LOGGP_TRIP_S]).median;
}

/* The follower reports on its last train in its answer to the next command. For the last train of a
   trial, this is the first command of the next trial. */
static double said_s(table *t, loggp_kernel kernel, int64_t messages)
{
    double time_s = train_s(t, kernel, t->size_bytes_now, messages);
    t->disturbed |= t->end->channel.disturbed_before;
    return time_s;
}

static unsigned follower_causes(void *context, unsigned *earlier)
{
    const table *t = context;
    *earlier = t->before;
    return t->disturbed;
}

/* Runs the four trains of a size in turn. The last two time single calls. */
static double take(void *context, int64_t operations, double *time_s)
{
    table *t = context;
    int64_t n = t->options->train;
    (void)operations;
    time_s[LOGGP_TRIP_S] = train_s(t, LOGGP_TRAIN, t->size_bytes_now, 1);
    t->before = t->end->channel.disturbed_before;
    t->disturbed = 0;
    time_s[LOGGP_TRAIN_S] = said_s(t, LOGGP_TRAIN, n);
    double delayed_s = said_s(t, LOGGP_DELAYED, n);
    double waited_s = t->end->waited_s;
    time_s[LOGGP_SEND_S] = t->end->send_s;
    said_s(t, LOGGP_LATE, 1);
    time_s[LOGGP_RECEIVE_S] = t->end->receive_s;
    if (!cm_samples_add(&t->delays_s, waited_s / (double)(n - 1))) out_of_memory();
    return time_s[LOGGP_TRIP_S] + time_s[LOGGP_TRAIN_S] + delayed_s + time_s[LOGGP_RECEIVE_S];
}

static void measure_size(table *t, int64_t bytes, loggp_point *p)
{
    double between = (double)(t->options->train - 1);
    t->size_bytes_now = bytes;
    cm_pair_look(&t->end->channel);
    p->first_ns = cm_pair_distance_now(&t->end->channel);
    t->end->delay_s = delay_for(t, bytes);
    for (int k = 0; k < LOGGP_TIMES; k++) cm_samples_clear(&t->samples[k]);
    cm_samples_clear(&t->delays_s);
    /* One operation is a trial: a train has a length of its own. */
    cm_sampled sampled = {.samples = t->samples, .operations = 1};
    const cm_subject subject = {
        .series = LOGGP_TIMES, .trial = take, .others = follower_causes, .context = t};
    cm_sample(&t->options->sampling, NULL, 1, &subject, &sampled);
    cm_sample_count(&t->tally, &sampled, LOGGP_TIMES);
    /* The messages that carry commands must be right, too. */
    cm_pair_report(&t->end->channel);
    for (int k = 0; k < LOGGP_TIMES; k++)
        if (!cm_samples_disturb(&t->samples[k], sampled.last, SIZE_MAX,
                                t->end->channel.disturbed_before))
            out_of_memory();
    cm_pair_look(&t->end->channel);
    p->last_ns = cm_pair_distance_now(&t->end->channel);
    for (int k = 0; k < LOGGP_TIMES; k++) p->time_s[k] = cm_sample_summary(&t->samples[k]);
    p->delay_s = cm_sample_summary(&t->delays_s).median;
    p->gap_s = (p->time_s[LOGGP_TRAIN_S].median - p->time_s[LOGGP_TRIP_S].median) / between;
    p->send_s = p->time_s[LOGGP_SEND_S].median - t->clock_s;
    p->receive_s = p->time_s[LOGGP_RECEIVE_S].median - t->clock_s;
}

static void keep(table *t, int64_t bytes, const loggp_point *p)
{
    /* A call or a gap that is longer than a round trip was interrupted. */
    double trip_s = p->time_s[LOGGP_TRIP_S].median;
    double least_s = fmin(p->gap_s, fmin(p->send_s, p->receive_s));
    double most_s = fmax(p->gap_s, fmax(p->send_s, p->receive_s));
    if (!(least_s > 0 && most_s <= trip_s)) {
        cm_result_comment(t->result,
                          "%lld bytes take no part in the fit: expected times above 0 and at most "
                          "the round trip, %.3g s; got gap %.3g s, send %.3g s, receive %.3g s",
                          (long long)bytes, trip_s, p->gap_s, p->send_s, p->receive_s);
        return;
    }
    loggp_lists *lists = &t->lists;
    size_t k = lists->n++;
    if (k == 0) memcpy(lists->call_s, p->time_s, sizeof lists->call_s);
    for (int time = 0; time < LOGGP_TIMES; time++)
        lists->disturbed =
            cm_disturbed_either(lists->disturbed, cm_disturbed_summary(&p->time_s[time]));
    lists->bytes[k] = (double)bytes;
    lists->trip_s[k] = trip_s;
    lists->gap_s[k] = p->gap_s;
    lists->send_s[k] = p->send_s;
    lists->receive_s[k] = p->receive_s;
}

/* Ends at the first size whose data arrive wrong. */
static void measure(table *t)
{
    cm_pair_channel *channel = &t->end->channel;
    const cm_pair_mode *mode = &loggp_modes[LOGGP_TRAIN];
    cm_pair_warm_up(channel, mode, &t->options->sampling, t->options->lower_bytes);
    for (size_t k = 0; k < t->n; k++) {
        int64_t bytes = t->size_bytes[k];
        loggp_point p;
        cm_result_progress(t->result, (double)k / (double)t->n, "%lld bytes", (long long)bytes);
        cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
        cm_pair_command(channel, mode, CM_PAIR_VERIFY, bytes, t->options->train);
        if (cm_pair_report(channel)) return;
        measure_size(t, bytes, &p);
        if (channel->damage.wrong_bytes) return;
        if (k == 0) t->first_trip_s = p.time_s[LOGGP_TRIP_S];
        loggp_result_row(t->result, bytes, &p, &t->samples[LOGGP_TRIP_S]);
        keep(t, bytes, &p);
    }
}

/* ---- Rank 0, and the other ------------------------------------------------------------------ */

static void open_table(table *t)
{
    loggp_lists *l = &t->lists;
    double **lists[] = {&l->bytes, &l->trip_s, &l->gap_s, &l->send_s, &l->receive_s};
    t->n = cm_pair_sizes(t->options->lower_bytes, t->options->upper_bytes, 0, &t->size_bytes);
    if (t->n == 0) out_of_memory();
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!(*lists[k] = calloc(t->n, sizeof **lists[k]))) out_of_memory();
    t->end->sends_s = calloc((size_t)t->options->train, sizeof *t->end->sends_s);
    if (!t->end->sends_s) out_of_memory();
}

static void close_table(table *t)
{
    loggp_lists *l = &t->lists;
    double *lists[] = {l->bytes, l->trip_s, l->gap_s, l->send_s, l->receive_s, t->end->sends_s};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) free(lists[k]);
    for (int k = 0; k < LOGGP_TIMES; k++) cm_samples_free(&t->samples[k]);
    cm_samples_free(&t->delays_s);
    free(t->size_bytes);
}

static int lead(const cm_benchmark *benchmark, table *t)
{
    open_table(t);
    t->clock_s = loggp_clock_s();
    t->result = loggp_result_open(benchmark, t->end, t->clock_s);
    measure(t);
    cm_pair_command(&t->end->channel, &loggp_modes[LOGGP_TRAIN], CM_PAIR_QUIT, 0, 0);
    const cm_pair_distances_said said = cm_pair_distances_say(&t->end->channel);
    cm_pair_write_distances(t->result, &said);
    int status = loggp_result_close(t->result, &t->end->channel.damage, &t->tally, &t->lists,
                                    &t->first_trip_s);
    close_table(t);
    return status;
}

int loggp_run(const cm_benchmark *benchmark)
{
    const loggp_options *options = benchmark->options;
    const cm_pair_layout layout = {
        .policy = CM_PAIR_REUSED, .receives = 1, .upper_bytes = (size_t)options->upper_bytes};
    cm_run_require_memory(cm_pair_buffers_bytes(&layout), "--upper", "--upper %lld",
                          (long long)options->upper_bytes);
    cm_run_bind(options->sampling.bind);
    int rank = cm_rank(cm_world()), status = 0;
    loggp_end end = {
        .channel = {.group = cm_world(),
                    .conduct = &cm_pair_control,
                    .peer = rank == CM_PAIR_LEADER ? CM_PAIR_FOLLOWER : CM_PAIR_LEADER}};
    if (!cm_pair_buffers_open(&end.channel.buffers, &layout))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    table t = {.options = options, .end = &end};
    if (rank == CM_PAIR_LEADER) status = lead(benchmark, &t);
    else cm_pair_follow(&end.channel, &loggp_modes[LOGGP_TRAIN]);
    cm_pair_look_close(&end.channel);
    cm_pair_buffers_close(&end.channel.buffers);
    return status;
}
