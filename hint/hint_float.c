/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_float.c: HINT's kernels in single precision: whole numbers up to 2^24. */
#define HINT(name) hint_float_##name
#define HINT_REAL 1
#define HINT_BITS 32
#define value float
#define HINT_KEPT_BITS 32
#define kept float
#define total float
#include "hint_kernels.h"
