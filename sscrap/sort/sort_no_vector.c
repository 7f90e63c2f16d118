/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_no_vector.c: replaces sort_vector.cc and sort_vector_part.cc if Highway was not found. */
#include "sort.h"

const char *sort_vector_name(void) { return NULL; }

void sort_vector(int key, void *keys, size_t n)
{
    (void)key;
    (void)keys;
    cm_abort(CM_EXIT_USAGE, "this build has no vector sort (%zu keys)", n);
}

int64_t sort_vector_part(int key, const void *keys, int64_t n, const uint64_t *limit, int limits,
                         int own, void *kept, void *out, int64_t *at)
{
    (void)key, (void)keys, (void)limit, (void)limits, (void)own, (void)kept, (void)out, (void)at;
    cm_abort(CM_EXIT_USAGE, "this build has no vector sort (%lld keys)", (long long)n);
}
