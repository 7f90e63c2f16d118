/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c: messages that are copied once, or half by each side; see share.h. */
#include "config.h"
#include <errno.h>
#include "comm/engine/copy.h"
#include "comm/engine/copying.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* ---- Places ---------------------------------------------------------------------------------- */

cm_lane *cm_share_lane(int peer)
{
    const cm_rail *rail = &engine.peer[peer].rail[0];
    const bool settled = rail->tx && rail->tx->proven && !rail->tx->leaves && !rail->moving;
    return settled && cm_lane_shares(rail->tx) ? rail->tx : NULL;
}

static void say_place(int peer, uint32_t number, uint64_t offset, unsigned word, uint32_t tag)
{
    const cm_wire_header header = {.kind = CM_WIRE_PLACE,
                                   .ahead_units = (uint16_t)word,
                                   .context = number,
                                   .offset = offset,
                                   .bytes = tag};
    cm_send_header(peer, 0, &header);
}

/* Says where data of a region are. */
static bool say_region(int peer, cm_region *region, const char *data, unsigned word, uint32_t tag)
{
    uint32_t number;
    cm_lane *lane = cm_share_lane(peer);
    if (!lane || !cm_lane_give(lane, region, &number)) return false;
    say_place(peer, number, (uint64_t)(data - cm_region_data(&region->mapping)), word, tag);
    return true;
}

/* The kernel checks an address and its length. Here they only must not wrap around, and messages
   that are too short for chunks are not offered. */
static bool find_in_process(const cm_place *place, size_t bytes, cm_peer_buffer *found)
{
    cm_lane *lane = place->lane;
    if (!cm_copy_allowed(lane->peer) || place->word >= CM_LANE_WORDS || bytes < CM_SHARE_LEAST_BYTES
        || place->offset > UINTPTR_MAX - bytes)
        cm_engine_fail(lane->peer, "sent a place that cannot be (%zu bytes at %#llx)", bytes,
                       (unsigned long long)place->offset);
    *found = (cm_peer_buffer){.lane = lane,
                              .process = cm_lane_process(lane),
                              .address = place->offset,
                              .word = cm_lane_word(lane, false, place->word)};
    return found->process > 0 && cm_copy_possible(lane->peer);
}

/* Returns true, and the peer's data, if this rank can get at them. */
static bool find(const cm_place *place, size_t bytes, cm_peer_buffer *found)
{
    if (place->lane && place->number == CM_PLACE_PROCESS)
        return find_in_process(place, bytes, found);
    const cm_mapping *region = place->lane ? cm_lane_region(place->lane, place->number) : NULL;
    if (!region) return false;
    const size_t most = cm_region_bytes(region);
    if (place->offset > most || bytes > most - place->offset || place->word >= CM_REGION_WORDS)
        cm_engine_fail(place->lane->peer,
                       "sent a place beyond the memory that it shares (%zu bytes at %llu of %zu)",
                       bytes, (unsigned long long)place->offset, most);
    *found = (cm_peer_buffer){.lane = place->lane,
                              .number = place->number,
                              .mapped = cm_region_data(region) + place->offset,
                              .word = cm_region_word(region, place->word)};
    return true;
}

void cm_share_examine(const cm_place *place, size_t bytes)
{
    cm_peer_buffer found;
    (void)find(place, bytes, &found);
}

static void say(int peer, cm_wire_kind kind, uint64_t handle, uint64_t offset, size_t bytes)
{
    const cm_wire_header header = {
        .kind = (uint8_t)kind, .offset = offset, .bytes = bytes, .handle = handle};
    cm_send_header(peer, 0, &header);
}

/* ---- The sender ------------------------------------------------------------------------------ */

/* Takes a free word for a send's claims. Returns false if there is none. */
static bool open_claims(cm_request *send, uint64_t *words, unsigned n, uint32_t tag)
{
    if (!~*words) return false;
    send->word = (uint8_t)__builtin_ctzll(~*words);
    send->words = words;
    send->claims_tag = tag + 1 ? tag + 1 : 1; /* 0: none */
    return send->word < n;
}

