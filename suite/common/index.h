/* SPDX-License-Identifier: BSD-3-Clause */
/* index.h: finds a text among many, such as a host among all, in a time that does not depend on how
   many there are. */
#ifndef SUITE_INDEX_H
#define SUITE_INDEX_H

#include <stddef.h>

/* Different texts, numbered from 0 in the order in which they were added. Starts as zeros. */
typedef struct {
    char **text; /* [n] */
    size_t n;
    size_t *slot; /* [slots] the number of a text plus 1; 0: free. At least half of them are */
    size_t slots; /* 0 or a power of 2 */
} suite_index;

/* The text's number; it is added if it is not there. The index keeps a copy. */
size_t suite_index_add(suite_index *index, const char *text);
/* The text's number; n if it is not there. */
size_t suite_index_find(const suite_index *index, const char *text);
void suite_index_free(suite_index *index);

#endif
