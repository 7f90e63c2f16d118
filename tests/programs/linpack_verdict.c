/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_verdict.c: cm-linpack's verdicts on hard matrices agree with LAPACK's factors, info and
   condition number of the same matrix. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../linpack/linpack_system.h"
#include "../linpack/linpack_verdict.h"
#include "contract.h"
#include "lapack.h"

/* What LAPACK's drivers (gesv, gesvx) have of a system. */
typedef struct {
    int info;      /* of getrf */
    bool fits;     /* the matrix is finite in the precision */
    bool finite;   /* so are U and the solution */
    bool vanishes; /* elements of the matrix are zero in the precision only */
    double growth; /* of U */
    double *x;     /* of getrs, unless info */
    double rcond;  /* of gecon, unless info */
} lapack;

#define REAL float
#define NAME(name) single_##name
#define GETRF sgetrf_
#define GETRS sgetrs_
#define GECON sgecon_
#include "linpack_verdict.inc"
#undef REAL
#undef NAME
#undef GETRF
#undef GETRS
#undef GECON
#define REAL double
#define NAME(name) double_##name
#define GETRF dgetrf_
#define GETRS dgetrs_
#define GECON dgecon_
#include "linpack_verdict.inc"

static lapack lapack_of(int precision, const linpack_matrix *matrix)
{
    return precision == LINPACK_SINGLE ? single_lapack(matrix) : double_lapack(matrix);
}

/* The words of linpack_verdict.h, from LAPACK's results. */
static linpack_outcome expected(const lapack *l, const lapack *in_double, double epsilon,
                                const linpack_residual *residual)
{
    if (!l->fits) return LINPACK_OVERFLOW;
    if (l->vanishes && !in_double->info && (l->info || !l->finite)) return LINPACK_UNDERFLOW;
    if (!isfinite(l->growth)) return LINPACK_OVERFLOW;
    if (l->info && l->growth * epsilon >= 1) return LINPACK_GROWTH;
    if (l->info) return LINPACK_SINGULAR;
    if (residual->hpl <= LINPACK_ACCEPTED) return LINPACK_SOLVED;
    return l->finite ? LINPACK_GROWTH : LINPACK_OVERFLOW;
}

typedef struct {
    linpack_layout map, by_rows;
    void *a, *diagonal;
    int *pivots, nb, failed;
    double *x;
} factored;

/* columns = 0: by the algorithm of 1995. */
static factored factor(const linpack_matrix *matrix, const linpack_solvers *solvers, int columns)
{
    enum { NB = 8 };
    const int n = matrix->order;
    factored f = {.nb = columns ? NB : 1, .by_rows = linpack_layout_of(cm_world(), n, 1)};
    linpack_spent spent = {0};
    f.map = columns > 1 ? linpack_grid_of(cm_world(), columns, n, 1, NB)
                        : linpack_layout_of(cm_world(), n, 1);
    f.a = linpack_allocate((size_t)f.map.ld * (size_t)(f.map.rows + 1), solvers->bytes, "a test");
    f.diagonal = linpack_allocate(linpack_diagonal_elements(n, f.nb), solvers->bytes, "a test");
    f.pivots = linpack_allocate((size_t)n, sizeof *f.pivots, "a test");
    f.x = linpack_allocate((size_t)n, sizeof *f.x, "a test");
    for (int l = 1; l <= f.map.rows; l++)
        for (int c = 1; c <= f.map.columns; c++) {
            double element;
            const size_t at = (size_t)(l - 1) * (size_t)f.map.ld + (size_t)c - 1;
            linpack_matrix_part(matrix, linpack_global_row(&f.map, l),
                                linpack_global_column(&f.map, c) - 1, 1, &element);
            solvers->store(&element, (char *)f.a + at * solvers->bytes, 1, 1);
        }
    if (columns) solvers->blocked(&f.map, NB, 1, 1, f.a, f.diagonal, f.pivots, &f.failed, &spent);
    else solvers->classic(&f.map, f.a, f.diagonal, f.pivots, &f.failed, &spent);
    for (int i = 1; i <= n; i++) f.x[i - 1] = linpack_matrix_right(matrix, i);
    if (!f.failed) solvers->solve(&f.map, f.nb, f.a, f.diagonal, f.pivots, false, f.x);
    return f;
}

static void release(factored *f)
{
    linpack_grid_free(&f->map);
    free(f->a), free(f->diagonal), free(f->pivots), free(f->x);
}

/* gecon and linpack_condition estimate the same; near a singular matrix both are rounding. */
static void check_condition(const factored *f, const linpack_matrix *matrix,
                            const linpack_solvers *solvers, const lapack *l, const char *way)
{
    const double condition =
        linpack_condition(&f->map, matrix, solvers, f->nb, f->a, f->diagonal, f->pivots);
    if (l->rcond > 10 * solvers->epsilon)
        EXPECT(condition * l->rcond > 0.3 && condition * l->rcond < 3,
               "%s: condition %g, LAPACK's %g", way, condition, 1 / l->rcond);
    else
        EXPECT(condition * solvers->epsilon > 0.01, "%s: condition %g, LAPACK's %g", way, condition,
               1 / l->rcond);
}

