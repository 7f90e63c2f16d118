/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.h: the regions (region.h) that two ranks have passed to each other over their
   connection. Each descriptor comes with a byte CM_EXCHANGE_REGION; all other bytes only wake. The
   regions that come over a connection are numbered in their order. */
#ifndef CM_EXCHANGE_H
#define CM_EXCHANGE_H

#include "comm/engine/region.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

enum { CM_EXCHANGE_WAKE = 0, CM_EXCHANGE_REGION = 1 };

/* The number of regions of a peer that are kept. A peer may have fewer, but the message that it has
   freed some may still be on its way. */
enum { CM_EXCHANGE_KEPT = 2 * CM_REGIONS_MOST };

typedef struct {
    struct {
        const cm_region *region;
        uint32_t number;
    } given[CM_REGIONS_MOST];
    struct {
        cm_mapping segment;
        uint32_t number;
    } kept[CM_EXCHANGE_KEPT];
    int n_given, n_kept;
    uint32_t next_given, next_kept; /* numbers */
} cm_exchange;

cm_exchange *cm_exchange_new(void);

/* Passes a region on unless the peer has it. Sets its number. Returns false if the connection does
   not take it now. */
bool cm_exchange_give(cm_exchange *exchange, int fd, const cm_region *region, uint32_t *number);
/* This rank frees the region. Returns true, and its number, if the peer has it. */
bool cm_exchange_revoke(cm_exchange *exchange, const cm_region *region, uint32_t *number);

/* Reads what woke this rank, with at most one region. *exchange is made when it is needed. Returns
   the number of bytes, 0 at the end of the connection, or -1 if there are none (see errno). A
   region that there is no room for is not kept: its messages come without it. Sets *wrong if it is
   not what a rank passes. */
ssize_t cm_exchange_hear(cm_exchange **exchange, int fd, const char **wrong);

/* Returns a region of the peer, or NULL if it is not there. */
const cm_mapping *cm_exchange_find(const cm_exchange *exchange, uint32_t number);
/* The peer has freed it. */
void cm_exchange_forget(cm_exchange *exchange, uint32_t number);
void cm_exchange_free(cm_exchange *exchange); /* may be NULL */

#pragma GCC visibility pop
#endif
