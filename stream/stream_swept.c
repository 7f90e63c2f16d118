/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_swept.c: what a sweep says in a few numbers. */
#include <math.h>
#include "stream.h"

static void keep_step(stream_swept *swept, int ranks, const cm_quantity *triad)
{
    int k = 0;
    while (k < swept->steps && swept->step[k].ranks != ranks) k++;
    if (k == STREAM_STEPS) return;
    if (k == swept->steps) {
        swept->steps++;
        swept->step[k].ranks = ranks;
    }
    swept->step[k].triad = cm_quantity_greater(swept->step[k].triad, *triad);
}

void stream_swept_keep(stream_found *found, const stream_setting *setting, size_t n, int ranks,
                       const cm_quantity *triad)
{
    stream_swept *swept = &found->swept;
    bool all = ranks == swept->most_ranks, one = ranks == 1;
    cm_quantity *cached = &found->triad[STREAM_CACHE][all];
    if (all && !setting->remote && n <= found->n[STREAM_CACHE])
        *cached = cm_quantity_greater(*cached, *triad);
    if (n != found->n[STREAM_SWEEP]) return;
    if (!setting->remote) keep_step(swept, ranks, triad);
    if ((!all && !one) || setting->stores != CM_STREAM_ORDINARY) return;
    if (setting->remote) swept->remote_MB_per_s[all] = triad->value;
    else swept->pages_MB_per_s[setting->pages][all] = triad->value;
}

/* The fewest ranks that reach this part of the best rate. */
static int saturating(const stream_swept *swept)
{
    static const double enough = 0.95;
    double best = 0;
    for (int k = 0; k < swept->steps; k++) best = fmax(best, swept->step[k].triad.value);
    int k = 0;
    while (swept->step[k].triad.value < enough * best) k++;
    return swept->step[k].ranks;
}

void stream_swept_metrics(cm_result *result, const stream_found *found)
{
    const stream_swept *swept = &found->swept;
    bool several = swept->most_ranks > 1;
    const double(*pages)[2] = swept->pages_MB_per_s;
    cm_result_metric(result, true, "triad_MB_per_s", swept->step[swept->steps - 1].triad);
    if (several) {
        cm_result_metric(result, true, "triad_one_rank_MB_per_s", swept->step[0].triad);
        cm_result_metric(result, true, "saturating_ranks", cm_quantity_of(saturating(swept)));
    }
    if (found->triad[STREAM_CACHE][true].value > 0)
        cm_result_metric(result, true, "triad_cached_MB_per_s", found->triad[STREAM_CACHE][true]);
    if (pages[STREAM_SMALL][true] > 0)
        cm_result_metric(
            result, true, "huge_pages_gain",
            cm_quantity_of(pages[STREAM_TRANSPARENT][true] / pages[STREAM_SMALL][true]));
    if (swept->remote_MB_per_s[true] > 0)
        cm_result_metric(
            result, true, "remote_memory_fraction",
            cm_quantity_of(swept->remote_MB_per_s[true] / pages[STREAM_TRANSPARENT][true]));
}
