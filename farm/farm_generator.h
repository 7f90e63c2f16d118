/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_generator.h: where a unit begins in splitmix64's sequence. */
#ifndef FARM_GENERATOR_H
#define FARM_GENERATOR_H

#include "random/random.h"

enum { FARM_UNIT_BITS = 32, FARM_WORD_BYTES = 8 };

/* The state of word number from (from 0) of a unit. */
static inline uint64_t farm_generator_state(uint32_t unit, uint64_t from)
{
    return (((uint64_t)unit << FARM_UNIT_BITS) + from + 1) * CM_RANDOM_STEP;
}

#endif
