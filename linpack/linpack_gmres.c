/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_gmres.c: a cycle of GMRES with a preconditioner from the right that may differ from
   iteration to iteration (FGMRES: Saad, SIAM J. Sci. Comput. 14, 1993), as one in single precision
   does by its rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_refine.h"
#include "linpack_solvers.h"

enum { MOST = LINPACK_RESTART };

/* The least-squares problem: the Hessenberg matrix by columns, made triangular by rotations. */
typedef struct {
    double h[MOST][MOST + 1];
    double cosine[MOST], sine[MOST];
    double rest[MOST + 1]; /* the last one is the residual's 2-norm */
} triangle;

void linpack_gmres_open(linpack_gmres *g, cm_group *group, int n)
{
    linpack_parts_open(&g->parts, group, n);
    const size_t count = (size_t)g->parts.count;
    g->basis = linpack_allocate((MOST + 1) * count, sizeof *g->basis, "GMRES");
    g->corrections = linpack_allocate(MOST * count, sizeof *g->corrections, "GMRES");
    g->whole = linpack_allocate((size_t)n, sizeof *g->whole, "GMRES");
}

void linpack_gmres_close(linpack_gmres *g)
{
    linpack_parts_close(&g->parts);
    free(g->basis), free(g->corrections), free(g->whole);
}

size_t linpack_gmres_bytes(int n, int ranks)
{
    return ((2 * MOST + 1) * ((size_t)n / (size_t)ranks + 1) + (size_t)n) * sizeof(double);
}

/* Subtracts from w its parts along the first k vectors of the basis, twice, which makes it
   orthogonal to working precision (Giraud, Langou, Rozloznik, Comput. Math. Appl. 50, 2005). Their
   lengths are stored in h. Returns the 2-norm of what is left. */
static double orthogonalize(const linpack_gmres *g, int k, double *w, double *h)
{
    const size_t count = (size_t)g->parts.count;
    double along[MOST], square;
    for (int i = 0; i < k; i++) h[i] = 0;
    for (int pass = 0; pass < 2; pass++) {
        linpack_parts_dots(&g->parts, k, g->basis, w, along);
        for (int i = 0; i < k; i++) {
            const double *v = g->basis + (size_t)i * count;
            for (size_t l = 0; l < count; l++) w[l] -= along[i] * v[l];
            h[i] += along[i];
        }
    }
    linpack_parts_dots(&g->parts, 1, w, w, &square);
    return sqrt(square);
}

/* Applies the rotations so far to column j, and one more that makes its last element zero. */
static void rotate(triangle *t, int j)
{
    double *h = t->h[j];
    for (int i = 0; i < j; i++) {
        const double upper = h[i];
        h[i] = t->cosine[i] * upper + t->sine[i] * h[i + 1];
        h[i + 1] = t->cosine[i] * h[i + 1] - t->sine[i] * upper;
    }
    const double length = hypot(h[j], h[j + 1]);
    t->cosine[j] = length > 0 ? h[j] / length : 1;
    t->sine[j] = length > 0 ? h[j + 1] / length : 0;
    h[j] = length;
    t->rest[j + 1] = -t->sine[j] * t->rest[j];
    t->rest[j] *= t->cosine[j];
}

/* x += the combination of k corrections that leaves the least residual. */
static void correct(const linpack_gmres *g, triangle *t, int k, double *x)
{
    const linpack_parts *p = &g->parts;
    const size_t count = (size_t)p->count;
    double *sum = g->basis; /* no longer needed */
    double *y = t->rest;
    for (int i = k - 1; i >= 0; i--) {
        for (int j = i + 1; j < k; j++) y[i] -= t->h[j][i] * y[j];
        y[i] /= t->h[i][i];
    }
    memset(sum, 0, count * sizeof *sum);
    for (int j = 0; j < k; j++)
        for (size_t l = 0; l < count; l++) sum[l] += y[j] * g->corrections[(size_t)j * count + l];
    linpack_parts_gather(p, sum, g->whole);
    for (int i = 0; i < p->n; i++) x[i] += g->whole[i];
}

int linpack_gmres_cycle(linpack_gmres *g, const linpack_operator *a, const double *residual,
                        double target, int most, double *x)
{
    const linpack_parts *p = &g->parts;
    const size_t count = (size_t)p->count;
    triangle t = {.rest = {0}};
    int j = 0;
    double norm;
    linpack_parts_dots(p, 1, residual, residual, &norm);
    t.rest[0] = norm = sqrt(norm);
    if (!(norm > 0 && isfinite(norm))) return 0;
    for (size_t l = 0; l < count; l++) g->basis[l] = residual[l] / norm;
    while (j < most && j < MOST && fabs(t.rest[j]) > target) {
        double *v = g->basis + (size_t)j * count, *w = v + count;
        linpack_parts_gather(p, v, g->whole);
        a->precondition(a->context, g->whole);
        memcpy(g->corrections + (size_t)j * count, g->whole + p->first, count * sizeof *v);
        a->product(a->context, g->whole, w);
        norm = orthogonalize(g, j + 1, w, t.h[j]);
        if (!isfinite(norm)) break;
        t.h[j][j + 1] = norm;
        rotate(&t, j++);
        if (norm == 0) break; /* the residual is zero */
        for (size_t l = 0; l < count; l++) w[l] /= norm;
    }
    if (j > 0) correct(g, &t, j, x);
    return j;
}
