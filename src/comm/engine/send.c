/* SPDX-License-Identifier: BSD-3-Clause */
/* send.c: what this rank writes. A message goes to the lane at once if nothing waits before it.
   Data that the lane does not take joins the peer's queue, which cm_send_flush empties in order. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "comm/engine/cards.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* Limits for copies of messages that peers do not take. Beyond the first a sender waits. The second
   limits those announced to one peer, where each occupies an envelope. */
static const size_t COPIED_LIMIT = (size_t)64 << 20;
enum { DETACHED_LIMIT = 1024 };

/* Most bytes that are written to a peer in one go. A peer that reads as fast would else keep this
   rank from all others until the end of a long message. */
static const size_t WRITE_LIMIT = (size_t)4 << 20;

static void lose(const cm_lane *lane)
{
    cm_failure_lose(lane->peer, "connection lost during a write%s%s%s", cm_rail_name(lane->rail),
                    errno ? ": " : "", errno ? strerror(errno) : "");
}

/* Writes as much as the lane takes now, up to *room or one more piece, and advances *header_sent
   and *sent. Returns true if all is written. */
static bool write_some(cm_lane *lane, const char *header, size_t header_bytes, size_t *header_sent,
                       const char *data, size_t bytes, size_t *sent, size_t *room)
{
    while (*header_sent < header_bytes || *sent < bytes) {
        if (!*room) return false;
        const size_t head = header_bytes - *header_sent;
        struct iovec parts[2];
        int n = 0;
        if (head) parts[n++] = (struct iovec){(char *)header + *header_sent, head};
        if (*sent < bytes) parts[n++] = (struct iovec){(char *)data + *sent, bytes - *sent};
        const ssize_t written = cm_lane_write(lane, parts, n);
        if (written < 0) {
            if (engine.finalizing) return true; /* the peer has left; it owed us nothing */
            lose(lane);
            return false;
        }
        if (written == 0) return false;
        *room -= (size_t)written < *room ? (size_t)written : *room;
        size_t of_header = (size_t)written < head ? (size_t)written : head;
        *header_sent += of_header;
        *sent += (size_t)written - of_header;
    }
    return true;
}

