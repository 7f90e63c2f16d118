/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_noise.c: the probability that noise alone looks like a slow host or link. */
#include <math.h>
#include <stdlib.h>
#include "nodes.h"

bool nodes_noise_open(size_t n, const double *left, nodes_noise *noise)
{
    *noise = (nodes_noise){.sorted = malloc((n + 1) * sizeof *noise->sorted)};
    if (!noise->sorted) return false;
    for (size_t k = 0; k < n; k++)
        if (!isnan(left[k])) noise->sorted[noise->n++] = left[k];
    nodes_sort(noise->sorted, noise->n);
    return true;
}

void nodes_noise_close(nodes_noise *noise)
{
    free(noise->sorted);
    *noise = (nodes_noise){0};
}

size_t nodes_noise_below(const nodes_noise *noise, double x)
{
    size_t low = 0, high = noise->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (noise->sorted[middle] <= x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The next sample of n + 1 is as likely at any place among them. */
double nodes_noise_chance(size_t below, size_t n, size_t visits, size_t needed)
{
    const double p = ((double)below + 1) / ((double)n + 1), k = (double)visits;
    double chance = 0;
    for (size_t hits = needed; hits <= visits; hits++) {
        double h = (double)hits;
        double ways = lgamma(k + 1) - lgamma(h + 1) - lgamma(k - h + 1);
        chance += exp(ways + h * log(p) + (p < 1 ? (k - h) * log1p(-p) : hits < visits ? -1e9 : 0));
    }
    return fmin(1, chance);
}

double nodes_noise_bound(const nodes_noise *noise, size_t visits, size_t needed, double alpha)
{
    size_t low = 0, high = noise->n; /* below low the chance is small enough */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (nodes_noise_chance(middle, noise->n, visits, needed) < alpha) low = middle + 1;
        else high = middle;
    }
    return low > 0 ? noise->sorted[low - 1] : -INFINITY;
}
