/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: memory for messages: the backend's own kind, or ordinary memory. */
#include <stdlib.h>
#include <string.h>
#include "comm/backend.h"

enum { PAGE_BYTES = 4096 };

void *cm_allocate(size_t bytes)
{
    void *memory = cm_backend_allocate(bytes);
    if (memory || bytes > PTRDIFF_MAX - PAGE_BYTES) return memory;
    const size_t whole = bytes ? (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : PAGE_BYTES;
    memory = aligned_alloc(PAGE_BYTES, whole);
    if (memory) memset(memory, 0, whole);
    return memory;
}

void cm_free(void *memory)
{
    if (memory && !cm_backend_free(memory)) free(memory);
}
