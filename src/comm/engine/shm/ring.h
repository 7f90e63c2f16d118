/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.h: a ring of bytes in memory that two processes map, from one writer to one reader. It is
   made of lines of 64 bytes. A record begins at a line: a word with the number of its bytes, then
   these bytes. The writer publishes a record by its word, so a short message costs the transfer of
   one line. Longer data are records of some KB, so that both sides copy at the same time.

   Neither side trusts the other one's memory. Each keeps its own position to itself, copies before
   it looks, and believes a record's length or the other's position only as far as it is possible.
   The calls return -1 where it is not; the ring is then of no use any more. */
#ifndef CM_RING_H
#define CM_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

enum { CM_RING_LINE = 64 };

/* Smallest and largest size of a ring's lines in bytes, a power of two. */
enum { CM_RING_LEAST = 16384, CM_RING_MOST = 262144 };

/* In the shared memory. The two halves are in different lines, because different sides write
   them. */
typedef struct {
    _Alignas(CM_RING_LINE) _Atomic uint64_t freed; /* bytes of lines that the reader has read */
    _Atomic uint32_t reader_sleeps;                /* ... and wants to be woken */
    _Alignas(CM_RING_LINE) _Atomic uint32_t writer_sleeps; /* ... until there is room */
} cm_ring_control;

/* One side of a ring. Positions count all bytes of lines since the beginning. */
typedef struct {
    cm_ring_control *control;
    char *lines;
    size_t size;
    uint64_t tail, freed; /* next record; what the reader was last seen to have freed */
    uint64_t cleared;     /* the words of the lines from tail to here are 0 */
} cm_ring_writer;

typedef struct {
    cm_ring_control *control;
    const char *lines;
    size_t size;
    uint64_t head, freed; /* line of the next record; what the writer was told */
    const char *at;       /* the rest of the current record */
    size_t left;
    uint64_t next; /* line after the current record */
} cm_ring_reader;

/* The memory of a new ring is zero. size: see above. */
void cm_ring_writer_open(cm_ring_writer *writer, cm_ring_control *control, char *lines,
                         size_t size);
void cm_ring_reader_open(cm_ring_reader *reader, cm_ring_control *control, const char *lines,
                         size_t size);

/* Copies as much as there is room for. Sets *wake if the reader sleeps and has to be woken. Returns
   the number of bytes, or -1. */
ssize_t cm_ring_write(cm_ring_writer *writer, const struct iovec *parts, int n, bool *wake);
/* Copies as much as there is and as the parts take. Sets *wake if the writer waits for room and has
   to be woken. Returns the number of bytes, or -1. */
ssize_t cm_ring_read(cm_ring_reader *reader, const struct iovec *parts, int n, bool *wake);

/* Before a side sleeps, it says so, and then looks once more: if these return true, there is
   something to do. awake ends this. */
bool cm_ring_reader_sleeps(cm_ring_reader *reader);
void cm_ring_reader_awake(cm_ring_reader *reader);
bool cm_ring_writer_sleeps(cm_ring_writer *writer);
void cm_ring_writer_awake(cm_ring_writer *writer);

static inline _Atomic uint32_t *cm_ring_word(const char *lines, size_t size, uint64_t position)
{
    return (_Atomic uint32_t *)(uintptr_t)(lines + (position & (size - 1)));
}

/* Returns true if there is something to read. */
static inline bool cm_ring_ready(const cm_ring_reader *r)
{
    return r->left
           || atomic_load_explicit(cm_ring_word(r->lines, r->size, r->head), memory_order_acquire);
}

#pragma GCC visibility pop
#endif
