/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_model.c: what many hosts lose when all wait for the last of them.

   Between two barriers each core works for a quantum and loses x, a draw from its distribution F,
   independent of those of the other cores. A host of c cores loses the most of these:

       F_host(x) = F_1(x) F_2(x) .. F_c(x)        G(x) = mean over the hosts of F_host(x)

   N hosts, each drawn from those measured, lose the largest of N draws from G, which is expected to
   be the integral of 1 - G(x)^N over x. With x in bins it is the sum over the bins of

       (mean of what is lost in the bin) (G(end)^N - G(end of the bin before)^N)

   Bins bound the memory; they are 9 % wide. */
#include <config.h>
#include <math.h>
#include <string.h>
#include "noise.h"

static const double first_s = 1e-9; /* end of bin 0: steps of the clock */
enum { BINS_AN_OCTAVE = 8 };

/* Bin b ends at 2^(b / 8) first_s. */
static size_t bin_of(double lost_s)
{
    if (lost_s <= first_s) return 0;
    double bin = ceil(BINS_AN_OCTAVE * log2(lost_s / first_s) - 1e-9);
    return bin < NOISE_BINS - 1 ? (size_t)bin : NOISE_BINS - 1;
}

void noise_distribution_of(const cm_samples *time_s, noise_distribution *d)
{
    double least_s = INFINITY, below = 0;
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < time_s->n; i++) least_s = fmin(least_s, time_s->value[i]);
    for (size_t i = 0; i < time_s->n; i++) {
        double lost_s = time_s->value[i] - least_s;
        size_t bin = bin_of(lost_s);
        d->n[bin]++;
        d->lost_s[bin] += lost_s;
    }
    for (size_t b = 0; b < NOISE_BINS; b++) {
        below += d->n[b];
        d->share[b] = below / (double)time_s->n;
    }
}

double noise_expected_maximum_s(const noise_distribution *d, double draws)
{
    double sum_s = 0, before = 0;
    for (size_t b = 0; b < NOISE_BINS; b++) {
        double until = pow(d->share[b], draws);
        if (d->n[b] > 0) sum_s += d->lost_s[b] / d->n[b] * (until - before);
        before = until;
    }
    return sum_s;
}

void noise_distribution_of_hosts(noise_distribution *d)
{
    cm_group *host = cm_split_host(cm_world());
    noise_distribution all = *d;
    cm_allreduce(host, d->share, all.share, NOISE_BINS, CM_DOUBLE, CM_PROD, CM_AUTO);
    if (cm_rank(host) != 0) memset(all.share, 0, sizeof all.share);
    int32_t first = cm_rank(host) == 0, hosts;
    cm_group_free(host);
    cm_allreduce(cm_world(), &first, &hosts, 1, CM_INT32, CM_SUM, CM_AUTO);
    cm_allreduce(cm_world(), all.share, d->share, NOISE_BINS, CM_DOUBLE, CM_SUM, CM_AUTO);
    for (size_t b = 0; b < NOISE_BINS; b++) d->share[b] /= hosts;
    cm_allreduce(cm_world(), all.lost_s, d->lost_s, NOISE_BINS, CM_DOUBLE, CM_SUM, CM_AUTO);
    cm_allreduce(cm_world(), all.n, d->n, NOISE_BINS, CM_DOUBLE, CM_SUM, CM_AUTO);
}
