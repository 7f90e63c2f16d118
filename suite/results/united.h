/* SPDX-License-Identifier: BSD-3-Clause */
/* united.h: whether the results at the top of a folder are those of its launches. */
#ifndef SUITE_UNITED_H
#define SUITE_UNITED_H

#include <stdbool.h>
#include "common/table.h"

typedef enum {
    SUITE_UNITED_READ,   /* the folder is only read */
    SUITE_UNITED_RENEW,  /* the text does not match its JSON and is written again */
    SUITE_UNITED_REMAKE, /* likewise, and the caller makes results that are not whole */
} suite_united_how;

/* Compares DIR/NAME.json or, where there is none, DIR/NAME.txt of all runs of the table with what
   launches/NAME.K give: all but comments and samples. Where a launch is missing only damaged JSON
   is found, of the result and of the launches. What is edited or damaged would be shown beside
   values that contradict it. A text beside JSON is never read for its numbers.
   Returns 0, or prints one line that names the file and what does not agree, and returns
   CM_EXIT_USAGE. */
int suite_united_check(const char *command, const char *dir, const suite_table *table,
                       suite_united_how how);

#endif
