/* SPDX-License-Identifier: BSD-3-Clause */
/* failure.c: ranks that fail while the job goes on (cm_on_failure(CM_RETURN)). Code that meets a
   broken connection while reading or writing only marks the peer as lost. At the next progress step
   (progress.c), cm_failure_settle takes what had still arrived from the peer and ends all
   operations that wait for it. */
#include "config.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/engine/credit.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* ---- The calls of comm.h --------------------------------------------------------------------- */

/* Hydra reports a rank's end to the other ranks by this signal, which would kill them. */
static void outlive_notices(void)
{
    struct sigaction action;
    if (sigaction(SIGUSR1, NULL, &action) != 0 || action.sa_handler != SIG_DFL) return;
    action.sa_handler = SIG_IGN;
    sigaction(SIGUSR1, &action, NULL);
}

int cm_on_failure(cm_failure_mode mode)
{
    engine.doing = "cm_on_failure";
    if (mode != CM_END_JOB && mode != CM_RETURN)
        cm_abort(CM_EXIT_USAGE, "cm_on_failure: mode %d; expected CM_END_JOB or CM_RETURN",
                 (int)mode);
    if (mode == CM_RETURN && engine.size > 1) {
        if (!cm_pmi_by_cmrun(engine.pmi)) {
            outlive_notices();
        } else if (!engine.environment.keep_going) {
            if (engine.rank == 0)
                fprintf(stderr,
                        "clustermark: rank 0 on %s: cm_on_failure(CM_RETURN): cmrun ends the "
                        "job when a rank fails; use cmrun --keep-going\n",
                        engine.host);
            return CM_EXIT_USAGE;
        }
    }
    engine.returns = mode == CM_RETURN;
    engine.goes_on |= engine.returns;
    return 0;
}

static bool has_failed(int world_rank)
{
    return engine.peer[world_rank].state == CM_PEER_GONE && !engine.peer[world_rank].left;
}

bool cm_failed(const cm_group *group, int rank)
{
    if (rank < 0 || rank >= group->base.size)
        cm_abort(CM_EXIT_USAGE, "cm_failed: rank %d is not in the group of %d", rank,
                 group->base.size);
    return has_failed(group->world[rank]);
}

int cm_failures(const cm_group *group)
{
    int n = 0;
    for (int rank = 0; rank < group->base.size; rank++) n += has_failed(group->world[rank]);
    return n;
}

/* ---- Losing a peer --------------------------------------------------------------------------- */

bool cm_failure_lose(int rank, const char *format, ...)
{
    cm_peer *peer = &engine.peer[rank];
    if (!engine.returns && !peer->left) {
        va_list list;
        va_start(list, format);
        cm_engine_vfail(rank, format, list);
    }
    if (peer->state != CM_PEER_HERE) return false;
    peer->state = CM_PEER_LOST;
    cm_send_pend(rank);
    return true;
}

static cm_status by_failure(int world_rank, int failed)
{
    if (!engine.returns) cm_engine_fail(world_rank, "failed earlier");
    return (cm_status){.source = failed, .tag = CM_ANY, .failed = failed};
}

void cm_failure_end(cm_request *request, int failed)
{
    int world_rank = request->peer == CM_ANY ? request->group->world[failed] : request->peer;
    if (cm_context_collective(request->context))
        cm_engine_fail(world_rank, "failed; a collective operation needs all members of its group");
    request->matched = request->complete = true;
    request->status = by_failure(world_rank, failed);
}

/* ---- Reports of failures --------------------------------------------------------------------- */

static int rank_in(const cm_group *group, int world_rank)
{
    for (int rank = 0; rank < group->base.size; rank++)
        if (group->world[rank] == world_rank) return rank;
    return -1;
}

/* Returns the member whose failure the next receive from any source reports, or -1. With take it
   counts as reported. If no other member is left, the last failure is reported again and again,
   because nothing else can end such a receive. */
static int next_report(cm_group *group, bool take)
{
    int last = -1, members = 0;
    for (int i = 0; i < engine.n_failed; i++) {
        int rank = rank_in(group, engine.failed[i]);
        if (rank < 0) continue;
        if (i >= group->reported) {
            if (take) group->reported = i + 1;
            return rank;
        }
        last = rank;
        members++;
    }
    return members == group->base.size - 1 ? last : -1;
}

/* Only a connection can show that its other end is gone. */
static void watch_all(cm_group *group)
{
    if (group->watched) return;
    group->watched = true;
    for (int rank = 0; rank < group->base.size; rank++)
        if (rank != group->base.rank) cm_send_connect(group->world[rank], 0);
}

void cm_failure_check(cm_request *receive)
{
    int failed = -1;
    if (receive->source == CM_ANY) {
        failed = next_report(receive->group, true);
        if (failed < 0) watch_all(receive->group);
    } else if (engine.peer[receive->peer].state == CM_PEER_GONE) {
        failed = receive->source;
    } else if (receive->peer != engine.rank) {
        cm_send_connect(receive->peer, 0);
    }
    if (failed < 0) return;
    cm_match_unpost(receive);
    cm_failure_end(receive, failed);
}

