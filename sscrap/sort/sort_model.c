/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_model.c: what the BSP model counts of sorting (doc/bspbench.texi, "Formulas"). */
#include <math.h>
#include "sort_state.h"

enum { SUPERSTEPS = 3, SUPERSTEPS_BEFORE = 5, SAMPLE_WORDS = sizeof(sort_sample) / 8 };

static double comparisons(double n) { return n * log2(n); }

/* Adds the keys' way to groups. Process 0 receives samples and counts, and sends splitters and
   places; it keeps the keys for one process of its own group. */
static void add_first_level(const sort_options *options, int64_t n, int p, double key_words,
                            sscrap_model *model)
{
    double others = p - 1, groups = sort_groups(p), own = key_words * (double)n / p;
    double samples = (double)sort_first_samples(options, n, p);
    double in = (SAMPLE_WORDS * samples + 1) * others;
    double out = (SAMPLE_WORDS * (groups - 1) + 2) * others;
    model->h_words += fmax(own, own * (1 - 1 / groups) + fmax(in, out));
    model->messages += 2 * others + 2 * groups;
    model->supersteps += SUPERSTEPS_BEFORE;
    model->comparisons += comparisons(samples * p);
}

sscrap_model sort_model(const void *of_program, int64_t n, int p, bool one_host)
{
    (void)one_host;
    const sort_options *options = of_program;
    if (p == 1) return (sscrap_model){.share = 1};
    int q = sort_among(options, p);
    double samples = (double)sort_samples(options, n, p), others = q - 1;
    double own = (double)n / p,
           key_words = (double)sort_kernels_of(options->key, options->pairs)->bytes / 8;
    bool deals = sort_deals(options, n, p);
    bool whole = deals || sort_parts((sort_local)options->local, sort_levels(options, p), n, p);
    double pieces = whole ? 1 : ceil(own / (double)sort_spare(n, p));
    sscrap_model model = {
        .share = 1.0 / p,
        .h_words = SAMPLE_WORDS * samples * others + q * others + key_words * own * others / q
                   + (deals ? (double)sort_deal_samples(options, n, p) / q * others : 0),
        .messages = ((deals ? 4 : 2) + pieces) * others,
        .supersteps = SUPERSTEPS,
        .comparisons = comparisons(samples * q),
    };
    if (sort_levels(options, p) == 2) add_first_level(options, n, p, key_words, &model);
    return model;
}
