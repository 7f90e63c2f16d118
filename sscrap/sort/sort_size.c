/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_size.c: numbers of processes, samples and keys that follow from the options: levels, groups,
   samples for each part, room for the result. */
#include <math.h>
#include "sort_state.h"

enum { FEWEST = 4 }; /* processes: two groups of two */

int sort_levels(const sort_options *options, int p)
{
    if (p < FEWEST || options->levels == SORT_LEVELS_1) return 1;
    return options->levels == SORT_LEVELS_2 || p > SORT_PARTS ? 2 : 1;
}

int sort_groups(int p) { return (int)lround(sqrt(p)); }

int sort_among(const sort_options *options, int p)
{
    return sort_levels(options, p) == 1 ? p : (p + sort_groups(p) - 1) / sort_groups(p);
}

/* A part should be at most ALPHA n / p. With s random samples a process, the largest exceeds that
   with a probability of at most n exp(-(1 - 1/ALPHA)^2 ALPHA s / 2) (G. E. Blelloch et al.: A
   comparison of sorting algorithms for the Connection Machine CM-2, SPAA 1991, section 4). s makes
   this a millionth. If it happens, the samples are drawn again. */
static const double ALPHA = SORT_PART_BOUND, UNLIKELY = 1e-6;

double sort_bound(int levels) { return levels == 2 ? sqrt(ALPHA) : ALPHA; }

/* Samples for each part in one level. */
static int64_t oversampling(const sort_options *options, int64_t n, int p)
{
    double alpha = sort_bound(sort_levels(options, p));
    double s = 2 * log((double)n / UNLIKELY) / (pow(1 - 1 / alpha, 2) * alpha);
    return options->samples ? options->samples : (int64_t)ceil(s);
}

int64_t sort_first_samples(const sort_options *options, int64_t n, int p)
{
    int64_t wanted = (oversampling(options, n, p) * sort_groups(p) + p - 1) / p;
    int64_t all = (n + p - 1) / p;
    return wanted < all ? wanted : all;
}

double sort_first_bytes(const sort_options *options, int p)
{
    if (sort_levels(options, p) == 1) return 0;
    return 8.0 * p + (sizeof(struct sort_target) + 8.0) * sort_groups(p);
}

int64_t sort_samples(const sort_options *options, int64_t n, int p)
{
    int64_t s = oversampling(options, n, p), all = (n + p - 1) / p;
    if (options->samples) return s;
    return s < all ? s : all;
}

int64_t sort_room(int64_t n, int p) { return p == 1 ? n : (int64_t)(ALPHA * (double)n / p) + 2; }

int64_t sort_spare(int64_t n, int p)
{
    /* The buffer of the radix sort is as large as the result can be. */
    return p == 1 ? 0 : sort_room(n, p) - n / p + 1;
}
