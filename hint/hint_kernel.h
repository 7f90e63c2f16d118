/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_kernel.h: the arguments and results of a kernel. hint_kernels.h defines macros with common
   names, so it includes no other header. */
#ifndef HINT_KERNEL_H
#define HINT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { HINT_DOUBLE, HINT_FLOAT, HINT_INT32, HINT_INT64, HINT_TYPES } hint_type;
typedef enum { HINT_CLASSIC, HINT_LEAN, HINT_WIDE, HINT_KERNELS } hint_kernel_kind;

/* The part of the grid that one rank refines: `strips` intervals, the columns of each a power of
   two. The first begins at column `first`, each further one `stride` columns after the last. */
typedef struct {
    int64_t columns; /* of the grid */
    int rows_log2;
    int strips;
    int64_t width, first, stride;
} hint_work;

/* Areas in squares of the grid. subintervals is less than n if no error is left. */
typedef struct {
    uint64_t lower, upper;
    int64_t subintervals;
} hint_bounds;

typedef struct {
    /* Refines to n >= strips subintervals in `bytes(n)` bytes of memory, aligned as malloc does. */
    void (*refine)(const hint_work *work, int64_t n, void *memory, hint_bounds *bounds);
    size_t (*bytes)(int64_t n);
} hint_kernel;

/* Those of a data type. Each instruction set has its own (machine/sets.h). */
typedef const hint_kernel hint_kernel_list[HINT_KERNELS];

#endif
