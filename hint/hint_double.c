/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_double.c: HINT's kernels in double precision: whole numbers up to 2^53. */
#define HINT(name) hint_double_##name
#define HINT_REAL 1
#define HINT_BITS 64
#define value double
#define HINT_KEPT_BITS 32
#define kept int32_t
#define total double
#include "hint_kernels.h"
