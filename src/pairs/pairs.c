/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.c: rank 0 leads many pairs that exchange messages at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "pairs/pairs.h"

bool cm_pairs_open(cm_pairs *pairs, const cm_group *group, bool leads)
{
    size_t ranks = (size_t)cm_size(group);
    *pairs = (cm_pairs){.leads = leads, .ranks = (int)ranks};
    if (cm_rank(group) != CM_PAIR_LEADER) return true;
    pairs->end = calloc(ranks, sizeof *pairs->end);
    pairs->time_s = calloc(ranks, sizeof *pairs->time_s);
    pairs->kept = calloc(ranks, sizeof *pairs->kept);
    pairs->damage = calloc(ranks, sizeof *pairs->damage);
    return pairs->end && pairs->time_s && pairs->kept && pairs->damage;
}

void cm_pairs_close(cm_pairs *pairs)
{
    for (int rank = 0; pairs->kept && rank < pairs->ranks; rank++)
        cm_samples_free(&pairs->kept[rank]);
    free(pairs->end);
    free(pairs->time_s);
    free(pairs->kept);
    free(pairs->damage);
    memset(pairs, 0, sizeof *pairs);
}

/* ---- Commands, in which all ranks take part -------------------------------------------------- */

typedef struct {
    int64_t operation, bytes, iterations;
    uint64_t sequence;
} command;

static void note_ends(cm_pair_channel *channel)
{
    cm_pairs *pairs = channel->pairs;
    channel->disturbed = 0;
    for (int rank = 0; rank < pairs->ranks; rank++) {
        pairs->time_s[rank] = pairs->end[rank].time_s;
        channel->disturbed |= (unsigned)pairs->end[rank].disturbed;
    }
}

/* Executes this rank's part of a command. */
static void obey(cm_pair_channel *channel, const cm_pair_mode *mode, const command *now)
{
    cm_pairs *pairs = channel->pairs;
    cm_pair_operation operation = (cm_pair_operation)now->operation;
    bool exchanges =
        operation == CM_PAIR_VERIFY || operation == CM_PAIR_TRIAL || operation == CM_PAIR_CHECKED;
    bool takes_part = channel->peer >= 0 || !exchanges;
    channel->sequence = now->sequence;
    if (takes_part) cm_pair_prepare(channel, mode, operation, now->bytes, pairs->leads);
    if (exchanges) cm_barrier(channel->group, CM_AUTO);

    double time_s = 0;
    if (takes_part)
        time_s = cm_pair_obey_at_cost(channel, mode, operation, now->bytes, now->iterations,
                                      pairs->leads);
    if (!exchanges) return;
    if (!takes_part || !(pairs->leads || pairs->both_ends)) time_s = NAN;
    const cm_pairs_end own = {time_s, channel->watch && takes_part ? channel->disturbed : 0};
    cm_gather(channel->group, &own, sizeof own, pairs->end, CM_PAIR_LEADER, CM_AUTO);
    if (cm_rank(channel->group) == CM_PAIR_LEADER) note_ends(channel);
    /* Rank 0 counts messages for all ranks, even if it did not take part itself. */
    if (operation != CM_PAIR_TRIAL) channel->sequence = now->sequence + (uint64_t)now->iterations;
}

static void announce(cm_pair_channel *channel, command *now)
{
    cm_bcast(channel->group, now, sizeof *now, CM_PAIR_LEADER, CM_AUTO);
}

static double tell(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                   int64_t bytes, int64_t iterations)
{
    command now = {operation, bytes, iterations, channel->sequence};
    double begin_s = cm_time(), slowest_s = 0;
    announce(channel, &now);
    obey(channel, mode, &now);
    if (operation != CM_PAIR_VERIFY && operation != CM_PAIR_TRIAL && operation != CM_PAIR_CHECKED)
        return cm_time() - begin_s;
    for (int rank = 0; rank < channel->pairs->ranks; rank++)
        slowest_s = fmax(slowest_s, channel->pairs->time_s[rank]); /* fmax would ignore NaN */
    return slowest_s;
}

static void hand_over_damage(cm_pair_channel *channel)
{
    cm_pair_damage own = channel->damage;
    own.rank = cm_rank(channel->group);
    cm_gather(channel->group, &own, sizeof own, channel->pairs->damage, CM_PAIR_LEADER, CM_AUTO);
    memset(&channel->damage, 0, sizeof channel->damage);
}

