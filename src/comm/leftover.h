/* SPDX-License-Identifier: BSD-3-Clause */
/* leftover.h: the line in which a backend's cm_finalize says what was never received and what never
   completed. */
#ifndef CM_LEFTOVER_H
#define CM_LEFTOVER_H

#include <stdbool.h>
#include <stddef.h>

/* An operation: what ("", "a send of ", ...) bytes way ("from", "to") peer, tag. */
typedef struct {
    const char *what, *way;
    size_t bytes;
    int peer, tag;   /* peer: world rank; or CM_ANY */
    bool collective; /* it belongs to a collective operation, and tag means nothing */
} cm_leftover;

/* Room for all that a line can have. */
enum { CM_LEFTOVER_BYTES = 512 };

/* Appends to the line that there are n such operations, of which the first one is described: label
   ("never received") and the rest. Does nothing if n is 0. */
void cm_leftover_append(char *line, const char *label, const cm_leftover *first, int n);

/* Prints the line on stderr unless it is empty. */
void cm_leftover_print(int rank, const char *host, const char *line);

#endif
