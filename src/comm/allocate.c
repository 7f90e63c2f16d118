/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: memory for messages that is ordinary memory. Where ranks share memory,
   engine/allocate.c has the calls. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/backend.h"

enum { PAGE_BYTES = 4096 };

void *cm_allocate_ordinary(size_t bytes)
{
    if (bytes > PTRDIFF_MAX - PAGE_BYTES) return NULL;
    const size_t whole = bytes ? (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : PAGE_BYTES;
    void *memory = aligned_alloc(PAGE_BYTES, whole);
    if (memory) memset(memory, 0, whole);
    return memory;
}

#ifndef CM_WITH_SHM
void *cm_allocate(size_t bytes) { return cm_allocate_ordinary(bytes); }
void cm_free(void *memory) { free(memory); }
#endif