static void publish_claims(cm_request *send, _Atomic uint64_t *word)
{
    send->claims = word;
    *send->words |= (uint64_t)1 << send->word;
}

static uint64_t unclaimed_word(const cm_request *send) { return (uint64_t)send->claims_tag << 32; }

static bool offer_region(cm_request *send, cm_region *region)
{
    if (!open_claims(send, &region->busy, CM_REGION_WORDS, region->tag)) return false;
    _Atomic uint64_t *word = cm_region_word(&region->mapping, send->word);
    atomic_store_explicit(word, unclaimed_word(send), memory_order_release);
    if (!say_region(send->peer, region, send->data, send->word, send->claims_tag)) return false;
    region->tag = send->claims_tag;
    publish_claims(send, word);
    return true;
}

static bool offer_process(cm_request *send)
{
    cm_copy *copy = engine.peer[send->peer].copy;
    cm_lane *lane = cm_share_lane(send->peer);
    if (!lane || !open_claims(send, &copy->busy, CM_LANE_WORDS, copy->tag)) return false;
    _Atomic uint64_t *word = cm_lane_word(lane, true, send->word);
    atomic_store_explicit(word, unclaimed_word(send), memory_order_release);
    say_place(send->peer, CM_PLACE_PROCESS, (uintptr_t)send->data, send->word, send->claims_tag);
    copy->tag = send->claims_tag;
    send->by_kernel = true;
    publish_claims(send, word);
    return true;
}

bool cm_share_offer(cm_request *send)
{
    cm_region *region = cm_region_of(send->data, send->bytes);
    if (region) return offer_region(send, region);
    return offer_process(send);
}

void cm_share_end(cm_request *send)
{
    if (!send->claims) return;
    *send->words &= ~((uint64_t)1 << send->word);
    send->claims = NULL;
}

/* Returns true if nobody has claimed anything; the offer is then withdrawn. */
static bool take_back(cm_request *send)
{
    uint64_t unclaimed = unclaimed_word(send);
    if (!atomic_compare_exchange_strong(send->claims, &unclaimed, 0)) return false;
    cm_share_end(send);
    return true;
}

bool cm_share_withdraw(cm_request *send)
{
    if (send->copying) return false;
    if (!send->claims) return true;
    if (!take_back(send)) return false;
    if (send->by_kernel) cm_copy_busy(send->peer, true);
    return true;
}

/* Neither side copies any more. Parts that go through the ring may still wait in the queue. */
static void finish_send(cm_request *send)
{
    if (send->claims || send->copying) return;
    cm_handle_give(send->handle);
    send->handle = 0;
    if (!send->parts) send->complete = true;
}

/* Sends through the ring what the kernel does not copy. */
static void send_part(cm_request *send, size_t offset, size_t bytes)
{
    const cm_wire_header header = {
        .kind = CM_WIRE_STRIPE, .offset = offset, .bytes = bytes, .handle = send->theirs};
    send->striped = true;
    cm_send_part(send, 0, &header, send->data + offset, bytes);
}

static void copied_out(const cm_copying *c, cm_copying_state state)
{
    cm_request *send = c->request;
    if (state == CM_COPYING_LOST) return;
    if (state == CM_COPYING_REFUSED) cm_copy_refuse(send->peer, errno);
    if (c->copied) say(send->peer, CM_WIRE_WRITTEN, c->handle, 0, c->copied);
    if (state == CM_COPYING_REFUSED) send_part(send, c->at, c->end - c->at);
    finish_send(send);
}

