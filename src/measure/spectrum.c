/* SPDX-License-Identifier: BSD-3-Clause */
/* spectrum.c: the power spectrum of a series (Cooley and Tukey 1965, radix 2, in place). */
#include "config.h"
#include "measure/period.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static void reorder(size_t n, double complex *x)
{
    for (size_t i = 1, j = 0; i < n; i++) {
        size_t bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex other = x[i];
            x[i] = x[j];
            x[j] = other;
        }
    }
}

/* Products by real and imaginary part, because C's multiplication looks for infinities. */
static double complex times(double complex a, double complex b)
{
    return creal(a) * creal(b) - cimag(a) * cimag(b)
           + (creal(a) * cimag(b) + cimag(a) * creal(b)) * I;
}

static void transform(size_t n, double complex *x)
{
    reorder(n, x);
    for (size_t half = 1; half < n; half *= 2)
        for (size_t k = 0; k < half; k++) {
            double angle = -pi * (double)k / (double)half;
            double complex turn = cos(angle) + sin(angle) * I;
            for (size_t i = k; i < n; i += 2 * half) {
                double complex odd = times(turn, x[i + half]);
                x[i + half] = x[i] - odd;
                x[i] += odd;
            }
        }
}

bool cm_spectrum(const double *value, size_t n, double *power)
{
    double complex *x = malloc(n * sizeof *x);
    double mean = 0;
    if (!x) return false;
    for (size_t i = 0; i < n; i++) mean += value[i] / (double)n;
    for (size_t i = 0; i < n; i++) x[i] = value[i] - mean;
    transform(n, x);
    for (size_t k = 0; k <= n / 2; k++)
        power[k] = (creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k])) / (double)n;
    free(x);
    return true;
}
