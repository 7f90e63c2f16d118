/* SPDX-License-Identifier: BSD-3-Clause */
/* united.h: whether the results at the top of a folder are those of its launches. */
#ifndef SUITE_UNITED_H
#define SUITE_UNITED_H

#include <stdbool.h>
#include "common/table.h"

/* Compares DIR/NAME.txt and DIR/NAME.json of all runs of the table with what launches/NAME.K.txt
   give: rows, and metrics with their intervals and verdicts. Without all these launches only
   damaged JSON is found. What is edited or damaged would be shown beside values that contradict it.
   remade: results that are not whole are no error; the caller makes them anew.
   Returns 0, or prints one line that names the file and what does not agree, and returns
   CM_EXIT_USAGE. */
int suite_united_check(const char *command, const char *dir, const suite_table *table, bool remade);

#endif
