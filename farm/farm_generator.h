/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_generator.h: splitmix64's step (Steele, Lea, Flood, OOPSLA 2014), for what makes units. */
#ifndef FARM_GENERATOR_H
#define FARM_GENERATOR_H

#include <stdint.h>

enum { FARM_UNIT_BITS = 32, FARM_WORD_BYTES = 8 };

#define FARM_GOLDEN 0x9e3779b97f4a7c15u /* from a word's state to the next one's */
#define FARM_MIX_1 0xbf58476d1ce4e5b9u
#define FARM_MIX_2 0x94d049bb133111ebu

/* The state of word number from (from 0) of a unit. */
static inline uint64_t farm_generator_state(uint32_t unit, uint64_t from)
{
    return (((uint64_t)unit << FARM_UNIT_BITS) + from + 1) * FARM_GOLDEN;
}

static inline uint64_t farm_generator_word(uint64_t state)
{
    uint64_t z = (state ^ state >> 30) * FARM_MIX_1;
    z = (z ^ z >> 27) * FARM_MIX_2;
    return z ^ z >> 31;
}

#endif
