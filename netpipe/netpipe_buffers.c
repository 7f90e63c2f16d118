/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_buffers.c: where messages lie: always the same two buffers, the two exchanging their
   roles, or a walk through memory that no cache holds. */
#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"
#include "netpipe.h"

/* A pool of this many last-level caches: what was used a whole walk ago has been evicted even
   when the cache's replacement is far from least recently used. */
enum { CACHES = 2 };
static const size_t unknown_cache_bytes = (size_t)64 << 20;

static size_t lines(size_t bytes)
{
    return (bytes + NETPIPE_LINE_BYTES - 1) / NETPIPE_LINE_BYTES * NETPIPE_LINE_BYTES;
}

size_t netpipe_buffers_bytes(netpipe_policy policy, size_t upper_bytes)
{
    if (upper_bytes > SIZE_MAX / 16) return SIZE_MAX;
    if (policy != NETPIPE_COLD) return 2 * (lines(upper_bytes) + NETPIPE_LINE_BYTES);
    int64_t cache = cm_machine_last_cache_bytes();
    size_t pool = CACHES * lines(cache > 0 ? (size_t)cache : unknown_cache_bytes);
    size_t least = 4 * lines(upper_bytes);
    return pool > least ? pool : least;
}

bool netpipe_buffers_open(netpipe_buffers *buffers, netpipe_policy policy, size_t upper_bytes)
{
    memset(buffers, 0, sizeof *buffers);
    buffers->policy = policy;
    buffers->memory_bytes = netpipe_buffers_bytes(policy, upper_bytes);
    buffers->memory = aligned_alloc(NETPIPE_LINE_BYTES, buffers->memory_bytes);
    if (!buffers->memory) return false;
    /* Not zeros: pages of zeros may all be one page. */
    memset(buffers->memory, 0x5a, buffers->memory_bytes);
    netpipe_buffers_size(buffers, upper_bytes);
    return true;
}

void netpipe_buffers_close(netpipe_buffers *buffers)
{
    free(buffers->memory);
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

void netpipe_buffers_size(netpipe_buffers *buffers, size_t message_bytes)
{
    if (buffers->policy != NETPIPE_COLD) {
        buffers->slot_bytes = buffers->memory_bytes / 2;
        buffers->guard_bytes = NETPIPE_LINE_BYTES;
        buffers->send = buffers->memory;
        buffers->receive = buffers->memory + buffers->slot_bytes;
        return;
    }
    buffers->slot_bytes = lines(message_bytes);
    buffers->guard_bytes = buffers->slot_bytes - message_bytes;
    buffers->slots = buffers->memory_bytes / buffers->slot_bytes;
    /* A step prime to the number of slots visits all of them before any comes again; one near
       the golden section of the pool looks like no stride that hardware would prefetch. */
    buffers->step = (size_t)(0.618 * (double)buffers->slots);
    while (buffers->step > 1 && common_divisor(buffers->step, buffers->slots) > 1) buffers->step--;
    if (buffers->step == 0) buffers->step = 1;
    buffers->slot = 0;
    buffers->send = netpipe_buffers_slot(buffers);
    buffers->receive = netpipe_buffers_slot(buffers);
}
