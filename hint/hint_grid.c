/* SPDX-License-Identifier: BSD-3-Clause */
/* hint_grid.c: data types, their grids, how ranks share them, and whether bounds enclose the
   area. */
#include "config.h"
#include <float.h>
#include <math.h>
#include "hint.h"
#include "machine/sets.h"

const char *const hint_type_names[] = {"double", "float", "int32", "int64", "longdouble",
                                       "int16",  "int8",  "all",   NULL};
const char *const hint_kernel_names[] = {"classic", "lean", "wide", "original", "all", NULL};
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
    {LDBL_MANT_DIG < 64 ? LDBL_MANT_DIG : 64, {NULL}}, /* a count of squares has 64 bits */
    {15, {NULL}},
    {7, {NULL}},
};

const hint_kernel *hint_kernel_of(hint_type type, hint_kernel_kind kind)
{
    static const hint_kernel none = {NULL, NULL, 0};
    if (kind == HINT_ORIGINAL) return &hint_original_kernels[type];
    hint_kernel_list *kernels = types[type].kernels[cm_set_chosen()];
    return kernels ? &(*kernels)[kind] : &none;
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

double hint_squares(const hint_work *work) { return ldexp((double)work->columns, work->rows_log2); }

double hint_quality(double squares, const hint_bounds *bounds)
{
    return squares / (double)(bounds->upper - bounds->lower);
}

/* Returns the upper 64 bits of a product. */
static uint64_t high_product(uint64_t a, uint64_t b)
{
    const uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    const uint64_t low = a_low * b_low, one = a_high * b_low, other = a_low * b_high;
    const uint64_t carry = (low >> 32) + (uint32_t)one + (uint32_t)other;
    return a_high * b_high + (one >> 32) + (other >> 32) + (carry >> 32);
}

static const uint64_t area_bits = 0x62e42fefa39ef357; /* the whole part of 2^64 (2 ln 2 - 1) */

/* Returns the whole part of the area in squares, of which there are fewer than 2^64. */
static uint64_t whole_area(uint64_t squares)
{
    /* 2 ln 2 - 1 times 2^128. The area in squares is irrational, so it lies above its whole part.
       The remainders of the products cannot carry it to the next whole number: they would have to
       come within 2^-64 of it. */
    const uint64_t second = 0x93c7673007e5ed5e;
    const uint64_t low = squares * area_bits, more = high_product(squares, second);
    return high_product(squares, area_bits) + (low + more < low);
}

bool hint_encloses(double squares, const hint_bounds *bounds)
{
    const uint64_t whole = squares < 0x1p64 ? whole_area((uint64_t)squares) : area_bits;
    return bounds->lower <= whole && bounds->upper > whole;
}
