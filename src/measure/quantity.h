/* SPDX-License-Identifier: BSD-3-Clause */
/* quantity.h: a measured value, how far it can be trusted, and what becomes of both when values are
   combined. The only place that decides when a value counts as disturbed. */
#ifndef CM_QUANTITY_H
#define CM_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/fit.h"
#include "measure/samples.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a value is also of disturbed samples. UNKNOWN: none was found disturbed, but with more
   ranks than cores the ranks disturb each other and nothing is looked at. */
typedef enum { CM_DISTURBED_NO, CM_DISTURBED_YES, CM_DISTURBED_UNKNOWN } cm_disturbed;

/* A value in the unit that its metric has. Its states:

   value NaN         it could not be measured
   low or high NaN   it has no interval. An end may also be infinite, which cm_quantity_has_interval
                     takes for none, too
   n == 0            a plain number, not of samples: `disturbed` says nothing

   Every function below keeps low <= high, and gives NaN for whatever is not known. */
typedef struct {
    double value, low, high;
    cm_interval kind; /* of the interval */
    const char *over; /* what n counts, one word, a constant: "trials", "sweeps", "sizes" */
    size_t n;         /* number of these */
    cm_disturbed disturbed;
} cm_quantity;

/* Returns true if both ends are finite. */
bool cm_quantity_has_interval(const cm_quantity *quantity);

/* ---- Disturbed ------------------------------------------------------------------------------- */

/* Return YES if the values of the summary, or of a summary of these samples, include disturbed
   samples, because too few others were left. */
cm_disturbed cm_disturbed_summary(const cm_summary *summary);
cm_disturbed cm_disturbed_samples(const cm_samples *samples);
/* Returns the state of a value made from two: YES if either is, else UNKNOWN if either is. */
cm_disturbed cm_disturbed_either(cm_disturbed a, cm_disturbed b);
/* Returns UNKNOWN in place of NO, for a job in which nothing was looked at. The others stay. */
cm_disturbed cm_disturbed_unseen(cm_disturbed disturbed);

/* ---- From measurements ----------------------------------------------------------------------- */

/* A plain number. */
cm_quantity cm_quantity_of(double value);

/* The median of trials, with its interval. */
cm_quantity cm_quantity_median(const cm_summary *summary);

/* The median of values each of which sums up samples of its own: of sweeps, launches, pairs.
   `disturbed` is that of these samples. */
cm_quantity cm_quantity_over(const cm_summary *values, const char *over, cm_disturbed disturbed);

/* The least sample, which for times is the fastest. Its interval is a range that ends at the fifth
   least, or at the greatest of fewer than five. Returns false if memory is short. */
bool cm_quantity_least_sample(const cm_samples *samples, cm_quantity *least);

/* A value with a standard error, and Student's 95 % interval for so many degrees of freedom. With
   none it is a plain number. */
cm_quantity cm_quantity_student(double value, double error, size_t freedom, const char *over,
                                size_t n);

/* A fitted parameter. The fit has this many values (the points of all curves) and parameters;
   points is the number of sizes that the result shows. The interval says how precisely the values
   determine the parameter if the model holds. `disturbed` is that of the values. */
cm_quantity cm_quantity_fit(cm_estimate estimate, size_t values, size_t parameters, size_t points,
                            cm_disturbed disturbed);
/* The same of a parameter whose interval the fit has found. */
cm_quantity cm_quantity_bounded(const cm_bounded *parameter, size_t points, cm_disturbed disturbed);

/* ---- Combined -------------------------------------------------------------------------------- */

/* factor * q, and q + by, of either sign. */
cm_quantity cm_quantity_scale(cm_quantity q, double factor);
cm_quantity cm_quantity_shift(cm_quantity q, double by);
/* factor / q, for example a rate from a time. q and factor are positive. */
cm_quantity cm_quantity_invert(cm_quantity q, double factor);
/* No end and no value is below least or above most. */
cm_quantity cm_quantity_clamp(cm_quantity q, double least, double most);
/* What q becomes under a monotonic function: its value and its ends, which are given in either
   order. */
cm_quantity cm_quantity_mapped(cm_quantity q, double value, double end, double other);

/* These combine the worst ends of both intervals. If both are 95 % intervals, so is the result: it
   covers the true value in more than 95 % of cases if the two are independent, and in at least 90 %
   if they depend on each other in any way. n is the smaller one, and `over` that of the first. With
   a plain number, of which nobody knows the precision, the result is a plain number.

   ratio: `under` is positive, `over` may have either sign. */
cm_quantity cm_quantity_difference(cm_quantity a, cm_quantity b);
cm_quantity cm_quantity_ratio(cm_quantity over, cm_quantity under);

/* The part of an exchange's time that computing hides, 1 - (total - compute) / exchange, where each
   is a median and total is the time of both together. */
cm_quantity cm_quantity_overlap(const cm_summary *exchange, const cm_summary *compute,
                                const cm_summary *total);

/* The one of the two with the greater value, or the smaller one; a if they are equal, and the other
   one if one is NaN. Which of them is the greater in truth, the interval does not say. */
cm_quantity cm_quantity_greater(cm_quantity a, cm_quantity b);
cm_quantity cm_quantity_smaller(cm_quantity a, cm_quantity b);

#ifdef __cplusplus
}
#endif
#endif
