/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h: limits of a host on open files and ports. */
#ifndef CM_LIMITS_H
#define CM_LIMITS_H

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Raises the limit on open files as far as this process may, to a value sufficient for the
   listeners, connections with every peer over each rail, and the given number of pending. A lower
   limit is no error: connections are made on first use, and few programs use all of them. The
   connection for which no file is left ends the job. */
void cm_limits_files(int listeners, int rails, int pending);

/* Returns advice on the cause of a failure, an errno, in parentheses after a blank, or "" if there
   is none. no_port is the errno by which this kind of call reports that no port is left, or 0. The
   text is valid until the next call. */
const char *cm_limits_advice(int cause, int no_port);

#pragma GCC visibility pop
#endif
