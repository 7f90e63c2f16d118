/* SPDX-License-Identifier: BSD-3-Clause */
/* protocols.h: the parts of cm_fit_protocols; private to measure/. */
#ifndef CM_PROTOCOLS_H
#define CM_PROTOCOLS_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/fit.h"
#include "measure/least_squares.h"
#include "measure/samples.h"

/* No row is taken to be more precise than this fraction of its time, which is the precision of a
   time printed with five digits. Below it, even exact models deviate: the dummy backend's calls
   take nanoseconds. */
#define CM_ROW_ROUNDING 2e-5

/* ---- row_noise.c ----------------------------------------------------------------------------- */

/* Sets relative[k] to the standard deviation of row k as a fraction of its time, above 0. Times are
   above 0, and bytes are ascending. room has 2 n elements. */
void cm_row_noise(size_t n, const cm_protocol_row *const *row, double *room, double *relative);

/* ---- broken_line.c --------------------------------------------------------------------------- */

/* n points with ascending x. scale[k] is the standard deviation of y[k]; a common factor in all of
   them does not change the search. Differences below rounding[k] are ignored. */
typedef struct {
    size_t n, fewest; /* on either side of a break, >= 3 */
    const double *x, *y, *scale, *rounding;
    bool rising; /* both lines must rise */
} cm_points;

/* A break counts if its chance is below this. */
#define CM_BREAK_LEVEL 0.01

/* What the search found. The sums are those of squared residuals divided by scale. */
typedef struct {
    cm_line_solution one, low, high; /* low and high are set if split is not 0 */
    size_t split;                    /* number of points below the best break; 0: there is none */
    double chance;                   /* the probability that a single line shows as good a break; 1
                                        if split is 0 */
    size_t far;                      /* the point that is farthest from the best fit */
    double far_chance;               /* the probability that some point of a broken line is as far
                                        away */
} cm_broken_line;

/* Fits a single line and every pair of lines. room has 3 n elements. Returns false if the points do
   not determine a line. */
bool cm_broken_line_search(const cm_points *points, double *room, cm_broken_line *found);

/* Fits low and high of a break again, to the points before *last_low and from *first_high on. The
   points in between might belong to either line; including them would assign each to the line that
   it fits by chance. */
void cm_broken_line_part(const cm_points *points, cm_broken_line *found, size_t *last_low,
                         size_t *first_high);

/* Does the same for a single line: sets one, far and far_chance. */
bool cm_broken_line_one(const cm_points *points, double *room, cm_broken_line *found);

#endif
