/* SPDX-License-Identifier: BSD-3-Clause */
/* outliers.c: how far above the others the greatest of values that are alike is. */
#include "config.h"
#include "measure/outliers.h"
#include <math.h>
#include <stdlib.h>
#include "measure/order.h"
#include "random/random.h"

enum { DRAWN = 32, DRAWS = 20000 };

/* Returns z for which a normal variable is above z with probability p: by bisection. */
static double normal_quantile(double p)
{
    double low = -40, high = 40;
    for (int k = 0; k < 100; k++) {
        double middle = (low + high) / 2;
        if (erfc(middle / sqrt(2)) / 2 > p) low = middle;
        else high = middle;
    }
    return high;
}

bool cm_outliers_scale(size_t n, const double *value, double error, double *middle, double *scale)
{
    double *room = n > 0 ? malloc(n * sizeof *room) : NULL;
    size_t known = 0;
    for (size_t k = 0; room && k < n; k++)
        if (!isnan(value[k])) room[known++] = value[k];
    if (known > 0) {
        *middle = cm_order_select(room, known, 0.5);
        for (size_t k = 0; k < known; k++) room[k] = fabs(room[k] - *middle);
        *scale = CM_SIGMA_OF_MAD * cm_order_select(room, known, 0.5);
        /* fmax leaves out an error that is not known; no measurement is better than that. */
        *scale = fmax(fmax(*scale, error), 1e-9);
    }
    free(room);
    return known > 0;
}

/* A deviation over the deviations' own median has heavy tails if there are few values, so the limit
   of few is that of the greatest one in many draws. */
static bool drawn_limit(size_t n, size_t known, double alpha, double *limit)
{
    double *greatest = malloc(DRAWS * sizeof *greatest), x[DRAWN], middle, scale;
    uint64_t state = 1;
    bool done = greatest != NULL;
    for (size_t draw = 0; done && draw < DRAWS; draw++) {
        double most = -INFINITY;
        for (size_t k = 0; k < known; k++) most = fmax(most, x[k] = cm_random_normal(&state));
        /* The greatest of n - known values is above x with probability 1 - (1 - p)^(n - known). */
        if (n > known)
            most =
                fmax(most,
                     normal_quantile(-expm1(log(cm_random_uniform(&state)) / (double)(n - known))));
        done = cm_outliers_scale(known, x, 0, &middle, &scale);
        greatest[draw] = (most - middle) / scale;
    }
    double *sorted = done ? cm_order_sorted(greatest, DRAWS) : NULL;
    size_t place = (size_t)ceil((1 - alpha) * DRAWS);
    if (sorted) *limit = sorted[place < DRAWS ? place : DRAWS - 1];
    free(greatest);
    free(sorted);
    return sorted != NULL;
}

/* The deviations' median is uncertain by a part that falls as 1 / n. The factor is that of draws at
   n = 32, 64 and 128. */
double cm_outliers_limit_many(double n, double alpha)
{
    return normal_quantile(alpha / n) * (1 + 14 / n);
}

bool cm_outliers_limit(size_t n, size_t known, double alpha, double *limit)
{
    *limit = INFINITY;
    if (known < CM_OUTLIERS_FEWEST) return true;
    if (known <= DRAWN) return drawn_limit(n, known, alpha, limit);
    *limit = normal_quantile(alpha / (double)n) * (1 + 14 / (double)known);
    return true;
}
