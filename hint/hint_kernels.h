/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_kernels.h: HINT's three kernels for one data type, from one source. hint_double.c and its
   like include it, once for each type, without an include guard, and define:

   value            the data type; whole numbers are exact in it up to HINT's squares of a grid
   total            the type of sums of them: value, or the unsigned integer of its width, which
                    has room for the grid's whole area, 2^31 or 2^63
   HINT_REAL        1: value is a floating-point type; 0: an integer
   HINT(name)       the name with the type in it

   On a grid of `columns` times `rows` squares the function y = (1 - x)/(1 + x) is
   rows (columns - x) / (columns + x), with x in columns and y in rows. The type holds numerator and
   divisor exactly, and every area, sum and error below. So all kernels of a type give the same
   bits, in whatever order they add. A rounded quotient still has the right whole part. It is below
   rows. If it is not whole, it is at least 1/divisor below the next whole number. That is more than
   half a unit of its last place, because (columns - x)/(columns + x) >= 1/2 needs columns + x <=
   4/3 columns. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "hint_kernel.h"
#include "machine/sets.h"

typedef struct {
    value columns, rows;
    int rows_log2;
} HINT(grid);

static inline HINT(grid) HINT(grid_of)(const hint_work *work)
{
    return (HINT(grid)){(value)work->columns, (value)((uint64_t)1 << work->rows_log2),
                        work->rows_log2};
}

/* half: half of a width, which is a power of two. whole: the whole part of y >= 0. */
#if HINT_REAL
static inline value HINT(half)(value width) { return (value)0.5 * width; }
#if defined(__SSE4_1__) || defined(__aarch64__) /* one instruction there, else a call */
static inline value HINT(whole)(value y)
{
    return sizeof y == sizeof(float) ? floorf(y) : floor(y);
}
#else
static inline value HINT(whole)(value y) { return (value)(int64_t)y; }
#endif
#else
static inline value HINT(half)(value width) { return width >> 1; }
static inline value HINT(whole)(value y) { return y; }
#endif

/* Returns the function's value at a column inside the grid, rounded down; *high is rounded up. */
static inline value HINT(middle)(HINT(grid) grid, value x, value *high)
{
    value numerator = grid.rows * (grid.columns - x), divisor = grid.columns + x;
    value low = HINT(whole)(numerator / divisor);
    *high = low + (value)(low * divisor != numerator);
    return low;
}

/* The same at any column. The values at the grid's ends are whole; at column 0 the numerator would
   be too large for an integer type. */
static inline value HINT(edge)(HINT(grid) grid, value x, value *high)
{
    if (x == 0) return *high = grid.rows;
    if (x == grid.columns) return *high = 0;
    return HINT(middle)(grid, x, high);
}

static inline hint_bounds HINT(bounds)(total lower, total upper, int64_t subintervals)
{
    return (hint_bounds){(uint64_t)lower, (uint64_t)upper, subintervals};
}

#include "hint_classic.h"
#include "hint_stream.h"

/* In the order of hint_kernel_kind. */
const hint_kernel CM_SETS_NAME(HINT(kernels))[HINT_KERNELS] = {
    {HINT(classic), HINT(classic_bytes), 0},
    {HINT(lean), HINT(stream_bytes), 0},
    {HINT(wide), HINT(stream_bytes), 8 * HINT_VECTOR_BYTES},
};
