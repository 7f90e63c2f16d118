/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_plain_part.c: sort_vector_part without vectors, for tests: by the kernels that group keys of
   which the numbers are known. */
#include <stdlib.h>
#include <string.h>
#include "../sscrap/sort/sort.h"

int64_t sort_vector_part(int key, const void *keys, int64_t n, const uint64_t *limit, int limits,
                         int own, void *kept, void *out, int64_t *at)
{
    const sort_kernels *k = sort_kernels_of(key, false);
    int64_t below[SORT_PARTED] = {0}, place[SORT_PARTED], stay = 0;
    unsigned char *grouped = malloc((size_t)n * k->bytes + 1);
    k->count(keys, n, limit, limits, below);
    below[limits] = n;
    for (int b = 0; b <= limits; b++) place[b] = b ? below[b - 1] : 0;
    k->scatter(keys, n, limit, limits, grouped, place);
    for (int b = 0; b <= limits; b++) {
        int64_t begin = b ? below[b - 1] : 0, here = below[b] - begin;
        unsigned char *to =
            b == own ? (unsigned char *)kept : (unsigned char *)out + (size_t)at[b] * k->bytes;
        memcpy(to, grouped + (size_t)begin * k->bytes, (size_t)here * k->bytes);
        if (b == own) stay = here;
        else at[b] += here;
    }
    free(grouped);
    return stay;
}
