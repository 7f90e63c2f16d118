/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_run.c: all sizes, the four trains of a size in turns; the parameters; what they predict. */
#include <math.h>
#include <stdlib.h>
#include "loggp.h"

const cm_metric loggp_metrics[] = {
    {"half_trip_us", "us", CM_BETTER_LOW, "half the round trip of the smallest message, median"},
    {"L_us", "us", CM_BETTER_LOW,
     "latency: what is left of it when both overheads are taken off; not told where that is "
     "not above 0"},
    {"o_send_us", "us", CM_BETTER_LOW,
     "overhead of sending, in which the processor can do nothing else"},
    {"o_receive_us", "us", CM_BETTER_LOW, "overhead of receiving a message that is there"},
    {"g_us", "us", CM_BETTER_LOW, "gap from message to message of a train"},
    {"G_ns_per_byte", "ns/B", CM_BETTER_LOW, "gap from byte to byte"},
    {"prediction_error", "1", CM_BETTER_LOW,
     "how far half the round trip is from what the parameters predict, median over the sizes"},
    {0},
};

enum { COLUMNS = CM_SAMPLE_COLUMN_COUNT + 8 };

/* What is timed at one size. In turns, so that what else the machine does meets all of them. */
typedef enum { TRIP, TRAIN, DELAYED, RECEIVE, TIMES } timed;

/* What comes of it, in seconds; [TIMES] medians. */
typedef struct {
    cm_summary time_s[TIMES];
    double delay_s;                  /* between two messages of the delayed train, mean */
    double gap_s, send_s, receive_s; /* g + (s - 1) G; the overheads */
} point;

typedef struct {
    const loggp_options *options;
    loggp_end *end;
    cm_result *result;
    double clock_s, first_trip_s;
    cm_samples samples[TIMES], delays_s;
    int64_t size_bytes_now;
    cm_sample_tally tally;
    size_t n, done;
    int64_t *size_bytes;
    /* [done], of sizes whose times are above 0, as a fit wants them */
    double *bytes, *following, *trip_s, *gap_s, *send_s, *receive_s, *overhead_s;
} table;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory for sizes and samples"); }

