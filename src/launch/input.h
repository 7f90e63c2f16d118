/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h: a terminal as rank 0's stdin. The ranks have their own process groups, which are never
   the terminal's foreground group, so reading from it would stop them. cmrun reads for rank 0. */
#ifndef CM_LAUNCH_INPUT_H
#define CM_LAUNCH_INPUT_H

#include "launch/loop.h"

typedef struct {
    int epoll;
    watch terminal, pipe;
    int read_end; /* rank 0's stdin; close it once the rank has it */
    size_t start, end;
    char bytes[4096]; /* bytes read that rank 0 has not taken yet */
} input;

/* Returns false on failure; see errno. SIGTTIN must be blocked. */
bool input_start(input *input, int epoll);

/* Input waits while cmrun is in the background. Call this to check again. */
void input_retry(input *input);

void input_stop(input *input);

#endif
