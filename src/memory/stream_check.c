/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_check.c: the bytes that STREAM's kernels move, the size of its arrays, and its check. */
#include "config.h"
#include <math.h>
#include "machine/machine.h"
#include "memory/stream.h"

static const int words[CM_STREAM_KERNELS] = {2, 2, 3, 3};

double cm_stream_bytes(cm_stream_kernel kernel, size_t n)
{
    return (double)words[kernel] * (double)sizeof(double) * (double)n;
}

double cm_stream_moved_bytes(cm_stream_kernel kernel, cm_stream_stores stores, size_t n)
{
    int moved = words[kernel] + (stores == CM_STREAM_NONTEMPORAL && cm_stream_has(stores) ? 0 : 1);
    return (double)moved * (double)sizeof(double) * (double)n;
}

static double mean_error(const double *x, size_t n, double expected)
{
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += fabs(x[j] - expected);
    return sum / (double)n / fabs(expected);
}

double cm_stream_error_of(const cm_stream *s, double q, size_t passes)
{
    double a = 2, b = 2, c = 0;
    for (size_t k = 0; k < passes; k++) {
        c = a;
        b = q * c;
        c = a + b;
        a = b + q * c;
    }
    if (passes == 0) return 0;
    double of_a = mean_error(s->a, s->n, a), of_b = mean_error(s->b, s->n, b);
    double of_c = mean_error(s->c, s->n, c);
    /* fmax would lose a NaN. */
    return isnan(of_a + of_b + of_c) ? NAN : fmax(of_a, fmax(of_b, of_c));
}

double cm_stream_error(const cm_stream *s, size_t passes)
{
    return cm_stream_error_of(s, CM_STREAM_Q, passes);
}

size_t cm_stream_least_n(void)
{
    return (size_t)CM_STREAM_CACHES * (size_t)cm_machine_last_caches_bytes(NULL) / sizeof(double);
}
