/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_distribution.c: percentiles and histogram of single turns' times. */
#include <math.h>
#include <string.h>
#include "netpipe.h"

static const double percentile[NETPIPE_PERCENTILES] = {0.90, 0.95, 0.99, 0.999, 0.9999};

bool netpipe_percentiles(const cm_samples *samples, double value[NETPIPE_PERCENTILES])
{
    if (!cm_quantiles(samples, NETPIPE_PERCENTILES, percentile, value)) return false;
    /* The thousandth allows for the rounding of 1 - p. */
    for (int k = 0; k < NETPIPE_PERCENTILES; k++)
        if ((double)samples->n * (1 - percentile[k]) < 0.999) value[k] = NAN;
    return true;
}

/* Bins from a nanosecond to an hour; the first and the last also hold what lies outside. */
enum { BINS_PER_DECADE = 20, DECADES = 13, BINS = BINS_PER_DECADE * DECADES };
static const double first_s = 1e-9;

static double edge_s(int bin) { return first_s * pow(10, (double)bin / BINS_PER_DECADE); }

static int bin_of(double time_s)
{
    double bin = floor(BINS_PER_DECADE * log10(time_s / first_s));
    return !(bin > 0) ? 0 : bin < BINS ? (int)bin : BINS - 1;
}

void netpipe_write_histogram(cm_result *result, const cm_pair_point *point, int64_t sweep)
{
    size_t count[BINS];
    memset(count, 0, sizeof count);
    for (size_t i = 0; i < point->samples.n; i++) count[bin_of(point->samples.value[i])]++;
    for (int bin = 0; bin < BINS; bin++)
        if (count[bin])
            cm_result_comment(result,
                              "histogram: size_bytes=%lld sweep=%lld from_s=%.4e to_s=%.4e "
                              "count=%zu",
                              (long long)point->bytes, (long long)sweep, edge_s(bin),
                              edge_s(bin + 1), count[bin]);
}
