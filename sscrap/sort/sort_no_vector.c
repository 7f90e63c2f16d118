/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_no_vector.c: replaces sort_vector.cc if Highway was not found. */
#include "sort.h"

const char *sort_vector_name(void) { return NULL; }

void sort_vector(int key, void *keys, size_t n)
{
    (void)key;
    (void)keys;
    cm_abort(CM_EXIT_USAGE, "this build has no vector sort (%zu keys)", n);
}
