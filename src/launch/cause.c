/* SPDX-License-Identifier: BSD-3-Clause */
/* cause.c: finds which of several failures of a job came first. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include "launch/cause.h"

static const double close_s = 1;    /* for a process to end after its socket closed */
static const double death_s = 0.25; /* for the death behind an abort to become visible */
static const double grace_s = 1;    /* for the other ranks to end by themselves as well */

typedef struct {
    bool lines_ended, asked_abort, ended;
    bool silent; /* failed as a member of the job without calling abort */
    bool settled;
    int status;
    double exit_s; /* when it exited with a nonzero status outside of PMI; infinite if it did not */
} rank_state;

struct cause {
    int ranks, alive;
    bool look;       /* something happened since the last call, or a time limit is running */
    int abort_rank;  /* first rank that called abort; -1 if none did */
    double abort_s;  /* when that rank called it */
    double closed_s; /* when a connection was first seen to end without a reason */
    double wait_s;
    rank_state *rank;
};

cause *cause_new(int ranks)
{
    cause *cause = calloc(1, sizeof *cause);
    rank_state *rank = calloc((size_t)ranks, sizeof *rank);
    if (!cause || !rank) {
        free(cause);
        free(rank);
        return NULL;
    }
    cause->ranks = cause->alive = ranks;
    cause->abort_rank = -1;
    for (int i = 0; i < ranks; i++) rank[i].exit_s = INFINITY;
    cause->closed_s = cause->wait_s = INFINITY;
    cause->rank = rank;
    return cause;
}

void cause_free(cause *cause)
{
    if (cause) free(cause->rank);
    free(cause);
}

void cause_lines_ended(cause *cause, int rank)
{
    cause->rank[rank].lines_ended = true;
    cause->look = true;
}

void cause_abort(cause *cause, int rank, double now_s)
{
    cause->rank[rank].asked_abort = true;
    cause->look = true;
    if (cause->abort_rank >= 0) return;
    cause->abort_rank = rank;
    cause->abort_s = now_s;
}

void cause_ended(cause *cause, int rank, int status, bool joined, double now_s)
{
    rank_state *state = &cause->rank[rank];
    cause->alive -= !state->ended && !state->settled;
    state->ended = true;
    state->status = status;
    cause->look = true;
    if (state->asked_abort || state->settled) return;
    if (WIFSIGNALED(status) || joined) state->silent = true;
    /* A rank outside of PMI leaves no other rank waiting. The others may be about to end the same
       way, and one of them may be about to print the reason. */
    else if (status != 0) state->exit_s = now_s;
}

void cause_settle(cause *cause, int rank)
{
    rank_state *state = &cause->rank[rank];
    cause->alive -= !state->ended && !state->settled;
    state->settled = true;
    state->silent = false;
    state->exit_s = INFINITY;
    cause->closed_s = INFINITY;
    cause->look = true;
}

/* Returns the first rank that ended without calling abort. A rank killed by a signal goes first. */
static int first_silent(const cause *cause)
{
    int first = -1;
    for (int i = 0; i < cause->ranks; i++) {
        if (!cause->rank[i].silent) continue;
        if (WIFSIGNALED(cause->rank[i].status)) return i;
        if (first < 0) first = i;
    }
    return first;
}

/* Returns the first rank whose connection ended though it neither left the job nor called abort.
   Usually it is dying, and its status is known a moment later. */
static int first_closed(const cause *cause, const pmi_server *pmi)
{
    for (int i = 0; i < cause->ranks; i++) {
        const rank_state *state = &cause->rank[i];
        if (state->lines_ended && !state->ended && !state->asked_abort && !state->settled
            && pmi_server_state(pmi, i) == PMI_JOINED)
            return i;
    }
    return -1;
}

static int first_exit(const cause *cause)
{
    int first = -1;
    for (int i = 0; i < cause->ranks; i++)
        if (cause->rank[i].exit_s < (first < 0 ? INFINITY : cause->rank[first].exit_s)) first = i;
    return first;
}

static bool all_agree(const cause *cause, int with)
{
    for (int i = 0; i < cause->ranks; i++)
        if (!cause->rank[i].settled && cause->rank[i].status != cause->rank[with].status)
            return false;
    return true;
}

static cause_kind wait_until(cause *cause, double wait_s)
{
    cause->wait_s = wait_s;
    cause->look = true;
    return CAUSE_NONE;
}

cause_kind cause_find(cause *cause, const pmi_server *pmi, double now_s, int *rank, int *waiting)
{
    int stuck;
    bool is_stuck = pmi_server_stuck(pmi, &stuck, waiting);
    if (!cause->look && !is_stuck) return CAUSE_NONE;
    cause->look = false;
    cause->wait_s = INFINITY;

    if ((*rank = first_silent(cause)) >= 0) return CAUSE_ENDED;

    int closed = first_closed(cause, pmi);
    if (closed < 0) cause->closed_s = INFINITY;
    else {
        if (cause->closed_s == INFINITY) cause->closed_s = now_s;
        if (now_s < cause->closed_s + close_s) return wait_until(cause, cause->closed_s + close_s);
    }

    /* A dying process closes its files in any order, and only then can it be waited for. So the
       death that made a rank give up may become visible after the rank's abort. */
    if ((*rank = cause->abort_rank) >= 0) {
        if (cause->alive > 0 && now_s < cause->abort_s + death_s)
            return wait_until(cause, cause->abort_s + death_s);
        return CAUSE_ABORTED;
    }
    if ((*rank = closed) >= 0) return CAUSE_CLOSED;

    if ((*rank = first_exit(cause)) >= 0) {
        double until_s = cause->rank[*rank].exit_s + grace_s;
        if (cause->alive == 0) return all_agree(cause, *rank) ? CAUSE_AGREED : CAUSE_ENDED;
        if (is_stuck || now_s >= until_s) return CAUSE_ENDED;
        return wait_until(cause, until_s);
    }
    *rank = stuck;
    return is_stuck ? CAUSE_STUCK : CAUSE_NONE;
}

double cause_wait_s(const cause *cause) { return cause->wait_s; }
int cause_status(const cause *cause, int rank) { return cause->rank[rank].status; }
