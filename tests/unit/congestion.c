/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion.c: cm-congestion's quantiles over rounds: their intervals contain the value, and there
   is no interval if one round has most of the samples. */
#include "tap.h"
#include "../network/congestion/congestion.h"
#include "random/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7 };

/* Times about `scale`, of the given number in each round. */
static void fill(cm_histogram *rounds, const int *samples, double scale, uint64_t *state)
{
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < samples[k]; i++)
            cm_histogram_add(&rounds[k],
                             scale * (1 + (double)(cm_random_next(state) >> 11) * 0x1p-53));
}

static bool inside(const cm_quantity *e)
{
    return e->low <= e->value && e->value <= e->high && e->low < e->high;
}

static bool missing(const cm_quantity *e) { return isnan(e->low) && isnan(e->high); }

int main(void)
{
    static const int even[ROUNDS] = {2000, 2000, 2000, 2000, 2000, 2000, 2000},
                     first[ROUNDS] = {2000, 20, 20, 20, 20, 20, 20},
                     last[ROUNDS] = {20, 20, 20, 20, 20, 20, 2000};
    cm_histogram *alone = calloc(ROUNDS, sizeof *alone), *loaded = calloc(ROUNDS, sizeof *loaded);
    uint64_t state = 3;
    if (!alone || !loaded) return 99;
    fill(alone, even, 1e-6, &state);
    fill(loaded, even, 3e-6, &state);
    for (size_t n = 3; n <= ROUNDS; n += ROUNDS - 3) {
        cm_quantity median = congestion_quantile(alone, n, 0.5),
                    ratio = congestion_ratio(loaded, alone, n, 0.99);
        ok_near(median.value, 1.5e-6, 0.03, "the median of even samples");
        ok(inside(&median), "%zu rounds: its interval has it", n);
        ok_near(ratio.value, 3, 0.03, "the ratio of 99th percentiles");
        ok(inside(&ratio), "%zu rounds: its interval has it", n);
    }
    for (int k = 0; k < 2; k++) {
        memset(loaded, 0, ROUNDS * sizeof *loaded);
        fill(loaded, k ? last : first, 3e-6, &state);
        for (size_t n = k ? ROUNDS : 3; n <= ROUNDS; n += ROUNDS - 3) {
            cm_quantity ratio = congestion_ratio(loaded, alone, n, 0.99);
            ok(ratio.value > 2 && missing(&ratio),
               "%zu rounds, of which one has most samples: no interval", n);
        }
    }
    free(alone);
    free(loaded);
    return tap_done();
}
