/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: bytes from one process to another through shared memory; see ring.h.

   The reader looks at the word of the line where the next record will begin. So this word must be 0
   before the record in front of it is published, although the line has old data of the last round.
   The writer clears it. For short records it does so one line in advance, after it has published,
   because the line is in the reader's cache and its transfer would delay the message. */
#include "config.h"
#include <string.h>
#include "comm/engine/shm/ring.h"

/* A record's payload begins after the word or, if it is far, in the next line, because copying
   aligned data costs less. Shorter data are gathered in one record. */
enum { WORD_BYTES = 8, FAR = 1 << 30, GATHERED_BYTES = 2048, CHUNK_MOST = 16384 };

/* The reader frees lines in parts of a ring of this size, because telling the writer costs the
   transfer of a line. A writer waits until there is such a part. */
enum { PARTS = 8 };

_Static_assert(CM_RING_LEAST / PARTS > 2 * CM_RING_LINE, "a part holds a record and its next word");

static size_t chunk_of(size_t size) { return size / 4 < CHUNK_MOST ? size / 4 : CHUNK_MOST; }

static size_t whole_lines(size_t bytes)
{
    return (bytes + CM_RING_LINE - 1) & ~(size_t)(CM_RING_LINE - 1);
}

/* ---- Writing --------------------------------------------------------------------------------- */

void cm_ring_writer_open(cm_ring_writer *writer, cm_ring_control *control, char *lines, size_t size)
{
    *writer = (cm_ring_writer){.control = control, .lines = lines, .size = size};
}

/* Sets the free bytes of lines. One line stays free: the one with the word after the record.
   Returns false if the reader claims to have read what was never written, or less than before. */
static bool look_for_room(cm_ring_writer *w)
{
    const uint64_t freed = atomic_load_explicit(&w->control->freed, memory_order_acquire);
    if (freed - w->freed > w->tail - w->freed || freed % CM_RING_LINE) return false;
    w->freed = freed;
    return true;
}

static size_t room(const cm_ring_writer *w)
{
    return w->size - (size_t)(w->tail - w->freed) - CM_RING_LINE;
}

static void clear(cm_ring_writer *w, uint64_t position)
{
    atomic_store_explicit(cm_ring_word(w->lines, w->size, position), 0, memory_order_relaxed);
    w->cleared = position;
}

static void publish(cm_ring_writer *w, size_t lines, uint32_t word)
{
    const uint64_t next = w->tail + lines;
    if (w->cleared < next) clear(w, next);
    atomic_store_explicit(cm_ring_word(w->lines, w->size, w->tail), word, memory_order_release);
    w->tail = next;
}

/* Copies n bytes that begin at *offset of parts[*k], and moves both on. */
static void gather(char *to, size_t n, const struct iovec *parts, int *k, size_t *offset)
{
    while (n) {
        size_t some = parts[*k].iov_len - *offset;
        if (some > n) some = n;
        memcpy(to, (const char *)parts[*k].iov_base + *offset, some);
        to += some;
        n -= some;
        *offset += some;
        if (*offset == parts[*k].iov_len) {
            ++*k;
            *offset = 0;
        }
    }
}

