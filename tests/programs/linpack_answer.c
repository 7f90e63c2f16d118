/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_answer.c: what cm-linpack says about an answer: residuals, growth and condition
   against plain loops and LAPACK's inverse, on all ranks. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "../linpack/linpack_verify.h"
#include "contract.h"
#include "lapack.h"

static double *numbers(size_t n) { return linpack_allocate(n, sizeof(double), "a test"); }

/* a(i, j) = a[i + j n]; the right-hand side in b. */
static void whole(const linpack_matrix *matrix, double *a, double *b)
{
    int n = matrix->order;
    double *row = numbers((size_t)n);
    for (int i = 0; i < n; i++) {
        linpack_matrix_row(matrix, i + 1, row);
        for (int j = 0; j < n; j++) a[i + (size_t)j * (size_t)n] = row[j];
        b[i] = linpack_matrix_right(matrix, i + 1);
    }
    free(row);
}

static double norm_1(int n, const double *a)
{
    double largest = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(a[i + (size_t)j * (size_t)n]);
        largest = fmax(largest, sum);
    }
    return largest;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-12 * fabs(b); }

static void check_residual(const linpack_layout *map, const linpack_matrix *matrix, const double *a,
                           const double *b, const double *x, const char *what)
{
    int n = map->order;
    double r = 0, a_infinity = 0, a_max = 0, b_max = 0, x_max = 0;
    for (int i = 0; i < n; i++) {
        double rest = b[i], sum = 0;
        for (int j = 0; j < n; j++) {
            double element = a[i + (size_t)j * (size_t)n];
            rest -= element * x[j];
            sum += fabs(element);
            a_max = fmax(a_max, fabs(element));
        }
        r = fmax(r, fabs(rest));
        a_infinity = fmax(a_infinity, sum);
        b_max = fmax(b_max, fabs(b[i]));
        x_max = fmax(x_max, fabs(x[i]));
    }
    linpack_residual got = linpack_verify(map, matrix, x, FLT_EPSILON);
    double hpl = r / (FLT_EPSILON / 2 * (a_infinity * x_max + b_max) * n);
    double linpack = r / (n * a_max * x_max * FLT_EPSILON);
    EXPECT(fabs(got.residual - r) <= 1e-12 * (a_infinity * x_max + b_max), "%s: %g, not %g", what,
           got.residual, r);
    EXPECT(near(got.a_infinity, a_infinity) && near(got.a_max, a_max) && near(got.b_max, b_max)
               && near(got.x_max, x_max),
           "%s: norms", what);
    EXPECT(fabs(got.hpl - hpl) <= 1e-4 && fabs(got.linpack - linpack) <= 1e-3,
           "%s: scaled %g %g, not %g %g", what, got.hpl, got.linpack, hpl, linpack);
}

static void check_order(int n, int nb, int columns)
{
    linpack_matrix matrix = {.kind = LINPACK_RANDOM, .order = n, .seed = 5};
    const linpack_layout rows = linpack_layout_of(cm_world(), n, 1);
    linpack_layout map = columns > 1 ? linpack_grid_of(cm_world(), columns, n, 1, nb) : rows;
    const linpack_solvers *solvers = linpack_solvers_of(LINPACK_DOUBLE);
    size_t elements = (size_t)n * (size_t)n;
    double *a = numbers(elements), *b = numbers((size_t)n), *x = numbers((size_t)n),
           *work = numbers(elements), *row = numbers((size_t)n);
    double *local = numbers((size_t)map.ld * (size_t)(map.rows + 1));
    double *diagonal = numbers(linpack_diagonal_elements(n, nb));
    int *pivots = linpack_allocate((size_t)n, sizeof *pivots, "a test"), failed = -1, info,
        count = n * n;
    linpack_spent spent = {0};
    point("order %d, panels of %d, grid %dx%d", n, nb, map.ranks, columns);
    whole(&matrix, a, b);
    for (int l = 1; l <= map.rows; l++) {
        linpack_matrix_row(&matrix, linpack_global_row(&map, l), row);
        for (int c = 1; c <= map.columns; c++)
            local[(size_t)(l - 1) * (size_t)map.ld + (size_t)c - 1] =
                row[linpack_global_column(&map, c) - 1];
    }
    solvers->blocked(&map, nb, 1, 2, local, diagonal, pivots, &failed, &spent);
    EXPECT(failed == 0, "column %d", failed);

    memcpy(x, b, (size_t)n * sizeof *x);
    solvers->solve(&map, nb, local, diagonal, pivots, false, x);
    check_residual(&rows, &matrix, a, b, x, "a solution");
    EXPECT(linpack_verify(&rows, &matrix, x, DBL_EPSILON).hpl < 16, "it is not accepted");
    x[n / 2] += 1e-6 * (1 + fabs(x[n / 2]));
    check_residual(&rows, &matrix, a, b, x, "none");
    EXPECT(linpack_verify(&rows, &matrix, x, DBL_EPSILON).hpl > 16, "a wrong one is accepted");
    x[n / 2] = NAN;
    EXPECT(!(linpack_verify(&rows, &matrix, x, DBL_EPSILON).hpl <= 16),
           "and one that is no number");

    /* A^T x = b. */
    double worst = 0;
    memcpy(x, b, (size_t)n * sizeof *x);
    solvers->solve(&map, nb, local, diagonal, pivots, true, x);
    for (int j = 0; j < n; j++) {
        double rest = b[j], size = fabs(b[j]);
        for (int i = 0; i < n; i++) {
            rest -= a[i + (size_t)j * (size_t)n] * x[i];
            size += fabs(a[i + (size_t)j * (size_t)n] * x[i]);
        }
        worst = fmax(worst, fabs(rest) / (DBL_EPSILON * size * n));
    }
    EXPECT(worst <= 16, "with the transposed matrix: %g", worst);

    double growth = linpack_growth(&map, solvers, local, 1);
    memcpy(work, a, elements * sizeof *work);
    dgetrf_(&n, &n, work, &n, pivots, &info);
    double largest = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) largest = fmax(largest, fabs(work[i + (size_t)j * (size_t)n]));
    EXPECT(fabs(growth - largest) <= 1e-9 * largest, "growth %g, not %g", growth, largest);

    /* An estimate from below, seldom below a third (Higham 1988). The pivots are LAPACK's, as
       they should be. */
    double estimate = linpack_condition(&map, &matrix, solvers, nb, local, diagonal, pivots);
    double *inverse = work, *space = numbers(elements);
    dgetri_(&n, inverse, &n, pivots, space, &count, &info);
    double exact = norm_1(n, a) * norm_1(n, inverse);
    EXPECT(estimate <= exact * (1 + 1e-9) && estimate >= exact / 3, "condition %g, not %g",
           estimate, exact);
    free(a), free(b), free(x), free(work), free(local), free(diagonal), free(pivots), free(space),
        free(row);
    linpack_grid_free(&map);
}

