/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hard.c: matrices on which Gaussian elimination with partial pivoting is tried: whose
   elements grow, that are nearly singular, whose elements are of very different sizes. */
#include <float.h>
#include <math.h>
#include "linpack_matrix.h"

/* Wilkinson, Rounding Errors in Algebraic Processes, 1961: the last column doubles in each step. */
static double wilkinson(int n, int i, int j, double random)
{
    (void)random;
    return i == j || j == n ? 1 : i > j ? -1 : 0;
}

/* Wright, SIAM J. Sci. Comput. 14, 1993: multiple shooting for y' = M y with M = ((-1/6, 1),
   (1, -1/6)) in steps of 0.3. Identities on the diagonal and in the upper corner, -exp(0.3 M) below
   the diagonal. It is regular and well conditioned; elements grow like exp(n / 8). With an odd
   order the last unknown is alone. */
static double wright(int n, int i, int j, double random)
{
    const double step = 0.3;
    const int even = n / 2 * 2;
    (void)random;
    if (i == j || (i <= 2 && j == even - 2 + i)) return 1;
    if (i > even || (i - 1) / 2 != (j - 1) / 2 + 1) return 0;
    return -exp(-step / 6) * ((i - j) % 2 == 0 ? cosh(step) : sinh(step));
}

/* Foster, SIAM J. Matrix Anal. Appl. 15, 1994: quadrature of a Volterra equation, with c = 1 and
   k h = 1/2. The last column grows by 5/3 in each step. */
static double foster(int n, int i, int j, double random)
{
    const double kh = 0.5;
    (void)random;
    const double last = j == n ? -1 : 0;
    if (i == j) return last + (i == 1 ? 1 : 1 - kh / 2);
    if (i < j) return last;
    return j == 1 ? -kh / 2 : -kh;
}

/* Kahan, Canad. Math. Bull. 9, 1966, with the angle 1.2: triangular, nearly singular without a
   small pivot. */
static double kahan(int n, int i, int j, double random)
{
    const double angle = 1.2;
    (void)n, (void)random;
    return (i == j ? 1 : i < j ? -cos(angle) : 0) * pow(sin(angle), i - 1);
}

static double hilbert(int n, int i, int j, double random)
{
    (void)n, (void)random;
    return 1 / ((double)i + j - 1);
}

/* Rows and columns each half as large as those before. */
static double graded(int n, int i, int j, double random)
{
    (void)n;
    return ldexp(random, i + j < 4000 ? -(i + j) : -4000);
}

/* Up to 2^1023: a sum of three of them may overflow double precision. */
static double huge(int n, int i, int j, double random)
{
    (void)n, (void)i, (void)j;
    return ldexp(random, DBL_MAX_EXP);
}

double linpack_hard_element(int kind, int n, int i, int j, double random)
{
    static double (*const element[])(int, int, int, double) = {
        [LINPACK_WILKINSON] = wilkinson, [LINPACK_WRIGHT] = wright,   [LINPACK_FOSTER] = foster,
        [LINPACK_KAHAN] = kahan,         [LINPACK_HILBERT] = hilbert, [LINPACK_GRADED] = graded,
        [LINPACK_HUGE] = huge,
    };
    return element[kind](n, i, j, random);
}
