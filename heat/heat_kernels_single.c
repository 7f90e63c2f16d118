/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_kernels_single.c: the kernels in single precision. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "heat_kernels.h"
#include "machine/sets.h"
#include "memory/vector.h"

typedef float real;
typedef cm_vector_float vector;
typedef cm_vector_float_any vector_any;
typedef int32_t lanes __attribute__((vector_size(CM_VECTOR_BYTES)));
#define NUMBER_BYTES 4
#define store_past cm_vector_store_past_float
#define PRECISION HEAT_SINGLE

#include "heat_kernels.inc"

const heat_kernels CM_SETS_NAME(heat_kernels_single) = KERNELS;
