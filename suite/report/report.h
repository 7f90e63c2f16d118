/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h: one page with what `clustermark run` found. */
#ifndef SUITE_REPORT_H
#define SUITE_REPORT_H

#include <stdbool.h>
#include "backends.h"
#include "places/beside.h"
#include "compare/compare.h"
#include "common/home.h"
#include "places/place.h"
#include "common/price.h"
#include "common/table.h"

typedef struct {
    const char *beside; /* a further folder, for figures and papers; NULL: none */
    const char *other;  /* the same, and compared with dir's results in dir/compare.html; NULL */
    suite_price price;  /* of the hosts; its amount is 0 if it is not known */
    bool anonymous;     /* dir/report-anonymous.html, of a copy without names; alone */
    bool open;          /* the page, when it is written */
} suite_report_options;

/* What a page is of. */
typedef struct {
    const suite_table *table;
    const suite_place *place;   /* the simulated cluster of the results; its name is NULL: none */
    const char *dir;            /* of the results, an absolute path */
    const char *page;           /* the folder of the page: dir, or the one above it */
    const suite_beside *beside; /* further results, which figures have and expressions name */
    const comparison *compared; /* with another folder; NULL: with none */
    const suite_backends *backends; /* the same over several backends; NULL: over one */
    bool drawn;                     /* there are figures */
} suite_report_of;

/* Writes PAGE/report.html, whole or not at all: the tables, the headlines, the machine, what the
   papers have beside it and the figures DIR/NAME-FIGURE.svg; one that is not there could not be
   drawn. Of the options price and anonymous count. A result of cm-nodes gets its page,
   DIR/nodes.html, too.
   Runs programs that say what their metrics mean. Prints a line for each cross-check that
   disagrees. Returns CM_EXIT_PASS, or prints one line and returns CM_EXIT_SYSTEM: a file of the
   installation is wrong or missing, or the page cannot be written. */
int suite_report_write(const suite_home *home, const suite_report_of *of,
                       const suite_report_options *options);

/* report_make.c: `clustermark report`: draws the figures of dir, compares it with another folder,
   or the folders of its backends with each other, writes the page and prints its path. Returns the
   exit status. */
int suite_report_make(const suite_home *home, const suite_report_options *options, const char *dir);

#endif
