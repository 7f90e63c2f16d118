/* SPDX-License-Identifier: BSD-3-Clause */
/* random.h: splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA
   2014). The state grows by a constant from word to word. Any word of a sequence can therefore be
   computed without the words before it, and every rank computes its own part of a common
   sequence. */
#ifndef CM_RANDOM_H
#define CM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15) /* from a word's state to the next one's */
#define CM_RANDOM_FACTOR_1 UINT64_C(0xbf58476d1ce4e5b9)
#define CM_RANDOM_FACTOR_2 UINT64_C(0x94d049bb133111eb)

/* Returns the word of a state. The mapping is a bijection. */
static inline uint64_t cm_random_mix(uint64_t state)
{
    uint64_t z = (state ^ state >> 30) * CM_RANDOM_FACTOR_1;
    z = (z ^ z >> 27) * CM_RANDOM_FACTOR_2;
    return z ^ z >> 31;
}

/* Returns word number index, from 0, of the sequence that begins with the state start. */
static inline uint64_t cm_random_word(uint64_t start, uint64_t index)
{
    return cm_random_mix(start + (index + 1) * CM_RANDOM_STEP);
}

/* Returns the next word and advances *state, which is initialized to the start above. */
static inline uint64_t cm_random_next(uint64_t *state)
{
    return cm_random_mix(*state += CM_RANDOM_STEP);
}

/* Returns a number in (0, 1), and advances *state by a word. */
static inline double cm_random_uniform(uint64_t *state)
{
    return ((double)(cm_random_next(state) >> 11) + 0.5) * 0x1p-53;
}

/* normal.c: returns a number of the standard normal distribution, and advances *state by two
   words. */
double cm_random_normal(uint64_t *state);

/* shuffle.c: sets order to a permutation of 0 .. n - 1, drawn by seed and round: equal ones give
   equal orders. */
void cm_random_shuffle(uint64_t seed, uint64_t round, size_t n, size_t *order);

#ifdef __cplusplus
}
#endif

#endif
