/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c: messages that are copied once, or half by each side; see share.h. */
#include "config.h"
#include <errno.h>
#include <string.h>
#include "comm/engine/copy.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* A chunk is large enough to keep the claims cheap and small enough that both sides end nearly at
   the same time. The kernel's copies begin with a system call and pin pages: fewer, larger chunks,
   but at least two. */
enum { CHUNK_BYTES = 32768, CHUNKS_MOST = UINT16_MAX };
enum { KERNEL_PARTS = 4, KERNEL_CHUNK_MOST = 131072 };

/* ---- Claims ---------------------------------------------------------------------------------- */

/* A word has the tag of its transfer, and how many chunks are claimed from the front, and from the
   end. */
typedef struct {
    _Atomic uint64_t *word;
    uint32_t tag;
    size_t bytes, chunk_bytes, chunks;
} transfer;

static size_t chunk_by_kernel(size_t bytes)
{
    size_t chunk = bytes / KERNEL_PARTS;
    if (chunk > KERNEL_CHUNK_MOST) chunk = KERNEL_CHUNK_MOST;
    if (chunk < CHUNK_BYTES) chunk = bytes < 2 * CHUNK_BYTES ? bytes / 2 : CHUNK_BYTES;
    return (chunk + CM_AHEAD_UNIT - 1) / CM_AHEAD_UNIT * CM_AHEAD_UNIT;
}

/* Both sides must get the same chunks. */
static transfer transfer_of(_Atomic uint64_t *word, uint32_t tag, size_t bytes, bool by_kernel)
{
    size_t chunk = by_kernel ? chunk_by_kernel(bytes) : CHUNK_BYTES;
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

/* ---- Copies ---------------------------------------------------------------------------------- */

/* A buffer of a peer: mapped here, or where the kernel reads and writes it. */
typedef struct {
    int peer;
    char *mapped; /* NULL: in the process */
    pid_t process;
    uint64_t address;
    _Atomic uint64_t *word; /* of the claims for it */
} buffer;

/* Copies a part of own memory to the peer's buffer (out), or from it. Returns false if the kernel
   refuses: the peer is then lost, because it has ended or has given away memory that it had
   promised. */
static bool copy_part(const buffer *other, bool out, char *own, size_t begin, size_t bytes)
{
    if (other->mapped) {
        if (out) memcpy(other->mapped + begin, own + begin, bytes);
        else memcpy(own + begin, other->mapped + begin, bytes);
        return true;
    }
    if (cm_copy_bytes(other->process, other->address + begin, own + begin, bytes, out)) return true;
    if (errno == ESRCH)
        cm_failure_lose(other->peer, "it ended while this rank copied %s its memory",
                        out ? "into" : "from");
    else
        cm_failure_lose(other->peer,
                        "the kernel does not copy %zu bytes %s its memory: %s; CM_COPY=ring needs "
                        "no such copies",
                        bytes, out ? "into" : "from", strerror(errno));
    return false;
}

static bool copy_chunk(const transfer *t, size_t chunk, const buffer *other, bool out, char *own,
                       size_t *copied)
{
    const size_t begin = chunk * t->chunk_bytes, left = t->bytes - begin;
    const size_t bytes = left < t->chunk_bytes ? left : t->chunk_bytes;
    *copied += bytes;
    return copy_part(other, out, own, begin, bytes);
}

/* Copies this side's chunks: the sender's, which go out, from the end. The peer can change the word
   too, so the number of loops must not depend on it. */
static bool copy_claimed(const transfer *t, const buffer *other, bool out, char *own,
                         size_t *copied)
{
    size_t chunk;
    for (size_t turn = 0; turn < t->chunks && claim(t, out, 1, &chunk); turn++)
        if (!copy_chunk(t, chunk, other, out, own, copied)) return false;
    return true;
}

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
static bool find_in_process(const cm_place *place, size_t bytes, buffer *found)
{
    cm_lane *lane = place->lane;
    if (!cm_copy_allowed(lane->peer) || place->word >= CM_LANE_WORDS || bytes < CM_SHARE_LEAST_BYTES
        || place->offset > UINTPTR_MAX - bytes)
        cm_engine_fail(lane->peer, "sent a place that cannot be (%zu bytes at %#llx)", bytes,
                       (unsigned long long)place->offset);
    *found = (buffer){.peer = lane->peer,
                      .process = cm_lane_process(lane),
                      .address = place->offset,
                      .word = cm_lane_word(lane, false, place->word)};
    return found->process > 0;
}

/* Returns true, and the peer's data, if this rank can get at them. */
static bool find(const cm_place *place, size_t bytes, buffer *found)
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
    *found = (buffer){.peer = place->lane->peer,
                      .mapped = cm_region_data(region) + place->offset,
                      .word = cm_region_word(region, place->word)};
    return true;
}

