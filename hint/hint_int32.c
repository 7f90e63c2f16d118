/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_int32.c: HINT's kernels in 32-bit integers: whole numbers of 31 bits, and a sign. */
#define HINT(name) hint_int32_##name
#define HINT_REAL 0
#define HINT_BITS 32
#define value int32_t
#define HINT_UNSIGNED uint32_t
#define HINT_FLOATING float
#define HINT_KEPT_BITS 32
#define kept int32_t
#define total uint32_t
#include "hint_kernels.h"
