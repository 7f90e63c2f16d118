/* SPDX-License-Identifier: BSD-3-Clause */
/* message.c: the dummy's messages: queues of them, sends, receives and probes. */
#include "dummy.h"

#include <stdlib.h>
#include <string.h>

void cm_dummy_queue_open(cm_dummy_queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

void cm_dummy_queue_add(cm_dummy_queue *queue, cm_dummy_message *message)
{
    message->next = NULL;
    *queue->end = message;
    queue->end = &message->next;
}

void cm_dummy_queue_clear(cm_dummy_queue *queue)
{
    for (cm_dummy_message *next, *m = queue->first; m; m = next) {
        next = m->next;
        cm_dummy_message_free(m);
    }
    cm_dummy_queue_open(queue);
}

cm_dummy_message *cm_dummy_queue_find(cm_dummy_queue *queue, int source, int tag, bool take)
{
    for (cm_dummy_message **link = &queue->first, *m; (m = *link); link = &m->next) {
        if ((source != CM_ANY && source != m->source) || (tag != CM_ANY && tag != m->tag)) continue;
        if (take && !(*link = m->next)) queue->end = link;
        return m;
    }
    return NULL;
}

/* Large messages are kept for the next of their size. malloc would map and unmap each, and their
   pages' first touch takes ten times as long as the copy. */
enum { LARGE_BYTES = 1 << 16, SPARE_BYTES = 1 << 25 };
static cm_dummy_message *spare;
static size_t spare_bytes;

/* Frees those before the one it returns, which are of sizes no longer in use. */
static cm_dummy_message *take_spare(size_t bytes)
{
    cm_dummy_message *m = NULL;
    while (bytes >= LARGE_BYTES && (m = spare)) {
        spare = m->next;
        spare_bytes -= m->capacity;
        if (m->capacity >= bytes && m->capacity / 2 <= bytes) break;
        free(m);
    }
    return m;
}

cm_dummy_message *cm_dummy_message_new(int source, int tag, size_t bytes)
{
    cm_dummy_message *message = take_spare(bytes);
    size_t capacity = message ? message->capacity : bytes;
    if (!message && bytes <= SIZE_MAX / 2) message = malloc(sizeof *message + bytes);
    if (!message) cm_abort(CM_EXIT_SYSTEM, "out of memory to hold a message of %zu bytes", bytes);
    *message = (cm_dummy_message){.source = source,
                                  .tag = tag,
                                  .bytes = bytes,
                                  .capacity = capacity,
                                  .data = message->payload};
    return message;
}

void cm_dummy_message_free(cm_dummy_message *message)
{
    if (!message) return;
    if (message->capacity < LARGE_BYTES || spare_bytes + message->capacity > SPARE_BYTES) {
        free(message);
        return;
    }
    spare_bytes += message->capacity;
    message->next = spare;
    spare = message;
}

void cm_dummy_spare_close(void)
{
    for (cm_dummy_message *next; spare; spare = next) {
        next = spare->next;
        free(spare);
    }
    spare_bytes = 0;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void check(const cm_group *group, const char *call, const void *buffer, size_t bytes,
                  int peer, int tag, bool any)
{
    int size = group->base.size;
    if ((peer < 0 || peer >= size) && !(any && peer == CM_ANY))
        cm_abort(CM_EXIT_USAGE, "%s: rank %d is not in the group (0 to %d)", call, peer, size - 1);
    if ((tag < 0 || tag >= CM_TAG_LIMIT) && !(any && tag == CM_ANY))
        cm_abort(CM_EXIT_USAGE, "%s: tag is %d; expected 0 to %d", call, tag, CM_TAG_LIMIT - 1);
    if (!buffer && bytes)
        cm_abort(CM_EXIT_USAGE, "%s: the buffer is NULL; expected %zu bytes", call, bytes);
}

/* ---- Sends ----------------------------------------------------------------------------------- */

static void send_to_self(cm_request *request, const void *data, size_t bytes, int tag)
{
    cm_group *group = request->group;
    bool copy = (double)bytes <= cm_dummy->eager_bytes;
    cm_request *receive = group->posted;
    while (receive
           && ((receive->source != CM_ANY && receive->source != 0)
               || (receive->tag != CM_ANY && receive->tag != tag)))
        receive = receive->next;
    cm_dummy_message *message = cm_dummy_message_new(0, tag, !receive && copy ? bytes : 0);
    message->bytes = bytes;
    message->time_s = cm_dummy_now_s();
    request->done = receive || copy;
    request->time_s = message->time_s;
    if (!request->done) message->sender = request;
    if (receive || !copy) message->data = data;
    else if (bytes) memcpy(message->payload, data, bytes);
    if (receive) cm_dummy_request_match(receive, message);
    else cm_dummy_queue_add(&group->incoming, message);
}

static cm_request *start_send(cm_group *group, const char *call, const void *data, size_t bytes,
                              int dest, int tag)
{
    check(group, call, data, bytes, dest, tag, false);
    cm_dummy_tick();
    cm_dummy_delay();
    cm_request *request = cm_dummy_request_new(CM_DUMMY_SEND, group);
    request->status = (cm_status){dest, tag, bytes, .failed = -1};
    if (dest == 0) {
        send_to_self(request, data, bytes, tag);
    } else {
        cm_dummy_journey journey = cm_dummy_travel(CM_DUMMY_OUT, dest, bytes, cm_dummy_now_s());
        request->done = true;
        request->time_s = journey.sent_s;
        /* In a shadow group, answers are generated when they are requested. */
        if (group->base.shadow)
            cm_dummy_peer_hear(group, dest, data, bytes, tag, journey.arrived_s);
    }
    return request;
}

cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    return start_send(group, "cm_isend", data, bytes, dest, tag);
}

void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    cm_request *request = start_send(group, "cm_send", data, bytes, dest, tag);
    cm_wait(&request, NULL);
}

