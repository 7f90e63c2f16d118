/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_wide.h: the split of hint_stream.h for a whole vector of subintervals at once. Part of
   hint_kernels.h. */

/* Returns the function's values at columns x, rounded down; *high is rounded up. */
static inline HINT(vector) HINT(middles)(HINT(grid) grid, HINT(vector) x, HINT(vector) *high)
{
#if HINT_REAL
    const HINT(vector) one = (HINT(vector)){0} + 1;
    HINT(vector) numerator = grid.rows * (grid.columns - x), divisor = grid.columns + x;
    HINT(vector) low = HINT(wholes)(numerator / divisor);
    *high = low + HINT(where)(low * divisor != numerator, one);
    return low;
#else
    /* The operands have at most 32 bits and are exact in the floating-point type. The quotient may
       be rounded up, at most to the next whole number; then the rest is negative. */
    HINT(vector) numerator = grid.columns - x, divisor = grid.columns + x;
    HINT(vector) low = HINT(quotients)(numerator, divisor, grid.rows);
    HINT(vector) rest = (numerator << grid.rows_log2) - HINT(products)(low, divisor);
    low += (HINT(vector))(rest < 0);
    *high = low + 1 + (HINT(vector))(rest == 0);
    return low;
#endif
}

static inline HINT(vector) HINT(lows)(HINT(vector) sum)
{
#if HINT_REAL
    return HINT(wholes)((value)0.5 * sum);
#else
    return (HINT(vector))((HINT(unsigned_vector))sum >> 1);
#endif
}

/* hint_classic.h's error for widths of 2 and more; an integer's width is 1 << shift. */
static inline HINT(vector)
    HINT(errors)(value width, int shift, HINT(vector) sums, HINT(vector) agreed)
{
    agreed = HINT(where)(agreed > 0, agreed);
#if HINT_REAL
    (void)shift;
    return sums * (width - 1) - agreed * (width - 2);
#else
    (void)width;
    return ((sums - agreed) << shift) - (sums - agreed) + agreed;
#endif
}

static inline int HINT(log2)(value width)
{
#if HINT_REAL
    (void)width;
    return 0;
#else
    return __builtin_ctzll((unsigned long long)width);
#endif
}

/* Appends both children of all lanes, the right one first in lanes with swap set. A swap in no lane
   costs nothing. */
static inline void HINT(append_all)(HINT(ring) ring, size_t tail, HINT(kept_mask) swap,
                                    HINT(kept_vector) left, HINT(kept_vector) middle,
                                    HINT(kept_vector) left_sum, HINT(kept_vector) sum,
                                    HINT(kept_vector) right_sum)
{
    HINT(append)(ring.left + tail, swap, left, middle);
    HINT(append)(ring.left_sum + tail, swap, left_sum, sum);
    HINT(append)(ring.right_sum + tail, swap, sum, right_sum);
}

/* Appends the children one after the other if some error is zero. */
static __attribute__((noinline))
size_t HINT(append_some)(HINT(ring) ring, size_t tail, size_t count, HINT(kept_vector) left,
                         HINT(kept_vector) middle, HINT(kept_vector) left_sum,
                         HINT(kept_vector) sum, HINT(kept_vector) right_sum,
                         HINT(vector) left_error, HINT(vector) right_error)
{
    for (size_t k = 0; k < count; k++) {
        const bool swap = right_error[k] > left_error[k];
        for (int second = 0; second < 2; second++) {
            const bool right = swap != (second == 1);
            ring.left[tail] = right ? middle[k] : left[k];
            ring.left_sum[tail] = right ? sum[k] : left_sum[k];
            ring.right_sum[tail] = right ? right_sum[k] : sum[k];
            tail += (right ? right_error[k] : left_error[k]) > 0;
        }
    }
    return tail;
}

static inline __attribute__((always_inline))
size_t HINT(split_wide)(const HINT(grid) grid, HINT(ring) ring, value width, size_t parents,
                        size_t head, size_t tail, HINT(change) *change, size_t *mixtures)
{
    HINT(vector) lost = {0}, won = {0};
    const int shift = HINT(log2)(width);
    for (size_t left_over = parents; left_over > 0;) {
        HINT(kept_vector) left = HINT(load)(ring.left + head),
                          left_kept = HINT(load)(ring.left_sum + head),
                          right_kept = HINT(load)(ring.right_sum + head);
        size_t count = HINT_LANES;
        if (left_over < HINT_LANES) {
            count = left_over;
            const HINT(kept_mask) ours = HINT(kept_lanes)(HINT(first_lanes)(count));
            left = HINT(filled)(ours, left);
            left_kept = HINT(filled)(ours, left_kept);
            right_kept = HINT(filled)(ours, right_kept);
        }
        const HINT(kept_vector) middle = left + (kept)width;
        const HINT(vector) left_sum = HINT(values)(left_kept), right_sum = HINT(values)(right_kept);
        HINT(vector) high;
        const HINT(vector) low = HINT(middles)(grid, HINT(values)(middle), &high), sum = low + high;
        const HINT(kept_vector) sum_kept = __builtin_convertvector(sum, HINT(kept_vector));
        const HINT(vector) left_low = HINT(lows)(left_sum), right_low = HINT(lows)(right_sum);
        HINT(vector) lost_here = left_sum - left_low - high, won_here = low - right_low;
        const HINT(vector) left_error = HINT(errors)(width, shift, left_sum - sum, left_low - high);
        const HINT(vector) right_error =
            HINT(errors)(width, shift, sum - right_sum, low - (right_sum - right_low));
        const HINT(mask) stay = (left_error > 0) & (right_error > 0),
                         mixed = right_error > left_error;
        if (count < HINT_LANES) {
            const HINT(mask) ours = HINT(first_lanes)(count);
            lost_here = HINT(where)(ours, lost_here);
            won_here = HINT(where)(ours, won_here);
        }
        lost += lost_here;
        won += won_here;
        head += count;
        left_over -= count;
        if (width == 1) continue;
        if (__builtin_expect(!HINT(all)(stay), 0)) {
            tail = HINT(append_some)(ring, tail, count, left, middle, left_kept, sum_kept,
                                     right_kept, left_error, right_error);
            continue;
        }
        if (*mixtures > HINT(mixtures) || !HINT(all)(~mixed)) {
            ++*mixtures;
            HINT(append_all)(ring, tail, HINT(kept_lanes)(mixed), left, middle, left_kept, sum_kept,
                             right_kept);
        } else {
            HINT(append_all)(ring, tail, (HINT(kept_mask)){0}, left, middle, left_kept, sum_kept,
                             right_kept);
        }
        tail += 2 * count;
    }
    for (int k = 0; k < HINT_LANES; k++) {
        change->lost += (total)lost[k];
        change->won += (total)won[k];
    }
    return tail;
}
