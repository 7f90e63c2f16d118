/* SPDX-License-Identifier: BSD-3-Clause */
/* median_interval.c: which order statistics enclose the median with 95 % confidence. */
#include "config.h"
#include "measure/samples.h"
#include <math.h>

/* How many of n samples lie below the median is binomial, B(n, 1/2), whatever the distribution
   of the samples. The interval from the l-th smallest to the l-th largest misses the median
   with probability 2 P(B <= l - 1); l is the largest with P(B <= l - 1) <= 0.025 (David and
   Nagaraja, Order Statistics, 3rd ed. 2003, section 7.1). */

enum { EXACT = 1000 }; /* 2^-1000 is still a normal double */

/* Sums the terms C(n, k) 2^-n upwards from k = 0, where 2^-n is exact; every term is positive,
   so the sum's relative error stays near n eps. */
static size_t rank_exact(size_t n)
{
    double term = ldexp(1, -(int)n), sum = term;
    size_t l = 0;
    while (sum <= 0.025) {
        l++; /* now P(B <= l - 1) = sum */
        term *= (double)(n - l + 1) / (double)l;
        sum += term;
    }
    return l;
}

/* Cornish-Fisher quantile with continuity correction: P(B <= l - 1) = 0.025 where l - 1 + 1/2 =
   n/2 - sqrt(v) (z + (z^3 - 3 z) (-2/n) / 24), z = 1.95996..., -2/n the excess kurtosis (the
   skewness is 0), v = n/4 - 1/12 the variance with Sheppard's adjustment for a lattice
   (Kolassa, Series Approximation Methods in Statistics, 3rd ed. 2006, section 3.15; Abramowitz
   and Stegun 26.2.49). Agrees with sums of integers for all n from 1001 to 20000; without the
   adjustment 34 of them are 1 too low. */
static size_t rank_asymptotic(size_t n)
{
    const double z = 1.959963984540054, m = (double)n;
    double quantile = z - (z * z * z - 3 * z) / (12 * m);
    return (size_t)floor((m + 1 - sqrt(m - 1.0 / 3) * quantile) / 2);
}

bool cm_median_interval(size_t n, size_t *low, size_t *high)
{
    if (n < 6) return false; /* 2 P(B <= 0) = 2^(1-n) > 0.05 */
    size_t l = n <= EXACT ? rank_exact(n) : rank_asymptotic(n);
    *low = l;
    *high = n + 1 - l;
    return true;
}
