/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c: messages that are copied once, or half by each side; see share.h. */
#include "config.h"
#include <string.h>
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* A chunk is large enough to keep the claims cheap and small enough that both sides end nearly at
   the same time. */
enum { CHUNK_BYTES = 32768, CHUNKS_MOST = UINT16_MAX };

/* ---- Claims ---------------------------------------------------------------------------------- */

/* A word has the tag of its transfer, and how many chunks are claimed from the front, and from the
   end. */
typedef struct {
    _Atomic uint64_t *word;
    uint32_t tag;
    size_t bytes, chunk_bytes, chunks;
} transfer;

static transfer transfer_of(_Atomic uint64_t *word, uint32_t tag, size_t bytes)
{
    size_t chunk = CHUNK_BYTES;
    while (bytes / chunk >= CHUNKS_MOST) chunk *= 2;
    return (transfer){word, tag, bytes, chunk, bytes / chunk + (bytes % chunk > 0)};
}

/* Claims n chunks. Returns false if fewer are left, or if the sender has withdrawn the data. */
static bool claim(const transfer *t, bool from_end, size_t n, size_t *chunk)
{
    uint64_t seen = atomic_load_explicit(t->word, memory_order_acquire), next;
    size_t front, end;
    do {
        front = seen >> 16 & UINT16_MAX;
        end = seen & UINT16_MAX;
        if (seen >> 32 != t->tag || front + end + n > t->chunks) return false;
        next = seen + (from_end ? n : n << 16);
    } while (!atomic_compare_exchange_weak_explicit(t->word, &seen, next, memory_order_acq_rel,
                                                    memory_order_acquire));
    *chunk = from_end ? t->chunks - end - n : front;
    return true;
}

static size_t copy_chunk(const transfer *t, size_t chunk, char *to, const char *from)
{
    const size_t begin = chunk * t->chunk_bytes, left = t->bytes - begin;
    const size_t bytes = left < t->chunk_bytes ? left : t->chunk_bytes;
    memcpy(to + begin, from + begin, bytes);
    return bytes;
}

/* Copies this side's chunks. The peer can change the word too, so the number of loops must not
   depend on it. */
static size_t copy_claimed(const transfer *t, bool from_end, char *to, const char *from)
{
    size_t copied = 0, chunk;
    for (size_t turn = 0; turn < t->chunks && claim(t, from_end, 1, &chunk); turn++)
        copied += copy_chunk(t, chunk, to, from);
    return copied;
}

/* ---- Places ---------------------------------------------------------------------------------- */

cm_lane *cm_share_lane(int peer)
{
    const cm_rail *rail = &engine.peer[peer].rail[0];
    const bool settled = rail->tx && rail->tx->proven && !rail->moving;
    return settled && cm_lane_shares(rail->tx) ? rail->tx : NULL;
}

/* Says where data of a region are. */
static bool say_place(int peer, cm_region *region, const char *data, unsigned word, uint32_t tag)
{
    uint32_t number;
    cm_lane *lane = cm_share_lane(peer);
    if (!lane || !cm_lane_give(lane, region, &number)) return false;
    const cm_wire_header header = {.kind = CM_WIRE_PLACE,
                                   .ahead_units = (uint16_t)word,
                                   .context = number,
                                   .offset = (uint64_t)(data - cm_region_data(&region->mapping)),
                                   .bytes = tag};
    cm_send_header(peer, 0, &header);
    return true;
}

/* Returns the peer's data in the memory that it shares, or NULL if this rank does not have it. */
static char *find(const cm_place *place, size_t bytes, const cm_mapping **region)
{
    *region = place->lane ? cm_lane_region(place->lane, place->number) : NULL;
    if (!*region) return NULL;
    const size_t most = cm_region_bytes(*region);
    if (place->offset > most || bytes > most - place->offset || place->word >= CM_REGION_WORDS)
        cm_engine_fail(place->lane->peer,
                       "sent a place beyond the memory that it shares (%zu bytes at %llu of %zu)",
                       bytes, (unsigned long long)place->offset, most);
    return cm_region_data(*region) + place->offset;
}

void cm_share_examine(const cm_place *place, size_t bytes)
{
    const cm_mapping *region;
    find(place, bytes, &region);
}

static void say(int peer, cm_wire_kind kind, uint64_t handle, size_t bytes)
{
    const cm_wire_header header = {.kind = (uint8_t)kind, .bytes = bytes, .handle = handle};
    cm_send_header(peer, 0, &header);
}

/* ---- The sender ------------------------------------------------------------------------------ */

bool cm_share_offer(cm_request *send)
{
    cm_region *region = cm_region_of(send->data, send->bytes);
    if (!region || !~region->busy) return false;
    const unsigned word = (unsigned)__builtin_ctzll(~region->busy);
    const uint32_t tag = region->tag + 1 ? region->tag + 1 : 1; /* 0: none */
    atomic_store_explicit(cm_region_word(&region->mapping, word), (uint64_t)tag << 32,
                          memory_order_release);
    if (!say_place(send->peer, region, send->data, word, tag)) return false;
    region->tag = tag;
    region->busy |= (uint64_t)1 << word;
    send->region = region;
    send->word = (uint8_t)word;
    send->region_tag = tag;
    return true;
}

