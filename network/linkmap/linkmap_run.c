/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_run.c: measures all pairs in rounds, and the slowest ones again alone. */
#include <math.h>
#include "linkmap.h"

/* ---- What all ranks do next ----------------------------------------------------------------- */

typedef enum { STEP_END, STEP_MEET, STEP_ROUND, STEP_ALONE } step_kind;
typedef struct {
    int32_t kind, first, second;
} step; /* of STEP_ROUND, first is the number of the round in the plan */

/* Every rank calls it. Returns rank 0's step and sets this rank's peer in it. The lower rank of a
   pair leads it. */
static step agree(cm_pair_channel *channel, const linkmap_plan *plan, step next)
{
    int rank = cm_rank(channel->group);
    cm_bcast(channel->group, &next, sizeof next, CM_PAIR_LEADER, CM_AUTO);
    channel->peer = -1;
    if (next.kind == STEP_ROUND) channel->peer = linkmap_plan_peer(plan, next.first, rank);
    if (next.kind == STEP_ALONE && rank == next.first) channel->peer = next.second;
    if (next.kind == STEP_ALONE && rank == next.second) channel->peer = next.first;
    channel->pairs->leads = channel->peer > rank;
    cm_pair_look_anew(channel);
    return next;
}

/* ---- Rank 0 --------------------------------------------------------------------------------- */

typedef struct {
    const linkmap_options *options;
    const linkmap_plan *plan;
    cm_pair_channel *channel;
    const cm_pair_mode *mode;
    cm_result *result;
    bool rows; /* the pairs of this round have rows */
    linkmap_map map;
    cm_pair_point point;
} table;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory for samples"); }

/* A trial that was disturbed on any rank is disturbed for each of its pairs, because only the whole
   trial is known to be. */
static void disturb(const cm_samples *trials, cm_samples *of_pair)
{
    for (size_t k = 0; trials->cause && trials->n == of_pair->n && k < trials->n; k++)
        if (!cm_samples_disturb(of_pair, k, k + 1, trials->cause[k])) out_of_memory();
}

/* Writes the row of a pair, which its lower rank has led, and keeps its time. */
static void keep(table *t, linkmap_size size, int first, int second, bool alone)
{
    cm_samples *samples = &t->channel->pairs->kept[first];
    disturb(&t->point.samples, samples);
    cm_summary s = cm_sample_summary(samples);
    linkmap_condition condition = alone ? LINKMAP_ALONE : LINKMAP_TOGETHER;
    *linkmap_map_at(&t->map, size, condition, first, second) = s.n ? s.median : NAN;
    if (condition == LINKMAP_TOGETHER)
        t->map.disturbed[size] =
            cm_disturbed_either(t->map.disturbed[size], cm_disturbed_summary(&s));
    /* The dummy's peers exchange messages with rank 0 only, so pairs without it take no part. */
    if (alone && !s.n) *linkmap_map_at(&t->map, size, LINKMAP_TOGETHER, first, second) = NAN;
    if (alone && s.n) linkmap_map_alone(&t->map, size, first, second, &s);
    if (alone || t->rows)
        linkmap_result_row(t->result, &t->map, size, first, second, alone, &s, samples,
                           cm_pair_distance_of(t->channel, first));
}

/* Measures one size of a step that all ranks have agreed on. Returns false if data were wrong. */
static bool measure(table *t, step now, linkmap_size size)
{
    t->point.bytes = t->map.bytes[size];
    t->point.iterations = 1;
    if (!cm_pair_measure(t->channel, t->mode, &t->options->job.sampling, &t->point))
        out_of_memory();
    if (t->channel->damage.wrong_bytes) return false;
    if (now.kind == STEP_ALONE) {
        keep(t, size, now.first, now.second, true);
        return true;
    }
    for (int rank = 0; rank < t->map.ranks; rank++) {
        int peer = linkmap_plan_peer(t->plan, now.first, rank);
        if (peer > rank) keep(t, size, rank, peer, false);
    }
    return true;
}

static bool quit(table *t, bool right)
{
    cm_pair_command(t->channel, t->mode, CM_PAIR_QUIT, 0, 0);
    return right;
}

