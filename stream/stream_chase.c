/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_chase.c: loads that depend on each other: each finds the address of the next in the line
   that it loads. */
#include "config.h"
#include "random/random.h"
#include "stream.h"

enum { POINTERS = STREAM_LINE_BYTES / sizeof(void *), UNROLLED = 16 };

/* The line's own pointer; the rest of a line is not touched. */
static void **line_of(const stream_chase *chase, size_t k) { return chase->memory + k * POINTERS; }

/* Sattolo's algorithm (1986): of all permutations that are one cycle, each is equally likely. */
void stream_chase_open(const stream_region *region, size_t bytes, stream_chase *chase)
{
    uint64_t state = 0;
    *chase = (stream_chase){.memory = (void **)region->memory, .lines = bytes / STREAM_LINE_BYTES};
    for (size_t k = 0; k < chase->lines; k++) *line_of(chase, k) = line_of(chase, k);
    for (size_t k = chase->lines; k-- > 1;) {
        void **one = line_of(chase, k), **other = line_of(chase, cm_random_next(&state) % k);
        void *next = *one;
        *one = *other;
        *other = next;
    }
    chase->at = line_of(chase, 0);
}

void stream_chase_run(stream_chase *chase, int64_t hops)
{
    void **at = chase->at;
    for (; hops >= UNROLLED; hops -= UNROLLED) {
        /* The compiler cannot shorten this: each load needs the one before. */
        at = *at, at = *at, at = *at, at = *at, at = *at, at = *at, at = *at, at = *at;
        at = *at, at = *at, at = *at, at = *at, at = *at, at = *at, at = *at, at = *at;
    }
    while (hops-- > 0) at = *at;
    chase->at = at;
}

size_t stream_chase_length(const stream_chase *chase)
{
    void **begin = chase->at, **at = *begin;
    size_t length = 1;
    while (at != begin && length <= chase->lines) at = *at, length++;
    return length;
}
