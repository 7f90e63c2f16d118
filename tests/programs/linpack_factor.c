/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_factor.c: cm-linpack's factors, pivots and solutions against LAPACK's, element by
   element. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../linpack/linpack_system.h"
#include "../linpack/linpack_verdict.h"
#include "contract.h"
#include "lapack.h"
#include "random.h"

static double *square(int n)
{
    double *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    if (!a) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    return a;
}

static double element(const void *a, size_t k, bool is_float)
{
    return is_float ? (double)((const float *)a)[k] : ((const double *)a)[k];
}

/* The unit lower and the upper triangle of factors. */
static void split(int n, double *lower, double *upper, const void *lu, bool is_float)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            size_t k = (size_t)i + (size_t)j * (size_t)n;
            lower[k] = i > j ? element(lu, k, is_float) : i == j;
            upper[k] = i > j ? 0 : element(lu, k, is_float);
        }
}

static void multiply(int n, const double *a, const double *b, double *c, bool absolute)
{
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            double factor = b[k + (size_t)j * n];
            for (int i = 0; i < n; i++) {
                double term = a[i + (size_t)k * n] * factor;
                c[i + (size_t)j * n] += absolute ? fabs(term) : term;
            }
        }
}

static void invert_lower(int n, const double *lower, double *inverse)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++)
                sum -= lower[i + (size_t)k * n] * inverse[k + (size_t)j * n];
            inverse[i + (size_t)j * n] = i < j ? 0 : sum;
        }
}

static void invert_upper(int n, const double *upper, double *inverse)
{
    for (int j = 0; j < n; j++)
        for (int i = n - 1; i >= 0; i--) {
            double sum = i == j;
            for (int k = i + 1; k <= j; k++)
                sum -= upper[i + (size_t)k * n] * inverse[k + (size_t)j * n];
            inverse[i + (size_t)j * n] = i > j ? 0 : sum / upper[i + (size_t)i * n];
        }
}

static void invert(int n, const double *a, double *inverse)
{
    int *pivots = malloc((size_t)n * sizeof *pivots), info;
    double *work = square(n);
    int elements = n * n;
    memcpy(inverse, a, (size_t)n * (size_t)n * sizeof *a);
    dgetrf_(&n, &n, inverse, &n, pivots, &info);
    dgetri_(&n, inverse, &n, pivots, work, &elements, &info);
    free(pivots), free(work);
}

/* With more ranks than cores an MPI that spins takes 10 ms and more a collective: fewer orders
   and ways then. */
static bool slow;

/* depth: of the look-ahead; < 0: classic. columns: of the grid; 1: only rows are dealt out; 0: as
   many as ranks. */
typedef struct {
    const char *name;
    int nb, depth, slices, block, columns;
    bool roll;
    cm_algorithm broadcast;
} tried_way;
#define WAY(name, nb, depth, slices, block, columns)                        \
    {                                                                       \
        name, nb, depth, slices, block, columns, false, { CM_KIND_AUTO, 0 } \
    }
static const tried_way ways[] = {
    WAY("classic", 1, -1, 1, 1, 1),
    WAY("blocked", 8, 0, 1, 1, 1),
    WAY("columns", 8, 1, 1, 1, 0),
    WAY("grid, two ahead", 8, 2, 1, 1, 2),
    WAY("grid, wider", 3, 1, 1, 1, 3),
    WAY("grid", 8, 1, 1, 1, 2),
    WAY("grid, wider, two ahead", 3, 2, 1, 1, 3),
    WAY("classic, 3 rows a block", 1, -1, 1, 3, 1),
    WAY("blocked, look-ahead", 8, 1, 3, 1, 1),
    WAY("blocked, look-ahead, odd", 5, 1, 2, 4, 1),
    WAY("blocked, two ahead", 8, 2, 3, 1, 1),
    WAY("blocked, three ahead, odd", 5, 3, 2, 4, 1),
    WAY("one panel", 128, 1, 2, 1, 1),
    WAY("columns, odd", 5, 1, 2, 3, 0),
    WAY("columns, no look-ahead", 5, 0, 2, 1, 0),
    WAY("columns, two ahead", 5, 2, 1, 1, 0),
    WAY("columns, four ahead, odd", 5, 4, 3, 3, 0),
    WAY("one panel of several columns", 128, 1, 2, 1, 0),
    WAY("grid, slices, odd", 5, 1, 3, 4, 2),
    WAY("grid, no look-ahead", 5, 0, 1, 1, 2),
    WAY("grid, three ahead, odd", 5, 3, 3, 4, 2),
    WAY("grid, all panels ahead", 3, 64, 1, 1, 3),
    {"rows of U go round", 5, 1, 3, 1, 1, true, {CM_KIND_AUTO, 0}},
    {"grid, rows of U go round", 3, 1, 2, 1, 2, true, {CM_KIND_AUTO, 0}},
    {"grid, rows of U go round, two ahead", 3, 2, 2, 1, 2, true, {CM_KIND_AUTO, 0}},
    {"columns, panels in a ring", 5, 1, 2, 1, 0, false, {CM_KIND_CHAIN, 256}},
    {"columns, two panels in a ring", 5, 2, 2, 1, 0, false, {CM_KIND_CHAIN, 256}},
    {"columns, panels spread and rolled", 5, 1, 2, 1, 0, false, {CM_KIND_SCATTER_ALLGATHER, 0}},
    WAY("columns, single ones", 1, 1, 1, 1, 0),
    WAY("columns, single ones, two ahead", 1, 2, 1, 1, 0),
    WAY(NULL, 0, 0, 0, 0, 0),
};

