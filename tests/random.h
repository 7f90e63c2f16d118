/* SPDX-License-Identifier: BSD-3-Clause */
/* random.h: a fixed pseudo-random sequence for tests (splitmix64, and Box-Muller for the normal
   one). */
#ifndef CM_RANDOM_H
#define CM_RANDOM_H

#include <math.h>
#include <stdint.h>

/* In (0, 1). */
__attribute__((unused)) static double random_uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

__attribute__((unused)) static double random_normal(uint64_t *state)
{
    double u = random_uniform(state), v = random_uniform(state);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

#endif
