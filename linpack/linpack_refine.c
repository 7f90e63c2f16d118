/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_refine.c: refines a solution to double precision, or solves again in double. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_choose.h"
#include "linpack_system.h"
#include "machine/machine.h"
#include "memory/memory.h"

enum { MOST = 2 * LINPACK_RESTART };
static const double good = 1; /* HPL's scaled residual */

/* ---- The matrix ------------------------------------------------------------------------------ */

static size_t elements(const linpack_layout *map)
{
    return (size_t)map->ld * (size_t)(map->rows + 1);
}

/* Chooses the precision of the factors. In double they take the place of the kept matrix, or of
   those in single precision. */
static void use(linpack_system *s, int precision)
{
    linpack_refinement *r = &s->refined;
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    if (s->solvers == solvers) return;
    s->solvers = solvers;
    if (r->kept) {
        s->a = precision == LINPACK_DOUBLE ? (void *)r->kept : r->single;
    } else {
        cm_memory_free(s->a);
        s->a = cm_run_array(elements(&s->map) * solvers->bytes);
    }
}

bool linpack_refine_keeps(const linpack_options *options, int order)
{
    linpack_options keeping = *options;
    if (options->refine_matrix != LINPACK_MATRIX_AUTO)
        return options->refine_matrix == LINPACK_MATRIX_KEEP;
    keeping.refine_matrix = LINPACK_MATRIX_KEEP;
    return linpack_fits(&keeping, order, LINPACK_MEMORY_PART);
}

void linpack_refine_open(linpack_system *s, bool keeps)
{
    linpack_refinement *r = &s->refined;
    *r = (linpack_refinement){.single = s->a};
    if (keeps) r->kept = cm_run_array(elements(&s->map) * sizeof(double));
    r->b = linpack_allocate((size_t)s->map.order, sizeof *r->b, "a right-hand side");
    linpack_gmres_open(&r->gmres, s->map.all, s->map.order);
}

void linpack_refine_close(linpack_system *s)
{
    linpack_refinement *r = &s->refined;
    if (r->kept) s->a = r->single;
    s->solvers = linpack_solvers_of(LINPACK_SINGLE);
    linpack_gmres_close(&r->gmres);
    cm_memory_free(r->kept), free(r->b);
}

void linpack_refine_prepare(linpack_system *s)
{
    linpack_refinement *r = &s->refined;
    use(s, LINPACK_SINGLE);
    if (!r->kept) linpack_store_rows(s, LINPACK_SINGLE, s->a);
    else if (!r->kept_is_it) linpack_store_rows(s, LINPACK_DOUBLE, r->kept);
    r->kept_is_it = true;
    linpack_right_hand_side(s->matrix, r->b);
    memcpy(s->x, r->b, (size_t)s->map.order * sizeof *s->x);
}

void linpack_refine_round(linpack_system *s)
{
    const linpack_layout *map = &s->map;
    if (!s->refined.kept) return;
    for (int l = 0; l < map->rows; l++) {
        const size_t at = (size_t)l * (size_t)map->ld;
        s->solvers->store(s->refined.kept + at, (float *)s->a + at, (size_t)linpack_columns_of(map),
                          1);
    }
}

/* ---- GMRES ----------------------------------------------------------------------------------- */

static void product(void *context, const double *whole, double *part)
{
    linpack_product(context, whole, part, NULL);
}

static void precondition(void *context, double *whole) { linpack_substitute(context, whole); }

/* Computes this rank's part of b - A x. Returns HPL's scaled residual. scale: what it is multiplied
   with for the largest element. The first call of a trial also finds the norm of A. */
static double residual(linpack_system *s, double *part, double *scale)
{
    linpack_refinement *r = &s->refined;
    const linpack_parts *p = &r->gmres.parts;
    double *sums = NULL;
    if (r->a_infinity < 0) sums = linpack_allocate((size_t)p->count, sizeof *sums, "sums of rows");
    linpack_product(s, s->x, part, sums);
    for (int i = 0; i < p->count; i++) part[i] = r->b[p->first + i] - part[i];
    if (sums) r->a_infinity = linpack_parts_largest(p, sums);
    free(sums);
    const double x_max = linpack_parts_largest(p, s->x + p->first);
    const double b_max = linpack_parts_largest(p, r->b + p->first);
    *scale = DBL_EPSILON / 2 * (r->a_infinity * x_max + b_max) * p->n;
    return linpack_parts_largest(p, part) / *scale;
}

/* Repeats cycles of GMRES until HPL's residual is that of a good solution, or is hardly less than
   before. Returns it. */
static double improve(linpack_system *s)
{
    linpack_refinement *r = &s->refined;
    const size_t n = (size_t)s->map.order;
    const linpack_operator a = {product, precondition, s};
    double *part = linpack_allocate((size_t)r->gmres.parts.count, sizeof *part, "residuals");
    double *before = linpack_allocate(n, sizeof *before, "a solution"), scale;
    r->a_infinity = -1;
    double hpl = residual(s, part, &scale), last = INFINITY;
    while (hpl > good && hpl < last / 2 && s->iterations < MOST) {
        last = hpl;
        memcpy(before, s->x, n * sizeof *before);
        s->iterations +=
            linpack_gmres_cycle(&r->gmres, &a, part, good * scale, MOST - s->iterations, s->x);
        hpl = residual(s, part, &scale);
        if (hpl < last) continue;
        memcpy(s->x, before, n * sizeof *before);
        hpl = last;
    }
    free(part), free(before);
    return hpl;
}

/* ---- In double, if need be ------------------------------------------------------------------- */

/* Returns true if all ranks have the memory for factors in double. */
static bool has_memory(const linpack_system *s)
{
    const linpack_refinement *r = &s->refined;
    const int ranks_here = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    double free_bytes =
        LINPACK_MEMORY_PART * (double)cm_machine_memory_share_bytes(ranks_here, NULL);
    double more = (double)elements(&s->map) * (sizeof(double) - sizeof(float));
    int32_t fits = r->kept || more <= free_bytes;
    cm_allreduce(s->map.all, &fits, &fits, 1, CM_INT32, CM_MIN, CM_AUTO);
    return fits;
}

static void solve_again(linpack_system *s)
{
    linpack_refinement *r = &s->refined;
    r->fallbacks++;
    use(s, LINPACK_DOUBLE);
    if (!r->kept) linpack_store_rows(s, LINPACK_DOUBLE, s->a);
    r->kept_is_it = false;
    s->failed = linpack_factor(s);
    if (s->failed) return;
    memcpy(s->x, r->b, (size_t)s->map.order * sizeof *s->x);
    linpack_solve(s);
}

void linpack_refine(linpack_system *s)
{
    linpack_refinement *r = &s->refined;
    s->iterations = 0;
    if (s->failed) {
        const int factors = s->options->refine_factors;
        snprintf(r->why, sizeof r->why, "in %s%s the pivot of column %d is %s",
                 linpack_factors[factors], factors == LINPACK_FACTORS_BFLOAT16 ? "" : " precision",
                 abs(s->failed), s->failed < 0 ? "not finite" : "zero");
    } else {
        const double hpl = improve(s);
        if (hpl <= LINPACK_ACCEPTED) return;
        snprintf(r->why, sizeof r->why, "after %d iterations the scaled residual is %.3g",
                 s->iterations, hpl);
    }
    if (has_memory(s)) solve_again(s);
    else
        snprintf(r->why + strlen(r->why), sizeof r->why - strlen(r->why),
                 "; no memory to solve it again in double");
}
