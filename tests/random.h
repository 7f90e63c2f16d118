/* SPDX-License-Identifier: BSD-3-Clause */
/* random.h: fixed pseudo-random sequences of real numbers for tests (Box-Muller for the normal
   one). */
#ifndef CM_TEST_RANDOM_H
#define CM_TEST_RANDOM_H

#include <math.h>
#include "random/random.h"

/* In (0, 1). */
__attribute__((unused)) static double random_uniform(uint64_t *state)
{
    return ((double)(cm_random_next(state) >> 11) + 0.5) * 0x1p-53;
}

__attribute__((unused)) static double random_normal(uint64_t *state)
{
    double u = random_uniform(state), v = random_uniform(state);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

#endif
