/* SPDX-License-Identifier: BSD-3-Clause */
/* region.h: the memory that cm_allocate gives to the program, if ranks of this host can map it. A
   transport makes it (transport_table.h). In front of the program's part there is a page of words,
   one for each transfer that reads the region: share.c. There may be CM_REGIONS_MOST, because each
   takes a descriptor here and a mapping at each peer that uses it. */
#ifndef CM_REGION_H
#define CM_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

enum { CM_REGIONS_MOST = 64, CM_REGION_FRONT_BYTES = 4096 };

/* A word has a line of its own. */
enum { CM_REGION_LINE_BYTES = 64, CM_REGION_WORDS = CM_REGION_FRONT_BYTES / CM_REGION_LINE_BYTES };

/* Memory that this process has mapped, its own or a peer's. */
typedef struct {
    void *memory; /* NULL: none */
    size_t bytes;
} cm_mapping;

typedef struct cm_region {
    cm_mapping mapping;
    int fd;
    uint64_t busy; /* bits of the words that are in use */
    uint32_t tag;  /* of the last transfer */
    struct cm_region *next;
} cm_region;

/* Returns the program's part of a new region, zero and page-aligned, or NULL: there are too many,
   or the system has no memory or descriptor for it. */
void *cm_region_open(size_t bytes);
/* Returns the region that has all of these bytes in the program's part, or NULL. */
cm_region *cm_region_of(const void *data, size_t bytes);
/* Returns the region that begins with this memory, or NULL. */
cm_region *cm_region_at(const void *memory);
void cm_region_close(cm_region *region);

/* The program's part of a region, of this rank or mapped from another one, and a word of it. */
static inline char *cm_region_data(const cm_mapping *mapping)
{
    return (char *)mapping->memory + CM_REGION_FRONT_BYTES;
}

static inline size_t cm_region_bytes(const cm_mapping *mapping)
{
    return mapping->bytes - CM_REGION_FRONT_BYTES;
}

static inline _Atomic uint64_t *cm_region_word(const cm_mapping *mapping, unsigned word)
{
    return (_Atomic uint64_t *)((char *)mapping->memory + (size_t)word * CM_REGION_LINE_BYTES);
}

#pragma GCC visibility pop
#endif
