/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h: cmrun's stdout and stderr when the ranks' output passes through it: to prefix their
   lines with "[rank] ", or because they are on other hosts. */
#ifndef CM_LAUNCH_OUTPUT_H
#define CM_LAUNCH_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct output output;

/* For one stream: fd is 1 or 2, lines of ranks 0 .. ranks-1, prefixed or just passed on.
   broken(context, error) is called once when nothing can be written any more; what comes later is
   dropped. NULL: out of memory. */
output *output_new(int epoll, int fd, int ranks, bool prefix,
                   void (*broken)(void *context, int fd, int error), void *context);

/* Bytes of a rank. Prefixed: whole lines go out at once, the rest waits for its newline. A line of
   more than 1 MiB goes out in pieces of that length, each as a line. */
void output_data(output *output, int rank, const char *data, size_t bytes);

/* The rank says no more: a last line without newline gets one. */
void output_end(output *output, int rank);

/* A line of cmrun's own, without prefix; text has its newline. */
void output_own(output *output, const char *text);

bool output_pending(const output *output); /* is something still to be written? */
bool output_full(const output *output);    /* should the ranks wait? */
void output_drop(output *output);          /* forgets what is still to be written */
void output_free(output *output);          /* NULL is allowed */

#endif
