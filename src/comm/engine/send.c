/* SPDX-License-Identifier: BSD-3-Clause */
/* send.c: what this rank writes. A message goes to the lane at once when nothing waits before it;
   what the lane does not take joins the peer's queue, which cm_send_flush empties in order. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

/* Up to here header and payload are put together for one plain write: copying costs less than a
   vector. */
enum { JOINED_BYTES = 4096 };

/* Copies of messages that peers do not take: beyond this much a sender waits for them, and beyond
   so many that are announced to one peer, where each leaves an envelope. */
static const size_t COPIED_LIMIT = (size_t)64 << 20;
enum { DETACHED_LIMIT = 1024 };

static void lose(const cm_lane *lane)
{
    cm_failure_lose(lane->peer, "connection lost while writing to it%s%s%s",
                    cm_rail_name(lane->rail), errno ? ": " : "", errno ? strerror(errno) : "");
}

/* Writes as much as the lane takes now, in pieces of at most piece_bytes of payload; *header_sent
   and *sent move on. Whether all is written. */
static bool write_some(cm_lane *lane, const char *header, size_t header_bytes, size_t *header_sent,
                       const char *data, size_t bytes, size_t *sent)
{
    const size_t piece_bytes = engine.environment.piece_bytes;
    while (*header_sent < header_bytes || *sent < bytes) {
        size_t head = header_bytes - *header_sent;
        size_t piece = bytes - *sent < piece_bytes ? bytes - *sent : piece_bytes;
        ssize_t written;
        if (!head) {
            struct iovec part = {(char *)data + *sent, piece};
            written = cm_lane_write(lane, &part, 1);
        } else if (piece <= JOINED_BYTES) {
            _Alignas(CM_STAGE_ALIGNMENT) char joined[CM_FRAME_BYTES + JOINED_BYTES];
            memcpy(joined, header + *header_sent, head);
            if (piece) memcpy(joined + head, data + *sent, piece);
            struct iovec part = {joined, head + piece};
            written = cm_lane_write(lane, &part, 1);
        } else {
            struct iovec parts[2] = {{(char *)header + *header_sent, head},
                                     {(char *)data + *sent, piece}};
            written = cm_lane_write(lane, parts, 2);
        }
        if (written < 0) {
            if (engine.finalizing) return true; /* it has left already; it owed us nothing */
            lose(lane);
            return false;
        }
        if (written == 0) return false;
        size_t of_header = (size_t)written < head ? (size_t)written : head;
        *header_sent += of_header;
        *sent += (size_t)written - of_header;
    }
    return true;
}

void cm_send_pend(int rank)
{
    cm_peer *peer = &engine.peer[rank];
    if (!peer->pending) {
        peer->pending = true;
        engine.pending[engine.n_pending++] = rank;
    }
}

cm_outgoing *cm_send_enqueue(int rank, cm_rail *rail, const void *header, size_t header_bytes)
{
    cm_outgoing *item = engine.free_outgoing;
    if (item) engine.free_outgoing = item->next;
    else item = cm_engine_allocate(sizeof *item, "a message to send");
    memset(item, 0, sizeof *item);
    memcpy(item->header, header, header_bytes);
    item->header_bytes = header_bytes;
    if (rail->last) rail->last->next = item;
    else rail->first = item;
    rail->last = item;
    cm_send_pend(rank);
    return item;
}

static void recycle(cm_outgoing *item)
{
    item->next = engine.free_outgoing;
    engine.free_outgoing = item;
}

static void all_written(cm_request *request)
{
    if (__builtin_expect(request->striped, 0)) cm_rail_written(request);
    else request->complete = true;
}

static bool flush_rail(cm_rail *rail)
{
    bool moved = false;
    while (rail->first) {
        cm_outgoing *item = rail->first;
        const size_t sent = item->sent;
        bool left = engine.finalizing && !rail->tx;
        if (!left
            && !write_some(rail->tx, item->header, item->header_bytes, &item->header_sent,
                           item->data, item->bytes, &item->sent))
            return moved || item->sent != sent;
        moved = true;
        if (item->request) all_written(item->request);
        if (item->owned) {
            engine.copied_bytes -= item->bytes;
            free(item->owned);
        }
        rail->first = item->next;
        if (!rail->first) rail->last = NULL;
        recycle(item);
    }
    return moved;
}

bool cm_send_connect(int rank, int number)
{
    cm_peer *peer = &engine.peer[rank];
    cm_rail *rail = &peer->rail[number];
    if (rail->tx) return true;
    if (peer->state != CM_PEER_HERE) return false;
    cm_lane *lane = cm_transport_connect(rank, number);
    if (!lane) return false;
    lane->rail = number;
    rail->tx = lane;
    if (!rail->rx) rail->rx = lane;
    cm_wire_greeting greeting;
    if (!cm_auth_random(lane->nonce, CM_NONCE_BYTES))
        cm_engine_fail(rank, "the system gives no random numbers");
    cm_greeting_write(&greeting, rank, number, CM_ROLE_CONNECTS, lane->nonce, peer->nonce);
    cm_send_enqueue(rank, rail, &greeting, sizeof greeting);
    flush_rail(rail);
    return true;
}

