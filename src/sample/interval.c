/* SPDX-License-Identifier: BSD-3-Clause */
/* interval.c: computes the intervals of RESULT lines from the samples of one launch. */
#include <math.h>
#include "comm/comm.h"
#include "sample/sample.h"

/* ---- Of medians ------------------------------------------------------------------------------ */

static cm_result_interval interval_of(const cm_summary *s, double low, double high)
{
    return (cm_result_interval){.low = low,
                                .high = high,
                                .kind = s->interval,
                                .over = "trials",
                                .n = s->counted,
                                .disturbed = s->disturbed > 0 && s->counted == s->n};
}

cm_result_interval cm_sample_interval(const cm_summary *s, double factor)
{
    return interval_of(s, factor * s->low, factor * s->high);
}

cm_result_interval cm_sample_rate_interval(const cm_summary *s, double factor)
{
    return interval_of(s, factor / s->high, factor / s->low);
}

/* ---- Of a ratio ------------------------------------------------------------------------------ */

/* Combines the worst ends of both intervals. For independent medians, the result covers the true
   ratio in more than 95 % of cases; for medians that depend on each other in any way, in at least
   90 %. */
cm_result_interval cm_sample_ratio_interval(const cm_result_interval *over,
                                            const cm_result_interval *under)
{
    bool both = over->kind == CM_INTERVAL_95 && under->kind == CM_INTERVAL_95;
    return (cm_result_interval){.low = over->low / under->high,
                                .high = over->high / under->low,
                                .kind = both ? CM_INTERVAL_95 : CM_INTERVAL_RANGE,
                                .over = over->over,
                                .n = over->n < under->n ? over->n : under->n,
                                .disturbed = over->disturbed || under->disturbed};
}

/* ---- Of an overlap --------------------------------------------------------------------------- */

cm_result_interval cm_sample_overlap_interval(const cm_summary *exchange, const cm_summary *compute,
                                              const cm_summary *total)
{
    /* The time by which both together exceed the computing alone. */
    double least_s = total->low - compute->high, most_s = total->high - compute->low;
    return interval_of(total, 1 - most_s / (most_s > 0 ? exchange->low : exchange->high),
                       1 - least_s / (least_s > 0 ? exchange->high : exchange->low));
}

/* ---- Of the fastest trial -------------------------------------------------------------------- */

/* The fastest of n trials has no confidence interval, because no trial bounds how much faster
   another one could be. But the fastest of n further trials is rarely slower than the fifth fastest
   of these: of 2 n trials in random order, the five fastest are all among the first n with a
   probability of less than 1/32. */
cm_result_interval cm_sample_fastest_interval(const cm_samples *samples, double factor)
{
    const cm_summary s = cm_sample_summary(samples);
    const size_t fastest = s.counted < CM_INTERVAL_LEAST ? s.counted : CM_INTERVAL_LEAST - 1;
    const double last = s.counted > 1 ? (double)(fastest - 1) / (double)(s.counted - 1) : 0;
    double value[2];
    if (!cm_quantiles(samples, 2, (const double[]){0, last}, value))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu samples", samples->n);
    cm_result_interval interval = interval_of(&s, factor / value[1], factor / value[0]);
    interval.kind = CM_INTERVAL_RANGE;
    interval.n = fastest;
    return interval;
}

/* ---- Of a fit's parameter -------------------------------------------------------------------- */

cm_result_interval cm_sample_fit_interval(cm_estimate estimate, double factor, size_t values,
                                          size_t parameters, size_t points, bool disturbed)
{
    double half = values > parameters ? cm_student_95(values - parameters) * estimate.error : NAN;
    return (cm_result_interval){.low = factor * (estimate.value - half),
                                .high = factor * (estimate.value + half),
                                .kind = CM_INTERVAL_95,
                                .over = "sizes",
                                .n = points,
                                .disturbed = disturbed};
}
