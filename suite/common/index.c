/* SPDX-License-Identifier: BSD-3-Clause */
/* index.c: a hash table with open addressing. */
#include "config.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "index.h"
#include "memory.h"

/* FNV-1a. */
static size_t hash(const char *text)
{
    uint64_t value = 0xcbf29ce484222325u;
    for (; *text; text++) value = (value ^ (unsigned char)*text) * 0x100000001b3u;
    return (size_t)(value ^ value >> 32);
}

/* The slot that has the text, or the free one where it belongs. */
static size_t *slot_of(const suite_index *index, const char *text)
{
    size_t k = hash(text) & (index->slots - 1);
    while (index->slot[k] && strcmp(index->text[index->slot[k] - 1], text) != 0)
        k = (k + 1) & (index->slots - 1);
    return &index->slot[k];
}

static void grow(suite_index *index)
{
    index->slots = index->slots ? 2 * index->slots : 16;
    free(index->slot);
    index->slot = suite_array(index->slots, sizeof *index->slot);
    index->text = suite_longer(index->text, index->slots / 2, sizeof *index->text);
    for (size_t k = 0; k < index->n; k++) *slot_of(index, index->text[k]) = k + 1;
}

size_t suite_index_add(suite_index *index, const char *text)
{
    if (2 * index->n == index->slots) grow(index);
    size_t *slot = slot_of(index, text);
    if (*slot) return *slot - 1;
    index->text[index->n++] = suite_copy(text);
    *slot = index->n;
    return index->n - 1;
}

size_t suite_index_find(const suite_index *index, const char *text)
{
    if (index->n == 0) return 0;
    const size_t *slot = slot_of(index, text);
    return *slot ? *slot - 1 : index->n;
}

void suite_index_free(suite_index *index)
{
    for (size_t k = 0; k < index->n; k++) free(index->text[k]);
    free(index->text);
    free(index->slot);
    *index = (suite_index){0};
}
