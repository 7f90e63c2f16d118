/* SPDX-License-Identifier: BSD-3-Clause */
/* split_test.h: compares several metrics of two groups of launches at once, by the sizes of their
   differences. The launch is the unit of the test, so metrics may depend on each other. */
#ifndef CM_SPLIT_TEST_H
#define CM_SPLIT_TEST_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* value[k * (m + n) + i] is metric k of launch i. The first m launches are one group, the other n
   the second. p[k] is the adjusted probability of Westfall and Young's step-down procedure with the
   largest statistic (Resampling-Based Multiple Testing, 1993, algorithm 4.1). Rejecting wherever
   p[k] is at most alpha rejects any true hypothesis among the `metrics` with a probability of at
   most alpha, however the metrics depend on each other, provided that the launches are
   exchangeable. The statistic is the difference of the groups' means over the deviation of all m +
   n values. Therefore a large change has the smallest possible p, 2 / C(2 m, m) for groups of m
   each, whatever the number of metrics; a rank test would have to divide it among them. All splits
   are counted or, if there are more than 20,000, the given one and 19,999 random ones. Values must
   be finite; pass logarithms of values that differ by factors. Returns false if memory is short or
   if a group is empty or larger than CM_RANK_MOST. */
bool cm_split_test(size_t m, size_t n, size_t metrics, const double *value, double *p);

/* Returns the smallest difference of means, in deviations within the groups, that the test at the
   level alpha detects four times out of five. It assumes independent normal metrics of which only
   one differs. NaN if the sizes cannot reach alpha, or if memory is short. */
double cm_split_visible(size_t m, size_t n, size_t metrics, double alpha);

#ifdef __cplusplus
}
#endif
#endif
