/* SPDX-License-Identifier: BSD-3-Clause */
/* key_table.h: a hash table of keys and values, as ranks put and get them (PMI-1). */
#ifndef CM_LAUNCH_KEY_TABLE_H
#define CM_LAUNCH_KEY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include "comm/pmi/pmi_line.h"

typedef struct key_entry {
    struct key_entry *next;
    struct key_entry *older; /* in the server's list of keys that the proxies do not know yet */
    bool told;               /* they know it */
    int rank, life;          /* the rank that put it, and in which of its lives */
    char key[CM_PMI_KEY_BYTES];
    char *value;
} key_entry;

/* Initialize with zeros. */
typedef struct {
    key_entry **bucket;
    size_t buckets, entries;
} key_table;

key_entry *key_table_find(const key_table *table, const char *key); /* NULL: there is none */

/* Adds the key, or replaces its value. The key is valid (cm_pmi_key_valid). Returns NULL if out of
   memory; then the table is as before. */
key_entry *key_table_put(key_table *table, const char *key, const char *value);

void key_table_free(key_table *table);

#endif
