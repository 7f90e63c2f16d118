/* SPDX-License-Identifier: BSD-3-Clause */
/* spelling.c: distances between names. */
#include "base/spelling.h"

#include <stdint.h>

enum { LONGEST = 48 };

size_t cm_spelling_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    if (a_length > LONGEST || b_length > LONGEST) return SIZE_MAX;
    size_t d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++) d[i][0] = i;
    for (size_t j = 0; j <= b_length; j++) d[0][j] = j;
    for (size_t i = 1; i <= a_length; i++)
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]
                && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[a_length][b_length];
}

/* One typing error; more in long names. */
size_t cm_spelling_tolerance(size_t length) { return length < 6 ? 1 : length / 3; }
