/* SPDX-License-Identifier: BSD-3-Clause */
/* host_range.h: names of hosts with ranges in brackets, as Slurm writes them: n[01-16,20]. */
#ifndef CM_LAUNCH_HOST_RANGE_H
#define CM_LAUNCH_HOST_RANGE_H

#include <stddef.h>

enum { HOST_NAME_MOST = 255, HOST_NAMES_MOST = 8192 };

/* Calls each for every name that the text stands for, in order, and ends early if each returns
   nonzero. A number keeps the width of the first one of its range: [08-10] is 08, 09, 10. There may
   be several pairs of brackets. Returns 0 or what each returned. For a malformed text it returns -1
   and sets *wrong to the reason; names before it may have been passed to each. */
int host_range_expand(const char *text, size_t bytes,
                      int (*each)(void *context, const char *name, size_t bytes), void *context,
                      const char **wrong);

#endif
