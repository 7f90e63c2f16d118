/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_modes.c: every mode of cm-netpipe between neighbouring ranks, led by rank 0; damaged data
   are found and reported with the rank that saw them; times measured while the cores were taken are
   not kept; computing in the middle does not change messages. */
#include <math.h>
#include "../netpipe/netpipe.h"
#include "contract.h"

enum { UPPER_BYTES = 300001, ITERATIONS = 5 }; /* above the eager limit */

static int peer_of_this_rank(void) { return (rank ^ 1) < size ? rank ^ 1 : -1; }
static bool leads(void) { return rank % 2 == 0 && peer_of_this_rank() >= 0; }

static void close_channel(cm_pair_channel *channel)
{
    cm_pairs_close(channel->pairs);
    cm_pair_buffers_close(&channel->buffers);
}

/* The last of an odd number of ranks sits out. */
static void open_channel(cm_pair_channel *channel, cm_pairs *pairs, cm_pair_policy policy,
                         int receives)
{
    static double turn_s[ITERATIONS];
    const cm_pair_layout layout = {.policy = policy,
                                   .upper_bytes = UPPER_BYTES,
                                   .send_offset = 1,
                                   .receive_offset = 1,
                                   .receives = receives};
    *channel = (cm_pair_channel){.group = world,
                                 .peer = peer_of_this_rank(),
                                 .turn_s = turn_s,
                                 .conduct = &cm_pairs_conduct,
                                 .pairs = pairs};
    if (!cm_pairs_open(pairs, world, leads()) || !cm_pair_buffers_open(&channel->buffers, &layout))
        cm_abort(CM_EXIT_SYSTEM, "no memory for buffers");
}

/* ---- Every mode ----------------------------------------------------------------------------- */

static void lead_all(cm_pair_channel *channel, const cm_pair_mode *mode, int64_t bytes)
{
    static const cm_pair_operation operations[] = {CM_PAIR_VERIFY, CM_PAIR_CHECKED, CM_PAIR_TRIAL};
    cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
    for (int k = 0; k < 3; k++) {
        double slowest_s = cm_pair_command(channel, mode, operations[k], bytes, ITERATIONS);
        EXPECT(size == 1 || slowest_s > 0, "%g s", slowest_s);
        for (int r = 0; r < size; r++) {
            bool led = r % 2 == 0 && r + 1 < size;
            double time_s = channel->pairs->time_s[r];
            EXPECT(led ? time_s > 0 && time_s <= slowest_s : isnan(time_s), "rank %d: %g s", r,
                   time_s);
        }
    }
    EXPECT(channel->sequence == 2 * ITERATIONS, "sequence %llu",
           (unsigned long long)channel->sequence);
    EXPECT(cm_pair_report(channel) == 0, "%llu wrong bytes at rank %d",
           (unsigned long long)channel->damage.wrong_bytes, (int)channel->damage.rank);
    cm_pair_command(channel, mode, CM_PAIR_QUIT, 0, 0);
}

static void test_mode(const cm_pair_mode *mode, cm_pair_policy policy, int64_t bytes)
{
    cm_pair_channel channel;
    cm_pairs pairs;
    point("%s, %s, %s, %s, %lld bytes", mode->name, mode->direction,
          mode->early ? "receives posted early" : "in time", cm_pair_policies[policy],
          (long long)bytes);
    open_channel(&channel, &pairs, policy, mode->receives);
    if (rank == 0) lead_all(&channel, mode, bytes);
    else cm_pairs_follow(&channel, mode);
    EXPECT(!channel.posted, "a receive is left");
    close_channel(&channel);
}

