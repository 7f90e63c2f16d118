/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_kernels_double.c: the kernels in double precision. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "heat_kernels.h"
#include "machine/sets.h"
#include "memory/vector.h"

typedef double real;
typedef cm_vector_double vector;
typedef cm_vector_double_any vector_any;
typedef int64_t lanes __attribute__((vector_size(CM_VECTOR_BYTES)));
#define NUMBER_BYTES 8
#define store_past cm_vector_store_past_double
#define PRECISION HEAT_DOUBLE

#include "heat_kernels.inc"

const heat_kernels CM_SETS_NAME(heat_kernels_double) = KERNELS;
