/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_grid.c: data types, their grids, how ranks share them, and whether bounds enclose the
   area. */
#include "config.h"
#include "hint.h"
#include "machine/sets.h"

const char *const hint_type_names[] = {"double", "float", "int32", "int64", "all", NULL};
const char *const hint_kernel_names[] = {"classic", "lean", "wide", "all", NULL};
const double hint_area = 0.38629436111989061883;

CM_SETS_DECLARE(hint_kernel_list, hint_double_kernels);
CM_SETS_DECLARE(hint_kernel_list, hint_float_kernels);
CM_SETS_DECLARE(hint_kernel_list, hint_int32_kernels);
CM_SETS_DECLARE(hint_kernel_list, hint_int64_kernels);
static const struct {
    int bits;
    hint_kernel_list *kernels[CM_SETS];
} types[HINT_TYPES] = {
    {53, CM_SETS_TABLE(hint_double_kernels)},
    {24, CM_SETS_TABLE(hint_float_kernels)},
    {31, CM_SETS_TABLE(hint_int32_kernels)},
    {63, CM_SETS_TABLE(hint_int64_kernels)},
};

const hint_kernel *hint_kernel_of(hint_type type, hint_kernel_kind kind)
{
    return &(*types[type].kernels[cm_set_chosen()])[kind];
}

hint_work hint_work_alone(hint_type type)
{
    int64_t columns = (int64_t)1 << types[type].bits / 2;
    return (hint_work){.columns = columns,
                       .rows_log2 = types[type].bits - types[type].bits / 2,
                       .strips = 1,
                       .width = columns};
}

bool hint_work_scattered(hint_type type, int ranks, int rank, hint_work *work)
{
    const int64_t strips = (int64_t)HINT_STRIPS * ranks;
    hint_work whole = hint_work_alone(type);
    int64_t width = 1;
    while (width * 2 <= whole.columns / strips) width *= 2;
    if (width < 2 || width * strips > whole.columns) return false;
    *work = (hint_work){.columns = width * strips,
                        .rows_log2 = whole.rows_log2,
                        .strips = HINT_STRIPS,
                        .width = width,
                        .first = rank * width,
                        .stride = ranks * width};
    return true;
}

int64_t hint_share(int64_t n, int ranks, int rank) { return n / ranks + (rank < n % ranks); }

uint64_t hint_squares(const hint_work *work) { return (uint64_t)work->columns << work->rows_log2; }

double hint_quality(uint64_t squares, const hint_bounds *bounds)
{
    return (double)squares / (double)(bounds->upper - bounds->lower);
}

/* Returns the upper 64 bits of a product. */
static uint64_t high_product(uint64_t a, uint64_t b)
{
    const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    const uint64_t low = a_low * b_low, one = a_high * b_low, other = a_low * b_high;
    const uint64_t carry = (low >> 32) + (uint32_t)one + (uint32_t)other;
    return a_high * b_high + (one >> 32) + (other >> 32) + (carry >> 32);
}

bool hint_encloses(uint64_t squares, const hint_bounds *bounds)
{
    /* 2 ln 2 - 1 times 2^128. The area in squares is irrational, so it lies above its whole part.
       The remainders of the products cannot carry it to the next whole number: they would have to
       come within 2^-64 of it. */
    const uint64_t first = 0x62e42fefa39ef357, second = 0x93c7673007e5ed5e;
    const uint64_t low = squares * first, more = high_product(squares, second);
    const uint64_t whole = high_product(squares, first) + (low + more < low);
    return bounds->lower <= whole && bounds->upper > whole;
}
