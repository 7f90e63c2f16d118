/* SPDX-License-Identifier: BSD-3-Clause */
/* buffers.c: provides the buffers of messages. By policy these are always the same two, a single
   one, two that exchange their roles, or slots of a pool that is larger than the caches. */
#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"
#include "pairs/pairs.h"

const char *const cm_pair_policies[] = {"reused", "alternating", "cold", "one", NULL};

const char *const cm_pair_memories[] = {"ordinary", "shared", NULL};

/* The size of the pool in last-level caches. A buffer that was last used one whole walk ago has
   then been evicted, even if the cache is far from evicting the least recently used line first. */
enum { CACHES = 2 };
static const size_t unknown_cache_bytes = (size_t)64 << 20;

static size_t lines(size_t bytes)
{
    return (bytes + CM_PAIR_LINE_BYTES - 1) / CM_PAIR_LINE_BYTES * CM_PAIR_LINE_BYTES;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Returns the room for a message of this size at the larger of the offsets. */
static size_t room(const cm_pair_layout *layout, size_t message_bytes)
{
    return lines(larger(layout->send_offset, layout->receive_offset) + message_bytes);
}

static size_t fixed_buffers(const cm_pair_layout *layout)
{
    if (layout->window) return 2 * (size_t)layout->window;
    return layout->policy == CM_PAIR_ONE ? 1 : 1 + (size_t)layout->receives;
}

size_t cm_pair_buffers_bytes(const cm_pair_layout *layout)
{
    static const size_t most = SIZE_MAX >> 16;
    if (layout->upper_bytes > most || layout->send_offset > most || layout->receive_offset > most)
        return SIZE_MAX;
    size_t each = room(layout, layout->upper_bytes);
    if (layout->policy != CM_PAIR_COLD) return fixed_buffers(layout) * (each + CM_PAIR_LINE_BYTES);
    int64_t cache = cm_machine_last_cache_bytes();
    return larger(CACHES * lines(cache > 0 ? (size_t)cache : unknown_cache_bytes), 4 * each);
}

bool cm_pair_buffers_open(cm_pair_buffers *buffers, const cm_pair_layout *layout)
{
    memset(buffers, 0, sizeof *buffers);
    buffers->layout = *layout;
    buffers->memory_bytes = cm_pair_buffers_bytes(layout);
    buffers->memory = layout->memory == CM_PAIR_SHARED
                          ? cm_allocate(buffers->memory_bytes)
                          : aligned_alloc(CM_PAIR_LINE_BYTES, buffers->memory_bytes);
    if (!buffers->memory) return false;
    /* Not zeros: the system may map all pages of zeros to the same physical page. */
    memset(buffers->memory, 0x5a, buffers->memory_bytes);
    cm_pair_buffers_size(buffers, layout->upper_bytes);
    return true;
}

void cm_pair_buffers_close(cm_pair_buffers *buffers)
{
    if (buffers->layout.memory == CM_PAIR_SHARED) cm_free(buffers->memory);
    else free(buffers->memory);
    memset(buffers, 0, sizeof *buffers);
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Places the buffers of short messages close to each other, so that they stay in a cache. */
static void size_window(cm_pair_buffers *buffers, size_t message_bytes)
{
    const cm_pair_layout *layout = &buffers->layout;
    buffers->slots = fixed_buffers(layout);
    buffers->slot_bytes = room(layout, message_bytes) + CM_PAIR_LINE_BYTES;
    buffers->guard_bytes = CM_PAIR_LINE_BYTES;
    buffers->send = buffers->memory + layout->send_offset;
    buffers->receive =
        buffers->memory + layout->receive_offset + (size_t)layout->window * buffers->slot_bytes;
}

void cm_pair_buffers_size(cm_pair_buffers *buffers, size_t message_bytes)
{
    const cm_pair_layout *layout = &buffers->layout;
    buffers->slot = 0;
    if (layout->window) {
        size_window(buffers, message_bytes);
        return;
    }
    if (layout->policy != CM_PAIR_COLD) {
        buffers->slots = fixed_buffers(layout);
        buffers->slot_bytes = buffers->memory_bytes / buffers->slots;
        buffers->guard_bytes = CM_PAIR_LINE_BYTES;
        buffers->send = buffers->memory + layout->send_offset;
        buffers->receive = buffers->memory + layout->receive_offset
                           + (layout->policy == CM_PAIR_ONE ? 0 : buffers->slot_bytes);
        buffers->upcoming = layout->receives > 1 ? buffers->receive + buffers->slot_bytes : NULL;
        return;
    }
    buffers->slot_bytes = room(layout, message_bytes);
    buffers->guard_bytes =
        buffers->slot_bytes - message_bytes - larger(layout->send_offset, layout->receive_offset);
    buffers->slots = buffers->memory_bytes / buffers->slot_bytes;
    /* A step that is coprime to the number of slots visits each slot once per walk. Hardware does
       not prefetch a stride near the golden section of the pool. */
    buffers->step = (size_t)(0.618 * (double)buffers->slots);
    while (buffers->step > 1 && common_divisor(buffers->step, buffers->slots) > 1) buffers->step--;
    if (buffers->step == 0) buffers->step = 1;
    buffers->send = cm_pair_buffers_slot(buffers, layout->send_offset);
    buffers->receive = cm_pair_buffers_slot(buffers, layout->receive_offset);
    buffers->upcoming =
        layout->receives > 1 ? cm_pair_buffers_slot(buffers, layout->receive_offset) : NULL;
}
