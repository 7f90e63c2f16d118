/* SPDX-License-Identifier: BSD-3-Clause */
/* hash.h: FNV-1a with 64 bits (Fowler, Noll, Vo). */
#ifndef CM_HASH_H
#define CM_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CM_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* Returns the hash, CM_HASH_BEGIN or an earlier result, continued by these bytes. */
static inline uint64_t cm_hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    for (const unsigned char *byte = bytes; n > 0; n--, byte++)
        hash = (hash ^ *byte) * UINT64_C(0x100000001b3);
    return hash;
}

/* ... by the bytes of a text. */
static inline uint64_t cm_hash_text(uint64_t hash, const char *text)
{
    return cm_hash_bytes(hash, text, strlen(text));
}

#endif
