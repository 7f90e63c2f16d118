/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h: the limit on open files (RLIMIT_NOFILE). cmrun raises it for itself; the programs that
   it starts get the user's limit. */
#ifndef CM_LAUNCH_FILES_H
#define CM_LAUNCH_FILES_H

#include <stdbool.h>
#include <sys/resource.h>

typedef struct {
    bool raised;
    struct rlimit before; /* the user's limit, if cmrun raised it */
} files_limit;

/* Raises the soft limit if it is too low for count ranks or hosts with `each` open files apiece,
   and saves the user's limit in *limit. what is "ranks" or "hosts", for the error line. Returns 0;
   if the hard limit is too low, prints one line and returns CM_EXIT_SYSTEM. */
int files_provide(int count, const char *what, int each, int others, files_limit *limit);

/* Restores the user's limit, in a child before exec. Open files beyond the limit stay open. */
void files_restore(const files_limit *limit);

#endif
