/* SPDX-License-Identifier: BSD-3-Clause */
/* copying.c: claims and copies of chunks, a bounded amount in a look; see copying.h. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include "comm/block_copy.h"
#include "comm/engine/copy.h"
#include "comm/engine/copying.h"
#include "comm/engine/share.h"

/* A chunk is large enough to keep the claims cheap and small enough that both sides end nearly at
   the same time. The kernel's copies begin with a system call and pin pages: fewer, larger chunks,
   but at least two. */
enum { CHUNK_BYTES = 32768, CHUNKS_MOST = UINT16_MAX };
enum { KERNEL_PARTS = 4, KERNEL_CHUNK_MOST = 131072 };

/* ---- Claims ---------------------------------------------------------------------------------- */

static size_t chunk_by_kernel(size_t bytes)
{
    size_t chunk = bytes / KERNEL_PARTS;
    if (chunk > KERNEL_CHUNK_MOST) chunk = KERNEL_CHUNK_MOST;
    if (chunk < CHUNK_BYTES) chunk = bytes < 2 * CHUNK_BYTES ? bytes / 2 : CHUNK_BYTES;
    return (chunk + CM_AHEAD_UNIT - 1) / CM_AHEAD_UNIT * CM_AHEAD_UNIT;
}

cm_claims cm_claims_of(_Atomic uint64_t *word, uint32_t tag, size_t bytes, bool by_kernel)
{
    size_t chunk = by_kernel ? chunk_by_kernel(bytes) : CHUNK_BYTES;
    while (bytes / chunk >= CHUNKS_MOST) chunk *= 2;
    return (cm_claims){word, tag, bytes, chunk, bytes / chunk + (bytes % chunk > 0)};
}

/* Claims n chunks, or all that are left if n is 0. Returns false if fewer are left, or none. */
static bool claim(const cm_claims *claims, bool from_end, size_t n, size_t *chunk, size_t *claimed)
{
    uint64_t seen = atomic_load_explicit(claims->word, memory_order_acquire), next;
    size_t front, end;
    do {
        front = seen >> 16 & UINT16_MAX;
        end = seen & UINT16_MAX;
        if (seen >> 32 != claims->tag || front + end + (n ? n : 1) > claims->chunks) return false;
        *claimed = n ? n : claims->chunks - front - end;
        next = seen + (from_end ? *claimed : *claimed << 16);
    } while (!atomic_compare_exchange_weak_explicit(claims->word, &seen, next, memory_order_acq_rel,
                                                    memory_order_acquire));
    *chunk = from_end ? claims->chunks - end - *claimed : front;
    return true;
}

static size_t end_of(const cm_claims *claims, size_t chunk)
{
    const size_t end = (chunk + 1) * claims->chunk_bytes;
    return end < claims->bytes ? end : claims->bytes;
}

/* The peer can change the word, too, so a receiver checks that no byte counts twice. */
bool cm_copying_claim(cm_copying *c, size_t n)
{
    cm_request *request = c->request;
    size_t chunk, claimed;
    if (!claim(&c->claims, c->out, n, &chunk, &claimed)) return false;
    c->at = chunk * c->claims.chunk_bytes;
    c->end = end_of(&c->claims, chunk + claimed - 1);
    c->chunks += claimed;
    if (c->out) return true;
    if (c->end - c->at > c->claims.bytes - request->here)
        cm_engine_fail(c->other.lane->peer, "claimed a part of a message twice");
    request->here += c->end - c->at;
    return true;
}

size_t cm_copying_close(const cm_copying *c)
{
    size_t chunk, claimed;
    if (!claim(&c->claims, c->out, 0, &chunk, &claimed)) return c->end;
    const size_t end = end_of(&c->claims, chunk + claimed - 1);
    return end > c->end ? end : c->end;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Returns false if the kernel refuses. */
static bool copy(const cm_copying *c, size_t bytes)
{
    const cm_peer_buffer *other = &c->other;
    char *own = c->own + c->at;
    if (!other->mapped)
        return cm_copy_bytes(other->process, other->address + c->at, own, bytes, c->out);
    if (c->out) cm_block_copy(other->mapped + c->at, own, bytes);
    else cm_block_copy(own, other->mapped + c->at, bytes);
    return true;
}

static cm_copying_state refused(const cm_copying *c)
{
    if (errno != ESRCH) return CM_COPYING_REFUSED;
    cm_failure_lose(c->other.lane->peer, "it ended while this rank copied %s its memory",
                    c->out ? "into" : "from");
    return CM_COPYING_LOST;
}

/* The number of loops must not depend on the word, which the peer can change. */
static cm_copying_state copy_some(cm_copying *c, size_t room)
{
    for (;;) {
        while (c->at < c->end) {
            const size_t left = c->end - c->at, bytes = left < room ? left : room;
            if (!room) return CM_COPYING_LATER;
            if (!copy(c, bytes)) return refused(c);
            c->at += bytes;
            c->copied += bytes;
            room -= bytes;
        }
        if (!c->claims.word || c->chunks >= c->claims.chunks || !cm_copying_claim(c, 1))
            return CM_COPYING_DONE;
    }
}

/* ---- Looks ----------------------------------------------------------------------------------- */

static void finish(cm_copying *c, cm_copying_state state)
{
    c->request->copying = false;
    cm_share_copied(c, state);
}

static void append(cm_copying *c)
{
    cm_copying **link = &engine.copying;
    while (*link) link = &(*link)->next;
    *link = c;
    c->next = NULL;
}

/* A request with a handle ends with its peer. */
static void keep(const cm_copying *c)
{
    cm_copying *kept = cm_engine_allocate(sizeof *kept, "a message that this rank copies");
    *kept = *c;
    append(kept);
    if (!c->request->handle) c->request->handle = cm_handle_take(c->request);
}

void cm_copying_begin(const cm_copying *copying)
{
    cm_copying c = *copying;
    c.request->copying = true;
    const cm_copying_state state = copy_some(&c, CM_COPYING_LOOK_BYTES);
    if (state == CM_COPYING_LATER) keep(&c);
    else finish(&c, state);
}

void cm_copying_go_on(void)
{
    cm_copying *c = engine.copying;
    if (!c) return;
    const cm_copying_state state = copy_some(c, CM_COPYING_LOOK_BYTES);
    engine.copying = c->next;
    if (state == CM_COPYING_LATER) {
        append(c);
        return;
    }
    finish(c, state);
    free(c);
}

void cm_copying_drop(const cm_lane *lane)
{
    for (cm_copying **link = &engine.copying, *c; (c = *link);) {
        if (c->other.lane != lane) {
            link = &c->next;
            continue;
        }
        *link = c->next;
        c->request->copying = false;
        free(c);
    }
}

bool cm_copying_uses(const cm_lane *lane, uint32_t number)
{
    const cm_copying *c = engine.copying;
    while (c && (c->other.lane != lane || !c->other.mapped || c->other.number != number))
        c = c->next;
    return c != NULL;
}
