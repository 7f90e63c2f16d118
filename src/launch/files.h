/* SPDX-License-Identifier: BSD-3-Clause */
/* files.h: the limit on open files (RLIMIT_NOFILE): raised for cmrun, the user's for what cmrun
   starts. */
#ifndef CM_LAUNCH_FILES_H
#define CM_LAUNCH_FILES_H

#include <stdbool.h>
#include <sys/resource.h>

typedef struct {
    bool raised;
    struct rlimit before; /* when raised: the user's limit */
} files_limit;

/* Raises the soft limit if it is too low for count ranks or hosts (what names them in the line
   below) that take `each` open files apiece, and notes the user's in *limit. Returns 0, or prints
   one line and returns CM_EXIT_SYSTEM: the hard limit is too low. */
int files_provide(int count, const char *what, int each, files_limit *limit);

/* Goes back to the user's limit, in a child before exec. Open files beyond it stay open. */
void files_restore(const files_limit *limit);

#endif
