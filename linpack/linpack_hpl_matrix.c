/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl_matrix.c: the matrix of HPL 2.3, with the right-hand side as one more column. Its
   numbers are one sequence, column after column: X(0) = 100, X(k + 1) = a X(k) + 1 modulo 2^64. The
   number after X(k) is 1/2 - X(k + 1) / 2^64 (Knuth, volume 2, section 3.3.4, table 1, line 26). */
#include "linpack_matrix.h"

static const uint64_t FACTOR = 6364136223846793005u, FIRST = 100;

/* A leap over numbers of the sequence: X -> factor X + term. */
typedef struct {
    uint64_t factor, term;
} leap;

static leap both(leap first, leap then)
{
    return (leap){then.factor * first.factor, then.factor * first.term + then.term};
}

static leap leap_over(uint64_t numbers)
{
    leap all = {1, 0}, power = {FACTOR, 1};
    for (; numbers; numbers >>= 1, power = both(power, power))
        if (numbers & 1) all = both(all, power);
    return all;
}

void linpack_hpl_part(int order, int row, int first, int count, double *a)
{
    const uint64_t n = (uint64_t)order;
    const leap to = leap_over((uint64_t)row + (uint64_t)first * n), along = leap_over(n);
    uint64_t x = to.factor * FIRST + to.term;
    for (int j = 0; j < count; j++) {
        /* HPL adds the two halves, of 32 bits each, as numbers: rounded once. */
        a[j] = 0.5 - ((double)(uint32_t)x * 0x1p-32 + (double)(uint32_t)(x >> 32)) * 0x1p-32;
        x = along.factor * x + along.term;
    }
}
