/* SPDX-License-Identifier: BSD-3-Clause */
/* passing.h: the areas (area.h) that two ranks have passed to each other over their connection.
   Each descriptor comes with a byte CM_PASSING_AREA; all other bytes only wake. The areas that
   come over a connection are numbered in their order. */
#ifndef CM_PASSING_H
#define CM_PASSING_H

#include "comm/engine/area.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

enum { CM_PASSING_WAKE = 0, CM_PASSING_AREA = 1 };

/* Areas of a peer that are kept: more than it may have, because it may have freed some and the
   word of that is still on its way. */
enum { CM_PASSING_KEPT = 2 * CM_AREAS_MOST };

typedef struct {
    struct {
        const cm_area *area;
        uint32_t number;
    } given[CM_AREAS_MOST];
    struct {
        cm_mapping segment;
        uint32_t number;
    } kept[CM_PASSING_KEPT];
    int n_given, n_kept;
    uint32_t next_given, next_kept; /* numbers */
} cm_passing;

cm_passing *cm_passing_new(void);

/* Passes an area on unless the peer has it. Sets its number. Returns false if the connection does
   not take it now. */
bool cm_passing_give(cm_passing *passing, int fd, const cm_area *area, uint32_t *number);
/* This rank frees the area. Returns true, and its number, if the peer has it. */
bool cm_passing_revoke(cm_passing *passing, const cm_area *area, uint32_t *number);

/* Reads what woke this rank, with at most one area. *passing is made when it is needed. Returns the
   number of bytes, 0 at the end of the connection, or -1 if there are none (see errno). An area
   that there is no room for is not kept: its messages come without it. Sets *wrong if it is not
   what a rank passes. */
ssize_t cm_passing_hear(cm_passing **passing, int fd, const char **wrong);

/* Returns an area of the peer, or NULL if it is not there. */
const cm_mapping *cm_passing_find(const cm_passing *passing, uint32_t number);
/* The peer has freed it. */
void cm_passing_forget(cm_passing *passing, uint32_t number);
void cm_passing_free(cm_passing *passing); /* may be NULL */

#pragma GCC visibility pop
#endif