bool cm_send_flush(int rank)
{
    bool moved = false;
    for (int k = 0; k < engine.rails; k++) moved |= flush_rail(&engine.peer[rank].rail[k]);
    return moved;
}

static void drop_rail(cm_rail *rail)
{
    while (rail->first) {
        cm_outgoing *item = rail->first;
        cm_request *request = item->request;
        rail->first = item->next;
        if (request && !request->detached) cm_failure_end(request, request->source);
        if (request && request->striped) cm_rail_written(request);
        if (item->owned) engine.copied_bytes -= item->bytes;
        free(item->owned);
        recycle(item);
    }
    rail->last = NULL;
}

void cm_send_drop(int rank)
{
    for (int k = 0; k < engine.rails; k++) drop_rail(&engine.peer[rank].rail[k]);
}

/* The kernel copies several times more slowly where the target's offset in its page is less than 64
   bytes above the source's (`rep movsb` takes the two for overlapping then). Once all before it was
   read, a message begins at a page of the kernel's; so a payload that would follow 32 bytes behind
   is moved away from where data lie, here and, as senders' and receivers' arrays mostly lie alike,
   there. Short payloads are joined instead. */
static uint8_t pad_units(const char *data, size_t bytes)
{
    enum { PAGE_BYTES = 4096, NEAR_BYTES = 64, FIRST = 128 };
    size_t offset = (uintptr_t)data % PAGE_BYTES;
    if (bytes <= JOINED_BYTES) return 0;
    bool near = offset > FIRST - NEAR_BYTES && offset < FIRST + NEAR_BYTES;
    return (uint8_t)(((near ? CM_FRAME_BYTES : FIRST) - sizeof(cm_wire_header)) / CM_PAD_UNIT);
}

/* Header and payload to a peer; request, unless NULL, completes when all is written. What goes to a
   lost peer joins its queue and ends with that; to one that is gone there is nothing left to send
   but credit. Returns what waits in the queue; NULL: nothing. */
static cm_outgoing *put(int rank, int number, const cm_wire_header *header, const char *data,
                        size_t bytes, cm_request *request)
{
    cm_peer *peer = &engine.peer[rank];
    cm_rail *rail = &peer->rail[number];
    size_t header_sent = 0, sent = 0;
    struct {
        cm_wire_header header;
        char padding[CM_FRAME_BYTES - sizeof(cm_wire_header)];
    } frame = {*header, {0}};
    frame.header.pad_units = pad_units(data, bytes);
    size_t frame_bytes = sizeof *header + (size_t)frame.header.pad_units * CM_PAD_UNIT;
    if (__builtin_expect(engine.coalesced, 0)) cm_coalesce_release();
    if (engine.finalizing && !peer->rail[0].tx) return NULL; /* it has left; it owed us nothing */
    bool open = rail->tx || cm_send_connect(rank, number);
    if (!open && peer->state == CM_PEER_GONE) return NULL;
    if (open && !rail->first
        && write_some(rail->tx, (char *)&frame, frame_bytes, &header_sent, data, bytes, &sent)) {
        if (request) all_written(request);
        return NULL;
    }
    cm_outgoing *item = cm_send_enqueue(rank, rail, &frame, frame_bytes);
    item->header_sent = header_sent;
    item->data = data;
    item->bytes = bytes;
    item->sent = sent;
    item->request = request;
    return item;
}

void cm_send_header(int peer, int rail, const cm_wire_header *header)
{
    put(peer, rail, header, NULL, 0, NULL);
}

void cm_send_part(cm_request *send, int rail, const cm_wire_header *header, const char *data,
                  size_t bytes)
{
    send->parts++;
    put(send->peer, rail, header, data, bytes, send);
}

/* To oneself: the receive is posted, or the message waits as an unexpected one. */
static void send_self(cm_group *group, const void *data, size_t bytes, int tag, cm_request *send)
{
    cm_request *receive = cm_match_posted(group->context, group->base.rank, tag, engine.rank);
    cm_message *message = cm_engine_allocate(sizeof *message, "a message to oneself");
    *message = (cm_message){.context = group->context,
                            .source = group->base.rank,
                            .tag = tag,
                            .peer = engine.rank,
                            .bytes = bytes};
    if (receive || bytes > engine.environment.eager_bytes) {
        message->send = send;
        send->data = (char *)data;
    } else {
        message->ahead = bytes;
        message->data = cm_engine_allocate(bytes, "a message to oneself");
        if (bytes) memcpy(message->data, data, bytes);
        send->complete = true;
    }
    if (receive) cm_receive_take(receive, message);
    else cm_match_keep(message);
}

