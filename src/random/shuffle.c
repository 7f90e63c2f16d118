/* SPDX-License-Identifier: BSD-3-Clause */
/* shuffle.c: Fisher and Yates' shuffle. */
#include "random/random.h"

void cm_random_shuffle(uint64_t seed, uint64_t round, size_t n, size_t *order)
{
    uint64_t state = cm_random_mix(seed ^ cm_random_mix(round));
    for (size_t k = 0; k < n; k++) order[k] = k;
    for (size_t k = n; k > 1; k--) {
        size_t other = cm_random_next(&state) % k, moved = order[k - 1];
        order[k - 1] = order[other];
        order[other] = moved;
    }
}
