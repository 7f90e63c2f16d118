/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_named.h: the hosts that a result names as standing out: alone, in a pair ("n3-n9"), or in a
   list ("n4, n5"). */
#ifndef SUITE_HOSTS_NAMED_H
#define SUITE_HOSTS_NAMED_H

#include <stdbool.h>
#include "common/index.h"
#include "common/words.h"
#include "result/read.h"

/* The names, for suite_hosts_is_named, in a time that grows with the findings alone. Where names
   have hyphens, parts of them are there, too. The caller frees with suite_index_free. */
suite_index suite_hosts_named(const cm_record *record);
/* The same of those findings alone that it takes. */
suite_index suite_hosts_named_by(const cm_record *record, bool (*takes)(const cm_record_finding *));
/* The list as a reader sees it: of more than 33 names the first 32, "and 8 others". The caller
   frees it. */
char *suite_hosts_shown(const char *who);
bool suite_hosts_is_named(const suite_index *named, const char *host);
/* Adds the hosts of cm-nodes' rows, in their order. */
void suite_hosts_of_rows(const cm_record *record, suite_words *names);

#endif
