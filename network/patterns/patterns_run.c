/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_run.c: every row of the plan, measured by two ranks and written by rank 0. */
#include <math.h>
#include "patterns.h"

const cm_metric patterns_metrics[] = {
    {"latency_us", "us", CM_BETTER_LOW,
     "what the smallest message costs, median: by ping, its time at the slower end; by ping-pong, "
     "a whole round trip; by exchange, the time in which one goes each way"},
    {"peak_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "the highest throughput that a median reached, the bytes of all its messages, 10^6 B/s"},
    {0},
};

/* ---- Up to which size both ends of an exchange may send first ------------------------------- */

/* MPI libraries do not say where theirs is; none that is in use has it below this. */
enum { UNKNOWN_EAGER_BYTES = 1024 };

/* Above the layer's limit two such sends would never end. */
static int settle_both_send(const cm_program *program, patterns_options *options)
{
    int64_t limit = cm_pair_job_eager_bytes(), wanted = options->both_send_bytes;
    options->both_send_bytes = wanted >= 0 ? wanted : limit >= 0 ? limit : UNKNOWN_EAGER_BYTES;
    if (limit < 0 || options->both_send_bytes <= limit || options->pattern != PATTERNS_EXCHANGE)
        return 0;
    if (cm_rank(cm_world()) != CM_PAIR_LEADER) return CM_EXIT_USAGE;
    return cm_option_error(program,
                           "--both-send %lld: above the eager limit, which is %lld bytes, "
                           "two ranks that both send first wait for ever; --both-send %lld or less "
                           "will do",
                           (long long)wanted, (long long)limit, (long long)limit);
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

enum { COMMON = CM_SAMPLE_COLUMN_COUNT + 6, ENDS = 2 };

typedef struct {
    const patterns_options *options;
    const patterns_row *rows;
    size_t n_rows;
    cm_pair_channel *channel;
    cm_result *result;
    cm_pair_point point;
    double bytes[PATTERNS_MOST_ROWS], median_s[PATTERNS_MOST_ROWS];
} table;

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
{
    const patterns_options *options = benchmark->options;
    static const cm_result_column columns[] = {
        {"size_bytes", "%.0f"},     {"transfer", "=word|block"}, CM_SAMPLE_COLUMNS("_s", "%.4e"),
        {"MB_per_s", "%.4g"},       {"iterations", "%.0f"},      {"paper_time_us", "%.2f"},
        {"paper_MB_per_s", "%.3f"}, {"sender_s", "%.4e"},        {"receiver_s", "%.4e"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COMMON + ENDS, "a value a column");
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns,
                          options->pattern == PATTERNS_PING ? COMMON + ENDS : COMMON);
}

static void write_metadata(cm_result *result, const patterns_options *options,
                           const cm_pair_mode *mode, cm_pair_channel *channel)
{
    cm_pair_write_place(result, channel, options->job.sampling.bind);
    cm_result_meta(result, "pattern", "%s", mode->name);
    cm_result_meta(result, "direction", "%s", mode->direction);
    cm_result_meta(result, "throughput", "%s",
                   mode->directions > 1
                       ? "2 * size / time of an iteration, as the paper counts it: both messages"
                       : "size / time of an iteration, as the paper counts it");
    cm_result_meta(result, "transfers",
                   "word: its size compiled into the loop; block: of any size");
    if (options->pattern == PATTERNS_EXCHANGE) {
        cm_result_meta_number(result, "both_send_bytes", (double)options->both_send_bytes, "%.0f");
        cm_result_meta(result, "order",
                       "both send, then both receive, as in the paper, up to %lld bytes; above, "
                       "where that would hang, both start a send, receive, and wait for it",
                       (long long)options->both_send_bytes);
    }
    cm_pair_write_sampling(result, &options->job.sampling, options->job.integrity, mode->sample);
}

static double MB_per_s(const patterns_row *row, double time_s)
{
    return 1e-6 * row->mode->directions * (double)row->bytes / time_s;
}

static double median_of(const cm_samples *samples)
{
    cm_summary summary;
    if (!cm_summarize(samples, &summary)) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    return summary.median;
}

static void write_row(const table *t, const patterns_row *row)
{
    const cm_summary *s = &t->point.summary;
    const cm_samples *ends = t->channel->pairs->kept;
    patterns_printed paper =
        patterns_paper((patterns_pattern)t->options->pattern, row->transfer, row->bytes);
    double values[COMMON + ENDS] = {(double)row->bytes, row->transfer};
    double *next = cm_sample_values(s, values + 2);
    *next++ = MB_per_s(row, s->median);
    *next++ = (double)t->point.iterations;
    *next++ = paper.time_us;
    *next++ = paper.MB_per_s;
    *next++ = median_of(&ends[CM_PAIR_LEADER]);
    *next++ = median_of(&ends[CM_PAIR_FOLLOWER]);
    cm_result_row(t->result, values, &t->point.samples, "s");
}

/* One row; false: what arrived was wrong, and the run ends there. */
static bool measure(table *t, size_t k)
{
    const patterns_row *row = &t->rows[k];
    const cm_sampling *sampling = &t->options->job.sampling;
    cm_result_progress(t->result, (double)k / (double)t->n_rows, "%lld bytes",
                       (long long)row->bytes);
    if (k == 0) cm_pair_warm_up(t->channel, row->mode, sampling, row->bytes);
    if (k == 0 || row->transfer != t->rows[k - 1].transfer) t->point.iterations = 1;
    t->point.bytes = row->bytes;
    bool enough = cm_pair_measure(t->channel, row->mode, sampling, &t->point);
    cm_pair_command(t->channel, row->mode, CM_PAIR_QUIT, 0, 0);
    if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    if (t->channel->damage.wrong_bytes) return false;
    t->bytes[k] = (double)row->bytes;
    t->median_s[k] = t->point.summary.median;
    write_row(t, row);
    return true;
}

/* Words have loops of their own, and so a line of their own, which nobody asks for. */
static void write_metrics(const table *t)
{
    size_t words = 0;
    double peak = 0;
    for (size_t k = 0; k < t->n_rows; k++) {
        words += t->rows[k].transfer == PATTERNS_WORD;
        peak = fmax(peak, MB_per_s(&t->rows[k], t->median_s[k]));
    }
    if (t->n_rows > words)
        cm_pair_write_fits(t->result, "latency", t->n_rows - words, t->bytes + words,
                           t->median_s + words);
    cm_result_verdict(t->result, true, "latency_us", 1e6 * t->median_s[0]);
    cm_result_verdict(t->result, true, "peak_MB_per_s", peak);
}

static int lead(const cm_benchmark *benchmark, int argc, char **argv, table *t)
{
    t->result = open_result(benchmark, argc, argv);
    if (!t->result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    write_metadata(t->result, t->options, t->rows[0].mode, t->channel);
    cm_pair_command(t->channel, t->rows[0].mode, CM_PAIR_QUIT, 0, 0);

    size_t done = 0;
    for (bool right = true; cm_pair_job_goes_on(t->channel, right && done < t->n_rows); done++)
        right = measure(t, done);
    cm_samples_free(&t->point.samples);

    double wrong = (double)t->channel->damage.wrong_bytes;
    if (wrong > 0) cm_pair_write_damage(t->result, &t->channel->damage);
    cm_result_check(t->result, "wrong_bytes", wrong, "==", 0);
    if (wrong > 0) cm_result_verdict(t->result, false, "latency_us", NAN);
    else write_metrics(t);
    return cm_result_close(t->result);
}

/* ---- Every rank ----------------------------------------------------------------------------- */

static void follow(cm_pair_channel *channel, const patterns_row *rows)
{
    cm_pairs_follow(channel, rows[0].mode); /* while metadata are gathered */
    for (size_t k = 0; cm_pair_job_goes_on(channel, false); k++)
        cm_pairs_follow(channel, rows[k].mode);
}

int patterns_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    patterns_options *options = benchmark->options;
    patterns_row rows[PATTERNS_MOST_ROWS];
    cm_pair_channel channel;
    cm_pairs pairs;
    int status = settle_both_send(benchmark->program, options);
    if (status) return status;
    cm_pair_job_open(&options->job, "--upper", options->upper_bytes, &channel, &pairs);
    int rank = cm_rank(cm_world());
    channel.peer = 1 - rank;
    pairs.leads = rank == CM_PAIR_LEADER;
    pairs.both_ends = true;

    table t = {.options = options,
               .rows = rows,
               .n_rows = patterns_plan(options, rows),
               .channel = &channel,
               .point = {.samples = CM_SAMPLES_EMPTY}};
    if (rank == CM_PAIR_LEADER) status = lead(benchmark, argc, argv, &t);
    else follow(&channel, rows);
    cm_pair_job_close(&channel);
    return status;
}
