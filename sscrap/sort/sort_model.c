/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_model.c: what the BSP model counts of sorting (bspbench/README, "Formulas"). */
#include <math.h>
#include "sort_state.h"

enum { SUPERSTEPS = 3, SAMPLE_WORDS = sizeof(sort_sample) / 8 };

sscrap_model sort_model(const void *of_program, int64_t n, int p, bool one_host)
{
    (void)one_host;
    const sort_options *options = of_program;
    if (p == 1) return (sscrap_model){.share = 1};
    double samples = (double)sort_oversampling(options, n, p), others = p - 1;
    double own = (double)n / p, key_words = (double)sort_kernels_of(options)->bytes / 8;
    bool deals = sort_deals(options, n, p);
    double pieces = deals ? 1 : ceil(own / (double)sort_spare(n, p));
    return (sscrap_model){
        .share = 1.0 / p,
        .h_words = SAMPLE_WORDS * samples * others + p * others + key_words * own * others / p
                   + (deals ? (double)sort_plan_samples(n) / p * others : 0),
        .messages = ((deals ? 4 : 2) + pieces) * others,
        .supersteps = SUPERSTEPS,
        .comparisons = samples * p * log2(samples * p),
    };
}
