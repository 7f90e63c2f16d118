/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c: requests and their handles on the wire, and the point-to-point calls and waits of
   comm.h. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/engine/engine.h"

/* A send within the eager limit that its receiver does not take is copied after this time, so that
   it counts as complete at once, as comm.h requires. */
static const double DETACH_AFTER_S = 200e-6;

/* Receives and probes from any source between looks at all lanes. Those that find a message need no
   look, and what has been read from one peer may be a thousand messages. */
enum { ASKED_A_LOOK = 64 };

/* ---- Requests and handles -------------------------------------------------------------------- */

cm_request *cm_request_take(cm_request_kind kind)
{
    cm_request *request = engine.free_requests;
    if (request) engine.free_requests = request->next;
    else request = cm_engine_allocate(sizeof *request, "a request");
    memset(request, 0, sizeof *request);
    request->kind = kind;
    request->status.failed = -1;
    return request;
}

void cm_request_give(cm_request *request)
{
    request->next = engine.free_requests;
    engine.free_requests = request;
}

/* A handle is a slot number plus one and the slot's generation, so that a stale handle is
   detected. */
uint64_t cm_handle_take(cm_request *request)
{
    uint32_t slot = engine.free_handle_hint;
    while (slot < engine.n_handles && engine.handles[slot]) slot++;
    if (slot == engine.n_handles) {
        uint32_t n = engine.n_handles ? 2 * engine.n_handles : 64;
        cm_request **handles = realloc(engine.handles, n * sizeof *handles);
        if (handles) engine.handles = handles;
        uint32_t *generations = realloc(engine.generations, n * sizeof *generations);
        if (generations) engine.generations = generations;
        if (!handles || !generations)
            cm_engine_fail(-1, "out of memory: %u rendezvous in progress", engine.n_handles);
        memset(handles + engine.n_handles, 0, (n - engine.n_handles) * sizeof *handles);
        memset(generations + engine.n_handles, 0, (n - engine.n_handles) * sizeof *generations);
        engine.n_handles = n;
    }
    engine.handles[slot] = request;
    engine.free_handle_hint = slot + 1;
    return ((uint64_t)++engine.generations[slot] << 32) | (slot + 1);
}

cm_request *cm_handle_find(uint64_t handle)
{
    uint32_t slot = (uint32_t)handle - 1;
    if (slot >= engine.n_handles || engine.generations[slot] != handle >> 32) return NULL;
    return engine.handles[slot];
}

void cm_handle_set(uint64_t handle, cm_request *request)
{
    engine.handles[(uint32_t)handle - 1] = request;
}

void cm_handle_give(uint64_t handle)
{
    uint32_t slot = (uint32_t)handle - 1;
    engine.handles[slot] = NULL;
    if (slot < engine.free_handle_hint) engine.free_handle_hint = slot;
}

cm_request *cm_backend_request_new(cm_schedule *schedule)
{
    cm_request *request = cm_request_take(CM_REQUEST_SCHEDULE);
    request->base.schedule = schedule;
    return request;
}

void cm_backend_request_free(cm_request *request) { cm_request_give(request); }

/* ---- Checks ---------------------------------------------------------------------------------- */

static void check(cm_group *group, const void *data, size_t bytes, int rank, int tag, bool any)
{
    if (__builtin_expect(!group, 0)) cm_abort(CM_EXIT_USAGE, "%s: the group is NULL", engine.doing);
    int lowest = any ? CM_ANY : 0;
    if (__builtin_expect(rank < lowest || rank >= group->base.size, 0))
        cm_abort(CM_EXIT_USAGE, "%s: rank %d is not in the group of %d", engine.doing, rank,
                 group->base.size);
    if (__builtin_expect(tag < lowest || tag >= CM_TAG_LIMIT, 0))
        cm_abort(CM_EXIT_USAGE, "%s: tag is %d; expected 0 to %d", engine.doing, tag,
                 CM_TAG_LIMIT - 1);
    if (__builtin_expect(!data && bytes, 0))
        cm_abort(CM_EXIT_USAGE, "%s: the buffer is NULL; expected %zu bytes", engine.doing, bytes);
}

/* ---- Starting -------------------------------------------------------------------------------- */

cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    engine.doing = "cm_isend";
    check(group, data, bytes, dest, tag, false);
    cm_delay_message(engine.environment.delay_ns);
    if (__builtin_expect(engine.coalesces, 0)) {
        cm_request *send = cm_coalesce_start(group, data, bytes, dest, tag);
        if (send) return send;
    }
    return cm_send_start(group, data, bytes, dest, tag);
}

/* Before a receive or probe. */
static void look_for_others(int source)
{
    if (source == CM_ANY && __builtin_expect(++engine.asked % ASKED_A_LOOK == 0, 0))
        cm_progress_step(CM_ANY, false);
}

static cm_request *start_receive(cm_group *group, void *data, size_t capacity, int source, int tag)
{
    check(group, data, capacity, source, tag, true);
    look_for_others(source);
    cm_request *receive = cm_request_take(CM_REQUEST_RECEIVE);
    receive->group = group;
    receive->context = group->context;
    receive->source = source;
    receive->tag = tag;
    receive->peer = source == CM_ANY ? CM_ANY : group->world[source];
    receive->data = data;
    receive->bytes = capacity;
    cm_receive_start(receive);
    return receive;
}

cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag)
{
    engine.doing = "cm_irecv";
    return start_receive(group, data, capacity, source, tag);
}

/* ---- Completing ------------------------------------------------------------------------------ */

static bool is_complete(cm_request *request)
{
    if (__builtin_expect(request->base.schedule != NULL, 0))
        return cm_schedule_advance(request->base.schedule);
    return request->complete;
}

static void finish(cm_request **request, cm_status *status)
{
    if ((*request)->base.schedule) cm_schedule_free((*request)->base.schedule);
    if (status) *status = (*request)->status;
    cm_request_give(*request);
    *request = NULL;
}

/* A send within the eager limit. A send to this rank itself never waits. */
static bool is_short_send(const cm_request *request)
{
    return request->kind == CM_REQUEST_EAGER
           || (request->kind == CM_REQUEST_RENDEZVOUS && request->peer != engine.rank
               && request->bytes <= engine.environment.eager_bytes);
}

/* Blocks until the request is complete. A short send completes at once; it is copied if necessary.
   *start_s is when the caller began to wait, for this request or an earlier one; 0 at first. */
static void complete(cm_request *request, double *start_s)
{
    if (request->base.schedule) {
        while (!is_complete(request)) cm_backend_pause();
        return;
    }
    if (!request->complete && is_short_send(request)) {
        if (*start_s == 0) *start_s = cm_engine_now();
        do cm_progress_step(request->peer, false);
        while (!request->complete && cm_engine_now() - *start_s < DETACH_AFTER_S);
        if (!request->complete) cm_send_detach(request);
    }
    cm_progress_wait(request);
}

void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    engine.doing = "cm_send";
    check(group, data, bytes, dest, tag, false);
    cm_delay_message(engine.environment.delay_ns);
    cm_request *request = cm_send_start(group, data, bytes, dest, tag);
    if (!request->complete) {
        if (request->peer == engine.rank)
            cm_abort(CM_EXIT_USAGE,
                     "cm_send of %zu bytes to itself, above the eager limit of %zu, "
                     "never completes without a posted receive",
                     bytes, engine.environment.eager_bytes);
        double start_s = 0;
        complete(request, &start_s);
    }
    cm_request_give(request);
}

void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status)
{
    engine.doing = "cm_recv";
    cm_request *request = start_receive(group, data, capacity, source, tag);
    cm_progress_wait(request);
    finish(&request, status);
}

void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status)
{
    engine.doing = "cm_sendrecv";
    check(group, out, out_bytes, dest, out_tag, false);
    cm_request *receive = start_receive(group, in, capacity, source, in_tag);
    cm_delay_message(engine.environment.delay_ns);
    cm_request *send = cm_send_start(group, out, out_bytes, dest, out_tag);
    double start_s = 0;
    complete(send, &start_s);
    finish(&send, NULL);
    complete(receive, &start_s);
    finish(&receive, status);
}

void cm_wait(cm_request **request, cm_status *status)
{
    if (!*request) return;
    double start_s = 0;
    engine.doing = "cm_wait";
    complete(*request, &start_s);
    finish(request, status);
}

