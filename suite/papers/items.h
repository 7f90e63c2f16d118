/* SPDX-License-Identifier: BSD-3-Clause */
/* items.h: the papers, and those of their tables, figures, numbers and claims for which benchmarks
   have answers (HACKING, "The papers' items"). */
#ifndef SUITE_ITEMS_H
#define SUITE_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include "answer.h"
#include "needs.h"
#include "common/table.h"

typedef struct {
    char *name, *citation;
} suite_paper;

typedef enum {
    SUITE_ITEM_NUMBER,
    SUITE_ITEM_TABLE,
    SUITE_ITEM_FIGURE,
    SUITE_ITEM_CLAIM
} suite_item_kind;
extern const char *const suite_item_kinds[]; /* "number", "table", ... */

typedef struct {
    suite_item_kind kind;
    char *owner; /* the benchmark of sources that name none */
    char *key;   /* no other item of the owner has it */
    char *value, *unit;
    double number; /* the value of a number */
    char *paper, *place, *what;
    suite_needs needs;   /* for other results than those of a simulated cluster */
    suite_answer answer; /* of such results; suite_place_item has that of the others */
} suite_item;

typedef struct {
    suite_paper *paper;
    size_t n_papers;
    suite_item *item;
    size_t n;
} suite_items;

/* Reads suite/papers.tab, then FOLDER/paper.dat of each folder of the table, which belongs to the
   folder's program, then each FOLDER/paper_NAME.dat, which belongs to NAME. Returns true, or prints
   one line with file, line and place for the first line that is wrong and returns false: it has not
   eight fields, an empty one, an unknown paper, a value that is neither a number nor -, a place
   that does not begin as HACKING says, or an answer that cannot be read. Free with
   suite_items_free, also after false. */
bool suite_items_read(const suite_home *home, const suite_table *table, suite_items *items);
void suite_items_free(suite_items *items);

/* The owner's item with this key, or NULL. */
const suite_item *suite_items_find(const suite_items *items, const char *owner, const char *key);

/* Returns true, or false with the reason in why: an answer of this kind of item has other parts. */
bool suite_answer_fits(const suite_answer *answer, suite_item_kind kind, char *why,
                       size_t why_size);

#endif
