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

enum { CM_RANK_MOST = 50 }; /* values of a sample */

/* The two-sided Wilcoxon-Mann-Whitney test of m values x and n values y: *p is the probability,
   when all m + n values come from one distribution, of ranks that differ at least as much in
   either direction: twice the smaller tail, at most 1. Equal values share the mean of their ranks,
   and the distribution is exact: all ways to deal the ranks to x and y (Hollander and Wolfe,
   Nonparametric Statistical Methods, 2nd ed. 1999, section 4.1; ties: comment 5 there; Lehmann,
   Nonparametrics, 1975, sections 1.2 and 1.4). Sets *p to NaN if m or n is 0 or above CM_RANK_MOST,
   or if a value is NaN. Returns false if memory is short. */
bool cm_rank_test(size_t m, const double *x, size_t n, const double *y, double *p);

/* m values x and n values y that were measured alike; x and y are compared within strata only. */
typedef struct {
    size_t m, n;
    const double *x, *y;
} cm_rank_stratum;

/* The same test within n strata, by the sum of the ranks of y in its own stratum, exactly (van
   Elteren's test with equal weights; Lehmann, Nonparametrics, section 3.3). A stratum where one
   sample is empty tells nothing. Sets *p to NaN if all are such, or if the values of x or y are
   more than CM_RANK_MOST together, or one is NaN. Returns false if memory is short. */
bool cm_rank_test_within(size_t n, const cm_rank_stratum *stratum, double *p);

/* The smallest p that this test can have; 1 if nothing can be told. */
double cm_rank_least_p_within(size_t n, const cm_rank_stratum *stratum);

/* The smallest p that samples of these sizes can have, 2 / C(m + n, m); 1 if one is empty. */
double cm_rank_least_p(size_t m, size_t n);

/* The largest c with P(U <= c - 1) <= alpha / 2, where U is the number of pairs with y < x, of
   values without ties from one distribution: the c-th smallest and the c-th largest difference y -
   x of a pair enclose the shift with confidence 1 - alpha at least. *c is 0 if the sizes are too
   small for alpha, or out of range. Returns false if memory is short. */
bool cm_rank_order(size_t m, size_t n, double alpha, size_t *c);

/* By what factor the values y are greater than the values x: the median of the m n ratios y / x
   (Hodges and Lehmann). If the sizes are large enough, low and high enclose the factor with 95 %
   confidence; they invert the test on logarithms (Hollander and Wolfe, sections 4.2 and 4.3), and
   with ties they are wider rather than narrower. Else they are the least and the greatest ratio.
   All three are NaN if a size is out of range or if a value is not above 0 and finite. */
typedef struct {
    double ratio, low, high;
    cm_interval interval;
} cm_rank_factor;

/* Returns false if memory is short. */
bool cm_rank_ratio(size_t m, const double *x, size_t n, const double *y, cm_rank_factor *factor);

/* The same of the pairs within n strata, which invert cm_rank_test_within at the level alpha: the
   interval is called one of 95 %, since a level below 0.05 is for launches that are worth fewer
   independent ones (measure/states_pair.h). */
bool cm_rank_ratio_within(size_t n, const cm_rank_stratum *stratum, double alpha,
                          cm_rank_factor *factor);

/* The smallest ratio above 1 that the test at the level alpha finds four times out of five
   (rank_visible.c says how): NaN if the sizes cannot reach alpha at all, if a size is out of range
   or if a value is not above 0 and finite. Returns false if memory is short. */
bool cm_rank_visible(size_t m, const double *x, size_t n, const double *y, double alpha,
                     double *ratio);

/* Holm's procedure: adjusts n values p of n tests so that rejecting where the adjusted value is at
   most alpha rejects a true hypothesis, any of the n, with probability alpha at most, however the
   tests depend on each other (Holm, Scandinavian Journal of Statistics 6 (1979) 65). adjusted may
   be p itself. Returns false if memory is short. */
bool cm_holm(size_t n, const double *p, double *adjusted);

#ifdef __cplusplus
}
#endif
#endif