cm_request *cm_send_start(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    int peer = group->world[dest];
    size_t cost = bytes + CM_ENVELOPE_BYTES;
    bool eager =
        bytes <= engine.eager_most && (peer == engine.rank || cost <= engine.peer[peer].credit);
    cm_request *send = cm_request_take(eager ? CM_REQUEST_EAGER : CM_REQUEST_RENDEZVOUS);
    send->peer = peer;
    send->bytes = bytes;
    send->context = group->context;
    send->source = dest;
    send->tag = tag;
    if (peer == engine.rank) {
        send_self(group, data, bytes, tag, send);
        return send;
    }
    cm_wire_header header = {.kind = eager ? CM_WIRE_EAGER : CM_WIRE_READY_TO_SEND,
                             .context = group->context,
                             .source = group->base.rank,
                             .tag = tag,
                             .bytes = bytes};
    if (eager) {
        engine.peer[peer].credit -= cost;
        put(peer, 0, &header, data, bytes, send);
        return send;
    }
    /* its credit is 0, so that eager sends come here too */
    if (engine.peer[peer].state == CM_PEER_GONE) {
        cm_failure_end(send, dest);
        return send;
    }
    send->striped = bytes > engine.stripe_above;
    size_t most = send->striped ? cm_rail_ahead(bytes) : bytes;
    size_t units = (most < engine.environment.ahead_bytes ? most : engine.environment.ahead_bytes)
                   / CM_AHEAD_UNIT;
    /* One over a single rail that only lacks credit may come to be detached, and must not have two
       places. */
    if ((!send->striped && bytes <= engine.environment.eager_bytes)
        || units * CM_AHEAD_UNIT + CM_ENVELOPE_BYTES > engine.peer[peer].credit)
        units = 0;
    if (units > UINT16_MAX) units = UINT16_MAX;
    send->data = (char *)data;
    send->ahead = units * CM_AHEAD_UNIT;
    header.ahead_units = (uint16_t)units;
    header.handle = send->handle = cm_handle_take(send);
    if (units) engine.peer[peer].credit -= send->ahead + CM_ENVELOPE_BYTES;
    if (send->striped) {
        header.kind = CM_WIRE_READY_STRIPED;
        cm_send_part(send, 0, &header, data, send->ahead);
    } else {
        put(peer, 0, &header, data, send->ahead, NULL);
    }
    return send;
}

void cm_send_data(cm_request *send, uint64_t receiver_handle)
{
    if (send->striped) {
        cm_rail_send(send, receiver_handle);
        return;
    }
    size_t rest = send->bytes - send->ahead;
    cm_wire_header header = {.kind = CM_WIRE_DATA, .bytes = rest, .handle = receiver_handle};
    cm_handle_give(send->handle);
    send->handle = 0;
    if (!send->detached) {
        put(send->peer, 0, &header, send->data + send->ahead, rest, send);
        return;
    }
    engine.peer[send->peer].detached--;
    cm_outgoing *item = put(send->peer, 0, &header, send->data, rest, NULL);
    if (item) {
        item->owned = send->data;
    } else {
        engine.copied_bytes -= rest;
        free(send->data);
    }
    cm_request_give(send);
}

void cm_send_forget(cm_request *send)
{
    engine.peer[send->peer].detached--;
    engine.copied_bytes -= send->bytes;
    free(send->data);
    cm_request_give(send);
}

static char *copy_of(const void *data, size_t bytes)
{
    char *copy = cm_engine_allocate(bytes, "a copy of a message that its receiver does not take");
    if (bytes) memcpy(copy, data, bytes);
    engine.copied_bytes += bytes;
    return copy;
}

/* What is queued of a striped send goes on from the copy. */
static void redirect(const cm_request *send, cm_request *rest)
{
    for (int k = 0; k < engine.rails; k++)
        for (cm_outgoing *item = engine.peer[send->peer].rail[k].first; item; item = item->next) {
            if (item->request != send) continue;
            item->data = rest->data + (item->data - send->data);
            item->request = rest;
        }
}

/* The rendezvous goes on in a request that is nobody's. */
static void detach_rendezvous(cm_request *send)
{
    cm_peer *peer = &engine.peer[send->peer];
    if (send->handle && peer->detached == DETACHED_LIMIT) return;
    cm_request *rest = cm_request_take(CM_REQUEST_RENDEZVOUS);
    rest->peer = send->peer;
    rest->bytes = send->bytes;
    rest->handle = send->handle;
    rest->data = copy_of(send->data, send->bytes);
    rest->ahead = send->ahead;
    rest->detached = true;
    rest->striped = send->striped;
    rest->parts = send->parts;
    if (send->striped) redirect(send, rest);
    if (rest->handle) {
        cm_handle_set(rest->handle, rest);
        peer->detached++;
    }
    send->handle = 0;
    send->complete = true;
}

void cm_send_detach(cm_request *send)
{
    if (engine.copied_bytes + send->bytes > COPIED_LIMIT) return;
    if (send->kind == CM_REQUEST_RENDEZVOUS && (send->handle || send->striped)) {
        detach_rendezvous(send);
        return;
    }
    cm_outgoing *item = engine.peer[send->peer].rail[0].first;
    while (item && item->request != send) item = item->next;
    if (!item) return;
    item->owned = copy_of(item->data, item->bytes);
    item->data = item->owned;
    item->request = NULL;
    send->complete = true;
}
