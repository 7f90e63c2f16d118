/* SPDX-License-Identifier: BSD-3-Clause */
/* shuffle.h: the order of the runs in a round of launches. */
#ifndef SUITE_SHUFFLE_H
#define SUITE_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

/* Sets order to a permutation of 0 .. n - 1, drawn by seed and round: equal ones give equal
   orders. */
void suite_shuffle(uint64_t seed, uint64_t round, size_t n, size_t *order);

#endif
