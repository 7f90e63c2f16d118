/* SPDX-License-Identifier: BSD-3-Clause */
/* reproduce.h: how the results of one folder answer to an item of a paper: this run's, or those
   that stand beside. Only like things are compared: real results where they meet what the item
   needs, and those of a simulated cluster where its NAME.place has the item. */
#ifndef SUITE_REPRODUCE_H
#define SUITE_REPRODUCE_H

#include "places/beside.h"
#include "papers/items.h"
#include "places/place.h"

/* Whose results answer. */
typedef struct {
    const char *title;        /* "Here", "simulated ictp" */
    const suite_place *place; /* its name is NULL: no simulated cluster */
    const char *other;        /* the place of the results beside them; NULL: none */
    suite_shown shown;        /* those beside them are beside/NAME */
} suite_side;

typedef struct {
    const suite_answer *answer;  /* NULL: untested says why there is none */
    const char *owner;           /* of its sources that name no benchmark */
    const suite_place_item *own; /* of the simulated cluster; NULL: real results */
    suite_found found;
    char *untested; /* what is missing: "needs hosts >= 2 (here 1)"; NULL: nothing */
} suite_reproduced;

/* Free with suite_reproduced_free. */
suite_reproduced suite_reproduce(const suite_item *item, const suite_side *side);
void suite_reproduced_free(suite_reproduced *reproduced);

/* Returns the verdict on a claim. */
suite_verdict suite_reproduced_verdict(const suite_reproduced *reproduced);
/* For a number: returns true and sets ours, if there is one. */
bool suite_reproduced_number(const suite_reproduced *reproduced, double *ours);
/* Returns true if every part of the answer has been found. */
bool suite_reproduced_whole(const suite_reproduced *reproduced);
/* Returns how the number was obtained: "fitted", "predicted", "input" or "measured". */
const char *suite_reproduced_how(const suite_reproduced *reproduced);

/* The names of the places that answer to the item, with commas; NULL: there is none. The caller
   frees. */
char *suite_places_of(const suite_places *places, const suite_item *item);
/* The command that answers to the item: "clustermark run --place alpha-fe (or ictp)", or that of
   suite_needs_command; NULL: there is none. The caller frees. */
char *suite_reproduce_command(const suite_places *places, const suite_item *item);

#endif
