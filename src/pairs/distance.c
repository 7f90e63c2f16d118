/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.c: the leader looks how far apart the cores of all pairs are, and keeps which moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "pairs/pairs.h"

static void open_distances(cm_pair_channel *channel)
{
    cm_pair_distances *d = &channel->distances;
    d->ranks = channel->pairs ? channel->pairs->ranks : CM_PAIR_RANKS;
    d->looked = calloc((size_t)d->ranks, sizeof *d->looked);
    d->of = calloc((size_t)d->ranks, sizeof *d->of);
    if (!d->looked || !d->of)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the distances of %d ranks", d->ranks);
}

/* Counts a pair at its first change, and keeps the greatest one. */
static void note_change(cm_pair_distances *d, int rank, bool first)
{
    const cm_distance *of = &d->of[rank];
    cm_pair_distances_said *said = &d->said;
    said->changed += first;
    if (said->from_ns > 0
        && fabs(log(of->to_ns / of->from_ns)) <= fabs(log(said->to_ns / said->from_ns)))
        return;
    said->from_ns = of->from_ns;
    said->to_ns = of->to_ns;
    said->changed_rank = d->looked[rank].rank;
    said->changed_peer = d->looked[rank].peer;
}

/* Returns false as long as a pair's look is in doubt. */
static bool add_all(cm_pair_distances *d)
{
    bool settled = true;
    for (int rank = 0; rank < d->ranks; rank++) {
        cm_distance *of = &d->of[rank];
        const size_t changes = of->changes;
        if (!cm_distance_add(of, d->looked[rank].ns)) settled = false;
        if (of->changes > changes) note_change(d, rank, changes == 0);
    }
    return settled;
}

static void pause_s(double seconds)
{
    const struct timespec pause = {0, (long)(1e9 * seconds)}; /* SimGrid's nanosleep is a macro */
    nanosleep(&pause, NULL);
}

static bool any_known(const cm_pair_distances *d)
{
    for (int rank = 0; rank < d->ranks; rank++)
        if (!isnan(d->looked[rank].ns)) return true;
    return false;
}

/* Without a line, no later look finds anything. */
static bool any_line(const cm_pair_distances *d)
{
    for (int rank = 0; rank < d->ranks; rank++)
        if (d->looked[rank].peer >= 0) return true;
    return false;
}

void cm_pair_look(cm_pair_channel *channel)
{
    enum { MOST_LOOKS = 3 * CM_DISTANCE_LOOKS, MOST_IN_VAIN = 10, MOST_LATE = 3 };
    cm_pair_distances *d = &channel->distances;
    if (!channel->conduct->look || d->in_vain == MOST_IN_VAIN || !cm_comm_has(CM_HAS_PROCESSES)
        || cm_comm_has(CM_HAS_SIMULATOR))
        return;
    if (!d->of) open_distances(channel);
    bool settled = false;
    for (int k = 0; k < MOST_LOOKS && !settled; k++) {
        if (k > 0) pause_s(CM_DISTANCE_PAUSE_S);
        channel->conduct->look(channel, d->looked);
        settled = add_all(d);
        /* A rank may be late for its first look. */
        if (k + 1 < MOST_LATE && d->in_vain == 0 && any_line(d)
            && isnan(cm_pair_distance_now(channel)))
            settled = false;
    }
    for (int rank = 0; rank < d->ranks; rank++) cm_distance_drop(&d->of[rank]);
    d->in_vain = any_known(d) ? 0 : any_line(d) ? d->in_vain + 1 : MOST_IN_VAIN;
}

void cm_pair_look_anew(cm_pair_channel *channel)
{
    cm_pair_distances *d = &channel->distances;
    cm_pair_line_close(&channel->line);
    d->in_vain = 0;
    d->anew = true;
    for (int rank = 0; rank < d->ranks; rank++) d->of[rank] = (cm_distance){0};
}

double cm_pair_distance_now(const cm_pair_channel *channel)
{
    const cm_pair_distances *d = &channel->distances;
    double most_ns = NAN;
    for (int rank = 0; rank < d->ranks; rank++)
        if (d->of[rank].looks > 0) most_ns = fmax(most_ns, d->of[rank].now_ns);
    return most_ns;
}

cm_pair_distances_said cm_pair_distances_say(const cm_pair_channel *channel)
{
    const cm_pair_distances *d = &channel->distances;
    cm_pair_distances_said said = d->said;
    said.pairs = 0;
    said.least_ns = NAN;
    said.most_ns = cm_pair_distance_now(channel);
    for (int rank = 0; rank < d->ranks && !d->anew; rank++) {
        if (d->of[rank].looks == 0) continue;
        said.pairs++;
        said.least_ns = fmin(said.least_ns, d->of[rank].now_ns);
        said.one = d->of[rank];
    }
    return said;
}

const cm_distance *cm_pair_distance_of(const cm_pair_channel *channel, int rank)
{
    static const cm_distance unknown;
    return channel->distances.of ? &channel->distances.of[rank] : &unknown;
}

void cm_pair_look_close(cm_pair_channel *channel)
{
    cm_pair_line_close(&channel->line);
    free(channel->distances.looked);
    free(channel->distances.of);
    memset(&channel->distances, 0, sizeof channel->distances);
}
