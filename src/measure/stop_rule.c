/* SPDX-License-Identifier: BSD-3-Clause */
/* stop_rule.c: when there are samples enough. */
#include "config.h"
#include "measure/samples.h"
#include "measure/order.h"
#include <math.h>
#include <stdlib.h>

static bool precise(const cm_stop_rule *rule, const cm_samples *samples)
{
    size_t low, high;
    if (!(rule->relative_half_width > 0) || samples->n < rule->least
        || !cm_median_interval(samples->n, &low, &high))
        return false;
    double *sorted = cm_order_sorted(samples->value, samples->n);
    if (!sorted) return false; /* then count or time end the sampling */
    double half_width = (sorted[high - 1] - sorted[low - 1]) / 2;
    double median = cm_order_quantile(sorted, samples->n, 0.5);
    free(sorted);
    return half_width <= rule->relative_half_width * fabs(median);
}

/* Looking only at geometrically spaced n costs O(n log n) altogether, and keeps the number of
   looks, each of which may stop by luck, to some 20 per decade of n. */
static bool look_is_due(const cm_samples *samples)
{
    return samples->n >= samples->examined + samples->examined / 8 + 1;
}

cm_stop cm_stop_check(const cm_stop_rule *rule, cm_samples *samples, double elapsed_s)
{
    if (samples->n == 0) return CM_STOP_NOT;
    bool full = rule->most > 0 && samples->n >= rule->most;
    bool late = elapsed_s >= rule->time_limit_s && samples->n >= rule->least_in_time;
    if (full || late || look_is_due(samples)) {
        if (precise(rule, samples)) return CM_STOP_PRECISION;
        samples->examined = samples->n;
    }
    return full ? CM_STOP_COUNT : late ? CM_STOP_TIME : CM_STOP_NOT;
}

const char *cm_stop_name(cm_stop stop)
{
    switch (stop) {
    case CM_STOP_PRECISION:
        return "precision";
    case CM_STOP_COUNT:
        return "count";
    case CM_STOP_TIME:
        return "time";
    case CM_STOP_NOT:
        break;
    }
    return "not";
}
