/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c: sorting samples and reading quantiles from them. */
#include "config.h"
#include "measure/order.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    if (isnan(a) || isnan(b)) return !!isnan(a) - !!isnan(b);
    return (a > b) - (a < b);
}

double *cm_order_sorted(const double *value, size_t n)
{
    if (n == 0 || n > SIZE_MAX / sizeof *value) return NULL;
    double *sorted = malloc(n * sizeof *sorted);
    if (!sorted) return NULL;
    memcpy(sorted, value, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    return sorted;
}

double *cm_order_counted(const cm_samples *samples, size_t *n)
{
    bool leave_out = cm_samples_leave_out(samples);
    double *value = samples->n > 0 ? malloc(samples->n * sizeof *value) : NULL;
    *n = 0;
    for (size_t i = 0; value && i < samples->n; i++)
        if (!leave_out || samples->cause[i] == 0) value[(*n)++] = samples->value[i];
    return value;
}

double cm_order_quantile(const double *sorted, size_t n, double p)
{
    double position = p * (double)(n - 1);
    size_t below = (size_t)position;
    if (below + 1 >= n) return sorted[n - 1];
    double part = position - (double)below;
    /* not a + part (b - a): that is NaN between two equal infinities */
    if (part == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
    return (1 - part) * sorted[below] + part * sorted[below + 1];
}
