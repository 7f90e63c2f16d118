/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_kernel.h: the arguments and results of a kernel. hint_kernels.h defines macros with common
   names, so it includes no other header. */
#ifndef HINT_KERNEL_H
#define HINT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every kernel computes in the first four, which --type all means; original in all seven. */
typedef enum {
    HINT_DOUBLE,
    HINT_FLOAT,
    HINT_INT32,
    HINT_INT64,
    HINT_LONG_DOUBLE,
    HINT_INT16,
    HINT_INT8,
    HINT_TYPES
} hint_type;
enum { HINT_COMMON_TYPES = HINT_LONG_DOUBLE };
typedef enum { HINT_CLASSIC, HINT_LEAN, HINT_WIDE, HINT_ORIGINAL, HINT_KERNELS } hint_kernel_kind;

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
    int vector_bits; /* of a vector of subintervals; 0: one at a time */
} hint_kernel;

/* Those of a data type. Each instruction set has its own (machine/sets.h). */
typedef const hint_kernel hint_kernel_list[HINT_KERNELS];
extern const hint_kernel hint_original_kernels[HINT_TYPES];
/* Returns the memory that the original prints for n subintervals: one entry of each queue for a
   subinterval, although there is room for two. */
int64_t hint_original_printed_bytes(hint_type type, int64_t n);

#endif