/* ---- Receives -------------------------------------------------------------------------------- */

static cm_request *start_receive(cm_group *group, const char *call, void *data, size_t capacity,
                                 int source, int tag)
{
    check(group, call, data, capacity, source, tag, true);
    cm_dummy_tick();
    cm_request *request = cm_dummy_request_new(CM_DUMMY_RECEIVE, group);
    request->buffer = data;
    request->capacity = capacity;
    request->source = source;
    request->tag = tag;
    cm_dummy_message *message = cm_dummy_queue_find(&group->incoming, source, tag, true);
    if (!message && !group->base.shadow && source > 0)
        message = cm_dummy_peer_send(source, tag, capacity, NULL, 0, cm_dummy_now_s());
    *group->posted_end = request;
    group->posted_end = &request->next;
    if (message) cm_dummy_request_match(request, message);
    return request;
}

cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag)
{
    return start_receive(group, "cm_irecv", data, capacity, source, tag);
}

void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status)
{
    cm_request *request = start_receive(group, "cm_recv", data, capacity, source, tag);
    cm_wait(&request, status);
}

void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status)
{
    check(group, "cm_sendrecv", out, out_bytes, dest, out_tag, false);
    check(group, "cm_sendrecv", in, capacity, source, in_tag, true);
    if (group->base.shadow && dest > 0 && source != 0) { /* dummy.h, rule 7 */
        cm_dummy_tick();
        double start_s = cm_dummy_now_s();
        int peer = source == CM_ANY ? dest : source;
        cm_dummy_delay(); /* the peer spends its own at the same time */
        cm_dummy_journey journey =
            cm_dummy_travel(CM_DUMMY_OUT, dest, out_bytes, start_s + cm_dummy->delay_s);
        cm_dummy_message *answer = cm_dummy_peer_send(peer, in_tag == CM_ANY ? out_tag : in_tag,
                                                      out_bytes < capacity ? out_bytes : capacity,
                                                      out, out_bytes, start_s);
        cm_request *receive = cm_dummy_request_new(CM_DUMMY_RECEIVE, group);
        receive->buffer = in;
        receive->capacity = capacity;
        *group->posted_end = receive;
        group->posted_end = &receive->next;
        cm_dummy_request_match(receive, answer);
        cm_dummy_advance_to(journey.sent_s);
        cm_wait(&receive, status);
        return;
    }
    cm_request *receive = start_receive(group, "cm_sendrecv", in, capacity, source, in_tag);
    cm_request *send = start_send(group, "cm_sendrecv", out, out_bytes, dest, out_tag);
    cm_wait(&receive, status);
    cm_wait(&send, NULL);
}

/* ---- Probes ---------------------------------------------------------------------------------- */

static cm_dummy_message *look(cm_group *group, int source, int tag, bool force)
{
    /* A message that matches a receive already posted is not reported to the probe. */
    for (cm_request *next, *r = group->posted; r; r = next) {
        next = r->next;
        cm_dummy_request_resolve(r, false);
    }
    cm_dummy_message *message = cm_dummy_queue_find(&group->incoming, source, tag, false);
    if (!message && source != 0 && group->base.size > 1) {
        message = cm_dummy_peer_ask(group, source, tag, 0, true, force);
        if (message) cm_dummy_queue_add(&group->incoming, message);
    }
    return message;
}

void cm_probe(cm_group *group, int source, int tag, cm_status *status)
{
    check(group, "cm_probe", NULL, 0, source, tag, true);
    cm_dummy_tick();
    cm_dummy_message *message = look(group, source, tag, true);
    if (!message)
        cm_abort(CM_EXIT_USAGE,
                 "cm_probe: would wait forever for a message of this rank to itself");
    cm_dummy_advance_to(message->time_s);
    if (status) *status = (cm_status){message->source, message->tag, message->bytes, .failed = -1};
}

bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status)
{
    check(group, "cm_iprobe", NULL, 0, source, tag, true);
    cm_dummy_tick();
    cm_dummy_message *message = look(group, source, tag, false);
    if (!message || message->time_s > cm_dummy_now_s()) return false;
    if (status) *status = (cm_status){message->source, message->tag, message->bytes, .failed = -1};
    return true;
}
