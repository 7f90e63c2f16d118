/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: arrays in huge pages, touched in advance. */
#include "config.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "memory/memory.h"

enum { LINE_BYTES = 64, HUGE_BYTES = 2 << 20 };

void *cm_memory_open(size_t bytes)
{
    size_t align = bytes < HUGE_BYTES ? LINE_BYTES : HUGE_BYTES;
    if (bytes > SIZE_MAX - align) return NULL;
    size_t whole = (bytes + align - 1) / align * align;
    void *memory = aligned_alloc(align, whole ? whole : align);
    if (!memory) return NULL;
#ifdef MADV_HUGEPAGE
    /* If the kernel refuses, the array has small pages and is otherwise the same. */
    if (align == HUGE_BYTES) (void)madvise(memory, whole, MADV_HUGEPAGE);
#endif
    memset(memory, 0, whole ? whole : align);
    return memory;
}

void cm_memory_free(void *memory) { free(memory); }
