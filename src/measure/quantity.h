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

/* Whether a value includes disturbed samples. UNKNOWN: with more ranks than cores the ranks disturb
   each other, so disturbance is not checked. */
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
    const char *over; /* what n counts; one word, a constant: "trials", "sweeps", "sizes" */
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
/* Returns the state of a value made from two: YES if either is YES, otherwise UNKNOWN if either is
   UNKNOWN. */
cm_disturbed cm_disturbed_either(cm_disturbed a, cm_disturbed b);
/* Returns UNKNOWN instead of NO, for a job in which disturbance is not checked. Other states stay.
   */
cm_disturbed cm_disturbed_unseen(cm_disturbed disturbed);

/* ---- From measurements ----------------------------------------------------------------------- */

/* A plain number. */
cm_quantity cm_quantity_of(double value);

/* The median of trials, with its interval. */
cm_quantity cm_quantity_median(const cm_summary *summary);

/* The median of values that each summarize their own samples: values of sweeps, launches or pairs.
   `disturbed` is the state of these samples. */
cm_quantity cm_quantity_over(const cm_summary *values, const char *over, cm_disturbed disturbed);

/* The least sample, which for times is the fastest. Its interval is a range up to the fifth least
   sample, or up to the greatest if there are fewer than five. Returns false if memory is short. */
bool cm_quantity_least_sample(const cm_samples *samples, cm_quantity *least);

/* A value with a standard error and Student's 95 % interval for the given degrees of freedom. With
   none it is a plain number. */
cm_quantity cm_quantity_student(double value, double error, size_t freedom, const char *over,
                                size_t n);

/* A fitted parameter. values is the number of values that were fitted (the points of all curves),
   parameters the number of parameters, and points the number of sizes that the result shows. The
   interval says how precisely the values determine the parameter if the model holds. `disturbed` is
   the state of the values. */
cm_quantity cm_quantity_fit(cm_estimate estimate, size_t values, size_t parameters, size_t points,
                            cm_disturbed disturbed);
/* The same for a parameter whose interval the fit has found. */
cm_quantity cm_quantity_bounded(const cm_bounded *parameter, size_t points, cm_disturbed disturbed);

/* ---- Combined -------------------------------------------------------------------------------- */

/* Return factor * q and q + by. factor and by may have either sign. */
cm_quantity cm_quantity_scale(cm_quantity q, double factor);
cm_quantity cm_quantity_shift(cm_quantity q, double by);
/* Returns factor / q, for example a rate from a time. q and factor must be positive. */
cm_quantity cm_quantity_invert(cm_quantity q, double factor);
/* Limits the value and both ends to least .. most. */
cm_quantity cm_quantity_clamp(cm_quantity q, double least, double most);
/* Returns q under a monotonic function, given the function's value at q's value and at q's two
   ends, in either order. */
cm_quantity cm_quantity_mapped(cm_quantity q, double value, double end, double other);

/* These functions combine the worst ends of both intervals. If both are 95 % intervals, so is the
   result. It covers the true value in more than 95 % of cases if the two are independent, and in at
   least 90 % however they depend on each other. n is the smaller of the two, and `over` is that of
   the first. If either is a plain number, whose precision is unknown, the result is a plain number.

   ratio: `under` is positive, `over` may have either sign. */
cm_quantity cm_quantity_difference(cm_quantity a, cm_quantity b);
cm_quantity cm_quantity_ratio(cm_quantity over, cm_quantity under);

/* Returns the part of an exchange's time that computing hides, 1 - (total - compute) / exchange.
   Each of them is a median, and total is the time of both together. */
cm_quantity cm_quantity_overlap(const cm_summary *exchange, const cm_summary *compute,
                                const cm_summary *total);

/* Return the quantity with the greater value, or with the smaller one. If the values are equal, a
   is returned; if one is NaN, the other. The interval does not say which of the two is greater in
   truth. */
cm_quantity cm_quantity_greater(cm_quantity a, cm_quantity b);
cm_quantity cm_quantity_smaller(cm_quantity a, cm_quantity b);

#ifdef __cplusplus
}
#endif
#endif
