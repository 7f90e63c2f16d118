/* SPDX-License-Identifier: BSD-3-Clause */
/* page_order.c: reads the places of the papers' items. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page_order.h"

enum { DEPTH = 8 };

/* The numbers of its section, and zeros behind them; the abstract has zeros only. */
typedef struct {
    long number[DEPTH];
    size_t index;
} key;

static key key_of(const suite_item *item, size_t index)
{
    static const char section[] = "section ";
    key key = {.index = index};
    const char *at = strstr(item->place, section);
    if (!at) return key;
    at += strlen(section);
    for (int k = 0; k < DEPTH && *at >= '0' && *at <= '9'; k++) {
        char *end;
        /* One more, so that section 0 comes behind the abstract and 2.0 behind 2. */
        key.number[k] = strtol(at, &end, 10) + 1;
        at = *end == '.' ? end + 1 : end;
    }
    return key;
}

static int compare(const void *a, const void *b)
{
    const key *left = a, *right = b;
    for (int k = 0; k < DEPTH; k++)
        if (left->number[k] != right->number[k]) return left->number[k] < right->number[k] ? -1 : 1;
    return left->index < right->index ? -1 : left->index > right->index;
}

size_t *suite_items_order(const suite_items *items)
{
    key *keys = suite_array(items->n, sizeof *keys);
    size_t *order = suite_array(items->n, sizeof *order);
    for (size_t k = 0; k < items->n; k++) keys[k] = key_of(&items->item[k], k);
    qsort(keys, items->n, sizeof *keys, compare);
    for (size_t k = 0; k < items->n; k++) order[k] = keys[k].index;
    free(keys);
    return order;
}

/* Returns the length of the place up to the end of its table's number; 0: it names no table. */
static size_t table_length(const char *place)
{
    static const char word[] = "table";
    const char *at = strstr(place, word);
    if (!at) return 0;
    at += strlen(word);
    size_t digits = *at == ' ' ? strspn(at + 1, "0123456789") : 0;
    return (size_t)(at - place) + (digits > 0 ? digits + 1 : 0);
}

bool suite_item_in_table(const suite_item *item) { return table_length(item->place) > 0; }

bool suite_item_same_table(const suite_item *item, const suite_item *other)
{
    size_t length = table_length(item->place);
    return strcmp(item->paper, other->paper) == 0 && length == table_length(other->place)
           && strncmp(item->place, other->place, length) == 0;
}