static void test_modes(void)
{
    const cm_pair_mode *const all[] = {cm_pair_pingpong, cm_pair_turns, cm_pair_stream,
                                       cm_pair_stream_reverse, cm_pair_both};
    for (int m = 0; m < 5; m++)
        for (int posting = 0; posting < CM_PAIR_POSTINGS; posting++) {
            test_mode(&all[m][posting], CM_PAIR_REUSED, 1);
            if (oversubscribed()) continue;
            test_mode(&all[m][posting], CM_PAIR_ALTERNATING, 1000);
            test_mode(&all[m][posting], CM_PAIR_ALTERNATING, UPPER_BYTES);
            test_mode(&all[m][posting], CM_PAIR_REUSED, UPPER_BYTES);
        }
}

/* ---- Damage --------------------------------------------------------------------------------- */

/* Answers with what came, but for the last byte of the last message. */
static void answer_damaged(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    unsigned char *data = channel->buffers.receive;
    for (int64_t i = 0; i < iterations; i++) {
        cm_recv(channel->group, data, bytes, channel->peer, CM_PAIR_TAG_DATA, NULL);
        if (i + 1 == iterations) data[bytes - 1] ^= 1;
        cm_send(channel->group, data, bytes, channel->peer, CM_PAIR_TAG_DATA);
    }
}

static void answer_short(cm_pair_channel *channel, size_t bytes, int64_t iterations)
{
    unsigned char *data = channel->buffers.receive;
    for (int64_t i = 0; i < iterations; i++) {
        cm_recv(channel->group, data, bytes, channel->peer, CM_PAIR_TAG_DATA, NULL);
        cm_send(channel->group, data, bytes - (i == 1), channel->peer, CM_PAIR_TAG_DATA);
    }
}

/* ---- Computing while messages are under way ------------------------------------------------- */

static void lead_overlap(cm_pair_channel *channel, const cm_pair_mode *mode, int64_t bytes)
{
    for (int progress = 0; progress < 2; progress++) {
        double compute_s = 1e-9;
        cm_pair_command(channel, mode, CM_PAIR_SIZE, bytes, 0);
        cm_pair_command(channel, mode, CM_PAIR_LOAD, progress, 250);
        cm_pair_command(channel, mode, CM_PAIR_COMPUTE, 0, ITERATIONS);
        EXPECT(channel->load.spent_s > compute_s && channel->load.result == 2, "%g s, result %g",
               channel->load.spent_s, channel->load.result);
        cm_pair_command(channel, mode, CM_PAIR_OVERLAP_VERIFY, bytes, ITERATIONS);
        cm_pair_command(channel, mode, CM_PAIR_OVERLAP, bytes, ITERATIONS);
    }
    EXPECT(channel->sequence == 2 * ITERATIONS, "sequence %llu",
           (unsigned long long)channel->sequence);
    EXPECT(cm_pair_report(channel) == 0, "%llu wrong bytes at rank %d",
           (unsigned long long)channel->damage.wrong_bytes, (int)channel->damage.rank);
    cm_pair_command(channel, mode, CM_PAIR_QUIT, 0, 0);
}

static void test_overlap(const cm_pair_mode *mode, int64_t bytes)
{
    const cm_pair_layout layout = {
        .policy = CM_PAIR_REUSED, .upper_bytes = UPPER_BYTES, .receives = mode->receives};
    cm_pair_channel channel = {.group = world, .peer = 1 - rank, .conduct = &cm_pair_control};
    point("computing in %s, %s, %lld bytes", mode->direction,
          mode->early ? "receives posted early" : "in time", (long long)bytes);
    if (rank > 1 || size == 1) return;
    if (!cm_pair_buffers_open(&channel.buffers, &layout))
        cm_abort(CM_EXIT_SYSTEM, "no memory for buffers");
    if (rank == 0) lead_overlap(&channel, mode, bytes);
    else cm_pair_follow(&channel, mode);
    cm_pair_buffers_close(&channel.buffers);
}

