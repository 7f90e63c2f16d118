/* SPDX-License-Identifier: BSD-3-Clause */
/* allocate.c: memory for messages that is ordinary memory. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/backend.h"
#include "machine/machine.h"

enum { PAGE_BYTES = 4096, TOUCH_BYTES = 64 << 20 };

/* Asks again before each piece, because the other ranks of the host take memory meanwhile. */
bool cm_allocate_touch(void *memory, size_t bytes)
{
    for (size_t done = 0; done < bytes; done += TOUCH_BYTES) {
        const size_t rest = bytes - done;
        if (!cm_machine_memory_holds(rest)) return false;
        memset((char *)memory + done, 0, rest < TOUCH_BYTES ? rest : TOUCH_BYTES);
    }
    return true;
}

void *cm_allocate_ordinary(size_t bytes)
{
    if (bytes > PTRDIFF_MAX - PAGE_BYTES) return NULL;
    const size_t whole = bytes ? (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES : PAGE_BYTES;
    if (!cm_machine_memory_holds(whole)) return NULL;
    void *memory = aligned_alloc(PAGE_BYTES, whole);
    if (memory && cm_allocate_touch(memory, whole)) return memory;
    free(memory);
    return NULL;
}
