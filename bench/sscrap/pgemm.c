/* SPDX-License-Identifier: BSD-3-Clause */
/* pgemm.c: the rate of ScaLAPACK's matrix product (PBLAS).
       mpiexec -n ROWS*COLUMNS pgemm PRECISION ORDER BLOCK ROWS COLUMNS REPEATS
   PRECISION is double or single. Prints the rate in Gflop/s, of the median of the slowest rank's
   times, after it has compared one row of the product with plain sums. */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../scalapack.h"

#define GEMM(name, type)                                                                        \
    void name(const char *transposed_a, const char *transposed_b, const int *m, const int *n,   \
              const int *k, const type *alpha, const type *a, const int *ia, const int *ja,     \
              const int *descriptor_a, const type *b, const int *ib, const int *jb,             \
              const int *descriptor_b, const type *beta, type *c, const int *ic, const int *jc, \
              const int *descriptor_c)
GEMM(pdgemm_, double);
GEMM(psgemm_, float);

typedef struct {
    int n, block, rows, columns, row, column, my_rows, my_columns, lda, descriptor[9];
    bool is_double;
    void *a, *b, *c;
} product;

/* Element i, j of the matrices, from 0: known to every rank. */
static double element(int which, int i, int j)
{
    unsigned long long z = ((unsigned long long)i << 32 | (unsigned)j) * 2 + (unsigned)which;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53 - 0.5;
}

/* The number in the whole matrix of a rank's row or column. */
static int whole(int local, int block, int mine, int processes)
{
    return (local / block * processes + mine) * block + local % block;
}

static void set(const product *p, void *matrix, size_t at, double value)
{
    if (p->is_double) ((double *)matrix)[at] = value;
    else ((float *)matrix)[at] = (float)value;
}

static double get(const product *p, const void *matrix, size_t at)
{
    return p->is_double ? ((const double *)matrix)[at] : (double)((const float *)matrix)[at];
}

static void fill(product *p)
{
    for (int j = 0; j < p->my_columns; j++)
        for (int i = 0; i < p->my_rows; i++) {
            const size_t at = (size_t)j * (size_t)p->lda + (size_t)i;
            const int row = whole(i, p->block, p->row, p->rows);
            const int column = whole(j, p->block, p->column, p->columns);
            set(p, p->a, at, element(0, row, column));
            set(p, p->b, at, element(1, row, column));
        }
}

static void multiply(product *p)
{
    const int one = 1, *d = p->descriptor;
    const double alpha = 1, beta = 0;
    const float single_alpha = 1, single_beta = 0;
    if (p->is_double)
        pdgemm_("N", "N", &p->n, &p->n, &p->n, &alpha, p->a, &one, &one, d, p->b, &one, &one, d,
                &beta, p->c, &one, &one, d);
    else
        psgemm_("N", "N", &p->n, &p->n, &p->n, &single_alpha, p->a, &one, &one, d, p->b, &one, &one,
                d, &single_beta, p->c, &one, &one, d);
}

/* Returns true if the rank's first row of the product is right, where its sums are short. */
static bool right(const product *p)
{
    const double epsilon = p->is_double ? 0x1p-52 : 0x1p-23;
    if (p->my_rows == 0) return true;
    for (int j = 0; j < p->my_columns && j < 16; j++) {
        const int row = whole(0, p->block, p->row, p->rows);
        const int column = whole(j, p->block, p->column, p->columns);
        double sum = 0;
        for (int k = 0; k < p->n; k++) {
            const double x = element(0, row, k), y = element(1, k, column);
            sum += p->is_double ? x * y : (double)(float)x * (double)(float)y;
        }
        const double off = fabs(get(p, p->c, (size_t)j * (size_t)p->lda) - sum);
        if (!(off <= epsilon * p->n)) return false;
    }
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 7)
        return fprintf(stderr, "usage: pgemm PRECISION ORDER BLOCK ROWS COLUMNS REPEATS\n"), 2;
    product p = {.is_double = strcmp(argv[1], "double") == 0,
                 .n = atoi(argv[2]),
                 .block = atoi(argv[3]),
                 .rows = atoi(argv[4]),
                 .columns = atoi(argv[5])};
    const int repeats = atoi(argv[6]), zero = 0;
    int context, info;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", p.rows, p.columns);
    Cblacs_gridinfo(context, &p.rows, &p.columns, &p.row, &p.column);
    p.my_rows = numroc_(&p.n, &p.block, &p.row, &zero, &p.rows);
    p.my_columns = numroc_(&p.n, &p.block, &p.column, &zero, &p.columns);
    p.lda = p.my_rows > 1 ? p.my_rows : 1;
    descinit_(p.descriptor, &p.n, &p.n, &p.block, &p.block, &zero, &zero, &context, &p.lda, &info);
    const size_t bytes = (size_t)p.lda * (size_t)(p.my_columns + 1) * sizeof(double);
    double *took_s = malloc((size_t)repeats * sizeof *took_s);
    p.a = malloc(bytes);
    p.b = malloc(bytes);
    p.c = malloc(bytes);
    if (!p.a || !p.b || !p.c || !took_s || info) MPI_Abort(MPI_COMM_WORLD, 3);
    fill(&p);
    memset(p.c, 0, bytes);
    openblas_set_num_threads(1);
    for (int k = 0; k < repeats; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double took = MPI_Wtime();
        multiply(&p);
        took = MPI_Wtime() - took;
        MPI_Allreduce(&took, &took_s[k], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (!right(&p)) {
        fprintf(stderr, "pgemm: rank %d,%d: the product is wrong\n", p.row, p.column);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    qsort(took_s, (size_t)repeats, sizeof *took_s, ascending);
    if (p.row == 0 && p.column == 0)
        printf("%.3f\n", 2e-9 * p.n * (double)p.n * p.n / took_s[repeats / 2]);
    Cblacs_gridexit(context);
    MPI_Finalize();
    return 0;
}
