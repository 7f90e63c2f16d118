/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_histogram.c: how often turns took how long, on a logarithmic scale, where stalls of 40 ms
   form a peak of their own even if they are few. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "sockets.h"

static const double first_s = 1e-8;

static int bin_of(double s)
{
    if (!(s > first_s)) return 0;
    double k = floor(SOCKETS_BINS_PER_DECADE * log10(s / first_s));
    return k < SOCKETS_BINS - 1 ? (int)k : SOCKETS_BINS - 1;
}

double sockets_histogram_low_s(int bin)
{
    return first_s * pow(10, (double)bin / SOCKETS_BINS_PER_DECADE);
}

void sockets_histogram_fill(sockets_histogram *histogram, const cm_samples *samples)
{
    memset(histogram, 0, sizeof *histogram);
    for (size_t i = 0; i < samples->n; i++) histogram->count[bin_of(samples->value[i])]++;
}

void sockets_histogram_text(const sockets_histogram *histogram, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = 0;
    for (int k = 0; k < SOCKETS_BINS; k++) {
        if (histogram->count[k] == 0) continue;
        int n = snprintf(text + used, capacity - used, "%s%.4g:%llu", used ? " " : "",
                         sockets_histogram_low_s(k), (unsigned long long)histogram->count[k]);
        if (n < 0 || (size_t)n >= capacity - used) {
            text[used] = 0;
            return;
        }
        used += (size_t)n;
    }
}