static void check(const linpack_matrix *exact, const char *name, int precision,
                  linpack_outcome wanted)
{
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    linpack_matrix matrix = *exact;
    matrix.single = precision == LINPACK_SINGLE;
    const lapack l = lapack_of(precision, &matrix), in_double = lapack_of(LINPACK_DOUBLE, exact);
    point("%s, order %d, %s precision", name, matrix.order, matrix.single ? "single" : "double");
    for (int columns = 0; columns <= size; columns++) {
        char way[40];
        if (columns && size % columns != 0) continue;
        if (columns) snprintf(way, sizeof way, "%dx%d", size / columns, columns);
        else snprintf(way, sizeof way, "classic");
        factored f = factor(&matrix, solvers, columns);
        const linpack_elements elements =
            linpack_elements_of(&f.by_rows, &matrix, &f.map, solvers, f.a, f.failed);
        const linpack_residual residual =
            linpack_verify(&f.by_rows, &matrix, f.x, solvers->epsilon);
        const linpack_residual theirs = linpack_verify(&f.by_rows, &matrix, l.x, solvers->epsilon);
        const linpack_verdict v = linpack_verdict_of(matrix.order, f.failed, solvers, &elements,
                                                     &residual, solvers->epsilon);
        const linpack_outcome lapacks = expected(&l, &in_double, solvers->epsilon, &theirs);
        EXPECT(v.outcome == wanted && lapacks == wanted,
               "%s: outcome %d, by LAPACK %d, not %d (column %d, info %d, growth %g)", way,
               (int)v.outcome, (int)lapacks, (int)wanted, f.failed, l.info, v.growth);
        if (wanted == LINPACK_SINGULAR)
            EXPECT(v.column == l.info, "%s: column %d, LAPACK's %d", way, v.column, l.info);
        if (wanted == LINPACK_SOLVED || wanted == LINPACK_GROWTH)
            EXPECT(v.growth > 0.99 * l.growth && v.growth < 1.01 * l.growth,
                   "%s: growth %g, LAPACK's %g", way, v.growth, l.growth);
        if (wanted == LINPACK_SOLVED) check_condition(&f, &matrix, solvers, &l, way);
        release(&f);
    }
    free(l.x), free(in_double.x);
}

/* Elements a(i, j) of a matrix of three entries a row at most, as from a file. */
static void check_singular(int n, int zero)
{
    linpack_matrix matrix = {.order = n};
    matrix.row_start = linpack_allocate((size_t)n + 1, sizeof *matrix.row_start, "a test");
    matrix.column = linpack_allocate(2 * (size_t)n, sizeof *matrix.column, "a test");
    matrix.value = linpack_allocate(2 * (size_t)n, sizeof *matrix.value, "a test");
    int64_t k = 0;
    for (int i = 0; i < n; i++) {
        /* Upper bidiagonal, without the diagonal's element in column `zero`. */
        if (i != zero - 1) matrix.column[k] = i, matrix.value[k++] = 2 + i % 3;
        if (i < n - 1) matrix.column[k] = i + 1, matrix.value[k++] = 1;
        matrix.row_start[i + 1] = k;
    }
    check(&matrix, "bidiagonal", LINPACK_SINGLE, LINPACK_SINGULAR);
    check(&matrix, "bidiagonal", LINPACK_DOUBLE, LINPACK_SINGULAR);
    linpack_matrix_free(&matrix);
}

int main(int argc, char **argv)
{
    static const struct {
        int kind, order, precision;
        linpack_outcome outcome;
    } cases[] = {
        {LINPACK_HUGE, 4, LINPACK_SINGLE, LINPACK_OVERFLOW},
        {LINPACK_HILBERT, 5, LINPACK_SINGLE, LINPACK_SOLVED},
        {LINPACK_WILKINSON, 30, LINPACK_SINGLE, LINPACK_GROWTH},
        /* Too long where ranks wait for processors. */
        {LINPACK_WILKINSON, 10, LINPACK_SINGLE, LINPACK_SOLVED},
        {LINPACK_FOSTER, 10, LINPACK_DOUBLE, LINPACK_SOLVED},
        {LINPACK_FOSTER, 50, LINPACK_DOUBLE, LINPACK_GROWTH},
        {LINPACK_HUGE, 40, LINPACK_DOUBLE, LINPACK_OVERFLOW},
        {LINPACK_HILBERT, 12, LINPACK_DOUBLE, LINPACK_SOLVED},
        {LINPACK_GRADED, 20, LINPACK_SINGLE, LINPACK_SOLVED},
        {LINPACK_KAHAN, 20, LINPACK_SINGLE, LINPACK_SOLVED},
        {LINPACK_GRADED, 100, LINPACK_SINGLE, LINPACK_UNDERFLOW},
        {LINPACK_GRADED, 100, LINPACK_DOUBLE, LINPACK_SOLVED},
        {LINPACK_WRIGHT, 31, LINPACK_SINGLE, LINPACK_SOLVED},
        {LINPACK_WRIGHT, 120, LINPACK_SINGLE, LINPACK_GROWTH},
        {LINPACK_WILKINSON, 140, LINPACK_SINGLE, LINPACK_OVERFLOW},
        {LINPACK_WILKINSON, 140, LINPACK_DOUBLE, LINPACK_GROWTH},
        {LINPACK_FOSTER, 200, LINPACK_SINGLE, LINPACK_OVERFLOW},
        {LINPACK_KAHAN, 90, LINPACK_DOUBLE, LINPACK_SOLVED},
    };
    enum { QUICK = 3 };
    contract_start(&argc, &argv);
    cm_blas_threads(1);
    const bool slow = oversubscribed() && cm_comm_has(CM_HAS_NATIVE);
    for (size_t k = 0; k < (slow ? QUICK : sizeof cases / sizeof *cases); k++) {
        const linpack_matrix matrix = {.kind = cases[k].kind, .order = cases[k].order, .seed = 7};
        check(&matrix, linpack_generators[matrix.kind], cases[k].precision, cases[k].outcome);
    }
    if (!slow) check_singular(20, 13);
    check_singular(3, 1);
    return contract_done();
}
