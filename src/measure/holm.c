/* SPDX-License-Identifier: BSD-3-Clause */
/* holm.c: Holm's step-down procedure, as adjusted values p. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "measure/rank_test.h"

typedef struct {
    double p;
    size_t place;
} placed;

static int by_p(const void *a, const void *b)
{
    double x = ((const placed *)a)->p, y = ((const placed *)b)->p;
    return (x > y) - (x < y);
}

/* The k-th smallest, k from 0, is multiplied by n - k; none is adjusted to less than those before
   it, since the procedure stops at the first that it does not reject. */
bool cm_holm(size_t n, const double *p, double *adjusted)
{
    if (n == 0) return true;
    placed *order = malloc(n * sizeof *order);
    if (!order) return false;
    for (size_t k = 0; k < n; k++) order[k] = (placed){p[k], k};
    qsort(order, n, sizeof *order, by_p);
    double before = 0;
    for (size_t k = 0; k < n; k++) {
        before = fmin(1, fmax(before, (double)(n - k) * order[k].p));
        adjusted[order[k].place] = before;
    }
    free(order);
    return true;
}
