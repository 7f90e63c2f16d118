/* SPDX-License-Identifier: BSD-3-Clause */
/* bins.c: a hash table of bins, which grows with their number. An empty bin leaves the table. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/engine/bins.h"
#include "comm/engine/engine.h"

enum { BUCKETS_AT_FIRST = 256 };

struct cm_bin {
    cm_bin_key key;
    cm_bin_link *first, *last;
    cm_bin *next;     /* in its bucket, or of those that are free */
    cm_bin_link turn; /* in the bin of bins that take turns */
};

static size_t hash(cm_bin_key key)
{
    uint64_t h = (uint64_t)key.context << 33 ^ (uint64_t)(uint32_t)key.peer << 32 ^ key.kind;
    h = (h ^ (uint32_t)key.tag) * 0x9e3779b97f4a7c15u; /* Fibonacci hashing: Knuth, volume 3, 6.4 */
    h = (h ^ (h >> 32) ^ (uint32_t)key.peer) * 0x9e3779b97f4a7c15u;
    return (size_t)(h >> 32);
}

static bool same(cm_bin_key a, cm_bin_key b)
{
    return a.tag == b.tag && a.peer == b.peer && a.context == b.context && a.kind == b.kind;
}

static cm_bin *find(const cm_bins *bins, cm_bin_key key)
{
    if (!bins->n) return NULL;
    cm_bin *bin = bins->bucket[hash(key) & (bins->buckets - 1)];
    while (bin && !same(bin->key, key)) bin = bin->next;
    return bin;
}

static void grow(cm_bins *bins)
{
    const size_t buckets = bins->buckets ? 2 * bins->buckets : BUCKETS_AT_FIRST;
    cm_bin **bucket = cm_engine_allocate(buckets * sizeof *bucket, "an index of long queues");
    memset(bucket, 0, buckets * sizeof *bucket);
    for (size_t i = 0; i < bins->buckets; i++)
        for (cm_bin *bin = bins->bucket[i], *next; bin; bin = next) {
            cm_bin **place = &bucket[hash(bin->key) & (buckets - 1)];
            next = bin->next;
            bin->next = *place;
            *place = bin;
        }
    free(bins->bucket);
    bins->bucket = bucket;
    bins->buckets = buckets;
}

static cm_bin *add_bin(cm_bins *bins, cm_bin_key key)
{
    if (bins->n >= bins->buckets) grow(bins);
    cm_bin **place = &bins->bucket[hash(key) & (bins->buckets - 1)], *bin = bins->free;
    if (bin) bins->free = bin->next;
    else bin = cm_engine_allocate(sizeof *bin, "an index of long queues");
    *bin = (cm_bin){.key = key, .next = *place};
    *place = bin;
    bins->n++;
    return bin;
}

static void append(cm_bin *bin, cm_bin_link *link)
{
    *link = (cm_bin_link){.bin = bin, .previous = bin->last};
    if (bin->last) bin->last->next = link;
    else bin->first = link;
    bin->last = link;
}

static void unlink_from(cm_bin *bin, cm_bin_link *link)
{
    if (link->previous) link->previous->next = link->next;
    else bin->first = link->next;
    if (link->next) link->next->previous = link->previous;
    else bin->last = link->previous;
}

void cm_bins_add(cm_bins *bins, cm_bin_key key, cm_bin_link *link)
{
    cm_bin *bin = find(bins, key);
    append(bin ? bin : add_bin(bins, key), link);
}

void cm_bins_remove(cm_bins *bins, cm_bin_link *link)
{
    cm_bin *bin = link->bin;
    if (!bin) return;
    unlink_from(bin, link);
    *link = (cm_bin_link){0};
    if (bin->first) return;
    cm_bin **place = &bins->bucket[hash(bin->key) & (bins->buckets - 1)];
    while (*place != bin) place = &(*place)->next;
    *place = bin->next;
    bin->next = bins->free;
    bins->free = bin;
    bins->n--;
}

cm_bin_link *cm_bins_first(const cm_bins *bins, cm_bin_key key)
{
    const cm_bin *bin = find(bins, key);
    return bin ? bin->first : NULL;
}

/* ---- Turns ----------------------------------------------------------------------------------- */

static cm_bin_key of_any(cm_bin_key key)
{
    key.peer = CM_ANY;
    return key;
}

void cm_bins_add_in_turn(cm_bins *bins, cm_bin_key key, cm_bin_link *link)
{
    cm_bins_add(bins, key, link);
    if (!link->bin->turn.bin) cm_bins_add(bins, of_any(key), &link->bin->turn);
}

void cm_bins_remove_in_turn(cm_bins *bins, cm_bin_link *link)
{
    cm_bin *bin = link->bin;
    if (bin && bin->first == bin->last) cm_bins_remove(bins, &bin->turn);
    cm_bins_remove(bins, link);
}

cm_bin_link *cm_bins_first_in_turn(const cm_bins *bins, cm_bin_key key)
{
    cm_bin_link *turn = cm_bins_first(bins, of_any(key));
    return turn ? ((cm_bin *)((char *)turn - offsetof(cm_bin, turn)))->first : NULL;
}

void cm_bins_turned(cm_bin_link *link)
{
    cm_bin_link *turn = &link->bin->turn;
    cm_bin *all = turn->bin;
    if (all->last == turn) return;
    unlink_from(all, turn);
    append(all, turn);
}

void cm_bins_free(cm_bins *bins)
{
    for (size_t i = 0; i < bins->buckets; i++)
        while (bins->bucket[i]) {
            cm_bin *bin = bins->bucket[i];
            bins->bucket[i] = bin->next;
            free(bin);
        }
    while (bins->free) {
        cm_bin *bin = bins->free;
        bins->free = bin->next;
        free(bin);
    }
    free(bins->bucket);
    *bins = (cm_bins){0};
}