/* A receiver that copies, too, claims before it answers. It will say TAKEN. */
bool cm_share_answer(cm_request *send, uint64_t receiver_handle, const cm_place *place)
{
    cm_copying c = {.request = send, .handle = receiver_handle, .out = true, .own = send->data};
    const size_t rest = send->bytes - send->ahead;
    if (send->answered) return false;
    const bool found = find(place, rest, &c.other);
    send->answered = true;
    send->theirs = receiver_handle;
    if (send->claims && place->lane && !take_back(send)) {
        c.claims = cm_claims_of(send->claims, send->claims_tag, send->bytes, send->by_kernel);
        if (found) cm_copying_begin(&c);
        return true;
    }
    cm_share_end(send);
    /* Data that were sent ahead may still be in the queue, which points into the program's buffer.
       */
    if (!found || !c.other.mapped || send->detached || send->striped
        || engine.peer[send->peer].rail[0].first) {
        cm_send_data(send, receiver_handle);
        return true;
    }
    c.own += send->ahead;
    c.end = rest;
    cm_copying_begin(&c);
    return true;
}

bool cm_share_taken(cm_request *send, const cm_wire_header *header)
{
    if (send->kind != CM_REQUEST_RENDEZVOUS || !send->claims) return false;
    if (header->bytes
        && (!send->answered || header->offset > send->bytes
            || header->bytes > send->bytes - header->offset))
        return false;
    if (send->by_kernel) cm_copy_busy(send->peer, false);
    if (header->bytes) send_part(send, header->offset, header->bytes);
    cm_share_end(send);
    finish_send(send);
    return true;
}

/* ---- The receiver ---------------------------------------------------------------------------- */

static bool is_whole(const cm_request *receive)
{
    return receive->here == receive->status.bytes - receive->ahead && !receive->copying
           && !receive->parts;
}

/* The way is that of the sender's choice. */
static void finish_receive(cm_request *receive, cm_copy_way way)
{
    if (receive->handle) cm_handle_give(receive->handle);
    receive->handle = 0;
    receive->written = CM_WRITTEN_NOT;
    receive->complete = true;
    if (receive->began_s) cm_copy_end(receive, way);
}

/* Says where the rest of a message is wanted, if others may write there: in a region or, if the
   kernel may copy, anywhere. */
static bool say_buffer(cm_request *receive, bool anywhere)
{
    const size_t rest = receive->status.bytes - receive->ahead;
    char *data = receive->data + receive->ahead;
    if (engine.goes_on || rest < CM_SHARE_LEAST_BYTES || !cm_share_lane(receive->peer))
        return false;
    cm_region *region = cm_region_of(data, rest);
    if (region) return say_region(receive->peer, region, data, 0, 0);
    if (!anywhere || !cm_copy_possible(receive->peer)) return false;
    say_place(receive->peer, CM_PLACE_PROCESS, (uintptr_t)data, 0, 0);
    return true;
}

void cm_share_ask(cm_request *receive)
{
    if (say_buffer(receive, false)) receive->written = CM_WRITTEN_MAY_BE;
}

/* The sender knows nothing of this receive, and sends everything as if it had not been claimed. */
static void take_nothing(const cm_copying *c)
{
    cm_request *receive = c->request;
    atomic_store_explicit(c->claims.word, (uint64_t)c->claims.tag << 32, memory_order_release);
    if (receive->handle) cm_handle_give(receive->handle);
    receive->handle = 0;
    cm_receive_ask(receive, c->other.lane->peer, c->handle);
}

/* The sender sends the rest of what this side was to copy. */
static void take_less(const cm_copying *c)
{
    const size_t end = cm_copying_close(c);
    c->request->here -= c->end - c->at;
    say(c->other.lane->peer, CM_WIRE_TAKEN, c->handle, c->at, end - c->at);
}

static void copied_in(const cm_copying *c, cm_copying_state state)
{
    cm_request *receive = c->request;
    const int peer = c->other.lane->peer;
    const bool alone = receive->written == CM_WRITTEN_NOT;
    if (state == CM_COPYING_LOST) { /* the receive ends with what the peer owes */
        if (!receive->handle) receive->handle = cm_handle_take(receive);
        return;
    }
    if (state == CM_COPYING_REFUSED) {
        receive->began_s = 0;
        cm_copy_refuse(peer, errno);
        if (alone) take_nothing(c);
        else take_less(c);
        return;
    }
    if (is_whole(receive)) finish_receive(receive, CM_COPY_HALVES);
    else if (alone)
        cm_engine_fail(peer, "claimed a part of a message that only this rank was to copy");
    say(peer, CM_WIRE_TAKEN, c->handle, 0, 0);
}

