/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_shuffle.c: random permutations that can be computed both ways without a table. */
#include "listrank.h"

static const uint64_t FACTOR[] = {0x9e3779b97f4a7c15u, 0xd1342543de82ef95u, 0xaf251af3b0f025b5u};
enum { ROUNDS = 3 };

static uint64_t mask_of(int bits) { return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

/* Inverse modulo 2^64 by Newton's iteration. Each step doubles the right bits, from three at
   first. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int k = 0; k < 5; k++) x *= 2 - odd * x;
    return x;
}

/* Sums, products with odd numbers, and shifts by at least half the bits. Each of them can be
   undone. */
uint64_t listrank_scramble(uint64_t x, int bits, uint64_t seed)
{
    uint64_t mask = mask_of(bits);
    for (int k = 0; k < ROUNDS; k++) {
        x = (x + cm_random_word(seed, (uint64_t)k)) * FACTOR[k] & mask;
        x ^= x >> (bits + 1) / 2;
    }
    return x;
}
uint64_t listrank_unscramble(uint64_t x, int bits, uint64_t seed)
{
    uint64_t mask = mask_of(bits);
    for (int k = ROUNDS - 1; k >= 0; k--) {
        x ^= x >> (bits + 1) / 2;
        x = (x * inverse(FACTOR[k]) - cm_random_word(seed, (uint64_t)k)) & mask;
    }
    return x;
}

int listrank_bits(int64_t n)
{
    int bits = 2;
    while (bits < 62 && INT64_C(1) << bits < n) bits++;
    return bits;
}

/* Both functions follow the cycle until they reach a number below n. */
int64_t listrank_shuffle(int64_t x, int64_t n, uint64_t seed)
{
    int bits = listrank_bits(n);
    do x = (int64_t)listrank_scramble((uint64_t)x, bits, seed);
    while (x >= n);
    return x;
}
int64_t listrank_unshuffle(int64_t x, int64_t n, uint64_t seed)
{
    int bits = listrank_bits(n);
    do x = (int64_t)listrank_unscramble((uint64_t)x, bits, seed);
    while (x >= n);
    return x;
}
