/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_vector.c: products and largest values of vectors. */
#include <math.h>
#include "linpack_verify.h"

enum { MOST = 5 };

double linpack_dot(const double *a, const double *x, int n)
{
    double sum[8] = {0};
    int j = 0;
    for (; j + 8 <= n; j += 8)
        for (int k = 0; k < 8; k++) sum[k] += a[j + k] * x[j + k];
    for (; j < n; j++) sum[0] += a[j] * x[j];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

void linpack_raise_over_ranks(cm_group *group, double *values, int n)
{
    double all[2 * MOST] = {0};
    for (int k = 0; k < n; k++) {
        all[n + k] = isnan(values[k]);
        all[k] = isnan(values[k]) ? 0 : values[k];
    }
    cm_allreduce(group, all, all, 2 * (size_t)n, CM_DOUBLE, CM_MAX, CM_AUTO);
    for (int k = 0; k < n; k++) values[k] = all[n + k] > 0 ? NAN : all[k];
}
