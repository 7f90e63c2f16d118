/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_stream.h: the kernels lean and wide, HINT without data that can be computed from other data.
   Part of hint_kernels.h.

   A first-in, first-out queue works generation by generation: all subintervals of one width, then
   all of half that width. So neither the width nor an index needs storing. A subinterval is its
   left x and, for both ends, the sum low + high of the function's values. low and high follow from
   the sum, because high - low is 0 or 1. These three words are in three arrays, which are rings:
   the place of a subinterval is free as soon as it is split. They are whole numbers, and a word
   (`kept`) has only as many bits as they need. */
#include "hint_vector.h"

/* Readers and writers move whole vectors and so reach beyond their data. The writer turns back at
   `turn` or just behind it and stays clear of data that are not yet read: at most `n` places are in
   use. */
enum { HINT(turn_slack) = 4 * HINT_LANES, HINT(slack) = 7 * HINT_LANES };

typedef struct {
    kept *left, *left_sum, *right_sum;
} HINT(ring);

static size_t HINT(stream_bytes)(int64_t n) { return 3 * sizeof(kept) * (size_t)(n + HINT(slack)); }

static inline value HINT(low)(value sum)
{
#if HINT_REAL
    return HINT(whole)((value)0.5 * sum);
#else
    return sum >> 1;
#endif
}

/* hint_classic.h's error; the difference of the sums is that of the lows plus that of the highs. */
static inline value HINT(lean_error)(value width, value sums, value agreed)
{
    agreed *= width - 2;
    return sums * (width - 1) - (agreed > 0 ? agreed : 0);
}

/* The change of the areas when subintervals are split, divided by the width of the halves. */
typedef struct {
    total lost, won;
} HINT(change);

static inline void HINT(put)(HINT(ring) ring, size_t at, kept left, kept left_sum, kept right_sum)
{
    ring.left[at] = left;
    ring.left_sum[at] = left_sum;
    ring.right_sum[at] = right_sum;
}

/* Removes those of the two subintervals before tail that do not stay. Returns the new tail. */
static inline size_t HINT(drop)(HINT(ring) ring, size_t tail, bool first_stays, bool second_stays)
{
    if (!first_stays)
        HINT(put)(ring, tail - 2, ring.left[tail - 1], ring.left_sum[tail - 1],
                  ring.right_sum[tail - 1]);
    return tail - 2 + first_stays + second_stays;
}

/* Larger errors on the right begin when halves differ by less than rounding; soon they are as many
   as those on the left. Before that a predicted branch is faster, because it need not wait for the
   comparison; afterwards code without a branch is. */
enum { HINT(mixtures) = 64 };

/* Splits `parents` subintervals from head on and appends their children that have an error at tail,
   the one with the larger error first. Returns the new tail. */
static inline size_t HINT(split_lean)(const HINT(grid) grid, HINT(ring) ring, value width,
                                      size_t parents, size_t head, size_t tail,
                                      HINT(change) *change, size_t *mixtures)
{
    total lost = 0, won = 0;
    for (size_t end = head + parents; head < end; head++) {
        const kept left = ring.left[head], middle = left + (kept)width;
        const value left_sum = ring.left_sum[head], right_sum = ring.right_sum[head];
        value high;
        const value low = HINT(middle)(grid, (value)middle, &high), sum = low + high;
        const value left_low = HINT(low)(left_sum), right_low = HINT(low)(right_sum);
        lost += (total)(left_sum - left_low - high);
        won += (total)(low - right_low);
        const value left_error = HINT(lean_error)(width, left_sum - sum, left_low - high);
        const value right_error =
            HINT(lean_error)(width, sum - right_sum, low - (right_sum - right_low));
        const bool swap = right_error > left_error;
        if (__builtin_expect(*mixtures > HINT(mixtures) || swap, 0)) {
            ++*mixtures;
            HINT(put)(ring, tail + swap, left, (kept)left_sum, (kept)sum);
            HINT(put)(ring, tail + !swap, middle, (kept)sum, (kept)right_sum);
        } else {
            HINT(put)(ring, tail, left, (kept)left_sum, (kept)sum);
            HINT(put)(ring, tail + 1, middle, (kept)sum, (kept)right_sum);
        }
        tail += 2;
        if (__builtin_expect(!(left_error > 0) | !(right_error > 0), 0))
            tail = HINT(drop)(ring, tail, (swap ? right_error : left_error) > 0,
                              (swap ? left_error : right_error) > 0);
    }
    change->lost += lost;
    change->won += won;
    return tail;
}

#include "hint_wide.h"

static inline
    __attribute__((always_inline)) void HINT(stream)(const hint_work *work, int64_t n, void *memory,
                                                     hint_bounds *bounds, bool wide)
{
    const HINT(grid) grid = HINT(grid_of)(work);
    const size_t turn = (size_t)n + HINT(turn_slack), none = SIZE_MAX;
    HINT(ring) ring = {.left = memory};
    ring.left_sum = ring.left + n + HINT(slack);
    ring.right_sum = ring.left_sum + n + HINT(slack);

    value width = (value)work->width;
    total upper = 0, lower = 0;
    size_t head = 0, tail = 0, end = none; /* end: where the reader turns back */
    size_t mixtures = 0;
    int64_t count = 0;
    for (; count < work->strips; count++) {
        value high, x = (value)(work->first + count * work->stride);
        ring.left[tail] = (kept)x;
        value low = HINT(edge)(grid, x, &high);
        upper += (total)width * (total)high;
        ring.left_sum[tail] = (kept)(low + high);
        low = HINT(edge)(grid, x + width, &high);
        lower += (total)width * (total)low;
        ring.right_sum[tail++] = (kept)(low + high);
    }

    while (count < n) {
        const size_t live = end == none ? tail - head : end - head + tail;
        if (live == 0) break;
        size_t parents = live < (size_t)(n - count) ? live : (size_t)(n - count);
        count += (int64_t)parents;
        width = HINT(half)(width);
        HINT(change) change = {0, 0};
        while (parents > 0) {
            size_t run = (turn - tail + 1) / 2;
            if (run > parents) run = parents;
            if (run > end - head) run = end - head;
            if (wide && run > 2)
                tail = HINT(split_wide)(grid, ring, width, run, head, tail, &change, &mixtures);
            else tail = HINT(split_lean)(grid, ring, width, run, head, tail, &change, &mixtures);
            head += run;
            parents -= run;
            if (head == end) head = 0, end = none;
            if (tail >= turn) end = tail, tail = 0;
        }
        upper -= (total)width * change.lost;
        lower += (total)width * change.won;
    }
    *bounds = HINT(bounds)(lower, upper, count);
}

static void HINT(lean)(const hint_work *work, int64_t n, void *memory, hint_bounds *bounds)
{
    HINT(stream)(work, n, memory, bounds, false);
}

static void HINT(wide)(const hint_work *work, int64_t n, void *memory, hint_bounds *bounds)
{
    HINT(stream)(work, n, memory, bounds, true);
}
