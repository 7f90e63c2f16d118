/* SPDX-License-Identifier: BSD-3-Clause */
/* split_test.h: compares several metrics of two groups of launches at once, by the sizes of their
   differences; the launches are the unit, and what they have in common does no harm. */
#ifndef CM_SPLIT_TEST_H
#define CM_SPLIT_TEST_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* value[k * (m + n) + i] is metric k of launch i; the first m launches are one group, the n others
   the second. p[k] is the adjusted probability of Westfall and Young's step-down procedure with the
   largest statistic (Resampling-Based Multiple Testing, 1993, algorithm 4.1): rejecting where p[k]
   is at most alpha rejects any true hypothesis of the `metrics` with probability alpha at most,
   however the metrics depend on each other, if the launches may be exchanged. The statistic is the
   difference of the groups' means over the deviation of all m + n values. Therefore a large change
   has the least p that there is, 2 / C(2 m, m) for groups of m each, whatever the number of
   metrics; a test of ranks would divide it among them. All splits are counted, or, of more than
   20,000, 19,999 random ones and the given one. Values must be finite; take logarithms of what
   differs by factors. Returns false if memory is short or if a group is empty or larger than
   CM_RANK_MOST. */
bool cm_split_test(size_t m, size_t n, size_t metrics, const double *value, double *p);

/* The smallest difference of means, in deviations within the groups, that the test at the level
   alpha finds four times out of five in one of so many independent normal metrics, of which the
   others do not differ. NaN if the sizes cannot reach alpha, or if memory is short. */
double cm_split_visible(size_t m, size_t n, size_t metrics, double alpha);

#ifdef __cplusplus
}
#endif
#endif
