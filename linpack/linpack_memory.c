/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_memory.c: memory for matrices: in huge pages where the system gives them, since a matrix
   product that reads across thousands of rows misses the TLB for each of them otherwise. */
#include "linpack.h"
#include "memory/memory.h"

void *linpack_large(size_t elements, size_t bytes)
{
    void *memory = cm_memory_open(elements * bytes);
    if (!memory)
        cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for a matrix", elements * bytes);
    return memory;
}

void linpack_large_free(void *memory) { cm_memory_free(memory); }
