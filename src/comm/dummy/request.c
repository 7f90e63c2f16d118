/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c: the dummy's requests: matching, waiting, canceling. */
#include "dummy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cm_request *live; /* all requests, to find the time of the next event */

cm_request *cm_dummy_request_new(cm_dummy_kind kind, cm_group *group)
{
    cm_request *request = calloc(1, sizeof *request);
    if (!request) cm_abort(CM_EXIT_SYSTEM, "out of memory for another request");
    request->kind = kind;
    request->group = group;
    request->status.failed = -1;
    request->live_next = live;
    request->live_link = &live;
    if (live) live->live_link = &request->live_next;
    live = request;
    return request;
}

static void release(cm_request *request)
{
    *request->live_link = request->live_next;
    if (request->live_next) request->live_next->live_link = request->live_link;
    free(request);
}

static void take_back(cm_request *request)
{
    cm_group *group = request->group;
    cm_request **link = &group->posted;
    while (*link != request) link = &(*link)->next;
    if (!(*link = request->next)) group->posted_end = link;
}

void cm_dummy_request_match(cm_request *request, cm_dummy_message *message)
{
    if (message->bytes > request->capacity)
        cm_abort(CM_EXIT_SYSTEM,
                 "a message of %zu bytes from rank %d with tag %d does not fit "
                 "into a receive of %zu bytes",
                 message->bytes, message->source, message->tag, request->capacity);
    take_back(request);
    if (message->bytes) memmove(request->buffer, message->data, message->bytes);
    request->done = true;
    request->time_s = fmax(message->time_s, cm_dummy_now_s());
    request->status = (cm_status){message->source, message->tag, message->bytes, .failed = -1};
    if (message->sender) {
        message->sender->done = true;
        message->sender->time_s = request->time_s;
    }
    cm_dummy_message_free(message);
}

static void resolve_one(cm_request *request, bool force)
{
    if (request->done || request->kind != CM_DUMMY_RECEIVE) return;
    if (request->source == 0 || request->group->base.size == 1) return; /* no peer can send it */
    cm_dummy_message *message = cm_dummy_peer_ask(request->group, request->source, request->tag,
                                                  request->capacity, false, force);
    if (message) cm_dummy_request_match(request, message);
}

void cm_dummy_request_resolve(cm_request *request, bool force)
{
    if (request->done || request->kind != CM_DUMMY_RECEIVE) return;
    for (cm_request *next, *r = request->group->posted; r != request; r = next) {
        next = r->next;
        resolve_one(r, false);
    }
    resolve_one(request, force);
}

/* ---- Completion ------------------------------------------------------------------------------ */

static bool complete(cm_request *request)
{
    if (request->base.schedule) return cm_schedule_advance(request->base.schedule);
    return request->done && request->time_s <= cm_dummy_now_s();
}

static void finish(cm_request **request, cm_status *status)
{
    if (status) *status = (*request)->status;
    if ((*request)->base.schedule) {
        cm_schedule_free((*request)->base.schedule);
        cm_backend_request_free(*request);
    } else {
        release(*request);
    }
    *request = NULL;
}

static void refuse_to_hang(const cm_request *request)
{
    if (request->kind == CM_DUMMY_SEND)
        cm_abort(CM_EXIT_USAGE,
                 "waits forever: a send of %zu bytes (above the eager limit) to "
                 "itself with tag %d and no posted receive",
                 request->status.bytes, request->status.tag);
    cm_abort(CM_EXIT_USAGE,
             "waits forever: a receive from itself with tag %d and no "
             "message sent",
             request->tag);
}

void cm_wait(cm_request **request, cm_status *status)
{
    cm_request *r = *request;
    if (!r) return;
    cm_dummy_tick();
    if (r->base.schedule) {
        while (!complete(r)) cm_backend_pause();
    } else {
        cm_dummy_request_resolve(r, true);
        if (!r->done) refuse_to_hang(r);
        cm_dummy_advance_to(r->time_s);
    }
    finish(request, status);
}

void cm_waitall(int n, cm_request **requests, cm_status *statuses)
{
    for (int i = 0; i < n; i++) cm_wait(&requests[i], statuses ? &statuses[i] : NULL);
}

bool cm_test(cm_request **request, cm_status *status)
{
    enum { PATIENCE = 1000 };
    cm_request *r = *request;
    if (!r) return true;
    cm_dummy_tick();
    if (!r->base.schedule) cm_dummy_request_resolve(r, r->polls++ >= PATIENCE);
    if (!complete(r)) return false;
    finish(request, status);
    return true;
}

/* Blocks until one of n requests is complete. Returns its index, -1 if all are NULL. */
static int wait_for_one(int n, cm_request **requests)
{
    cm_dummy_tick();
    for (;;) {
        int first = -1, receive = -1;
        bool schedules = false;
        double event_s = INFINITY;
        for (int i = 0; i < n; i++) {
            cm_request *r = requests[i];
            if (!r) continue;
            if (first < 0) first = i;
            cm_dummy_request_resolve(r, false);
            if (complete(r)) return i;
            schedules |= r->base.schedule != NULL;
            if (r->done) event_s = fmin(event_s, r->time_s);
            else if (receive < 0 && r->kind == CM_DUMMY_RECEIVE && r->source != 0
                     && r->group->base.size > 1)
                receive = i;
        }
        if (first < 0) return -1;
        if (schedules) cm_backend_pause();
        else if (event_s < INFINITY) cm_dummy_advance_to(event_s);
        else if (receive >= 0) cm_dummy_request_resolve(requests[receive], true);
        else refuse_to_hang(requests[first]);
    }
}

int cm_waitany(int n, cm_request **requests, cm_status *status)
{
    int i = wait_for_one(n, requests);
    if (i >= 0) finish(&requests[i], status);
    return i;
}

int cm_waitsome(int n, cm_request **requests, int *indices, cm_status *statuses)
{
    if (wait_for_one(n, requests) < 0) return -1;
    int done = 0;
    for (int i = 0; i < n; i++) {
        if (!requests[i] || !complete(requests[i])) continue;
        finish(&requests[i], statuses ? &statuses[done] : NULL);
        indices[done++] = i;
    }
    return done;
}

void cm_cancel(cm_request **request)
{
    cm_request *r = *request;
    if (!r) return;
    if (r->base.schedule || r->kind != CM_DUMMY_RECEIVE)
        cm_abort(CM_EXIT_USAGE, "cm_cancel: only receives can be cancelled");
    cm_dummy_tick();
    if (r->done) cm_dummy_advance_to(r->time_s);
    else take_back(r);
    finish(request, NULL);
}

void cm_progress(void)
{
    cm_dummy_tick();
    cm_schedule_progress();
}

bool cm_coalesce(bool on)
{
    (void)on;
    return false;
}

/* ---- For the shared collectives -------------------------------------------------------------- */

cm_request *cm_backend_request_new(cm_schedule *schedule)
{
    cm_request *request = cm_dummy_request_new(CM_DUMMY_COLLECTIVE, NULL);
    request->base.schedule = schedule;
    return request;
}

void cm_backend_request_free(cm_request *request) { release(request); }

void cm_backend_pause(void)
{
    double now_s = cm_dummy_now_s(), event_s = now_s + 1e-6;
    bool found = false;
    for (const cm_request *r = live; r; r = r->live_next)
        if (r->done && r->time_s > now_s && (!found || r->time_s < event_s)) {
            event_s = r->time_s;
            found = true;
        }
    cm_dummy_advance_to(event_s);
}