/* ---- The beginning -------------------------------------------------------------------------- */

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    /* As CM_SAMPLE_COLUMNS, the median by its own name. */
    static const cm_result_column columns[] = {
        {"size_bytes", "%.0f"},
        {"n", "%.0f"},
        {"min_s", "%.4e"},
        {"half_trip_s", "%.4e"},
        {"low_s", "%.4e"},
        {"high_s", "%.4e"},
        {"interval", CM_INTERVAL_FORMAT},
        {"mean_s", "%.4e"},
        {"deviation_s", "%.4e"},
        {"round_trip_s", "%.4e"},
        {"train_s", "%.4e"},
        {"delayed_s", "%.4e"},
        {"delay_s", "%.4e"},
        {"gap_s", "%.4e"},
        {"send_s", "%.4e"},
        {"receive_s", "%.4e"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

static void write_metadata(table *t)
{
    const cm_sampling *sampling = &t->options->sampling;
    cm_pair_write_place(t->result, &t->end->channel, sampling->bind);
    cm_result_meta_number(t->result, "train_messages", (double)t->options->train, "%.0f");
    cm_pair_write_sampling(t->result, sampling, false,
                           "a train of messages with one answer, PRTT(n, d, s)");
    cm_result_meta(
        t->result, "overheads",
        "send_s: (delayed train - round trip) / (n - 1) - delay; receive_s: the call, the "
        "message being there; both without a reading of the clock");
    cm_result_meta_number(t->result, "clock_reading_s", t->clock_s, "%.3g");
}

/* ---- Measuring ------------------------------------------------------------------------------ */

static double train_s(table *t, loggp_kernel kernel, int64_t bytes, int64_t messages)
{
    return cm_pair_command(&t->end->channel, &loggp_modes[kernel], CM_PAIR_TRIAL, bytes, messages);
}

/* The pause has to be longer than a round trip: the network is then empty when a message begins. */
static double delay_for(table *t, int64_t bytes)
{
    enum { TRIES = 15 };
    static const double times = 1.5;
    cm_summary s;
    cm_samples_clear(&t->samples[TRIP]);
    for (int k = 0; k < TRIES; k++)
        if (!cm_samples_add(&t->samples[TRIP], train_s(t, LOGGP_TRAIN, bytes, 1))) out_of_memory();
    if (!cm_summarize(&t->samples[TRIP], &s)) out_of_memory();
    return times * s.median;
}

/* The four trains of a size in turn; the last two say of themselves how long they were. */
static double take(void *context, int64_t operations, double *time_s)
{
    table *t = context;
    int64_t n = t->options->train;
    (void)operations;
    time_s[TRIP] = train_s(t, LOGGP_TRAIN, t->size_bytes_now, 1);
    time_s[TRAIN] = train_s(t, LOGGP_TRAIN, t->size_bytes_now, n);
    time_s[DELAYED] = train_s(t, LOGGP_DELAYED, t->size_bytes_now, n) - t->end->waited_s;
    double waited_s = t->end->waited_s;
    train_s(t, LOGGP_LATE, t->size_bytes_now, 1);
    time_s[RECEIVE] = t->end->receive_s;
    if (!cm_samples_add(&t->delays_s, waited_s / (double)(n - 1))) out_of_memory();
    return time_s[TRIP] + time_s[TRAIN] + time_s[DELAYED] + waited_s + time_s[RECEIVE];
}

static void measure_size(table *t, int64_t bytes, point *p)
{
    cm_summary delays;
    double between = (double)(t->options->train - 1);
    t->size_bytes_now = bytes;
    t->end->delay_s = delay_for(t, bytes);
    for (int k = 0; k < TIMES; k++) cm_samples_clear(&t->samples[k]);
    cm_samples_clear(&t->delays_s);
    /* One operation is a trial: a train has a length of its own. */
    cm_sampled sampled = {.samples = t->samples, .operations = 1};
    const cm_subject subject = {.series = TIMES, .trial = take, .context = t};
    cm_sample(&t->options->sampling, NULL, 1, &subject, &sampled);
    cm_sample_count(&t->tally, &sampled, TIMES);
    for (int k = 0; k < TIMES; k++)
        if (!cm_summarize(&t->samples[k], &p->time_s[k])) out_of_memory();
    if (!cm_summarize(&t->delays_s, &delays)) out_of_memory();
    p->delay_s = delays.median;
    p->gap_s = (p->time_s[TRAIN].median - p->time_s[TRIP].median) / between;
    p->send_s = (p->time_s[DELAYED].median - p->time_s[TRIP].median) / between - t->clock_s;
    p->receive_s = p->time_s[RECEIVE].median - t->clock_s;
}

static cm_summary half(const cm_summary *whole)
{
    cm_summary s = *whole;
    s.min /= 2, s.median /= 2, s.low /= 2, s.high /= 2, s.mean /= 2, s.deviation /= 2;
    return s;
}

static void write_row(const table *t, int64_t bytes, const point *p)
{
    const cm_summary *trip = &p->time_s[TRIP];
    double delayed_s = p->time_s[DELAYED].median + p->delay_s * (double)(t->options->train - 1);
    const cm_summary half_trip = half(trip);
    double values[COLUMNS] = {(double)bytes}, *next = cm_sample_values(&half_trip, values + 1);
    *next++ = trip->median;
    *next++ = p->time_s[TRAIN].median;
    *next++ = delayed_s;
    *next++ = p->delay_s;
    *next++ = p->gap_s;
    *next++ = p->send_s;
    *next++ = p->receive_s;
    cm_result_row(t->result, values, &t->samples[TRIP], "s");
}

static void keep(table *t, int64_t bytes, const point *p)
{
    if (!(p->gap_s > 0 && p->send_s > 0 && p->receive_s > 0)) {
        cm_result_comment(t->result,
                          "%lld bytes take no part in the fit: a time that is not above "
                          "0 (gap %.3g s, send %.3g s, receive %.3g s)",
                          (long long)bytes, p->gap_s, p->send_s, p->receive_s);
        return;
    }
    size_t k = t->done++;
    t->bytes[k] = (double)bytes;
    t->following[k] = (double)bytes - 1;
    t->trip_s[k] = p->time_s[TRIP].median;
    t->gap_s[k] = p->gap_s;
    t->send_s[k] = p->send_s;
    t->receive_s[k] = p->receive_s;
    t->overhead_s[k] = (p->send_s + p->receive_s) / 2;
}

/* False: something arrived wrong. */
static bool measure(table *t)
{
    cm_pair_channel *channel = &t->end->channel;
    const cm_pair_mode *mode = &loggp_modes[LOGGP_TRAIN];
    cm_pair_warm_up(channel, mode, &t->options->sampling, t->options->lower_bytes);
    for (size_t k = 0; k < t->n; k++) {
        int64_t bytes = t->size_bytes[k];
        point p;
        cm_result_progress(t->result, (double)k / (double)t->n, "%lld bytes", (long long)bytes);
        cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
        cm_pair_command(channel, mode, CM_PAIR_VERIFY, bytes, t->options->train);
        if (cm_pair_report(channel)) return false;
        measure_size(t, bytes, &p);
        /* What the commands carried must be right, too. */
        if (cm_pair_report(channel)) return false;
        if (k == 0) t->first_trip_s = p.time_s[TRIP].median;
        write_row(t, bytes, &p);
        keep(t, bytes, &p);
    }
    return true;
}

/* ---- Parameters and prediction -------------------------------------------------------------- */

typedef struct {
    cm_loggp common;
    cm_line send, receive;
} parameters;

static bool fit(const table *t, parameters *f)
{
    return cm_fit_loggp(t->done, t->bytes, t->overhead_s, t->gap_s, t->trip_s, &f->common)
           && cm_fit_line(t->done, t->following, t->send_s, CM_FIT_RELATIVE, &f->send)
           && cm_fit_line(t->done, t->following, t->receive_s, CM_FIT_RELATIVE, &f->receive);
}

/* Half the round trip of bytes by the model, whose overheads are those of a byte. What they grow by
   with the size is not added: it is spent while bytes are under way. */
static double predicted_s(const parameters *f, double bytes)
{
    return f->common.L_s.value + f->send.intercept.value + f->receive.intercept.value
           + (bytes - 1) * f->common.G_s_per_byte.value;
}

static void write_fit(const table *t, const parameters *f)
{
    static const double errors = 2;
    const cm_loggp *c = &f->common;
    cm_result_comment(t->result,
                      "fit: half the round trip of s bytes = L + o_send + "
                      "o_receive + (s - 1) G, messages of a train g + (s - 1) G apart; _error: "
                      "standard error");
    cm_result_comment(t->result,
                      "fit: model=loggp L_us=%.6g L_us_error=%.3g g_us=%.6g "
                      "g_us_error=%.3g G_ns_per_byte=%.6g G_ns_per_byte_error=%.3g",
                      1e6 * c->L_s.value, 1e6 * c->L_s.error, 1e6 * c->g_s.value,
                      1e6 * c->g_s.error, 1e9 * c->G_s_per_byte.value, 1e9 * c->G_s_per_byte.error);
    const cm_line *lines[] = {&f->send, &f->receive};
    const char *const names[] = {"send", "receive"};
    for (int k = 0; k < 2; k++)
        cm_result_comment(t->result,
                          "fit: model=loggp o_%s_us=%.6g o_%s_us_error=%.3g "
                          "o_%s_ns_per_byte=%.6g o_%s_ns_per_byte_error=%.3g",
                          names[k], 1e6 * lines[k]->intercept.value, names[k],
                          1e6 * lines[k]->intercept.error, names[k], 1e9 * lines[k]->slope.value,
                          names[k], 1e9 * lines[k]->slope.error);
    if (c->L_s.value <= 0)
        cm_result_comment(t->result,
                          "the processors work while the message is under way, or "
                          "somebody else had them: half the round trip is less than both "
                          "overheads");
    else if (c->L_s.value < errors * c->L_s.error)
        cm_result_comment(t->result, "L is less than %g of its standard errors from 0", errors);
}

/* A train is as dense as the network or the processor lets it be. */
static void write_bound(const table *t)
{
    static const double much = 1.1;
    size_t bound = 0;
    for (size_t k = 0; k < t->done; k++) bound += t->gap_s[k] < much * t->send_s[k];
    if (2 * bound > t->done)
        cm_result_comment(t->result,
                          "g and G are the sending processor's: at %zu of %zu sizes a "
                          "train's messages are no more than %.0f %% further apart than sending "
                          "takes; those of the network are at most as large",
                          bound, t->done, 100 * (much - 1));
}

/* Returns the median over the sizes of |predicted / measured - 1|. */
static double write_prediction(const table *t, const parameters *f)
{
    cm_samples errors = CM_SAMPLES_EMPTY;
    cm_summary s;
    double worst_bytes = 0, worst = 0;
    for (size_t k = 0; k < t->done; k++) {
        double error = predicted_s(f, t->bytes[k]) / (t->trip_s[k] / 2) - 1;
        if (!cm_samples_add(&errors, fabs(error))) out_of_memory();
        if (fabs(error) >= fabs(worst)) worst = error, worst_bytes = t->bytes[k];
    }
    if (!cm_summarize(&errors, &s)) out_of_memory();
    cm_samples_free(&errors);
    cm_result_comment(t->result,
                      "predicted half round trip: off by %.3g %% in the median of the "
                      "sizes, at worst by %+.3g %%, at %.0f bytes",
                      100 * s.median, 100 * worst, worst_bytes);
    return s.median;
}

/* No time is 0 or below. */
static void tell(const table *t, const char *name, double value)
{
    if (value > 0) cm_result_verdict(t->result, true, name, value);
    else cm_result_comment(t->result, "%s is not told, for it is not above 0", name);
}

static void write_metrics(const table *t, double half_trip_s)
{
    parameters f;
    cm_result_verdict(t->result, true, "half_trip_us", 1e6 * half_trip_s);
    if (!fit(t, &f)) {
        cm_result_comment(t->result, "fit: none, %zu sizes do not determine the parameters",
                          t->done);
        return;
    }
    write_fit(t, &f);
    write_bound(t);
    double error = write_prediction(t, &f);
    tell(t, "L_us", 1e6 * f.common.L_s.value);
    tell(t, "o_send_us", 1e6 * f.send.intercept.value);
    tell(t, "o_receive_us", 1e6 * f.receive.intercept.value);
    tell(t, "g_us", 1e6 * f.common.g_s.value);
    tell(t, "G_ns_per_byte", 1e9 * f.common.G_s_per_byte.value);
    cm_result_verdict(t->result, true, "prediction_error", error);
}

/* ---- Rank 0, and the other ------------------------------------------------------------------ */

static void open_table(table *t)
{
    double **lists[] = {&t->bytes,  &t->following, &t->trip_s,    &t->gap_s,
                        &t->send_s, &t->receive_s, &t->overhead_s};
    t->n = cm_pair_sizes(t->options->lower_bytes, t->options->upper_bytes, 0, &t->size_bytes);
    if (t->n == 0) out_of_memory();
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!(*lists[k] = calloc(t->n, sizeof **lists[k]))) out_of_memory();
}

static void close_table(table *t)
{
    double *lists[] = {t->bytes,  t->following, t->trip_s,    t->gap_s,
                       t->send_s, t->receive_s, t->overhead_s};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) free(lists[k]);
    for (int k = 0; k < TIMES; k++) cm_samples_free(&t->samples[k]);
    cm_samples_free(&t->delays_s);
    free(t->size_bytes);
}

