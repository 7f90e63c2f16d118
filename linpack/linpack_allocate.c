/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_allocate.c: memory, or the end of the job. */
#include <stdlib.h>
#include "linpack_solvers.h"

void *linpack_allocate(size_t n, size_t bytes, const char *what)
{
    void *memory = calloc(n ? n : 1, bytes);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for %s", n * bytes, what);
    return memory;
}

void *linpack_shared(size_t bytes)
{
    void *memory = cm_allocate(bytes);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for a panel", bytes);
    return memory;
}
