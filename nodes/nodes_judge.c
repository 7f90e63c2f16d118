/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_judge.c: how far below the others a host must be before it is named. */
#include <math.h>
#include "measure/outliers.h"
#include "nodes.h"

double nodes_limit(int n, double alpha)
{
    double limit;
    if (!cm_outliers_limit((size_t)n, (size_t)n, alpha, &limit))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the limit of %d hosts", n);
    return limit;
}

double nodes_limit_links(double n, double alpha)
{
    return n < 1 ? INFINITY : cm_outliers_limit_many(n, alpha);
}

int nodes_judge(int n, const double *effect, double error, double *z, double *scale)
{
    int known = 0;
    double middle = NAN;
    *scale = NAN;
    for (int k = 0; k < n; k++) known += !isnan(effect[k]);
    if (known > 0 && !cm_outliers_scale((size_t)n, effect, error, &middle, scale))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %d numbers", n);
    for (int k = 0; k < n; k++) z[k] = (effect[k] - middle) / *scale;
    return known;
}
