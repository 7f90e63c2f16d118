/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: memory for messages: that which ranks of a host share, or ordinary memory. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/backend.h"

enum { PAGE_BYTES = 4096 };

#ifndef CM_WITH_SHM
void *cm_backend_allocate(size_t bytes) { return (void)bytes, NULL; }
bool cm_backend_free(void *memory) { return (void)memory, false; }
#endif

static void *ordinary(size_t bytes)
{
    if (bytes > PTRDIFF_MAX - PAGE_BYTES) return NULL;
    const size_t whole = bytes ? (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : PAGE_BYTES;
    void *memory = aligned_alloc(PAGE_BYTES, whole);
    if (memory) memset(memory, 0, whole);
    return memory;
}

void *cm_allocate(size_t bytes)
{
    void *memory = cm_backend_allocate(bytes);
    return memory ? memory : ordinary(bytes);
}

void cm_free(void *memory)
{
    if (memory && !cm_backend_free(memory)) free(memory);
}
