/* SPDX-License-Identifier: BSD-3-Clause */
/* key_table.c: a hash table with chains, whose number of buckets is a power of 2. */
#include "config.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "launch/key_table.h"

static size_t hash(const char *key)
{
    const uint64_t h = cm_hash_text(CM_HASH_BEGIN, key);
    return (size_t)(h ^ h >> 32);
}

key_entry *key_table_find(const key_table *table, const char *key)
{
    if (!table->buckets) return NULL;
    key_entry *e = table->bucket[hash(key) & (table->buckets - 1)];
    while (e && strcmp(e->key, key) != 0) e = e->next;
    return e;
}

/* Returns false if there is no table at all. */
static bool grow(key_table *table)
{
    size_t buckets = table->buckets ? 2 * table->buckets : 256;
    key_entry **bucket = calloc(buckets, sizeof *bucket);
    if (!bucket) return table->buckets > 0; /* keeps the old table, with longer chains */
    for (size_t i = 0; i < table->buckets; i++)
        for (key_entry *e = table->bucket[i], *next; e; e = next) {
            size_t place = hash(e->key) & (buckets - 1);
            next = e->next;
            e->next = bucket[place];
            bucket[place] = e;
        }
    free(table->bucket);
    table->bucket = bucket;
    table->buckets = buckets;
    return true;
}

static key_entry *add(key_table *table, const char *key)
{
    if (table->entries >= table->buckets && !grow(table)) return NULL;
    key_entry *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    key_entry **bucket = &table->bucket[hash(key) & (table->buckets - 1)];
    strcpy(e->key, key);
    e->next = *bucket;
    *bucket = e;
    table->entries++;
    return e;
}

key_entry *key_table_put(key_table *table, const char *key, const char *value)
{
    char *copy = strdup(value);
    if (!copy) return NULL;
    key_entry *e = key_table_find(table, key);
    if (!e && !(e = add(table, key))) {
        free(copy);
        return NULL;
    }
    free(e->value);
    e->value = copy;
    return e;
}

void key_table_free(key_table *table)
{
    for (size_t i = 0; i < table->buckets; i++)
        for (key_entry *e = table->bucket[i], *next; e; e = next) {
            next = e->next;
            free(e->value);
            free(e);
        }
    free(table->bucket);
    *table = (key_table){0};
}
