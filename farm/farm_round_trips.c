/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_round_trips.c: a histogram of as many times as there are, in bins of less than two per cent:
   the leading seven bits of the nanoseconds. */
#include <math.h>
#include "farm.h"

enum { KEPT_BITS = 7, HALF = 1 << (KEPT_BITS - 1), PER_DECADE = 10 };
static const double ns_per_s = 1e9;

static int bin_of(uint64_t ns)
{
    if (ns < 2 * HALF) return (int)ns;
    int shift = 64 - KEPT_BITS - __builtin_clzll(ns);
    return shift * HALF + (int)(ns >> shift);
}

static double lower_edge_ns(int bin)
{
    if (bin < 2 * HALF) return bin;
    int shift = bin / HALF - 1;
    return ldexp(bin - shift * HALF, shift);
}

void farm_round_trips_add(farm_round_trips *trips, double time_s)
{
    double ns = time_s > 0 ? ns_per_s * time_s : 0;
    trips->count[bin_of(ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18)]++;
    trips->n++;
    if (time_s > trips->longest_s) trips->longest_s = time_s;
}

double farm_round_trips_quantile(const farm_round_trips *trips, double fraction)
{
    /* a thousandth for the rounding of 1 - fraction */
    if ((double)trips->n * (1 - fraction) < 0.999) return NAN;
    double wanted = fraction * (double)(trips->n - 1) + 0.5, below = 0;
    for (int bin = 0; bin < FARM_BINS; bin++) {
        double here = (double)trips->count[bin];
        if (here > 0 && below + here >= wanted) {
            double low = lower_edge_ns(bin), high = lower_edge_ns(bin + 1);
            return fmin((low + (high - low) * (wanted - below) / here) / ns_per_s,
                        trips->longest_s);
        }
        below += here;
    }
    return trips->longest_s;
}

double farm_coarse_edge_s(int bin) { return pow(10, (double)bin / PER_DECADE) / ns_per_s; }

void farm_round_trips_coarse(const farm_round_trips *trips, uint64_t count[FARM_COARSE_BINS])
{
    for (int k = 0; k < FARM_COARSE_BINS; k++) count[k] = 0;
    for (int bin = 0; bin < FARM_BINS; bin++) {
        if (!trips->count[bin]) continue;
        double middle_ns = 0.5 * (lower_edge_ns(bin) + lower_edge_ns(bin + 1));
        int k = (int)(PER_DECADE * log10(middle_ns));
        count[k < 0 ? 0 : k < FARM_COARSE_BINS ? k : FARM_COARSE_BINS - 1] += trips->count[bin];
    }
}
