/* SPDX-License-Identifier: BSD-3-Clause */
/* spelling.h: finds the known name that a mistyped one was probably meant to be. */
#ifndef CM_SPELLING_H
#define CM_SPELLING_H

#include <stddef.h>

/* Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn a
   into b (the restricted distance of Damerau, Communications of the ACM 7 (1964) 171). Lengths are
   in bytes. Returns SIZE_MAX if a name is longer than any of ours. */
size_t cm_spelling_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/* Returns the largest distance at which a mistyped name of this length is still matched to a known
   one. */
size_t cm_spelling_tolerance(size_t length);

#endif
