/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_verdict.c: why a system has no solution: singular, underflow, growth or overflow. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "linpack_verdict.h"

/* ---- The elements ---------------------------------------------------------------------------- */

/* With --precision single a matrix rounds its elements; these are the elements before rounding. */
static void look_at_matrix(const linpack_layout *rows, const linpack_matrix *matrix,
                           linpack_elements *e)
{
    linpack_matrix exact = *matrix;
    double *row = linpack_allocate((size_t)rows->order, sizeof *row, "a row");
    exact.single = false;
    e->a_max = 0, e->a_min = INFINITY;
    for (int l = 1; l <= rows->rows; l++) {
        linpack_matrix_row(&exact, linpack_global_row(rows, l), row);
        for (int j = 0; j < rows->order; j++) {
            const double size = fabs(row[j]);
            if (size > e->a_max) e->a_max = size;
            if (size > 0 && size < e->a_min) e->a_min = size;
        }
    }
    free(row);
}

/* Column `failed` has no pivot: its rows below are what is left of the matrix. */
static void look_at_factors(const linpack_layout *map, const linpack_solvers *solvers,
                            const void *a, int failed, linpack_elements *e)
{
    e->u_max = 0, e->u_row = map->order;
    for (int l = 1; l <= map->rows; l++) {
        const int row = linpack_global_row(map, l);
        const int from = failed && failed < row ? failed : row;
        const int first = linpack_first_local_column(map, from);
        const size_t at = (size_t)(l - 1) * (size_t)map->ld + (size_t)first - 1;
        double largest = solvers->largest((const char *)a + at * solvers->bytes,
                                          (size_t)(map->columns - first + 1));
        if (isnan(largest)) largest = INFINITY;
        if (largest > e->u_max) e->u_max = largest, e->u_row = row;
    }
}

linpack_elements linpack_elements_of(const linpack_layout *by_rows, const linpack_matrix *matrix,
                                     const linpack_layout *map, const linpack_solvers *solvers,
                                     const void *a, int failed)
{
    linpack_elements e;
    look_at_matrix(by_rows, matrix, &e);
    look_at_factors(map, solvers, a, abs(failed), &e);
    double largest[] = {e.a_max, -e.a_min, e.u_max};
    cm_allreduce(map->all, largest, largest, 3, CM_DOUBLE, CM_MAX, CM_AUTO);
    int32_t row = e.u_max == largest[2] ? e.u_row : map->order;
    cm_allreduce(map->all, &row, &row, 1, CM_INT32, CM_MIN, CM_AUTO);
    e = (linpack_elements){largest[0], isinf(largest[1]) ? 0 : -largest[1], largest[2], row};
    return e;
}

/* ---- The verdict ----------------------------------------------------------------------------- */

static double largest_of(bool single) { return single ? (double)FLT_MAX : DBL_MAX; }

/* Half of the least number is rounded to zero. */
static double least_of(bool single) { return single ? 0x1p-150 : 0; }

/* Random matrices grow by n^(2/3), so by less than n. With the growth g of the elements a backward
   stable solver has a residual of about g times the usual one. */
static bool growth_explains(const linpack_verdict *v, double residual)
{
    return v->growth > v->order && residual <= LINPACK_ACCEPTED * v->growth;
}

static linpack_outcome without_pivot(const linpack_verdict *v, double epsilon)
{
    if (v->growth * epsilon >= 1) return LINPACK_GROWTH;
    if (v->elements.a_min > 0 && v->elements.a_min <= least_of(v->single)) return LINPACK_UNDERFLOW;
    return LINPACK_SINGULAR;
}

