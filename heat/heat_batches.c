/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_batches.c: keeps the times of a run's iterations in a bounded number of batches. */
#include "heat.h"

void heat_batches_clear(heat_batches *batches)
{
    batches->n = 0;
    batches->together = batches->in_last = 1;
}

static void halve(heat_batches *b)
{
    for (size_t k = 0; k < HEAT_MOST_BATCHES / 2; k++) {
        b->time_s[k] = b->time_s[2 * k] + b->time_s[2 * k + 1];
        b->iterations[k] = b->iterations[2 * k] + b->iterations[2 * k + 1];
    }
    b->n = HEAT_MOST_BATCHES / 2;
    b->together *= 2;
}

void heat_batches_add(heat_batches *b, double time_s, int64_t iterations)
{
    if (b->in_last == b->together) {
        if (b->n == HEAT_MOST_BATCHES) halve(b);
        b->time_s[b->n] = 0;
        b->iterations[b->n++] = 0;
        b->in_last = 0;
    }
    b->time_s[b->n - 1] += time_s;
    b->iterations[b->n - 1] += iterations;
    b->in_last++;
}