/* Those of a tournament. */
static const tried_way tournaments[] = {
    WAY("rows", 8, 0, 1, 1, 1),
    WAY("rows, single columns", 1, 0, 1, 1, 1),
    WAY("columns", 8, 1, 1, 1, 0),
    WAY("grid, two ahead", 8, 2, 1, 1, 2),
    WAY("grid, wider", 3, 1, 1, 1, 3),
    WAY("grid", 8, 1, 1, 1, 2),
    WAY("rows, look-ahead", 8, 1, 3, 1, 1),
    WAY("rows, look-ahead, odd", 5, 1, 2, 4, 1),
    WAY("rows, two ahead", 5, 2, 2, 4, 1),
    WAY("one panel", 128, 1, 2, 1, 1),
    WAY("grid, no look-ahead", 5, 0, 1, 1, 2),
    WAY("grid, slices, odd", 5, 1, 3, 4, 2),
    WAY("grid, three ahead, odd", 5, 3, 3, 4, 2),
    {"grid, rows of U go round", 3, 1, 2, 1, 2, true, {CM_KIND_AUTO, 0}},
    WAY(NULL, 0, 0, 0, 0, 0),
};

typedef enum { RANDOM, DOMINANT, PERMUTED, NEARLY_SINGULAR, GROWTH, KINDS } matrix_kind;
static const char *const kinds[KINDS] = {"random", "diagonally dominant", "permuted identity",
                                         "nearly singular", "growth"};

/* A grid must be possible with this number of ranks, and not be one of the other ways. Which rows
   are exchanged and how the matrix is dealt out have nothing to do with each other, and both
   precisions are one source: above order 5 random matrices in single precision take every way, and
   all others share them, a third each. */
static bool is_run(const tried_way *way, size_t k, matrix_kind kind, int n, bool is_double)
{
    const int ranks = cm_size(cm_world());
    if (slow && k > 4) return false;
    if (n > 5 && (is_double || kind != RANDOM) && k % 3 != (size_t)kind % 3) return false;
    if (way->columns == 0) return ranks > 1;
    return way->columns == 1 || (ranks > way->columns && ranks % way->columns == 0);
}

static linpack_layout layout_of_way(const tried_way *way, int n)
{
    const int columns = way->columns ? way->columns : cm_size(cm_world());
    linpack_layout map = columns == 1
                             ? linpack_layout_of(cm_world(), n, way->block)
                             : linpack_grid_of(cm_world(), columns, n, way->block, way->nb);
    map.broadcast = way->broadcast;
    if (way->roll) linpack_roll(&map);
    return map;
}

#define REAL float
#define NAME(name) single_##name
#define SOLVER(name) linpack_single_##name
#define GETRF sgetrf_
#define GETRS sgetrs_
#define UNIT_ROUNDOFF (FLT_EPSILON / 2)
#include "linpack_factor.inc"
#include "linpack_tournament.inc"
#undef REAL
#undef NAME
#undef SOLVER
#undef GETRF
#undef GETRS
#undef UNIT_ROUNDOFF
#define REAL double
#define NAME(name) double_##name
#define SOLVER(name) linpack_double_##name
#define GETRF dgetrf_
#define GETRS dgetrs_
#define UNIT_ROUNDOFF (DBL_EPSILON / 2)
#include "linpack_factor.inc"
#include "linpack_tournament.inc"