static void test_damage(cm_pair_kernel *answer, uint64_t sequence)
{
    enum { BYTES = 99 };
    cm_pair_mode mode = cm_pair_pingpong[CM_PAIR_IN_TIME];
    mode.follow_checked = answer;
    cm_pair_channel channel;
    cm_pairs pairs;
    open_channel(&channel, &pairs, CM_PAIR_REUSED, 1);
    if (rank == 0) {
        cm_pair_command(&channel, &mode, CM_PAIR_SIZE, BYTES, 0);
        cm_pair_command(&channel, &mode, CM_PAIR_CHECKED, BYTES, 3);
        uint64_t wrong = cm_pair_report(&channel);
        const cm_pair_damage *damage = &channel.damage;
        EXPECT(wrong == (uint64_t)(size / 2), "%llu wrong bytes", (unsigned long long)wrong);
        EXPECT(wrong == 0
                   || (damage->first_offset == BYTES - 1 && damage->first_bytes == BYTES
                       && damage->first_sequence == sequence && damage->rank == 0),
               "offset %llu, message %llu, rank %d", (unsigned long long)damage->first_offset,
               (unsigned long long)damage->first_sequence, (int)damage->rank);
        cm_pair_command(&channel, &mode, CM_PAIR_QUIT, 0, 0);
    } else {
        cm_pairs_follow(&channel, &mode);
    }
    close_channel(&channel);
}

/* ---- A size that begins again --------------------------------------------------------------- */

static int calls;

/* A microsecond for each iteration; another process takes the cores during the calibration and
   longer. */
static double pretend(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    (void)channel, (void)mode, (void)bytes;
    if (operation != CM_PAIR_TRIAL) return 0;
    return 1e-6 * (double)iterations + (calls++ < 20 ? 4e-3 : 0);
}

static void pretend_report(cm_pair_channel *channel) { (void)channel; }

static void test_restart(void)
{
    static const cm_pair_conduct conduct = {.command = pretend, .report = pretend_report};
    const cm_pair_mode *mode = &cm_pair_pingpong[CM_PAIR_IN_TIME];
    const cm_sampling sampling = {.trial_s = 1e-3,
                                  .rule = {.least = 10, .most = 50, .time_limit_s = 3600}};
    cm_pair_channel channel = {.conduct = &conduct};
    cm_pair_point now = {.bytes = 1, .iterations = 1, .samples = CM_SAMPLES_EMPTY};
    EXPECT(cm_pair_measure(&channel, mode, &sampling, &now));
    EXPECT(calls > 20 && now.iterations >= 1000 && now.samples.n == 50, "%zu trials of %lld",
           now.samples.n, (long long)now.iterations);
    EXPECT(now.summary.max < 0.6e-6, "a trial of the time before is left: %g s", now.summary.max);
    cm_samples_free(&now.samples);
}

/* Exchanges of 2 ms and units of 0.1 us. What computing hides is set: all but 1 ms with calls of
   cm_progress, a quarter of the exchange without. Every fifth trial is interrupted. */
static double hides(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                    int64_t bytes, int64_t iterations)
{
    static const double exchange_s = 2e-3, unit_s = 1e-7;
    static int trials;
    double n = (double)iterations, compute_s = unit_s * (double)channel->load.units;
    (void)mode;
    switch (operation) {
    case CM_PAIR_LOAD:
        channel->load = (cm_pair_load){.units = iterations, .progress = bytes == 1};
        return 0;
    case CM_PAIR_COMPUTE:
        return channel->load.spent_s = n * compute_s + (trials++ % 5 ? 0 : 0.01);
    case CM_PAIR_TRIAL:
        return n * exchange_s;
    case CM_PAIR_OVERLAP:
        return n * (compute_s + (channel->load.progress ? 1e-3 : 0.75 * exchange_s));
    default:
        return 0;
    }
}

static bool near(double got, double want) { return fabs(got - want) < 1e-3; }

