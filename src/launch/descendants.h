/* SPDX-License-Identifier: BSD-3-Clause */
/* descendants.h: the processes that ranks leave behind. cmrun adopts them (it is their subreaper)
   and can therefore end them when the ranks are gone. */
#ifndef CM_LAUNCH_DESCENDANTS_H
#define CM_LAUNCH_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Returns the process ids of this process's children, zombies included, in an array of *n that the
   caller frees. Returns NULL and *n = 0 if there are none or the kernel does not list them. */
pid_t *descendants_children(size_t *n);

/* From now on orphaned descendants become children of this process. */
void descendants_adopt(void);

/* Returns true if this process has a child in the process group. */
bool descendants_in_group(pid_t group);

#endif