void cm_share_examine(const cm_place *place, size_t bytes)
{
    buffer found;
    (void)find(place, bytes, &found);
}

static void say(int peer, cm_wire_kind kind, uint64_t handle, size_t bytes)
{
    const cm_wire_header header = {.kind = (uint8_t)kind, .bytes = bytes, .handle = handle};
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

bool cm_share_withdraw(cm_request *send)
{
    if (!send->claims) return true;
    uint64_t unclaimed = unclaimed_word(send);
    if (!atomic_compare_exchange_strong(send->claims, &unclaimed, 0)) return false;
    if (send->by_kernel) cm_copy_busy(send->peer, true);
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
    buffer to;
    const size_t rest = send->bytes - send->ahead;
    const bool found = find(place, rest, &to);
    if (send->claims && place->lane) { /* the receiver copies, too, and will say TAKEN */
        const transfer t =
            transfer_of(send->claims, send->claims_tag, send->bytes, send->by_kernel);
        size_t copied = 0;
        if (found && !copy_claimed(&t, &to, true, send->data, &copied)) return;
        if (copied) say(send->peer, CM_WIRE_WRITTEN, receiver_handle, copied);
        return;
    }
    cm_share_end(send);
    /* Data that were sent ahead may still be in the queue, which points into the program's buffer.
       */
    if (!found || !to.mapped || send->detached || send->striped
        || engine.peer[send->peer].rail[0].first) {
        cm_send_data(send, receiver_handle);
        return;
    }
    memcpy(to.mapped, send->data + send->ahead, rest);
    say(send->peer, CM_WIRE_WRITTEN, receiver_handle, rest);
    finish_send(send);
}

bool cm_share_taken(cm_request *send)
{
    if (send->kind != CM_REQUEST_RENDEZVOUS || !send->claims) return false;
    if (send->by_kernel) cm_copy_busy(send->peer, false);
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
    if (receive->began_s) cm_copy_end(receive, CM_COPY_HALVES);
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
    if (!anywhere || !cm_copy_allowed(receive->peer)) return false;
    say_place(receive->peer, CM_PLACE_PROCESS, (uintptr_t)data, 0, 0);
    return true;
}

void cm_share_ask(cm_request *receive)
{
    if (say_buffer(receive, false)) receive->written = CM_WRITTEN_MAY_BE;
}

/* Copies the part of a message that this rank claims; the first chunk is claimed. */
static bool take_part(cm_request *receive, uint64_t sender_handle, const transfer *t, size_t chunk,
                      const buffer *from)
{
    receive->handle = cm_handle_take(receive);
    if (say_buffer(receive, true)) {
        receive->written = CM_WRITTEN_PARTLY;
        say(receive->peer, CM_WIRE_CLEAR_TO_SEND, sender_handle, receive->handle);
    }
    return copy_chunk(t, chunk, from, false, receive->data, &receive->here)
           && copy_claimed(t, from, false, receive->data, &receive->here);
}

bool cm_share_take(cm_request *receive, int peer, uint64_t sender_handle, const cm_place *place)
{
    buffer from;
    size_t chunk;
    if (!find(place, receive->status.bytes, &from)) return false;
    if (from.mapped) receive->began_s = 0; /* the kernel copies nothing */
    const transfer t =
        transfer_of(from.word, place->tag, receive->status.bytes, from.mapped == NULL);
    const bool both =
        !engine.goes_on && (cm_copy_allowed(peer) || cm_region_of(receive->data, t.bytes));
    if (!claim(&t, false, both ? 1 : t.chunks, &chunk)) return false;
    receive->peer = peer;
    receive->ahead = 0;
    receive->here = 0;
    bool copied;
    if (both) {
        copied = take_part(receive, sender_handle, &t, chunk, &from);
    } else {
        receive->here = t.bytes;
        copied = copy_part(&from, false, receive->data, 0, t.bytes);
    }
    if (!copied) { /* the peer is lost, and the receive ends with what it owes */
        if (!receive->handle) receive->handle = cm_handle_take(receive);
        return true;
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
