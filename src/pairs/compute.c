/* SPDX-License-Identifier: BSD-3-Clause */
/* compute.c: computes while messages are in transit. */
#include "pairs/pairs.h"

/* A chain of dependent multiplications and additions. It takes the same time whatever the caches
   hold. */
enum { CHAIN = 64, UNITS_PER_PROGRESS = 100 };

void cm_pair_compute(cm_pair_load *load)
{
    double x = 0;
    for (int64_t unit = 1; unit <= load->units; unit++) {
        for (int k = 0; k < CHAIN; k++) x = 0.5 * x + 1;
        if (load->progress && unit % UNITS_PER_PROGRESS == 0) cm_progress();
    }
    load->result = x;
}
