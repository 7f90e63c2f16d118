/* SPDX-License-Identifier: BSD-3-Clause */
/* block_copy.h: copies of long blocks where memcpy would be slow. Processors' copy of strings (rep
   movsb), which the C library and the kernel use for long blocks, takes three to four times as long
   if the destination lies a little behind the source in its page (64 KB by the kernel on an EPYC:
   28 us for 1 to 32 bytes behind, otherwise 7; glibc's bug 30994). Two buffers of malloc often lie
   like this. */
#ifndef CM_BLOCK_COPY_H
#define CM_BLOCK_COPY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CM_BLOCK_PAGE_BYTES = 4096, CM_BLOCK_BEHIND_MOST = 32, CM_BLOCK_PIECE_BYTES = 1024 };

/* Returns true if a copy between these addresses would be slow. */
static inline bool cm_block_slow(uint64_t to, uint64_t from, size_t bytes)
{
    const unsigned behind = (unsigned)((to - from) % CM_BLOCK_PAGE_BYTES);
    return behind && behind <= CM_BLOCK_BEHIND_MOST && bytes > CM_BLOCK_PIECE_BYTES;
}

/* memcpy. The C library copies short pieces by vectors. */
static inline void cm_block_copy(void *to, const void *from, size_t bytes)
{
    if (!cm_block_slow((uintptr_t)to, (uintptr_t)from, bytes)) {
        memcpy(to, from, bytes);
        return;
    }
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < CM_BLOCK_PIECE_BYTES ? bytes - at : CM_BLOCK_PIECE_BYTES;
        memcpy((char *)to + at, (const char *)from + at, n);
    }
}

#endif
