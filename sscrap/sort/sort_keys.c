/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_keys.c: the kernels for each type of keys, without and with values, of one instruction
   set. */
#include <stdlib.h>
#include <string.h>
#include "machine/sets.h"
#include "sort.h"

enum { SORT_FEW_KEYS = 24, SORT_CACHE_BYTES = 1 << 17, SORT_DIGIT_BITS = 10, LINE_BYTES = 64 };

#define STRING(x) STRING_OF(x)
#define STRING_OF(x) #x

/* Numbers of IEEE 754 are in the order of their words if negative ones are complemented and
   positive ones get the sign bit. */
#define KEY double
#define BITS uint64_t
#define TO_BITS(word) ((word) ^ ((uint64_t)((int64_t)(word) >> 63) | 0x8000000000000000u))
#define FROM_BITS(bits) ((bits) ^ ((uint64_t)((int64_t) ~(bits) >> 63) | 0x8000000000000000u))
#define FROM_REAL(x) (x)
#define PAIRS 0
#define NAME(x) x##_double
#include "sort_keys.inc"
#define PAIRS 1
#define NAME(x) x##_double_pair
#include "sort_keys.inc"
#undef KEY
#undef BITS
#undef TO_BITS
#undef FROM_BITS
#undef FROM_REAL

#define KEY float
#define BITS uint32_t
#define TO_BITS(word) ((word) ^ ((uint32_t)((int32_t)(word) >> 31) | 0x80000000u))
#define FROM_BITS(bits) ((bits) ^ ((uint32_t)((int32_t) ~(bits) >> 31) | 0x80000000u))
#define FROM_REAL(x) ((float)(x))
#define PAIRS 0
#define NAME(x) x##_float
#include "sort_keys.inc"
#define PAIRS 1
#define NAME(x) x##_float_pair
#include "sort_keys.inc"
#undef KEY
#undef BITS
#undef TO_BITS
#undef FROM_BITS
#undef FROM_REAL

#define KEY int32_t
#define BITS uint32_t
#define TO_BITS(word) ((word) ^ 0x80000000u)
#define FROM_BITS(bits) TO_BITS(bits)
#define FROM_REAL(x) ((int32_t)(((x)-0.5) * 4e9))
#define PAIRS 0
#define NAME(x) x##_int32
#include "sort_keys.inc"
#define PAIRS 1
#define NAME(x) x##_int32_pair
#include "sort_keys.inc"
#undef KEY
#undef BITS
#undef TO_BITS
#undef FROM_BITS
#undef FROM_REAL

#define KEY int64_t
#define BITS uint64_t
#define TO_BITS(word) ((word) ^ 0x8000000000000000u)
#define FROM_BITS(bits) TO_BITS(bits)
#define FROM_REAL(x) ((int64_t)(((x)-0.5) * 1.8e19))
#define PAIRS 0
#define NAME(x) x##_int64
#include "sort_keys.inc"
#define PAIRS 1
#define NAME(x) x##_int64_pair
#include "sort_keys.inc"
#undef KEY
#undef BITS
#undef TO_BITS
#undef FROM_BITS
#undef FROM_REAL

const sort_kernel_table CM_SETS_NAME(sort_kernels) = {
    .keys = {[SORT_DOUBLE] = &kernels_double,
             [SORT_FLOAT] = &kernels_float,
             [SORT_INT32] = &kernels_int32,
             [SORT_INT64] = &kernels_int64},
    .pairs = {[SORT_DOUBLE] = &kernels_double_pair,
              [SORT_FLOAT] = &kernels_float_pair,
              [SORT_INT32] = &kernels_int32_pair,
              [SORT_INT64] = &kernels_int64_pair}};
