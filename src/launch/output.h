/* SPDX-License-Identifier: BSD-3-Clause */
/* output.h: cmrun's stdout and stderr, when the ranks' output passes through cmrun: to prefix lines
   with "[rank] ", or because the ranks are on other hosts. */
#ifndef CM_LAUNCH_OUTPUT_H
#define CM_LAUNCH_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct output output;

/* Creates the output of one stream (fd 1 or 2) for the lines of ranks 0 .. ranks-1, with or without
   prefix. broken(context, error) is called once, when writing fails; later output is dropped.
   Returns NULL if out of memory. */
output *output_new(int epoll, int fd, int ranks, bool prefix,
                   void (*broken)(void *context, int fd, int error), void *context);

/* Takes bytes of a rank. With prefix, whole lines are written at once and the rest waits for its
   newline. A line longer than 1 MiB is written in pieces of that length, each as a line. */
void output_data(output *output, int rank, const char *data, size_t bytes);

/* The rank's output ended. A last line without newline gets one. */
void output_end(output *output, int rank);

/* Writes a line of cmrun itself, without prefix. text ends with its newline. */
void output_own(output *output, const char *text);

bool output_pending(const output *output); /* true if bytes are still to be written */
bool output_full(const output *output);    /* true if the ranks should wait */
void output_drop(output *output);          /* drops the bytes that are still to be written */
void output_free(output *output);          /* NULL is allowed */

#endif
