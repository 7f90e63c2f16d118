/* SPDX-License-Identifier: BSD-3-Clause */
/* order.c: sorting samples, and quantiles of sorted and of unsorted ones. */
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

/* NaN last. */
static bool is_less(double a, double b) { return a < b || (isnan(b) && !isnan(a)); }

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Puts the k-th smallest value at its place, smaller ones before it and larger ones after it (FIND;
   Hoare, CACM 4 (1961) 321). */
static void place(double *value, size_t n, size_t k)
{
    ptrdiff_t first = 0, last = (ptrdiff_t)n - 1, wanted = (ptrdiff_t)k;
    while (first < last) {
        double pivot = value[first + (last - first) / 2];
        ptrdiff_t i = first, j = last;
        while (i <= j) {
            while (is_less(value[i], pivot)) i++;
            while (is_less(pivot, value[j])) j--;
            if (i <= j) swap(&value[i++], &value[j--]);
        }
        if (wanted > j) first = i;
        if (wanted < i) last = j;
    }
}

double cm_order_select(double *value, size_t n, double p)
{
    size_t below = (size_t)(p * (double)(n - 1));
    if (below + 1 >= n) below = n - 1;
    place(value, n, below);
    for (size_t i = below + 2; i < n; i++)
        if (is_less(value[i], value[below + 1])) swap(&value[i], &value[below + 1]);
    return cm_order_quantile(value, n, p);
}
