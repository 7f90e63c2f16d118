/* SPDX-License-Identifier: BSD-3-Clause */
/* beside.h: a second folder of results, which figures and report show beside the first (--beside):
   a simulated cluster beside this machine, one network beside another. */
#ifndef SUITE_BESIDE_H
#define SUITE_BESIDE_H

#include "results/folder.h"
#include "common/home.h"
#include "place.h"
#include "results/results.h"
#include "common/table.h"

typedef struct {
    char *dir;   /* NULL: there is none; the other members are then empty */
    char *title; /* "simulated ictp", or the folder's name; has no characters of gnuplot's */
    suite_table table;
    suite_place place;      /* its name is NULL: no simulated cluster */
    suite_entry *entry;     /* of each run of the table */
    suite_results results;  /* the complete ones, under their own names */
    suite_results prefixed; /* the same under beside/NAME, for expressions */
    char **name;            /* these names */
} suite_beside;

/* Reads the folder for the command; dir NULL: none. Returns 0, or prints one line and returns the
   exit status. Free with suite_beside_close in any case. */
int suite_beside_open(const char *command, const suite_home *home, const char *dir,
                      suite_beside *beside);
void suite_beside_close(suite_beside *beside);

/* True if the folder has a result of this name that figures may show: right, and with no more ranks
   than cores. */
bool suite_beside_has(const suite_beside *beside, const char *name);

#endif
