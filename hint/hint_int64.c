/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_int64.c: HINT's kernels in 64-bit integers: whole numbers of 63 bits, and a sign. */
#define HINT(name) hint_int64_##name
#define HINT_REAL 0
#define HINT_BITS 64
#define value int64_t
#define HINT_UNSIGNED uint64_t
#define HINT_FLOATING double
#define HINT_KEPT_BITS 64
#define kept int64_t
#define total uint64_t
#include "hint_kernels.h"
