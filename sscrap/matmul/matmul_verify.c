/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul_verify.c: Freivalds' test (R. Freivalds: Fast probabilistic algorithms. MFCS 1979, LNCS
   74, 57-69): a wrong product C satisfies A (B x) = C x for few x only.

   Integers. All sums of A B are whole numbers that the precision holds, so C is either exact or
   wrong. The test is computed modulo 2^64 with x uniform there. Once the entries of C are known to
   be whole and not larger than M = n largest^2, an entry of D = C - A B that is not 0 is below 2 M
   and divisible by at most the power 2^v <= 2 M of two. With all other x_j given, at most 2^v of
   the 2^64 values of x_j solve (D x)_i = 0: a wrong C passes each vector with a probability of at
   most 2 M / 2^64.

   Reals. N. J. Higham, T. Mary: A new approach to probabilistic rounding error analysis, SIAM J.
   Sci. Comput. 41 (2019) A2815: |C - A B| <= g |A||B| with g = exp(L sqrt(n) u + n u^2 / (1 - u)) -
   1, each entry with a probability of at least 1 - 2 n exp(-L^2 / 2). With x_j = +1 or -1 the
   errors of a row add up, by Hoeffding, to at most L times their 2-norm, which is at most g sum_k
   |a_ik| |b_k|_2 with b_k the rows of B. The errors of the test's own sums in double precision have
   the same bound with 2^-53 for u, three times. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "matmul.h"

static const double L = 9; /* 2 n^3 exp(-L^2 / 2) < 1e-5 up to n = 10^4 */

int64_t matmul_largest(int precision, int64_t n)
{
    double bits = precision == MATMUL_SINGLE ? 0x1p24 : 0x1p48;
    double largest = floor(sqrt(bits / (double)n));
    return largest < 1 ? 1 : largest > 1 << 20 ? 1 << 20 : (int64_t)largest;
}

static double at(const matmul_state *s, const unsigned char *matrix, int64_t k)
{
    return s->bytes == 4 ? (double)((const float *)(const void *)matrix)[k]
                         : ((const double *)(const void *)matrix)[k];
}

static void *vector(int64_t n) { return sscrap_memory((size_t)n * 8); }

/* ---- Integers ------------------------------------------------------------------------------- */

/* y = M x on all processes; x[j] belongs to column j of this process's block. */
static void times(const matmul_state *s, const unsigned char *matrix, const uint64_t *x,
                  uint64_t *y)
{
    memset(y, 0, (size_t)s->n * sizeof *y);
    for (int64_t j = 0; j < s->own; j++)
        for (int64_t i = 0; i < s->n; i++)
            y[i] += (uint64_t)(int64_t)at(s, matrix, j * s->n + i) * x[j];
    cm_allreduce(cm_bsp_group(), y, y, (size_t)s->n, CM_INT64, CM_SUM, CM_AUTO);
}

/* Counts entries of C that no product can have. They become 0, so that what follows is defined. */
static int64_t impossible(matmul_state *s)
{
    int64_t found = 0;
    double most = (double)s->n * (double)s->largest * (double)s->largest;
    for (int64_t k = 0; k < s->n * s->own; k++) {
        double c = at(s, s->c, k);
        if (fabs(c) <= most && c == floor(c)) continue;
        found++;
        memset(s->c + (size_t)k * s->bytes, 0, s->bytes);
    }
    return found;
}

static int integers(matmul_state *s, sscrap_check *checks)
{
    uint64_t *x = vector(s->n), *y = vector(s->n), *z = vector(s->n);
    double not_possible = sscrap_sum((double)impossible(s));
    int64_t different = 0;
    for (int v = 0; v < MATMUL_VECTORS; v++) {
        uint64_t start = cm_random_mix(s->seed + 99) + (uint64_t)v;
        for (int64_t j = 0; j < s->own; j++) x[j] = cm_random_word(start, (uint64_t)(s->first + j));
        times(s, s->b, x, y);
        times(s, s->a, y + s->first, z);
        times(s, s->c, x, y);
        for (int64_t i = 0; i < s->n; i++) different += y[i] != z[i];
    }
    free(x);
    free(y);
    free(z);
    checks[0] = (sscrap_check){"impossible_entries", "==", not_possible, 0};
    checks[1] = (sscrap_check){"freivalds_differences", "==", (double)different, 0};
    return 2;
}

/* ---- Reals ---------------------------------------------------------------------------------- */

static void add_up(const matmul_state *s, double *y)
{
    cm_allreduce(cm_bsp_group(), y, y, (size_t)s->n, CM_DOUBLE, CM_SUM, CM_AUTO);
}

static void times_real(const matmul_state *s, const unsigned char *matrix, const double *x,
                       double *y)
{
    memset(y, 0, (size_t)s->n * sizeof *y);
    for (int64_t j = 0; j < s->own; j++)
        for (int64_t i = 0; i < s->n; i++) y[i] += at(s, matrix, j * s->n + i) * x[j];
    add_up(s, y);
}

/* sum_k |a_ik| |b_k|_2 */
static void bounds(const matmul_state *s, double *b_norms, double *bound)
{
    memset(b_norms, 0, (size_t)s->n * sizeof *b_norms);
    memset(bound, 0, (size_t)s->n * sizeof *bound);
    for (int64_t j = 0; j < s->own; j++)
        for (int64_t i = 0; i < s->n; i++) b_norms[i] += pow(at(s, s->b, j * s->n + i), 2);
    add_up(s, b_norms);
    for (int64_t j = 0; j < s->own; j++)
        for (int64_t i = 0; i < s->n; i++)
            bound[i] += fabs(at(s, s->a, j * s->n + i)) * sqrt(b_norms[s->first + j]);
    add_up(s, bound);
}

static double growth(double n, double u) { return expm1(L * sqrt(n) * u + n * u * u / (1 - u)); }

static int reals(matmul_state *s, sscrap_check *checks)
{
    double *x = vector(s->n), *y = vector(s->n), *z = vector(s->n), *bound = vector(s->n);
    double n = (double)s->n, u = s->bytes == 4 ? FLT_EPSILON / 2 : DBL_EPSILON / 2, worst = 0;
    double factor = L * (growth(n, u) + 3 * growth(n, DBL_EPSILON / 2));
    bounds(s, y, bound);
    for (int v = 0; v < MATMUL_VECTORS; v++) {
        uint64_t start = cm_random_mix(s->seed + 99) + (uint64_t)v;
        for (int64_t j = 0; j < s->own; j++)
            x[j] = cm_random_word(start, (uint64_t)(s->first + j)) & 1 ? 1 : -1;
        times_real(s, s->b, x, y);
        times_real(s, s->a, y + s->first, z);
        times_real(s, s->c, x, y);
        for (int64_t i = 0; i < s->n; i++) {
            double ratio = fabs(y[i] - z[i]) / (factor * bound[i]);
            /* NaN is worst, and stays. */
            if (!isnan(worst) && !(ratio <= worst) && y[i] != z[i]) worst = ratio;
        }
    }
    free(x);
    free(y);
    free(z);
    free(bound);
    checks[0] = (sscrap_check){"freivalds_error_over_bound", "<=", worst, 1};
    return 1;
}

int matmul_verify(void *of_run, sscrap_check *checks)
{
    matmul_state *s = of_run;
    return s->options->input == MATMUL_REAL ? reals(s, checks) : integers(s, checks);
}
