/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_keys.h: the keys of all ranks, as a proxy knows them. cmrun sends those that are new with
   each barrier (FRAME_KEYS), so that a proxy answers what its ranks get. What it does not know,
   cmrun answers. */
#ifndef CM_LAUNCH_PROXY_KEYS_H
#define CM_LAUNCH_PROXY_KEYS_H

#include "launch/key_table.h"

/* Initialize with zeros. */
typedef struct {
    key_table table;
    char space[CM_PMI_NAME_BYTES]; /* name of the key-value space */
    bool *free; /* for each rank here: it is a member of the job and waits for no answer */
    int ranks;
} proxy_keys;

bool proxy_keys_start(proxy_keys *keys, int ranks); /* false if out of memory */

/* Takes the text of a FRAME_KEYS: words NAME=VALUE, first kvsname=SPACE. Returns false if it is
   none, or memory is exhausted. */
bool proxy_keys_take(proxy_keys *keys, const char *text);

/* Rank number i here has sent a line. Returns true with the answer and its newline if it is a get
   of a known key; otherwise the line is for cmrun. */
bool proxy_keys_answer(proxy_keys *keys, int i, const char *line, char answer[CM_PMI_LINE_BYTES]);

/* cmrun has answered rank number i here. */
void proxy_keys_answered(proxy_keys *keys, int i, const char *line);

void proxy_keys_free(proxy_keys *keys);

#endif