/* Rows that are 2^30 elements apart, of which few pages are ever touched: no index of the solvers
   or of the BLAS is one of 32 bits. */
static void check_long_rows(int n, int nb, int columns)
{
    const linpack_matrix matrix = {.kind = LINPACK_RANDOM, .order = n, .seed = 9};
    const linpack_solvers *solvers = linpack_solvers_of(LINPACK_DOUBLE);
    linpack_layout map = nb == 1 ? linpack_layout_of(cm_world(), n, 1)
                                 : linpack_grid_of(cm_world(), columns, n, 1, nb);
    const int ld[] = {map.ld, 1 << 30};
    double *a[2], *x[2];
    point("order %d, panels of %d, grid %dx%d, rows of 2^30", n, nb, map.ranks, map.grid_columns);
    for (int which = 0; which < 2; which++) {
        const size_t bytes = (size_t)ld[which] * (size_t)(map.rows + 1) * sizeof(double);
        a[which] = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        int here = a[which] != MAP_FAILED, failed = 0;
        cm_allreduce(cm_world(), &here, &here, 1, CM_INT32, CM_MIN, CM_AUTO);
        x[which] = numbers((size_t)n);
        if (!here) {
            if (rank == 0) printf("# no address space of %zu bytes\n", bytes);
            if (a[which] != MAP_FAILED) munmap(a[which], bytes);
            memcpy(x[which], x[0], (size_t)n * sizeof **x);
            continue;
        }
        double *diagonal = numbers(linpack_diagonal_elements(n, nb));
        int *pivots = linpack_allocate((size_t)n, sizeof *pivots, "a test");
        linpack_spent spent = {0};
        map.ld = ld[which];
        for (int l = 1; l <= map.rows; l++)
            for (int c = 1; c <= map.columns; c++)
                linpack_matrix_part(&matrix, linpack_global_row(&map, l),
                                    linpack_global_column(&map, c) - 1, 1,
                                    a[which] + (size_t)(l - 1) * (size_t)map.ld + c - 1);
        for (int i = 1; i <= n; i++) x[which][i - 1] = linpack_matrix_right(&matrix, i);
        if (nb == 1) solvers->classic(&map, a[which], diagonal, pivots, &failed, &spent);
        else solvers->blocked(&map, nb, 1, 2, a[which], diagonal, pivots, &failed, &spent);
        EXPECT(failed == 0, "column %d", failed);
        solvers->solve(&map, nb, a[which], diagonal, pivots, false, x[which]);
        EXPECT(linpack_growth(&map, solvers, a[which], 0.5) < n, "growth");
        munmap(a[which], bytes);
        free(diagonal), free(pivots);
    }
    const linpack_layout rows = linpack_layout_of(cm_world(), n, 1);
    EXPECT(linpack_verify(&rows, &matrix, x[0], DBL_EPSILON).hpl < 16, "no solution");
    EXPECT(linpack_verify(&rows, &matrix, x[1], DBL_EPSILON).hpl < 16, "not with long rows");
    free(x[0]), free(x[1]);
    linpack_grid_free(&map);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    cm_blas_threads(1);
    const bool slow = oversubscribed() && cm_comm_has(CM_HAS_NATIVE);
    const int ranks = cm_size(cm_world());
    for (int columns = 1; columns <= ranks; columns++) {
        if (ranks % columns != 0) continue;
        check_order(1, 1, columns);
        check_order(6, columns > 1 ? 2 : 4, columns);
        if (slow) continue;
        check_order(40, 8, columns);
        check_order(33, 64, columns);
    }
    check_long_rows(17, 1, 1);
    for (int columns = 1; columns <= ranks; columns++)
        if (ranks % columns == 0) check_long_rows(20, 4, columns);
    return contract_done();
}
