/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_random_result.c: the effective bisection bandwidth and its distribution. */
#include <math.h>
#include "bisection.h"

/* The mean of n pairings that were drawn, with Student's 95 % interval, or the range of the
   pairings if they are fewer than six. */
static void write_mean(cm_result *result, const cm_summary *pairings, cm_disturbed disturbed)
{
    const double error = pairings->deviation / sqrt((double)pairings->n);
    cm_quantity mean =
        cm_quantity_student(pairings->mean, error, pairings->n - 1, "pairings", pairings->n);
    if (pairings->n < CM_INTERVAL_LEAST) {
        mean = cm_quantity_over(pairings, "pairings", disturbed);
        mean = cm_quantity_mapped(mean, pairings->mean, pairings->min, pairings->max);
    }
    mean.disturbed = disturbed;
    cm_result_metric(result, true, "effective_MB_per_s", mean);
}

static void write_metrics(cm_result *result, const cm_samples *MB_per_s, cm_disturbed disturbed)
{
    static const double tenths[] = {0.1, 0.9};
    const cm_summary pairings = cm_sample_summary(MB_per_s);
    double tenth[2];
    if (!cm_quantiles(MB_per_s, 2, tenths, tenth))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu pairings", MB_per_s->n);
    cm_result_comment(result,
                      "pairings: %zu: %.4g to %.4g MB/s a pair, a tenth below %.4g, a tenth above "
                      "%.4g, standard deviation %.3g %% of the mean",
                      pairings.n, pairings.min, pairings.max, tenth[0], tenth[1],
                      100 * pairings.deviation / pairings.mean);
    write_mean(result, &pairings, disturbed);
    cm_result_metric(result, true, "effective_median_MB_per_s",
                     cm_quantity_over(&pairings, "pairings", disturbed));
    cm_result_metric(result, true, "effective_least_MB_per_s", cm_quantity_of(pairings.min));
    cm_result_metric(result, true, "effective_greatest_MB_per_s", cm_quantity_of(pairings.max));
}

int bisection_random_close(cm_result *result, const cm_pair_damage *damage,
                           const cm_samples *MB_per_s, cm_disturbed disturbed)
{
    if (cm_pair_write_check(result, damage, "effective_MB_per_s"))
        write_metrics(result, MB_per_s, disturbed);
    return cm_result_close(result);
}