void cm_share_end(cm_request *send)
{
    if (!send->region) return;
    send->region->busy &= ~((uint64_t)1 << send->word);
    send->region = NULL;
}

bool cm_share_withdraw(cm_request *send)
{
    uint64_t unclaimed = (uint64_t)send->region_tag << 32;
    if (!send->region) return true;
    if (!atomic_compare_exchange_strong(cm_region_word(&send->region->mapping, send->word),
                                        &unclaimed, 0))
        return false;
    cm_share_end(send);
    return true;
}

static void finish_send(cm_request *send)
{
    cm_share_end(send);
    cm_handle_give(send->handle);
    send->handle = 0;
    send->complete = true;
}

void cm_share_answer(cm_request *send, uint64_t receiver_handle, const cm_place *place)
{
    const cm_mapping *region;
    const size_t rest = send->bytes - send->ahead;
    char *to = find(place, rest, &region);
    if (send->region && place->lane) { /* the receiver copies, too, and will say TAKEN */
        const transfer t = transfer_of(cm_region_word(&send->region->mapping, send->word),
                                       send->region_tag, send->bytes);
        const size_t copied = to ? copy_claimed(&t, true, to, send->data) : 0;
        if (copied) say(send->peer, CM_WIRE_WRITTEN, receiver_handle, copied);
        return;
    }
    cm_share_end(send);
    /* Data that were sent ahead may still be in the queue, which points into the program's buffer.
       */
    if (!to || send->detached || send->striped || engine.peer[send->peer].rail[0].first) {
        cm_send_data(send, receiver_handle);
        return;
    }
    memcpy(to, send->data + send->ahead, rest);
    say(send->peer, CM_WIRE_WRITTEN, receiver_handle, rest);
    finish_send(send);
}

bool cm_share_taken(cm_request *send)
{
    if (send->kind != CM_REQUEST_RENDEZVOUS || !send->region) return false;
    finish_send(send);
    return true;
}

/* ---- The receiver ---------------------------------------------------------------------------- */

static void finish_receive(cm_request *receive)
{
    if (receive->handle) cm_handle_give(receive->handle);
    receive->handle = 0;
    receive->written = CM_WRITTEN_NOT;
    receive->complete = true;
}

/* Says where the rest of a message is wanted, if others may write there. */
static bool say_buffer(cm_request *receive)
{
    const size_t rest = receive->status.bytes - receive->ahead;
    if (engine.goes_on || rest < CM_SHARE_LEAST_BYTES || !cm_share_lane(receive->peer))
        return false;
    cm_region *region = cm_region_of(receive->data + receive->ahead, rest);
    return region && say_place(receive->peer, region, receive->data + receive->ahead, 0, 0);
}

void cm_share_ask(cm_request *receive)
{
    if (say_buffer(receive)) receive->written = CM_WRITTEN_MAY_BE;
}

bool cm_share_take(cm_request *receive, int peer, uint64_t sender_handle, const cm_place *place)
{
    const cm_mapping *region;
    const char *from = find(place, receive->status.bytes, &region);
    size_t chunk;
    if (!from) return false;
    const transfer t =
        transfer_of(cm_region_word(region, place->word), place->tag, receive->status.bytes);
    receive->peer = peer;
    receive->ahead = 0;
    receive->here = 0;
    const bool alone = engine.goes_on || !cm_region_of(receive->data, receive->status.bytes);
    if (!claim(&t, false, alone ? t.chunks : 1, &chunk)) return false;
    if (alone) {
        memcpy(receive->data, from, t.bytes);
        receive->here = t.bytes;
    } else {
        if (say_buffer(receive)) {
            receive->handle = cm_handle_take(receive);
            receive->written = CM_WRITTEN_PARTLY;
            say(peer, CM_WIRE_CLEAR_TO_SEND, sender_handle, receive->handle);
        }
        receive->here = copy_chunk(&t, chunk, receive->data, from);
        receive->here += copy_claimed(&t, false, receive->data, from);
    }
    if (receive->here == t.bytes) finish_receive(receive);
    else if (receive->written == CM_WRITTEN_NOT)
        cm_engine_fail(peer, "claimed a part of a message that only this rank was to copy");
    say(peer, CM_WIRE_TAKEN, sender_handle, 0);
    return true;
}

bool cm_share_written(cm_request *receive, const cm_wire_header *header)
{
    const size_t rest = receive->status.bytes - receive->ahead;
    if (receive->kind != CM_REQUEST_RECEIVE || receive->written == CM_WRITTEN_NOT
        || header->bytes != rest - receive->here)
        return false;
    finish_receive(receive);
    return true;
}

void cm_share_lane_gone(const cm_lane *lane)
{
    if (lane->peer < 0) return;
    for (cm_message *message = engine.peer[lane->peer].message_first; message;
         message = message->peer_next)
        if (message->place.lane == lane) message->place.lane = NULL;
}
