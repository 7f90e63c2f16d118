/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_classic.h: HINT with the original's data structures: a record of nine words for each
   subinterval, a queue of errors and a queue of indices, each with room for all entries that are
   ever appended. The code is not the original's, and is faster. Part of hint_kernels.h. */

typedef struct {
    value upper, lower; /* area, squares */
    value width;
    value left_low, left_high; /* function values at the ends, in whole squares */
    value right_low, right_high;
    value left, right; /* x, columns */
} HINT(record);

static size_t HINT(classic_bytes)(int64_t n)
{
    return (size_t)n * (sizeof(HINT(record)) + 2 * sizeof(value) + 2 * sizeof(int64_t));
}

/* Returns the area that further splitting can still remove, by Gustafson and Snell's rule. It is a
   whole number below the grid's area, which the errors of children never reach. */
static inline value HINT(error)(value width, value left_low, value left_high, value right_low,
                                value right_high)
{
    value agreed = (left_low - right_high) * (width - 2);
    return (left_high - right_high + left_low - right_low) * (width - 1)
           - (agreed > 0 ? agreed : 0);
}

static void HINT(classic)(const hint_work *work, int64_t n, void *memory, hint_bounds *bounds)
{
    const HINT(grid) grid = HINT(grid_of)(work);
    int64_t *const index = memory;
    HINT(record) *const record = (HINT(record) *)(index + 2 * n);
    value *const error = (value *)(record + n);
    total upper = 0, lower = 0;
    int64_t head = 0, tail = 0, count = 0;

    for (; count < work->strips; count++) {
        HINT(record) *strip = &record[count];
        strip->width = (value)work->width;
        strip->left = (value)(work->first + count * work->stride);
        strip->right = strip->left + strip->width;
        strip->left_low = HINT(edge)(grid, strip->left, &strip->left_high);
        strip->right_low = HINT(edge)(grid, strip->right, &strip->right_high);
        upper += (total)strip->width * (total)strip->left_high;
        lower += (total)strip->width * (total)strip->right_low;
        index[tail++] = count;
    }

    while (count < n && head < tail) {
        HINT(record) *const left = &record[index[head++]], *const right = &record[count];
        const value width = HINT(half)(left->width), x = left->left + width;
        value high;
        const value low = HINT(middle)(grid, x, &high);

        right->width = width;
        right->left = x;
        right->right = left->right;
        right->left_low = low;
        right->left_high = high;
        right->right_low = left->right_low;
        right->right_high = left->right_high;
        right->upper = width * high;
        right->lower = width * left->right_low;
        const value right_error =
            HINT(error)(width, low, high, right->right_low, right->right_high);

        const value left_error = HINT(error)(width, left->left_low, left->left_high, low, high);
        upper -= (total)width * (total)(left->left_high - high);
        lower += (total)width * (total)(low - left->right_low);
        left->width = width;
        left->right = x;
        left->right_low = low;
        left->right_high = high;
        left->upper = width * left->left_high;
        left->lower = width * low;

        const int64_t left_index = index[head - 1];
        const bool swap = right_error > left_error;
        error[tail] = swap ? right_error : left_error;
        index[tail] = swap ? count : left_index;
        tail += error[tail] > 0;
        error[tail] = swap ? left_error : right_error;
        index[tail] = swap ? left_index : count;
        tail += error[tail] > 0;
        count++;
    }
    *bounds = HINT(bounds)(lower, upper, count);
}
