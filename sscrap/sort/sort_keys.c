/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_keys.c: inputs, and the kernels for each type of keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sort.h"

enum { SORT_FEW_KEYS = 24, SORT_CACHE_BYTES = 1 << 17, SORT_DIGIT_BITS = 10 };

static double unit(uint64_t seed, uint64_t index)
{
    return (double)(cm_random_word(seed, index) >> 11) * 0x1p-53;
}

/* Returns key `index` of total as a number, most of them between 0 and 1. */
static double sort_real(int64_t index, int64_t total, int input, uint64_t seed)
{
    uint64_t i = (uint64_t)index;
    switch ((sort_input)input) {
    case SORT_UNIFORM:
        break;
    case SORT_GAUSSIAN: { /* Box and Muller; the largest is below 9 */
        double radius = sqrt(-2 * log(1 - unit(seed, 2 * i)));
        return 0.5 + radius * cos(6.283185307179586 * unit(seed, 2 * i + 1)) / 20;
    }
    case SORT_SORTED:
        return ((double)index + 0.5) / (double)total;
    case SORT_REVERSE:
        return 1 - ((double)index + 0.5) / (double)total;
    case SORT_FEW:
        return (double)(cm_random_word(seed, i) % 16) / 16;
    case SORT_EQUAL:
        return 0.5;
    case SORT_STAGGERED: {
        /* Blocks in an order of their own, each with a narrow range, and every other key of all in
           one block. A sample at regular places, or from one process only, is misleading. */
        int64_t blocks = 61, block = index * blocks / total;
        if (index % 2) return 0.25 + unit(seed, i) / 1000;
        return ((double)(block * 17 % blocks) + unit(seed, i) / 8) / (double)blocks;
    }
    }
    return unit(seed, i);
}

#define STRING(x) STRING_OF(x)
#define STRING_OF(x) #x

/* Numbers of IEEE 754 are in the order of their words if negative ones are complemented and
   positive ones get the sign bit. */
#define KEY double
#define BITS uint64_t
#define NAME(x) x##_double
#define TO_BITS(word) ((word) ^ ((uint64_t)((int64_t)(word) >> 63) | 0x8000000000000000u))
#define FROM_BITS(bits) ((bits) ^ ((uint64_t)((int64_t) ~(bits) >> 63) | 0x8000000000000000u))
#define FROM_REAL(x) (x)
#include "sort_keys.inc"

#define KEY float
#define BITS uint32_t
#define NAME(x) x##_float
#define TO_BITS(word) ((word) ^ ((uint32_t)((int32_t)(word) >> 31) | 0x80000000u))
#define FROM_BITS(bits) ((bits) ^ ((uint32_t)((int32_t) ~(bits) >> 31) | 0x80000000u))
#define FROM_REAL(x) ((float)(x))
#include "sort_keys.inc"

#define KEY int32_t
#define BITS uint32_t
#define NAME(x) x##_int32
#define TO_BITS(word) ((word) ^ 0x80000000u)
#define FROM_BITS(bits) TO_BITS(bits)
#define FROM_REAL(x) ((int32_t)(((x)-0.5) * 4e9))
#include "sort_keys.inc"

#define KEY int64_t
#define BITS uint64_t
#define NAME(x) x##_int64
#define TO_BITS(word) ((word) ^ 0x8000000000000000u)
#define FROM_BITS(bits) TO_BITS(bits)
#define FROM_REAL(x) ((int64_t)(((x)-0.5) * 1.8e19))
#include "sort_keys.inc"

const sort_kernels *const sort_of[SORT_KEYS] = {[SORT_DOUBLE] = &kernels_double,
                                                [SORT_FLOAT] = &kernels_float,
                                                [SORT_INT32] = &kernels_int32,
                                                [SORT_INT64] = &kernels_int64};
