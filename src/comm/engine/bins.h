/* SPDX-License-Identifier: BSD-3-Clause */
/* bins.h: long queues by what their elements wait for. A bin has the elements with one key in the
   order in which they were added. */
#ifndef CM_BINS_H
#define CM_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

typedef struct cm_bin cm_bin;

/* A part of each element. bin is NULL while it is in none. */
typedef struct cm_bin_link {
    cm_bin *bin;
    struct cm_bin_link *previous, *next;
} cm_bin_link;

typedef enum { CM_BIN_RECEIVES, CM_BIN_MESSAGES } cm_bin_kind;

typedef struct {
    uint32_t context;
    int32_t peer, tag; /* or CM_ANY */
    uint32_t kind;     /* cm_bin_kind */
} cm_bin_key;

/* Initialize with zeros. */
typedef struct {
    cm_bin **bucket;
    size_t buckets, n;
    cm_bin *free;
} cm_bins;

/* Adds an element after the others of its key. */
void cm_bins_add(cm_bins *bins, cm_bin_key key, cm_bin_link *link);
void cm_bins_remove(cm_bins *bins, cm_bin_link *link);

/* Returns the first element of this key, or NULL; `next` of it is the one after it. */
cm_bin_link *cm_bins_first(const cm_bins *bins, cm_bin_key key);

/* Bins that take turns: those of one key but for the peer are in a bin of bins, whose key has
   CM_ANY. The first element of the bin whose turn it is, or NULL; cm_bins_turned lets the bin of
   this element be the last. */
void cm_bins_add_in_turn(cm_bins *bins, cm_bin_key key, cm_bin_link *link);
void cm_bins_remove_in_turn(cm_bins *bins, cm_bin_link *link);
cm_bin_link *cm_bins_first_in_turn(const cm_bins *bins, cm_bin_key key);
void cm_bins_turned(cm_bin_link *link);

void cm_bins_free(cm_bins *bins);

#pragma GCC visibility pop
#endif
