/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_original.h: HINT as Gustafson and Snell's HINT 1.0 computes it, for one data type.
   hint_original.c includes it once for each type and defines `value` and HINT(name), as for
   hint_kernels.h.

   The order of refinement is that of hint_classic.h. The difference is in what goes through memory,
   on which the time depends:
   - Every field of both halves is stored, and is read back from the record where it is used. The
     new function values and the parent's areas are not kept in registers.
   - The area of the parent is read and leaves the sums; those of both halves enter them.
   - Both halves always enter the queue. The error that was stored second is read back, and the
     queue grows by two if it is not zero, otherwise by one. So the end of the queue waits for the
     errors.
   - The function is rounded down by converting it to the type of an index and back, for
     floating-point types, too.

   A queue of this order splits no subinterval of one column before all have one column. Halves of
   two columns or more have an error, because no row is wider than two columns. So the kernel ends
   there, and no half without error is ever split. */

typedef struct {
    value upper, lower; /* area, squares */
    value width;
    value left_high, left_low; /* function values at the ends, in whole squares */
    value right_high, right_low;
    value left, right; /* x, columns */
} HINT(cell);

/* The indices follow the cells and errors, aligned for themselves. */
static size_t HINT(index_offset)(int64_t n)
{
    const size_t before = (size_t)n * (sizeof(HINT(cell)) + 2 * sizeof(value));
    return (before + sizeof(int64_t) - 1) / sizeof(int64_t) * sizeof(int64_t);
}

static size_t HINT(bytes)(int64_t n)
{
    return HINT(index_offset)(n) + 2 * (size_t)n * sizeof(int64_t);
}

/* Computes the function's values at a column inside the grid, rounded down and up. */
static inline void HINT(evaluate)(value columns, value rows, value x, value *low, value *high)
{
    const value divisor = columns + x, numerator = rows * (columns - x);
    const int64_t whole = (int64_t)(numerator / divisor);
    *low = (value)whole;
    *high = *low + (value)(divisor * *low != numerator);
}

/* The same at any column. The ends of the grid are whole, and the numerator of column 0 would be
   too large for an integer type. */
static void HINT(border)(value columns, value rows, value x, value *low, value *high)
{
    if (x == 0) *low = *high = rows;
    else if (x == columns) *low = *high = 0;
    else HINT(evaluate)(columns, rows, x, low, high);
}

static inline value HINT(excess)(const HINT(cell) *c)
{
    value agreed = (value)((c->left_low - c->right_high) * (c->width - 2));
    if (agreed < 0) agreed = 0;
    return (value)((c->left_high - c->right_high + c->left_low - c->right_low) * (c->width - 1)
                   - agreed);
}

/* The whole grid has one square more than an integer type holds; its upper area is one too low
   until it is split. */
static void HINT(begin_whole)(value columns, value rows, HINT(cell) *c)
{
    const value half = (value)(columns / 2 * rows);
    c->left = 0;
    c->right = c->width = columns;
    c->left_low = c->left_high = rows;
    c->right_low = c->right_high = 0;
    c->upper = (value)(half - 1 + half);
    c->lower = 0;
}

static void HINT(begin_strip)(value columns, value rows, HINT(cell) *c)
{
    c->right = (value)(c->left + c->width);
    HINT(border)(columns, rows, c->left, &c->left_low, &c->left_high);
    HINT(border)(columns, rows, c->right, &c->right_low, &c->right_high);
    c->lower = (value)(c->right_low * c->width);
    c->upper = (value)(c->left_high * c->width);
}

static void HINT(original)(const hint_work *work, int64_t n, void *memory, hint_bounds *bounds)
{
    const value columns = (value)work->columns, rows = (value)((uint64_t)1 << work->rows_log2);
    const int64_t most = work->strips * work->width, goal = n < most ? n : most;
    HINT(cell) *const cell = memory;
    value *const error = (value *)(cell + n);
    int64_t *const index = (int64_t *)((char *)memory + HINT(index_offset)(n));
    int64_t head = 0, tail = work->strips, count = work->strips;
    value upper = 0, lower = 0;

    for (int64_t k = 0; k < work->strips; k++) {
        cell[k].width = (value)work->width;
        cell[k].left = (value)(work->first + k * work->stride);
        if (work->width == work->columns) HINT(begin_whole)(columns, rows, &cell[k]);
        else HINT(begin_strip)(columns, rows, &cell[k]);
        index[k] = k;
        upper = (value)(upper + cell[k].upper);
        lower = (value)(lower + cell[k].lower);
    }
    for (; count < goal; head++, count++) {
        const int64_t parent = index[head];
        HINT(cell) *const left = &cell[parent], *const right = &cell[count];

        left->width = right->width = (value)(left->width / 2);
        right->right = left->right;
        left->right = (value)(left->left + left->width);
        right->left = left->right;
        right->right_low = left->right_low;
        right->right_high = left->right_high;
        HINT(evaluate)(columns, rows, left->right, &left->right_low, &left->right_high);
        right->left_low = left->right_low;
        right->left_high = left->right_high;

        const value left_error = HINT(excess)(left), right_error = HINT(excess)(right);
        const int swap = left_error < right_error;
        error[tail + swap] = left_error;
        index[tail + swap] = parent;
        error[tail + !swap] = right_error;
        index[tail + !swap] = count;
        tail = tail + (error[tail + 1] != 0) + 1;

        /* One sum after the other, as compilers would otherwise read pairs of fields before their
           stores are through. */
        lower = (value)(lower - left->lower);
        left->lower = (value)(left->right_low * left->width);
        right->lower = (value)(right->right_low * right->width);
        lower = (value)(lower + (left->lower + right->lower));
        upper = (value)(upper - left->upper);
        left->upper = (value)(left->left_high * left->width);
        right->upper = (value)(right->left_high * right->width);
        upper = (value)(upper + (left->upper + right->upper));
    }
    const bool unsplit = count == 1 && work->width == work->columns;
    *bounds = (hint_bounds){(uint64_t)lower, (uint64_t)upper + unsplit, count};
}
