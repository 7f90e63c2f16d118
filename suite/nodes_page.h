/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_page.h: what `clustermark nodes` shows of a result of cm-nodes. */
#ifndef SUITE_NODES_PAGE_H
#define SUITE_NODES_PAGE_H

#include <stdbool.h>
#include "home.h"
#include "result/read.h"

/* The text of the record's finding number k, from 0: "n17: sends at 0.31 ..."; NULL: there are not
   so many. */
const char *suite_nodes_finding(const cm_record *record, size_t k);

/* "disturbed: 3 of 48 samples: steal (3)", if some were; NULL: none, or the record does not say. */
const char *suite_nodes_disturbed(const cm_record *record);

/* Writes the page to path, whole or not at all. report: a page that it links to; NULL: none.
   Returns true, or prints one line and returns false. */
bool suite_nodes_page(const suite_home *home, const cm_record *record, const char *path,
                      const char *report);

#endif
