/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_page.h: what `clustermark nodes` shows of a result of cm-nodes. */
#ifndef SUITE_NODES_PAGE_H
#define SUITE_NODES_PAGE_H

#include <stdbool.h>
#include "common/home.h"
#include "result/read.h"

/* The finding on samples that were disturbed, or NULL if none were or the record does not say. */
const cm_record_finding *suite_nodes_disturbed(const cm_record *record);

/* Writes the page to path, whole or not at all. report: a page that it links to; NULL: none.
   Returns true, or prints one line and returns false. */
bool suite_nodes_page(const suite_home *home, const cm_record *record, const char *path,
                      const char *report);

#endif
