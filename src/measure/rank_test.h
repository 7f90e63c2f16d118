/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_test.h: compares two independent samples by their ranks, exactly also for a few values: how
   likely such a difference is by chance, by what factor they differ, and what could have been
   seen. */
#ifndef CM_RANK_TEST_H
#define CM_RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include "measure/samples.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CM_RANK_MOST = 50 }; /* the largest number of values in a sample */

/* The two-sided Wilcoxon-Mann-Whitney test of m values x and n values y. *p is the probability that
   ranks differ at least as much in either direction if all m + n values come from one distribution:
   twice the smaller tail, at most 1. Equal values share the mean of their ranks. The distribution
   is exact: it counts all ways to deal the ranks to x and y (Hollander and Wolfe, Nonparametric
   Statistical Methods, 2nd ed. 1999, section 4.1; ties: comment 5 there; Lehmann, Nonparametrics,
   1975, sections 1.2 and 1.4). Sets *p to NaN if m or n is 0 or above CM_RANK_MOST, or if a value
   is NaN. Returns false if memory is short. */
bool cm_rank_test(size_t m, const double *x, size_t n, const double *y, double *p);

/* m values x and n values y measured under the same conditions. x and y are compared only within
   strata. */
typedef struct {
    size_t m, n;
    const double *x, *y;
} cm_rank_stratum;

/* The same test within n strata. It uses the sum of the ranks of y, each within its own stratum,
   and is exact (van Elteren's test with equal weights; Lehmann, Nonparametrics, section 3.3). A
   stratum in which one sample is empty contributes nothing. Sets *p to NaN if this holds for all
   strata, if x or y has more than CM_RANK_MOST values in total, or if a value is NaN. Returns false
   if memory is short. */
bool cm_rank_test_within(size_t n, const cm_rank_stratum *stratum, double *p);

/* Returns the smallest p that this test can have; 1 if no stratum contributes. */
double cm_rank_least_p_within(size_t n, const cm_rank_stratum *stratum);

/* Returns the smallest p that samples of these sizes can have, 2 / C(m + n, m); 1 if one is empty.
   */
double cm_rank_least_p(size_t m, size_t n);

/* Sets *c to the largest c with P(U <= c - 1) <= alpha / 2. U is the number of pairs with y < x,
   for values without ties from one distribution. The c-th smallest and the c-th largest difference
   y - x of a pair then enclose the shift with confidence at least 1 - alpha. *c is 0 if the sizes
   are too small for alpha, or out of range. Returns false if memory is short. */
bool cm_rank_order(size_t m, size_t n, double alpha, size_t *c);

/* The factor by which the values y exceed the values x: the median of the m n ratios y / x (Hodges
   and Lehmann). If the sizes are large enough, low and high enclose the factor with 95 %
   confidence. They invert the test on logarithms (Hollander and Wolfe, sections 4.2 and 4.3); ties
   make them wider, never narrower. With smaller sizes they are the least and the greatest ratio.
   All three are NaN if a size is out of range, or if a value is not finite or not above 0. */
typedef struct {
    double ratio, low, high;
    cm_interval interval;
} cm_rank_factor;

/* Returns false if memory is short. */
bool cm_rank_ratio(size_t m, const double *x, size_t n, const double *y, cm_rank_factor *factor);

/* The same for pairs within n strata, by inverting cm_rank_test_within at the level alpha. The
   interval is still called a 95 % interval: the caller passes a level below 0.05 for launches that
   are worth fewer independent ones (measure/states_pair.h). */
bool cm_rank_ratio_within(size_t n, const cm_rank_stratum *stratum, double alpha,
                          cm_rank_factor *factor);

/* Sets *ratio to the smallest ratio above 1 that the test at the level alpha detects four times out
   of five (method: rank_visible.c). It is NaN if the sizes cannot reach alpha at all, if a size is
   out of range, or if a value is not finite or not above 0. Returns false if memory is short. */
bool cm_rank_visible(size_t m, const double *x, size_t n, const double *y, double alpha,
                     double *ratio);

/* Holm's procedure (Scandinavian Journal of Statistics 6 (1979) 65): adjusts the values p of n
   tests. If every hypothesis with an adjusted value of at most alpha is rejected, the probability
   of rejecting any true one is at most alpha, however the tests depend on each other. adjusted may
   be p itself. Returns false if memory is short. */
bool cm_holm(size_t n, const double *p, double *adjusted);

#ifdef __cplusplus
}
#endif
#endif
