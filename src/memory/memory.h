/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: large arrays for measuring: aligned, in huge pages where the system gives them. */
#ifndef CM_MEMORY_H
#define CM_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At least `bytes` bytes, zero, aligned to 64; from 2 MiB on to 2 MiB. Every page is touched, so
   that the caller's own processor gets the memory next to it (first touch) and no page fault is
   timed. NULL: out of memory. Freed by cm_memory_free; NULL is allowed. */
void *cm_memory_open(size_t bytes);
void cm_memory_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
