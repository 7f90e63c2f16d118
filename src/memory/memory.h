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

#ifdef __cplusplus
}
#endif
#endif
