/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_matrix.c: matrices of which each rank makes its own rows; the same for any number of
   ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_matrix.h"
#include "linpack_solvers.h"
#include "random/random.h"

const char *const linpack_generators[] = {
    [LINPACK_RANDOM] = "random",       [LINPACK_MATGEN] = "linpack",  [LINPACK_HPL] = "hpl",
    [LINPACK_WILKINSON] = "wilkinson", [LINPACK_WRIGHT] = "wright",   [LINPACK_FOSTER] = "foster",
    [LINPACK_KAHAN] = "kahan",         [LINPACK_HILBERT] = "hilbert", [LINPACK_GRADED] = "graded",
    [LINPACK_HUGE] = "huge",           [LINPACK_MXP] = "hpl-mxp",     [LINPACK_MXP + 1] = NULL};

/* Hashes row and column with splitmix64: any element without those before it, and no relation
   between columns, which a linear congruential sequence has if the order is a power of two.
   Uniform in (-1/2, 1/2). */
static inline double uniform(uint64_t seed, uint64_t row, uint64_t column)
{
    uint64_t z = cm_random_word(0, seed + (column << 32 | row));
    return ((double)(int64_t)(z >> 11) + 0.5) * 0x1p-53 - 0.5;
}

/* matgen of LINPACK's benchmark: the k-th number is 1325 * 3125^k mod 65536, column after
   column. */
enum { MATGEN_START = 1325, MATGEN_FACTOR = 3125, MATGEN_MODULUS = 65536, MATGEN_PERIOD = 16384 };

static uint32_t power(uint32_t base, uint64_t exponent)
{
    uint32_t result = 1;
    for (exponent %= MATGEN_PERIOD; exponent; exponent >>= 1, base = base * base % MATGEN_MODULUS)
        if (exponent & 1) result = result * base % MATGEN_MODULUS;
    return result;
}

static void matgen_part(int order, int row, int first, int count, double *a)
{
    uint32_t step = power(MATGEN_FACTOR, (uint64_t)order);
    uint64_t before = (uint64_t)row + (uint64_t)first * (uint64_t)order;
    uint32_t number = MATGEN_START * power(MATGEN_FACTOR, before) % MATGEN_MODULUS;
    for (int j = 0; j < count; j++) {
        a[j] = ((double)number - 32768) / 16384;
        number = number * step % MATGEN_MODULUS;
    }
}

bool linpack_matgen_repeats(int order)
{
    int common = MATGEN_PERIOD;
    while (order % common) common /= 2;
    return MATGEN_PERIOD / common < order;
}

static void round_to_single(double *a, int n)
{
    for (int j = 0; j < n; j++) a[j] = (double)(float)a[j];
}

static void file_part(const linpack_matrix *matrix, int row, int first, int count, double *a)
{
    memset(a, 0, (size_t)count * sizeof *a);
    for (int64_t k = matrix->row_start[row - 1]; k < matrix->row_start[row]; k++) {
        const int j = matrix->column[k] - first;
        if (j >= 0 && j < count) a[j] += matrix->value[k];
    }
}

/* HPL-MxP's matrix: each element of the diagonal is the sum of the absolute values of all others of
   its row, so that no pivoting is needed (its rules, and matgen of its reference code). */
static double dominant(const linpack_matrix *matrix, int row)
{
    double sum = 0;
    for (int j = 0; j < matrix->order; j++)
        if (j != row - 1) sum += fabs(uniform(matrix->seed, (uint64_t)row, (uint64_t)j));
    return sum;
}

static void random_part(const linpack_matrix *matrix, int row, int first, int count, double *a)
{
    for (int j = 0; j < count; j++) {
        a[j] = uniform(matrix->seed, (uint64_t)row, (uint64_t)(first + j));
        if (matrix->kind != LINPACK_RANDOM && matrix->kind != LINPACK_MXP)
            a[j] = linpack_hard_element(matrix->kind, matrix->order, row, first + j + 1, a[j]);
    }
    const int diagonal = row - 1 - first;
    if (matrix->kind == LINPACK_MXP && diagonal >= 0 && diagonal < count)
        a[diagonal] = dominant(matrix, row);
}

void linpack_matrix_part(const linpack_matrix *matrix, int row, int first, int count, double *a)
{
    if (matrix->row_start) file_part(matrix, row, first, count, a);
    else if (matrix->kind == LINPACK_MATGEN) matgen_part(matrix->order, row, first, count, a);
    else if (matrix->kind == LINPACK_HPL) linpack_hpl_part(matrix->order, row, first, count, a);
    else random_part(matrix, row, first, count, a);
    if (matrix->single) round_to_single(a, count);
}

void linpack_matrix_row(const linpack_matrix *matrix, int row, double *a)
{
    linpack_matrix_part(matrix, row, 0, matrix->order, a);
}

/* With matgen's matrix the right-hand side is the sum of the row, so that the solution is all ones.
   Otherwise it is one more column, as in HPL. */
double linpack_matrix_right(const linpack_matrix *matrix, int row)
{
    double right = 0;
    if (matrix->kind == LINPACK_MATGEN && !matrix->row_start) {
        double *a = linpack_allocate((size_t)matrix->order, sizeof *a, "a row");
        matgen_part(matrix->order, row, 0, matrix->order, a);
        for (int j = 0; j < matrix->order; j++) right += a[j];
        free(a);
    } else if (matrix->kind == LINPACK_HPL && !matrix->row_start) {
        linpack_hpl_part(matrix->order, row, matrix->order, 1, &right);
    } else {
        right = uniform(matrix->seed, (uint64_t)row, UINT32_MAX);
    }
    return matrix->single ? (double)(float)right : right;
}

void linpack_matrix_free(linpack_matrix *matrix)
{
    free(matrix->row_start), free(matrix->column), free(matrix->value);
    matrix->row_start = NULL, matrix->column = NULL, matrix->value = NULL;
}