static void test_known_overlap(void)
{
    static const cm_pair_conduct conduct = {.command = hides, .report = pretend_report};
    cm_sampling sampling = {
        .rule = {.least = 10, .most = 200, .time_limit_s = 3600, .relative_half_width = 0.02}};
    cm_pair_channel channel = {.conduct = &conduct};
    const cm_pair_point now = {.bytes = 100, .iterations = 3, .summary = {.median = 2e-3}};
    netpipe_overlapped found = {0};
    EXPECT(netpipe_measure_overlap(&channel, cm_pair_overlap, &sampling, &now, &found),
           "no memory");
    EXPECT(near(found.unit_s * 1e7, 1), "the time of a unit: %g s", found.unit_s);
    EXPECT(near(found.compute_s / 2e-3, 1), "computing lasts as long as an exchange: %g s",
           found.compute_s);
    const cm_quantity *silent = &found.way[NETPIPE_SILENT].overlap,
                      *progress = &found.way[NETPIPE_PROGRESS].overlap;
    EXPECT(near(silent->value, 0.25), "a quarter is hidden: %g", silent->value);
    EXPECT(near(progress->value, 0.5), "by calls of cm_progress a half: %g", progress->value);
    EXPECT(silent->low <= silent->value && silent->value <= silent->high, "%g to %g", silent->low,
           silent->high);
}

/* ---- What the follower says of itself ------------------------------------------------------- */

/* The follower is disturbed while trial 3 takes its last exchange, while trial 6 computes, and in
   the last exchange of the last trial. Its word comes with its next answer. */
enum { SAYS_TRIALS = 12 };
static struct {
    int trial, overlaps;
    unsigned pending;
} follower;

static unsigned happens(cm_pair_operation operation)
{
    if (operation == CM_PAIR_TRIAL) {
        follower.trial++;
        follower.overlaps = 0;
    }
    if (operation == CM_PAIR_OVERLAP) follower.overlaps++;
    bool last = operation == CM_PAIR_OVERLAP && follower.overlaps == 2;
    if (last && follower.trial == 3) return CM_DISTURBED_WAITED;
    if (operation == CM_PAIR_COMPUTE && follower.trial == 6) return CM_DISTURBED_MOVED;
    if (last && follower.trial == SAYS_TRIALS) return CM_DISTURBED_STOLEN;
    return 0;
}

static double says(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                   int64_t bytes, int64_t iterations)
{
    channel->disturbed_before = follower.pending;
    follower.pending = happens(operation);
    return hides(channel, mode, operation, bytes, iterations);
}

static void says_last(cm_pair_channel *channel)
{
    channel->disturbed_before = follower.pending;
    follower.pending = 0;
}

static unsigned undisturbed(void) { return 0; }

static void test_disturbed_overlap(void)
{
    static const cm_pair_conduct conduct = {.command = says, .report = says_last};
    const cm_sampling sampling = {.cause = undisturbed,
                                  .rule = {.most = SAYS_TRIALS, .time_limit_s = INFINITY}};
    cm_pair_channel channel = {.conduct = &conduct};
    const cm_pair_point now = {.bytes = 100, .iterations = 3, .summary = {.median = 2e-3}};
    netpipe_overlapped found = {.unit_s = 1e-7};
    EXPECT(netpipe_measure_overlap(&channel, cm_pair_overlap, &sampling, &now, &found),
           "no memory");
    EXPECT(follower.trial == SAYS_TRIALS, "%d trials", follower.trial);
    const cm_quantity *overlap = &found.way[NETPIPE_PROGRESS].overlap;
    EXPECT(overlap->n == SAYS_TRIALS - 3 && overlap->disturbed == CM_DISTURBED_NO,
           "%zu trials count", overlap->n);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    test_modes();
    for (int posting = 0; posting < CM_PAIR_POSTINGS; posting++) {
        test_overlap(&cm_pair_overlap[posting], 1);
        test_overlap(&cm_pair_overlap[posting], UPPER_BYTES);
    }
    point("a wrong byte in each pair is found and named");
    test_damage(answer_damaged, 2);
    point("so is a message that is too short");
    test_damage(answer_short, 1);
    point("what was measured while the cores were held is gone");
    test_restart();
    point("computing hides as much as it is known to");
    test_known_overlap();
    point("trials in which the follower was disturbed do not count");
    test_disturbed_overlap();
    meet();
    return contract_done();
}
