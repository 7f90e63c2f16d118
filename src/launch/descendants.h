/* SPDX-License-Identifier: BSD-3-Clause */
/* descendants.h: the processes that ranks leave behind. cmrun adopts them (it is their subreaper),
   so that it can end them when the ranks are gone. */
#ifndef CM_LAUNCH_DESCENDANTS_H
#define CM_LAUNCH_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* This process's children, not yet collected zombies included, as the kernel lists them now: an
   array to be freed, *n of them. NULL and 0 when there are none, or the kernel does not tell. */
pid_t *descendants_children(size_t *n);

/* Orphaned descendants become this process's children from now on. */
void descendants_adopt(void);

/* Has this process a child in the process group? */
bool descendants_in_group(pid_t group);

#endif
