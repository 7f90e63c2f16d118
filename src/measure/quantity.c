/* SPDX-License-Identifier: BSD-3-Clause */
/* quantity.c: measured values with their intervals, and how these combine. */
#include <math.h>
#include "measure/quantity.h"

bool cm_quantity_has_interval(const cm_quantity *q)
{
    return isfinite(q->low) && isfinite(q->high);
}

/* ---- Disturbed ------------------------------------------------------------------------------- */

static cm_disturbed disturbed_among(size_t disturbed, bool left_out)
{
    return disturbed > 0 && !left_out ? CM_DISTURBED_YES : CM_DISTURBED_NO;
}

cm_disturbed cm_disturbed_summary(const cm_summary *s)
{
    return disturbed_among(s->disturbed, s->left_out);
}

cm_disturbed cm_disturbed_samples(const cm_samples *samples)
{
    return disturbed_among(samples->disturbed, cm_samples_leave_out(samples));
}

cm_disturbed cm_disturbed_either(cm_disturbed a, cm_disturbed b)
{
    if (a == CM_DISTURBED_YES || b == CM_DISTURBED_YES) return CM_DISTURBED_YES;
    return a == CM_DISTURBED_UNKNOWN ? a : b;
}

cm_disturbed cm_disturbed_unseen(cm_disturbed disturbed)
{
    return disturbed == CM_DISTURBED_NO ? CM_DISTURBED_UNKNOWN : disturbed;
}

/* ---- From measurements ----------------------------------------------------------------------- */

cm_quantity cm_quantity_of(double value)
{
    return (cm_quantity){.value = value, .low = NAN, .high = NAN};
}

cm_quantity cm_quantity_median(const cm_summary *s)
{
    return (cm_quantity){.value = s->median,
                         .low = s->low,
                         .high = s->high,
                         .kind = s->interval,
                         .over = "trials",
                         .n = s->counted,
                         .disturbed = cm_disturbed_summary(s)};
}

cm_quantity cm_quantity_over(const cm_summary *values, const char *over, cm_disturbed disturbed)
{
    cm_quantity q = cm_quantity_median(values);
    q.over = over;
    q.disturbed = disturbed;
    return q;
}

/* The least of n trials has no confidence interval, because no trial bounds how much smaller
   another one could be. But the least of n further trials is rarely above the fifth least of these:
   of 2 n trials in random order, the five least are all among the first n with a probability of
   less than 1/32. */
bool cm_quantity_least_sample(const cm_samples *samples, cm_quantity *least)
{
    cm_summary s;
    double end[2];
    if (!cm_summarize(samples, &s)) return false;
    const size_t n = s.counted < CM_INTERVAL_LEAST ? s.counted : CM_INTERVAL_LEAST - 1;
    const double last = s.counted > 1 ? (double)(n - 1) / (double)(s.counted - 1) : 0;
    if (!cm_quantiles(samples, 2, (const double[]){0, last}, end)) return false;
    *least = cm_quantity_median(&s);
    least->value = s.min;
    least->low = end[0];
    least->high = end[1];
    least->kind = CM_INTERVAL_RANGE;
    least->n = n;
    return true;
}

cm_quantity cm_quantity_student(double value, double error, size_t freedom, const char *over,
                                size_t n)
{
    if (freedom == 0) return cm_quantity_of(value);
    const double half = cm_student_95(freedom) * error;
    return (cm_quantity){.value = value,
                         .low = value - half,
                         .high = value + half,
                         .kind = CM_INTERVAL_95,
                         .over = over,
                         .n = n};
}

cm_quantity cm_quantity_fit(cm_estimate estimate, size_t values, size_t parameters, size_t points,
                            cm_disturbed disturbed)
{
    const size_t freedom = values > parameters ? values - parameters : 0;
    cm_quantity q = cm_quantity_student(estimate.value, estimate.error, freedom, "sizes", points);
    q.disturbed = disturbed;
    return q;
}

cm_quantity cm_quantity_bounded(const cm_bounded *parameter, size_t points, cm_disturbed disturbed)
{
    return (cm_quantity){.value = parameter->value,
                         .low = parameter->low,
                         .high = parameter->high,
                         .kind = CM_INTERVAL_95,
                         .over = "sizes",
                         .n = points,
                         .disturbed = disturbed};
}

/* ---- Combined -------------------------------------------------------------------------------- */

cm_quantity cm_quantity_mapped(cm_quantity q, double value, double end, double other)
{
    q.value = value;
    q.low = end <= other ? end : other;
    q.high = end <= other ? other : end;
    return q;
}

cm_quantity cm_quantity_scale(cm_quantity q, double factor)
{
    return cm_quantity_mapped(q, factor * q.value, factor * q.low, factor * q.high);
}

cm_quantity cm_quantity_invert(cm_quantity q, double factor)
{
    return cm_quantity_mapped(q, factor / q.value, factor / q.high, factor / q.low);
}

static double clamped(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

cm_quantity cm_quantity_clamp(cm_quantity q, double least, double most)
{
    q.value = clamped(q.value, least, most);
    q.low = clamped(q.low, least, most);
    q.high = clamped(q.high, least, most);
    return q;
}

cm_quantity cm_quantity_shift(cm_quantity q, double by)
{
    return cm_quantity_mapped(q, q.value + by, q.low + by, q.high + by);
}

/* Returns a quantity made from both, with these values. Its kind, n and disturbance follow from
   both. */
static cm_quantity from_both(cm_quantity a, cm_quantity b, double value, double low, double high)
{
    if (a.n == 0 || b.n == 0) return cm_quantity_of(value);
    const bool both = a.kind == CM_INTERVAL_95 && b.kind == CM_INTERVAL_95;
    return (cm_quantity){.value = value,
                         .low = low,
                         .high = high,
                         .kind = both ? CM_INTERVAL_95 : CM_INTERVAL_RANGE,
                         .over = a.over,
                         .n = a.n < b.n ? a.n : b.n,
                         .disturbed = cm_disturbed_either(a.disturbed, b.disturbed)};
}

cm_quantity cm_quantity_difference(cm_quantity a, cm_quantity b)
{
    return from_both(a, b, a.value - b.value, a.low - b.high, a.high - b.low);
}

cm_quantity cm_quantity_ratio(cm_quantity over, cm_quantity under)
{
    return from_both(over, under, over.value / under.value,
                     over.low / (over.low > 0 ? under.high : under.low),
                     over.high / (over.high > 0 ? under.low : under.high));
}

cm_quantity cm_quantity_overlap(const cm_summary *exchange, const cm_summary *compute,
                                const cm_summary *total)
{
    /* The time by which both together exceed the computation alone. */
    const cm_quantity beyond =
        cm_quantity_difference(cm_quantity_median(total), cm_quantity_median(compute));
    const cm_quantity shown = cm_quantity_ratio(beyond, cm_quantity_median(exchange));
    return cm_quantity_shift(cm_quantity_scale(shown, -1), 1);
}

cm_quantity cm_quantity_greater(cm_quantity a, cm_quantity b)
{
    return b.value > a.value || isnan(a.value) ? b : a;
}

cm_quantity cm_quantity_smaller(cm_quantity a, cm_quantity b)
{
    return b.value < a.value || isnan(a.value) ? b : a;
}
