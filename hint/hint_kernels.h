/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_kernels.h: HINT's three kernels for one data type, from one source. Included once a type, by
   hint_double.c and its like, without an include guard, with these defined:

   value            the data type; whole numbers are exact in it up to HINT's squares of a grid
   total            where sums of them live: value, or the unsigned integer of its width, in which
   the
                    grid's whole area, 2^31 or 2^63, has room
   HINT_REAL        1: value is a floating-point type; 0: an integer
   HINT(name)       the name with the type in it

   The function y = (1 - x)/(1 + x) on a grid of `columns` times `rows` squares is, x in columns and
   y in rows, rows (columns - x) / (columns + x). Numerator and divisor are whole numbers that the
   type holds exactly, and so is every area, sum and error below: all kernels of a type give the
   same bits, in whatever order they add. A rounded quotient still has the right whole part: it is
   below rows, at least 1/divisor below the next whole number where it is not whole, and that is
   more than half a unit of its last place, since (columns - x)/(columns + x) >= 1/2 needs columns +
   x <= 4/3 columns. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "hint_kernel.h"

typedef struct {
    value columns, rows;
    int rows_log2;
} HINT(grid);

static inline HINT(grid) HINT(grid_of)(const hint_work *work)
{
    return (HINT(grid)){(value)work->columns, (value)((uint64_t)1 << work->rows_log2),
                        work->rows_log2};
}

/* A type's half of a width, which is a power of two, and the whole part of what is not negative. */
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

/* The function's value at a column inside the grid, rounded down; up: *high. */
static inline value HINT(middle)(HINT(grid) grid, value x, value *high)
{
    value numerator = grid.rows * (grid.columns - x), divisor = grid.columns + x;
    value low = HINT(whole)(numerator / divisor);
    *high = low + (value)(low * divisor != numerator);
    return low;
}

/* The same at any column: the grid's ends are whole, and the numerator at 0 is more than an integer
   type holds. */
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
const hint_kernel HINT(kernels)[HINT_KERNELS] = {
    {HINT(classic), HINT(classic_bytes)},
    {HINT(lean), HINT(stream_bytes)},
    {HINT(wide), HINT(stream_bytes)},
};