bool cm_failure_probe(cm_group *group, int source, cm_status *status)
{
    int failed = -1;
    if (source == CM_ANY) {
        failed = next_report(group, status != NULL);
        if (failed < 0) watch_all(group);
    } else if (engine.peer[group->world[source]].state == CM_PEER_GONE) {
        failed = source;
    } else if (source != group->base.rank) {
        cm_send_connect(group->world[source], 0);
    }
    if (failed < 0) return false;
    cm_status end = by_failure(group->world[failed], failed);
    if (status) *status = end;
    return true;
}

/* ---- Settling -------------------------------------------------------------------------------- */

static bool is_open(const cm_lane *lane)
{
    const cm_lane *open = engine.lanes;
    while (open && open != lane) open = open->next;
    return open != NULL;
}

/* Data that the peer had sent may still be in a connection that is not accepted yet. One progress
   step accepts it, the next one reads its handshake. The number of steps gives every lane a turn.
   */
static void hear_out(int rank)
{
    enum { LANES_PER_LOOK = 64 };
    for (int looks = 2 + engine.n_lanes / LANES_PER_LOOK; looks > 0 && cm_events_poll(0); looks--) {
    }
    /* Twice, because a lane may have to wait for the end of another one (CM_WIRE_MOVED). */
    for (int turn = 0; turn < 2; turn++)
        for (cm_lane *lane = engine.lanes, *next; lane; lane = next) {
            next = lane->next;
            if (lane->peer == rank)
                while (cm_receive_lane(lane) && is_open(lane)) {}
        }
}

/* Ends an operation that this peer was to complete. A receive from any source waits on as if it had
   never been matched: it joins *again, in the order of posting. */
static void give_up(cm_request *request, cm_request **again)
{
    if (request->complete || (request->kind == CM_REQUEST_RECEIVE && !request->matched)) return;
    if (request->kind == CM_REQUEST_RECEIVE) cm_rail_forget(request);
    if (request->kind != CM_REQUEST_RECEIVE || request->source != CM_ANY) {
        cm_failure_end(request, request->source);
        return;
    }
    request->matched = false;
    request->began_s = 0;
    request->written = CM_WRITTEN_NOT;
    request->peer = CM_ANY;
    while (*again && (*again)->order < request->order) again = &(*again)->next;
    request->next = *again;
    *again = request;
}

static void drop_unfinished_messages(int rank)
{
    for (cm_message *message = engine.peer[rank].message_first, *next; message; message = next) {
        next = message->peer_next;
        if (!message->lane && !message->handle) continue;
        cm_match_drop(message);
        if (message->data) cm_credit_drop(rank, message->ahead);
        free(message->data);
        free(message);
    }
}

static void wait_again(cm_request *receive)
{
    cm_message *message = cm_match_take(receive->context, CM_ANY, receive->tag, CM_ANY);
    if (message) cm_receive_take(receive, message);
    else cm_match_repost(receive);
}

/* Returns true if the peer began a message that it will not complete. */
static bool owes(int rank)
{
    for (uint32_t slot = 0; slot < engine.n_handles; slot++) {
        const cm_request *request = engine.handles[slot];
        if (request && request->peer == rank && request->kind == CM_REQUEST_RECEIVE) return true;
    }
    for (const cm_lane *lane = engine.lanes; lane; lane = lane->next)
        if (lane->peer == rank && lane->missing) return true;
    for (const cm_message *message = engine.peer[rank].message_first; message;
         message = message->peer_next)
        if (message->handle) return true;
    return false;
}

void cm_failure_settle(int rank)
{
    cm_peer *peer = &engine.peer[rank];
    cm_request *again = NULL;
    hear_out(rank);
    /* Sends that were complete for the peer's program may still be in transit when it leaves. */
    if (peer->left && owes(rank)) peer->left = false;
    peer->state = CM_PEER_GONE;
    cm_credit_lose(rank);
    if (!peer->left) engine.failed[engine.n_failed++] = rank;
    cm_send_drop(rank);
    for (uint32_t slot = 0; slot < engine.n_handles; slot++) {
        cm_request *request = engine.handles[slot];
        if (!request || request->peer != rank) continue;
        cm_handle_give(request->handle);
        request->handle = 0;
        cm_share_end(request);
        if (request->detached) cm_send_forget(request);
        else give_up(request, &again);
    }
    drop_unfinished_messages(rank);
    for (cm_lane *lane = engine.lanes, *next; lane; lane = next) {
        next = lane->next;
        if (lane->peer != rank) continue;
        if (lane->request) give_up(lane->request, &again);
        cm_lane_close(lane);
    }
    while (peer->posted.first) {
        cm_request *receive = peer->posted.first;
        cm_match_unpost(receive);
        cm_failure_end(receive, receive->source);
    }
    while (again) {
        cm_request *receive = again;
        again = receive->next;
        wait_again(receive);
    }
    for (cm_request *receive = engine.any.first, *next; receive; receive = next) {
        next = receive->next;
        int failed = next_report(receive->group, true);
        if (failed < 0) continue;
        cm_match_unpost(receive);
        cm_failure_end(receive, failed);
    }
}