static int lead(const cm_benchmark *benchmark, int argc, char **argv, table *t)
{
    t->result = open_result(benchmark, argc, argv);
    if (!t->result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    open_table(t);
    t->clock_s = loggp_clock_s();
    write_metadata(t);
    bool good = measure(t);
    cm_pair_command(&t->end->channel, &loggp_modes[LOGGP_TRAIN], CM_PAIR_QUIT, 0, 0);
    const cm_pair_damage *damage = &t->end->channel.damage;
    if (!good) cm_pair_write_damage(t->result, damage);
    else cm_sample_tell(t->result, &t->tally);
    cm_result_check(t->result, "wrong_bytes", (double)damage->wrong_bytes, "==", 0);
    if (!good) cm_result_verdict(t->result, false, "half_trip_us", NAN);
    else write_metrics(t, t->first_trip_s / 2);
    close_table(t);
    return cm_result_close(t->result);
}

int loggp_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const loggp_options *options = benchmark->options;
    const cm_pair_layout layout = {
        .policy = CM_PAIR_REUSED, .receives = 1, .upper_bytes = (size_t)options->upper_bytes};
    cm_run_require_memory(cm_pair_buffers_bytes(&layout), "--upper", "--upper %lld",
                          (long long)options->upper_bytes);
    if (options->sampling.bind) cm_run_bind();
    int rank = cm_rank(cm_world()), status = 0;
    loggp_end end = {
        .channel = {.group = cm_world(),
                    .conduct = &cm_pair_control,
                    .peer = rank == CM_PAIR_LEADER ? CM_PAIR_FOLLOWER : CM_PAIR_LEADER}};
    if (!cm_pair_buffers_open(&end.channel.buffers, &layout))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    table t = {.options = options, .end = &end};
    if (rank == CM_PAIR_LEADER) status = lead(benchmark, argc, argv, &t);
    else cm_pair_follow(&end.channel, &loggp_modes[LOGGP_TRAIN]);
    cm_pair_buffers_close(&end.channel.buffers);
    return status;
}
