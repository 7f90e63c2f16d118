/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_run.c: measures every row of the plan with two ranks. */
#include "patterns.h"

/* ---- Up to which size both ends of an exchange may send first ------------------------------- */

/* MPI libraries do not tell their eager limit; no library in use has it below this. */
enum { UNKNOWN_EAGER_BYTES = 1024 };

/* Above the layer's limit two such sends would wait forever. */
static int settle_both_send(const cm_program *program, patterns_options *options)
{
    int64_t limit = cm_pair_job_eager_bytes(), wanted = options->both_send_bytes;
    options->both_send_bytes = wanted >= 0 ? wanted : limit >= 0 ? limit : UNKNOWN_EAGER_BYTES;
    if (limit < 0 || options->both_send_bytes <= limit || options->pattern != PATTERNS_EXCHANGE)
        return 0;
    if (cm_rank(cm_world()) != CM_PAIR_LEADER) return CM_EXIT_USAGE;
    return cm_option_error(program,
                           "--both-send %lld: above the eager limit, which is %lld bytes, "
                           "two ranks that both send first would wait forever; try --both-send "
                           "%lld or less",
                           (long long)wanted, (long long)limit, (long long)limit);
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

typedef struct {
    const patterns_options *options;
    const patterns_row *rows;
    size_t n_rows;
    cm_pair_channel *channel;
    cm_result *result;
    cm_pair_point point;
    cm_summary summary[PATTERNS_MOST_ROWS];
} table;

/* Measures one row. Returns false if wrong data arrived; the run then ends. */
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
    t->summary[k] = t->point.summary;
    patterns_result_row(t->result, t->options, row, &t->point, t->channel->pairs->kept);
    return true;
}

static int lead(const cm_benchmark *benchmark, table *t)
{
    t->result = patterns_result_open(benchmark, t->rows[0].mode, t->channel);
    cm_pair_command(t->channel, t->rows[0].mode, CM_PAIR_QUIT, 0, 0);

    size_t done = 0;
    for (bool right = true; cm_pair_job_goes_on(t->channel, right && done < t->n_rows); done++)
        right = measure(t, done);
    cm_samples_free(&t->point.samples);
    const cm_pair_distances_said said = cm_pair_distances_say(t->channel);
    cm_pair_write_distances(t->result, &said);
    return patterns_result_close(t->result, &t->channel->damage, t->rows, t->n_rows, t->summary);
}

/* ---- Every rank ----------------------------------------------------------------------------- */

static void follow(cm_pair_channel *channel, const patterns_row *rows)
{
    cm_pairs_follow(channel, rows[0].mode); /* while rank 0 gathers the metadata */
    for (size_t k = 0; cm_pair_job_goes_on(channel, false); k++)
        cm_pairs_follow(channel, rows[k].mode);
}

int patterns_run(const cm_benchmark *benchmark)
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
    if (rank == CM_PAIR_LEADER) status = lead(benchmark, &t);
    else follow(&channel, rows);
    cm_pair_job_close(&channel);
    return status;
}