/* Collects the costs of all ranks on rank 0. */
static void hand_over_cost(cm_pair_channel *channel)
{
    int ranks = channel->pairs->ranks;
    cm_pair_cost *all = NULL;
    if (!channel->costs) return;
    if (cm_rank(channel->group) == CM_PAIR_LEADER && !(all = calloc((size_t)ranks, sizeof *all)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the costs of %d ranks", ranks);
    cm_gather(channel->group, &channel->cost, sizeof channel->cost, all, CM_PAIR_LEADER, CM_AUTO);
    channel->cost = channel->all_cost = (cm_pair_cost){0};
    for (int rank = 0; all && rank < ranks; rank++)
        cm_pair_cost_add(&channel->all_cost, &all[rank]);
    free(all);
}

static void report(cm_pair_channel *channel)
{
    command now = {.operation = CM_PAIR_REPORT, .sequence = channel->sequence};
    announce(channel, &now);
    hand_over_damage(channel);
    hand_over_cost(channel);
    for (int rank = 0; rank < channel->pairs->ranks; rank++)
        cm_pair_damage_add(&channel->damage, &channel->pairs->damage[rank]);
}

static void hand_over_cpus(cm_pair_channel *channel, cm_machine_cpus *all)
{
    cm_machine_cpus own = cm_pair_own_cpus();
    cm_gather(channel->group, &own, sizeof own, all, CM_PAIR_LEADER, CM_AUTO);
}

static void place(cm_pair_channel *channel, cm_machine_cpus *cpus)
{
    command now = {.operation = CM_PAIR_PLACE, .sequence = channel->sequence};
    announce(channel, &now);
    hand_over_cpus(channel, cpus);
}

static void hand_over_looks(cm_pair_channel *channel, cm_pair_looked *all)
{
    const int peer = channel->peer;
    cm_pair_looked own = {NAN, cm_rank(cm_world()), -1};
    if (peer >= 0) {
        own.ns = cm_pair_line_look(&channel->line, channel->group, peer, channel->pairs->leads);
        if (channel->line.page) own.peer = channel->line.peer_of_job;
    }
    cm_gather(channel->group, &own, sizeof own, all, CM_PAIR_LEADER, CM_AUTO);
}

static void look(cm_pair_channel *channel, cm_pair_looked *looked)
{
    command now = {.operation = CM_PAIR_LOOK, .sequence = channel->sequence};
    announce(channel, &now);
    hand_over_looks(channel, looked);
}

const cm_pair_conduct cm_pairs_conduct = {
    .command = tell, .report = report, .place = place, .look = look};

void cm_pairs_follow(cm_pair_channel *channel, const cm_pair_mode *mode)
{
    command now;
    cm_sample_watch watch;
    cm_sample_watch_open(&watch);
    channel->watch = &watch;
    do {
        announce(channel, &now);
        if (now.operation == CM_PAIR_REPORT) {
            hand_over_damage(channel);
            hand_over_cost(channel);
        } else if (now.operation == CM_PAIR_PLACE) hand_over_cpus(channel, NULL);
        else if (now.operation == CM_PAIR_LOOK) hand_over_looks(channel, NULL);
        else obey(channel, mode, &now);
    } while (now.operation != CM_PAIR_QUIT);
    channel->watch = NULL;
    cm_sample_watch_close(&watch);
}

/* ---- Times of single pairs ------------------------------------------------------------------- */

void cm_pairs_forget(cm_pairs *pairs)
{
    for (int rank = 0; rank < pairs->ranks; rank++) cm_samples_clear(&pairs->kept[rank]);
}

bool cm_pairs_keep(cm_pairs *pairs, double messages)
{
    for (int rank = 0; rank < pairs->ranks; rank++)
        if (!isnan(pairs->time_s[rank])
            && !cm_samples_add(&pairs->kept[rank], pairs->time_s[rank] / messages))
            return false;
    return true;
}

bool cm_pairs_compare(const cm_pairs *pairs, cm_pairs_spread *spread)
{
    *spread = (cm_pairs_spread){.slowest = -1, .fastest = -1, .slowest_s = NAN, .fastest_s = NAN};
    for (int rank = 0; rank < pairs->ranks; rank++) {
        cm_summary summary;
        if (pairs->kept[rank].n == 0) continue;
        if (!cm_summarize(&pairs->kept[rank], &summary)) return false;
        if (!(summary.median <= spread->slowest_s)) {
            spread->slowest = rank;
            spread->slowest_s = summary.median;
        }
        if (!(summary.median >= spread->fastest_s)) {
            spread->fastest = rank;
            spread->fastest_s = summary.median;
        }
    }
    return true;
}
