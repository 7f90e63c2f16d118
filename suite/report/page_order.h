/* SPDX-License-Identifier: BSD-3-Clause */
/* page_order.h: what the places of the papers' items say: their order, and which are of one
   table. */
#ifndef SUITE_PAGE_ORDER_H
#define SUITE_PAGE_ORDER_H

#include "papers/items.h"

/* The items in the order of the paper: the abstract, then sections by their numbers (2, 2.1, 10);
   those of one section stay as they are. An array of their indices; the caller frees. */
size_t *suite_items_order(const suite_items *items);

/* Returns true if the item's place names a table ("section 4, table 2"). */
bool suite_item_in_table(const suite_item *item);
bool suite_item_same_table(const suite_item *item, const suite_item *other);

#endif