void cm_waitall(int n, cm_request **requests, cm_status *statuses)
{
    double start_s = 0;
    engine.doing = "cm_waitall";
    for (int i = 0; i < n; i++) {
        if (!requests[i]) continue;
        complete(requests[i], &start_s);
        finish(&requests[i], statuses ? &statuses[i] : NULL);
    }
}

/* Returns true if a wait for these requests may sleep. Before that, a short send that its receiver
   has not taken is copied, after the same time as in a wait for it alone. *start_s belongs to the
   caller; 0 at first. */
static bool may_sleep(int n, cm_request **requests, double *start_s)
{
    bool may = true;
    for (int i = 0; i < n; i++) {
        cm_request *request = requests[i];
        if (!request || !is_short_send(request)) continue;
        double now_s = cm_engine_now();
        if (*start_s == 0) *start_s = now_s;
        bool patient = now_s - *start_s < DETACH_AFTER_S;
        if (!patient) cm_send_detach(request);
        if (patient || request->complete) may = false;
    }
    return may;
}

/* Waits for at least one of n requests and finishes at most `most` that are complete. */
static int wait_some(int n, cm_request **requests, int most, int *indices, cm_status *statuses)
{
    for (double start_s = 0;;) {
        int found = 0, active = 0;
        for (int i = 0; i < n && found < most; i++) {
            if (!requests[i]) continue;
            active++;
            if (!is_complete(requests[i])) continue;
            finish(&requests[i], statuses ? &statuses[found] : NULL);
            indices[found++] = i;
        }
        if (found) return found;
        if (!active) return -1;
        cm_progress_step(CM_ANY, may_sleep(n, requests, &start_s));
    }
}

int cm_waitsome(int n, cm_request **requests, int *indices, cm_status *statuses)
{
    engine.doing = "cm_waitsome";
    return wait_some(n, requests, n, indices, statuses);
}

int cm_waitany(int n, cm_request **requests, cm_status *status)
{
    int index;
    engine.doing = "cm_waitany";
    return wait_some(n, requests, 1, &index, status) < 0 ? -1 : index;
}

bool cm_test(cm_request **request, cm_status *status)
{
    if (!*request) return true;
    if (!is_complete(*request)) {
        engine.doing = "cm_test";
        cm_progress_step((*request)->base.schedule ? CM_ANY : (*request)->peer, false);
        /* Only a short send without credit needs this. Others end when the receiver reads at
           all. */
        if ((*request)->handle && is_short_send(*request)) cm_send_detach(*request);
        if (!is_complete(*request)) return false;
    }
    finish(request, status);
    return true;
}

void cm_cancel(cm_request **request)
{
    if (!*request) return;
    engine.doing = "cm_cancel";
    if ((*request)->kind != CM_REQUEST_RECEIVE)
        cm_abort(CM_EXIT_USAGE, "cm_cancel: only receives can be cancelled");
    if (!(*request)->matched) {
        cm_match_unpost(*request);
        (*request)->complete = true;
    }
    cm_wait(request, NULL);
}

/* ---- Probes ---------------------------------------------------------------------------------- */

static bool probe(cm_group *group, int source, int tag, cm_status *status)
{
    int peer = source == CM_ANY ? CM_ANY : group->world[source];
    const cm_message *message = cm_match_probe(group->context, source, tag, peer);
    if (!message) return engine.goes_on && cm_failure_probe(group, source, status);
    if (status) *status = (cm_status){message->source, message->tag, message->bytes, .failed = -1};
    return true;
}

bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status)
{
    engine.doing = "cm_iprobe";
    check(group, NULL, 0, source, tag, true);
    look_for_others(source);
    if (probe(group, source, tag, status)) return true;
    cm_progress_step(source == CM_ANY ? CM_ANY : group->world[source], false);
    return probe(group, source, tag, status);
}

void cm_probe(cm_group *group, int source, int tag, cm_status *status)
{
    engine.doing = "cm_probe";
    check(group, NULL, 0, source, tag, true);
    look_for_others(source);
    int peer = source == CM_ANY ? CM_ANY : group->world[source];
    while (!probe(group, source, tag, status)) cm_progress_step(peer, true);
}