ssize_t cm_ring_write(cm_ring_writer *w, const struct iovec *parts, int n, bool *wake)
{
    size_t left = 0, offset = 0, written = 0;
    for (int i = 0; i < n; i++) left += parts[i].iov_len;
    for (int k = 0; left;) {
        if (!parts[k].iov_len) { /* a record has at least one byte */
            k++;
            continue;
        }
        const size_t to_end = w->size - (size_t)(w->tail & (w->size - 1));
        size_t bytes = left, front = WORD_BYTES;
        if (left > GATHERED_BYTES) {
            bytes = parts[k].iov_len - offset;
            if (bytes > chunk_of(w->size)) bytes = chunk_of(w->size);
            if (bytes > CM_RING_LINE && to_end > CM_RING_LINE) front = CM_RING_LINE;
        }
        if (bytes > to_end - front) bytes = to_end - front;
        if (whole_lines(front + bytes) > room(w)) {
            if (!look_for_room(w)) return -1;
            const size_t now = room(w);
            if (whole_lines(front + bytes) > now) {
                if (now < w->size / PARTS) break;
                bytes = now - front;
            }
        }
        gather(w->lines + (w->tail & (w->size - 1)) + front, bytes, parts, &k, &offset);
        publish(w, whole_lines(front + bytes),
                (uint32_t)bytes | (front == CM_RING_LINE ? (uint32_t)FAR : 0));
        written += bytes;
        left -= bytes;
    }
    if (!written) return 0;
    /* With the fence of a reader that falls asleep: it sees the record, or this sees that it
       sleeps. */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&w->control->reader_sleeps, memory_order_relaxed))
        *wake |= atomic_exchange(&w->control->reader_sleeps, 0) != 0;
    if (w->cleared == w->tail && room(w) >= CM_RING_LINE) clear(w, w->tail + CM_RING_LINE);
    return (ssize_t)written;
}

bool cm_ring_writer_sleeps(cm_ring_writer *w)
{
    atomic_store_explicit(&w->control->writer_sleeps, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    /* If the reader's position is impossible, the next write says so. */
    return !look_for_room(w) || room(w) >= w->size / PARTS;
}

void cm_ring_writer_awake(cm_ring_writer *w)
{
    atomic_store_explicit(&w->control->writer_sleeps, 0, memory_order_relaxed);
}

/* ---- Reading --------------------------------------------------------------------------------- */

void cm_ring_reader_open(cm_ring_reader *reader, cm_ring_control *control, const char *lines,
                         size_t size)
{
    *reader = (cm_ring_reader){.control = control, .lines = lines, .size = size};
}

/* Begins the next record. Returns 1, 0 if there is none, or -1 if it cannot be one. */
static int begin(cm_ring_reader *r)
{
    const uint32_t word =
        atomic_load_explicit(cm_ring_word(r->lines, r->size, r->head), memory_order_acquire);
    if (!word) return 0;
    const size_t place = (size_t)(r->head & (r->size - 1)), to_end = r->size - place;
    const size_t bytes = word & ~(uint32_t)FAR, front = word & FAR ? CM_RING_LINE : WORD_BYTES;
    if (!bytes || bytes > CHUNK_MOST || front + bytes > to_end) return -1;
    r->at = r->lines + place + front;
    r->left = bytes;
    r->next = r->head + whole_lines(front + bytes);
    return 1;
}

/* Frees the lines of a record that was read. */
static void end(cm_ring_reader *r, bool *wake)
{
    r->head = r->next;
    if (r->head - r->freed < r->size / PARTS) return;
    r->freed = r->head;
    atomic_store_explicit(&r->control->freed, r->freed, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&r->control->writer_sleeps, memory_order_relaxed))
        *wake |= atomic_exchange(&r->control->writer_sleeps, 0) != 0;
}

ssize_t cm_ring_read(cm_ring_reader *r, const struct iovec *parts, int n, bool *wake)
{
    size_t got = 0;
    for (int k = 0; k < n; k++)
        for (size_t offset = 0; offset < parts[k].iov_len;) {
            if (!r->left) {
                const int found = begin(r);
                if (found < 0) return -1;
                if (!found) return (ssize_t)got;
            }
            size_t some = parts[k].iov_len - offset;
            if (some > r->left) some = r->left;
            memcpy((char *)parts[k].iov_base + offset, r->at, some);
            r->at += some;
            r->left -= some;
            offset += some;
            got += some;
            if (!r->left) end(r, wake);
        }
    return (ssize_t)got;
}

bool cm_ring_reader_sleeps(cm_ring_reader *r)
{
    atomic_store_explicit(&r->control->reader_sleeps, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    return cm_ring_ready(r);
}

void cm_ring_reader_awake(cm_ring_reader *r)
{
    atomic_store_explicit(&r->control->reader_sleeps, 0, memory_order_relaxed);
}
