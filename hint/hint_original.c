/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_original.c: the kernel original for each data type. */
#include "hint_kernel.h"

#define HINT(name) hint_original_double_##name
#define value double
#include "hint_original.h"
#undef HINT
#undef value

#define HINT(name) hint_original_float_##name
#define value float
#include "hint_original.h"
#undef HINT
#undef value

#define HINT(name) hint_original_int32_##name
#define value int32_t
#include "hint_original.h"
#undef HINT
#undef value

#define HINT(name) hint_original_int64_##name
#define value int64_t
#include "hint_original.h"
#undef HINT
#undef value

#define HINT(name) hint_original_longdouble_##name
#define value long double
#include "hint_original.h"
#undef HINT
#undef value

#define HINT(name) hint_original_int16_##name
#define value int16_t
#include "hint_original.h"
#undef HINT
#undef value

#define HINT(name) hint_original_int8_##name
#define value int8_t
#include "hint_original.h"
#undef HINT
#undef value

#define KERNEL(type)                                                     \
    {                                                                    \
        hint_original_##type##_original, hint_original_##type##_bytes, 0 \
    }
const hint_kernel hint_original_kernels[HINT_TYPES] = {
    [HINT_DOUBLE] = KERNEL(double),
    [HINT_FLOAT] = KERNEL(float),
    [HINT_INT32] = KERNEL(int32),
    [HINT_INT64] = KERNEL(int64),
    [HINT_LONG_DOUBLE] = KERNEL(longdouble),
    [HINT_INT16] = KERNEL(int16),
    [HINT_INT8] = KERNEL(int8),
};

int64_t hint_original_printed_bytes(hint_type type, int64_t n)
{
    static const size_t bytes[HINT_TYPES] = {
        [HINT_DOUBLE] = sizeof(double),
        [HINT_FLOAT] = sizeof(float),
        [HINT_INT32] = sizeof(int32_t),
        [HINT_INT64] = sizeof(int64_t),
        [HINT_LONG_DOUBLE] = sizeof(long double),
        [HINT_INT16] = sizeof(int16_t),
        [HINT_INT8] = sizeof(int8_t),
    };
    return n * (int64_t)(10 * bytes[type] + sizeof(int64_t));
}