/* Measures until all pairs have met or the time is over, but at least one round. */
static bool measure_rounds(table *t)
{
    int rounds = t->plan->rounds;
    bool right = true;
    double begin_s = cm_time(), limit_s = t->options->map_limit_s;
    for (int k = 0; right && k < rounds && (k == 0 || cm_time() - begin_s <= limit_s); k++) {
        step now = agree(t->channel, t->plan, (step){STEP_ROUND, k, 0});
        double over = k > 0 ? (cm_time() - begin_s) / limit_s : 0;
        cm_result_progress(t->result, fmax((double)k / rounds, over), "round %d of %d", k + 1,
                           rounds);
        t->rows = (k + 1) * (int64_t)(t->map.ranks / 2) <= LINKMAP_ROWS;
        if (k == 0)
            cm_pair_warm_up(t->channel, t->mode, &t->options->job.sampling,
                            t->map.bytes[LINKMAP_SMALL]);
        for (int size = 0; right && size < LINKMAP_SIZES; size++)
            right = measure(t, now, (linkmap_size)size);
        quit(t, right);
        t->map.rounds_measured++;
        t->map.rounds_in_rows += t->rows;
    }
    return right;
}

/* Measures until the slowest pairs, and the usual values of pairs, are known from pairs measured
   alone. */
static bool measure_alone(table *t, linkmap_size size)
{
    double begin_s = cm_time();
    bool right = true;
    for (;;) {
        linkmap_pair next = linkmap_next(&t->map, size, t->options->again);
        if (next.first < 0) next = linkmap_next_reference(&t->map, size);
        if (!right || next.first < 0 || cm_time() - begin_s > t->options->again_limit_s) break;
        cm_result_progress(t->result, 1, "ranks %d and %d alone", next.first, next.second);
        step now = agree(t->channel, t->plan, (step){STEP_ALONE, next.first, next.second});
        right = quit(t, measure(t, now, size));
    }
    return right;
}

static int lead(const cm_benchmark *benchmark, table *t)
{
    agree(t->channel, t->plan, (step){STEP_MEET, 0, 0});
    t->result = linkmap_result_open(benchmark, t->channel);
    quit(t, true);
    linkmap_map_open(&t->map, cm_size(cm_world()), t->options->size_bytes);
    /* The dummy's peers have no pairs without rank 0 that could be measured alone. */
    if (t->options->again > 0 && cm_comm_has(CM_HAS_PROCESSES)) linkmap_refer(&t->map, t->plan);

    bool right = measure_rounds(t);
    for (int size = 0; right && size < LINKMAP_SIZES; size++)
        right = measure_alone(t, (linkmap_size)size);
    agree(t->channel, t->plan, (step){STEP_END, 0, 0});

    const cm_pair_distances_said said = cm_pair_distances_say(t->channel);
    cm_pair_write_distances(t->result, &said);
    int status = linkmap_result_close(t->result, t->options, &t->channel->damage, &t->map);
    linkmap_map_close(&t->map);
    cm_samples_free(&t->point.samples);
    return status;
}

/* ---- Every rank ----------------------------------------------------------------------------- */

int linkmap_run(const cm_benchmark *benchmark)
{
    const linkmap_options *options = benchmark->options;
    cm_pair_channel channel;
    cm_pairs pairs;
    linkmap_plan plan;
    int status = 0;
    cm_pair_job_open(&options->job, "--size", options->size_bytes, &channel, &pairs);
    if (!linkmap_plan_open(&plan, cm_size(cm_world()), (uint64_t)options->seed))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the rounds of %d ranks", cm_size(cm_world()));
    table t = {.options = options,
               .plan = &plan,
               .channel = &channel,
               .mode = &cm_pair_pingpong[CM_PAIR_IN_TIME],
               .point = {.samples = CM_SAMPLES_EMPTY}};
    if (cm_rank(cm_world()) == CM_PAIR_LEADER) status = lead(benchmark, &t);
    else
        while (agree(&channel, &plan, (step){0}).kind != STEP_END)
            cm_pairs_follow(&channel, t.mode);
    cm_pair_job_close(&channel);
    linkmap_plan_close(&plan);
    return status;
}