void cm_send_pend(int rank)
{
    cm_peer *peer = &engine.peer[rank];
    if (!peer->unsent) {
        peer->unsent = true;
        engine.unsent[engine.n_unsent++] = rank;
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
    size_t room = WRITE_LIMIT;
    while (rail->first) {
        cm_outgoing *item = rail->first;
        const size_t sent = item->sent;
        bool left = engine.finalizing && !rail->tx;
        if (!left
            && !write_some(rail->tx, item->header, item->header_bytes, &item->header_sent,
                           item->data, item->bytes, &item->sent, &room))
            return moved || item->sent != sent;
        moved = true;
        if (item->request) all_written(item->request);
        if (item->owned) {
            engine.copied_bytes -= item->bytes;
            free(item->owned);
        }
        if (item->moves) {
            rail->tx->retired = true;
            rail->tx = rail->rx;
            rail->moving = false;
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
    cm_cards_need(rank);
    cm_lane *lane = cm_transport_connect(rank, number);
    if (!lane) return false;
    lane->rail = number;
    rail->tx = lane;
    if (!rail->rx) rail->rx = lane;
    cm_wire_handshake handshake;
    if (!cm_auth_random(lane->nonce, CM_NONCE_BYTES))
        cm_engine_fail(rank, "the system provides no random numbers");
    cm_handshake_write(&handshake, rank, number, CM_ROLE_CONNECTS, lane->nonce, peer->nonce);
    cm_send_enqueue(rank, rail, &handshake, sizeof handshake);
    flush_rail(rail);
    return true;
}

void cm_send_move(int rank, int number)
{
    const cm_wire_header header = {.kind = CM_WIRE_MOVED};
    cm_rail *rail = &engine.peer[rank].rail[number];
    cm_send_enqueue(rank, rail, &header, sizeof header)->moves = true;
    rail->moving = true;
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

/* Sends header and payload to a peer. request, unless NULL, completes when all is written. Data for
   a lost peer joins its queue and is dropped with it; a peer that is gone gets nothing but credit.
   Returns the part that waits in the queue, or NULL. */
static cm_outgoing *put(int rank, int number, const cm_wire_header *header, const char *data,
                        size_t bytes, cm_request *request)
{
    cm_peer *peer = &engine.peer[rank];
    cm_rail *rail = &peer->rail[number];
    size_t header_sent = 0, sent = 0, room = WRITE_LIMIT;
    struct {
        cm_wire_header header;
        char padding[CM_FRAME_BYTES - sizeof(cm_wire_header)];
    } frame = {*header, {0}};
    if (__builtin_expect(engine.coalesced, 0)) cm_coalesce_release();
    if (engine.finalizing && !peer->rail[0].tx) return NULL; /* it has left; it owed us nothing */
    bool open = rail->tx || cm_send_connect(rank, number);
    if (!open && peer->state == CM_PEER_GONE) return NULL;
    if (open) frame.header.pad_units = cm_lane_pad_units(rail->tx, data, bytes);
    size_t frame_bytes = sizeof *header + (size_t)frame.header.pad_units * CM_PAD_UNIT;
    if (open && !rail->first
        && write_some(rail->tx, (char *)&frame, frame_bytes, &header_sent, data, bytes, &sent,
                      &room)) {
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

/* Sends to this rank itself: to the posted receive, or as an unexpected message. */
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

/* Returns how much of a rendezvous message should be sent before the answer: enough to keep the
   connection busy for a round trip, as far as the peer's credit goes. The receiver copies this part
   if it comes unexpectedly, so it is not simply everything, and nothing through memory: there the
   answer comes sooner than the copy of a part would pay. */
static size_t good_ahead(int peer, size_t bytes)
{
    const cm_ahead ahead = engine.environment.ahead;
    const cm_lane *lane = engine.peer[peer].rail[0].tx;
    const size_t credit = engine.peer[peer].credit;
    if (ahead.grows && engine.peer[peer].in_memory) return 0;
    if (!ahead.grows || bytes <= ahead.bytes || credit <= ahead.bytes + CM_ENVELOPE_BYTES || !lane)
        return ahead.bytes;
    const size_t room = credit - CM_ENVELOPE_BYTES, flight = cm_lane_in_flight(lane);
    if (flight <= ahead.bytes) return ahead.bytes;
    return flight < room ? flight : room;
}

/* Announces data that the receiver can copy. Returns NULL if it cannot. */
static cm_request *start_shared(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    cm_request *send = cm_request_take(CM_REQUEST_RENDEZVOUS);
    send->peer = group->world[dest];
    send->bytes = bytes;
    send->context = group->context;
    send->source = dest;
    send->tag = tag;
    send->data = (char *)data;
    if (!cm_share_offer(send)) {
        cm_request_give(send);
        return NULL;
    }
    send->handle = cm_handle_take(send);
    const cm_wire_header header = {.kind = CM_WIRE_READY_TO_SEND,
                                   .context = group->context,
                                   .source = group->base.rank,
                                   .tag = tag,
                                   .bytes = bytes,
                                   .handle = send->handle};
    cm_send_header(send->peer, 0, &header);
    return send;
}

cm_request *cm_send_start(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    int peer = group->world[dest];
    if (cm_share_likely(peer, data, bytes)) {
        cm_request *send = start_shared(group, data, bytes, dest, tag);
        if (send) return send;
    }
    size_t cost = bytes + CM_ENVELOPE_BYTES;
    bool eager =
        bytes <= engine.eager_most && (peer == engine.rank || cost <= engine.peer[peer].credit);
    if (__builtin_expect(!eager && !engine.peer[peer].host, 0)) {
        cm_cards_need(peer); /* its card has the credit */
        return cm_send_start(group, data, bytes, dest, tag);
    }
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
    /* Its credit is 0, so eager sends get here too. */
    if (engine.peer[peer].state == CM_PEER_GONE) {
        cm_failure_end(send, dest);
        return send;
    }
    send->striped = bytes > engine.stripe_above && !engine.peer[peer].in_memory;
    const size_t most = send->striped ? cm_rail_ahead(bytes) : bytes,
                 good = good_ahead(peer, bytes);
    size_t units = (most < good ? most : good) / CM_AHEAD_UNIT;
    /* A message over a single rail that only lacks credit may be detached later, and must not have
       two places. */
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
    char *copy = cm_engine_allocate(bytes, "a copy of a message that its receiver has not taken");
    if (bytes) memcpy(copy, data, bytes);
    engine.copied_bytes += bytes;
    return copy;
}

/* The queued parts of a send continue from the copy. */
static void redirect(const cm_request *send, cm_request *rest)
{
    for (int k = 0; k < engine.rails; k++)
        for (cm_outgoing *item = engine.peer[send->peer].rail[k].first; item; item = item->next) {
            if (item->request != send) continue;
            item->data = rest->data + (item->data - send->data);
            item->request = rest;
        }
}

/* Continues the rendezvous in a request that no one waits for. */
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
    if (engine.copied_bytes + send->bytes > COPIED_LIMIT || !cm_share_withdraw(send)) return;
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