linpack_verdict linpack_verdict_of(int order, int failed, const linpack_solvers *solvers,
                                   const linpack_elements *elements,
                                   const linpack_residual *residual, double epsilon)
{
    linpack_verdict v = {.order = order,
                         .column = failed ? abs(failed) : elements->u_row,
                         .single = solvers->epsilon > DBL_EPSILON,
                         .elements = *elements,
                         .growth = elements->a_max > 0 ? elements->u_max / elements->a_max : 1,
                         .solved = !failed};
    if (!failed) v.residual = *residual;
    if (failed < 0 || elements->a_max > largest_of(v.single) || isinf(elements->u_max))
        v.outcome = LINPACK_OVERFLOW;
    else if (failed > 0) v.outcome = without_pivot(&v, solvers->epsilon);
    else if (residual->hpl <= LINPACK_ACCEPTED) v.outcome = LINPACK_SOLVED;
    else if (!isfinite(residual->x_max) || isinf(residual->a_infinity))
        v.outcome = LINPACK_OVERFLOW;
    else if (growth_explains(&v, residual->hpl * epsilon / solvers->epsilon))
        v.outcome = LINPACK_GROWTH;
    return v;
}

/* ---- Its words ------------------------------------------------------------------------------- */

static void why_overflow(const linpack_verdict *v, char *why, size_t size)
{
    const double largest = largest_of(v->single);
    if (v->elements.a_max > largest)
        snprintf(why, size, "it has elements up to %.3g, but the largest number is %.3g",
                 v->elements.a_max, largest);
    else if (!v->solved)
        snprintf(why, size,
                 "the pivot of column %d is infinite, but no element of the matrix is "
                 "above %.3g",
                 v->column, v->elements.a_max);
    else if (isinf(v->elements.u_max))
        snprintf(why, size, "row %d of U is not finite, but no element of the matrix is above %.3g",
                 v->column, v->elements.a_max);
    else
        snprintf(why, size,
                 "its factors reach %.3g, and the solution or its residual is not finite",
                 v->elements.u_max);
}

/* The line goes on with " of order N". */
static void say(const linpack_verdict *v, char *line, size_t size)
{
    const char *precision = v->single ? "single" : "double";
    char why[160];
    switch (v->outcome) {
    case LINPACK_OVERFLOW:
        why_overflow(v, why, sizeof why);
        snprintf(line, size, "the matrix of order %d overflows %s precision: %s", v->order,
                 precision, why);
        break;
    case LINPACK_UNDERFLOW:
        snprintf(
            line, size,
            "the matrix of order %d underflows %s precision: it has elements down to %.3g, and "
            "column %d has no pivot left",
            v->order, precision, v->elements.a_min, v->column);
        break;
    case LINPACK_GROWTH:
        if (v->solved)
            snprintf(why, sizeof why,
                     "the solution has lost digits (residual %.3g, expected at most %g)",
                     v->residual.hpl, LINPACK_ACCEPTED);
        else snprintf(why, sizeof why, "column %d has no pivot left", v->column);
        snprintf(line, size,
                 "the elements of the matrix of order %d grow by a factor of at least %.2g: in %s "
                 "precision %s",
                 v->order, v->growth, precision, why);
        break;
    default:
        snprintf(line, size,
                 "the matrix of order %d is singular: column %d has no pivot, all candidates are 0",
                 v->order, v->column);
    }
}

const char *const linpack_outcomes[] = {[LINPACK_SOLVED] = "solved",
                                        [LINPACK_SINGULAR] = "singular",
                                        [LINPACK_UNDERFLOW] = "underflow",
                                        [LINPACK_GROWTH] = "growth",
                                        [LINPACK_OVERFLOW] = "overflow"};

void linpack_verdict_tell(const linpack_verdict *v, cm_result *result)
{
    char line[512], residual[40] = "";
    say(v, line, sizeof line);
    fprintf(stderr, "cm-linpack: %s%s\n", line,
            v->single && v->outcome != LINPACK_SINGULAR ? "; try --precision double" : "");
    if (v->solved) snprintf(residual, sizeof residual, " residual=%.3g", v->residual.hpl);
    cm_result_comment(
        result, "%s: order=%d column=%d precision=%s growth=%.3g largest=%.3g least=%.3g%s",
        linpack_outcomes[v->outcome], v->order, v->column, v->single ? "single" : "double",
        v->growth, v->elements.a_max, v->elements.a_min, residual);
}