static void fill_matrix(matrix_kind kind, int n, double *a, double *b)
{
    uint64_t state = 1 + (uint64_t)n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double value = random_uniform(&state) - 0.5;
            switch (kind) {
            case RANDOM:
                break;
            case DOMINANT:
                if (i == j) value += n;
                break;
            /* A permutation if 7 and n have no common factor, as for the orders below; otherwise
               rows repeat. */
            case PERMUTED:
                value = (7 * i + 3) % n == j;
                break;
            /* Wilkinson's, whose last column doubles in every step. */
            case GROWTH:
                value = i == j || j == n - 1 ? 1 : i > j ? -1 : 0;
                break;
            /* The last column is almost the sum of the first two. */
            default:
                if (n > 2 && j == n - 1) value = a[i] + a[i + (size_t)n] + 1e-3 * value;
            }
            a[i + (size_t)j * n] = value;
        }
    for (int i = 0; i < n; i++) b[i] = random_uniform(&state) - 0.5;
}

/* A sparse matrix that rank 0 alone has in a file. */
static void check_file(int n)
{
    char path[64];
    double *a = square(n), *b = square(n), *row = square(n);
    int wrong = 0;
    linpack_matrix matrix = {.kind = LINPACK_RANDOM};
    fill_matrix(RANDOM, n, a, b);
    for (int k = 0; k < n * n; k++)
        if (k / n != k % n && k % 3) a[k] = 0;
    snprintf(path, sizeof path, "linpack_factor.%ld.mtx", (long)getpid());
    if (rank == 0) {
        FILE *file = fopen(path, "w");
        if (!file) cm_abort(CM_EXIT_SYSTEM, "cannot write %s", path);
        fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", n, n, n * n);
        for (int k = 0; k < n * n; k++) fprintf(file, "%d %d %.17g\n", k % n + 1, k / n + 1, a[k]);
        fclose(file);
    }
    linpack_market_read(path, DBL_MAX, &matrix);
    if (rank == 0) unlink(path);
    point("a file of order %d", n);
    EXPECT(matrix.order == n, "order %d", matrix.order);
    for (int i = 0; i < n; i++) {
        linpack_matrix_row(&matrix, i + 1, row);
        for (int j = 0; j < n; j++) {
            wrong += row[j] != a[i + (size_t)j * (size_t)n];
            a[i + (size_t)j * (size_t)n] = row[j];
        }
    }
    EXPECT(wrong == 0, "%d elements differ", wrong);
    single_check_matrix("from a file", RANDOM, n, a, b);
    linpack_matrix_free(&matrix);
    free(a), free(b), free(row);
}

int main(int argc, char **argv)
{
    /* 57 columns are dealt out to seven ranks twice, eight at a time, with one that is left. */
    static const int orders[] = {1, 2, 5, 16, 33, 57};
    contract_start(&argc, &argv);
    slow = oversubscribed() && cm_comm_has(CM_HAS_NATIVE);
    cm_blas_threads(1);
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        int n = orders[k];
        double *a = square(n), *b = square(n);
        for (int kind = 0; kind < KINDS; kind++) {
            /* For larger orders the growth of 2^(n-1) leaves no digit of single precision. */
            if (kind == GROWTH && n > 16) continue;
            if (slow && (n == 1 || n > 16 || (n == 16 && kind != RANDOM))) continue;
            fill_matrix((matrix_kind)kind, n, a, b);
            single_check_matrix(kinds[kind], (matrix_kind)kind, n, a, b);
            if (!slow || n == 16) single_check_tournament((matrix_kind)kind, n, a, b);
            if (n != 33 && n != 5) continue;
            double_check_matrix(kinds[kind], (matrix_kind)kind, n, a, b);
            if (!slow) double_check_tournament((matrix_kind)kind, n, a, b);
        }
        free(a), free(b);
    }
    check_file(slow ? 5 : 20);
    single_check_singular(20, 1);
    single_check_singular(20, 13);
    single_check_singular(1, 1);
    double_check_singular(9, 9);
    return contract_done();
}
