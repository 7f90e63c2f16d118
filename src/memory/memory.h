/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.h: large arrays for measurements, aligned and in huge pages if the system has them. */
#ifndef CM_MEMORY_H
#define CM_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns at least `bytes` bytes, all zero, aligned to 64 bytes, or to 2 MiB for 2 MiB and more.
   Every page is touched, so that it is placed in the memory next to the caller's processor (first
   touch) and no page fault is timed. Returns NULL if memory is short. Free it with cm_memory_free,
   which allows NULL. */
void *cm_memory_open(size_t bytes);
void cm_memory_free(void *memory);

/* Begins to fetch the cache line at this address, which will be read and perhaps written, into the
   second-level cache. Many fetches at once end sooner than into the first level, which waits for
   fewer lines (cm-listrank, 10^7 nodes of 16 bytes, 48 walks: 7.3 ns a node instead of 10). Any
   address is allowed. */
static inline void cm_memory_fetch(const void *at) { __builtin_prefetch(at, 0, 2); }

#ifdef __cplusplus
}
#endif
#endif