void cm_share_copied(const cm_copying *copying, cm_copying_state state)
{
    if (copying->out) copied_out(copying, state);
    else copied_in(copying, state);
}

/* The sender learns of this rank's buffer once the first chunk is claimed. */
static void let_write(const cm_copying *c)
{
    cm_request *receive = c->request;
    receive->handle = cm_handle_take(receive);
    if (!say_buffer(receive, true)) return;
    receive->written = CM_WRITTEN_PARTLY;
    say(receive->peer, CM_WIRE_CLEAR_TO_SEND, c->handle, 0, receive->handle);
}

bool cm_share_take(cm_request *receive, int peer, uint64_t sender_handle, const cm_place *place)
{
    cm_copying c = {.request = receive, .handle = sender_handle, .own = receive->data};
    const size_t bytes = receive->status.bytes;
    if (!find(place, bytes, &c.other)) return false;
    if (c.other.mapped) receive->began_s = 0; /* the kernel copies nothing */
    c.claims = cm_claims_of(c.other.word, place->tag, bytes, !c.other.mapped);
    const bool both =
        !engine.goes_on && (cm_copy_possible(peer) || cm_region_of(receive->data, bytes));
    receive->here = 0;
    receive->parts = 0;
    if (!cm_copying_claim(&c, both ? 1 : c.claims.chunks)) {
        receive->began_s = 0; /* the sender has withdrawn it: its time is that of neither way */
        return false;
    }
    receive->peer = peer;
    receive->ahead = 0;
    if (both) let_write(&c);
    cm_copying_begin(&c);
    return true;
}

/* Returns true if the sender may account for this number of bytes: this rank has not copied
   them. */
static bool may_come(const cm_request *receive, size_t bytes)
{
    return receive->kind == CM_REQUEST_RECEIVE && receive->written != CM_WRITTEN_NOT
           && bytes <= receive->status.bytes - receive->ahead - receive->here;
}

bool cm_share_written(cm_request *receive, const cm_wire_header *header)
{
    if (!may_come(receive, header->bytes)) return false;
    const bool whole = receive->written == CM_WRITTEN_MAY_BE;
    receive->here += header->bytes;
    if (is_whole(receive)) finish_receive(receive, whole ? CM_COPY_RING : CM_COPY_HALVES);
    return is_whole(receive) || !whole;
}

bool cm_share_expect(cm_request *receive, const cm_wire_header *header)
{
    if (!may_come(receive, header->bytes) || receive->written != CM_WRITTEN_PARTLY || !header->bytes
        || header->offset > receive->status.bytes
        || header->bytes > receive->status.bytes - header->offset)
        return false;
    receive->here += header->bytes;
    receive->parts++;
    receive->began_s = 0;
    return true;
}

bool cm_share_arrived(cm_request *receive)
{
    receive->parts--;
    if (!is_whole(receive)) return false;
    finish_receive(receive, CM_COPY_RING);
    return true;
}

/* ---- The end of a lane, and of a region ------------------------------------------------------ */

void cm_share_forget(cm_lane *lane, uint32_t number)
{
    if (cm_copying_uses(lane, number))
        cm_engine_fail(lane->peer, "freed memory of a message that this rank still copies");
    cm_lane_forget(lane, number);
}

void cm_share_lane_gone(const cm_lane *lane)
{
    if (lane->peer < 0) return;
    cm_copying_drop(lane);
    for (cm_message *message = engine.peer[lane->peer].message_first; message;
         message = message->peer_next)
        if (message->place.lane == lane) message->place.lane = NULL;
}
