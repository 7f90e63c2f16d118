/* SPDX-License-Identifier: BSD-3-Clause */
/* input.h: a terminal as rank 0's stdin. The ranks have process groups of their own, which are
   never the terminal's foreground group: reading it they would be stopped. So cmrun reads for rank
   0. */
#ifndef CM_LAUNCH_INPUT_H
#define CM_LAUNCH_INPUT_H

#include "launch/loop.h"

typedef struct {
    int epoll;
    watch terminal, pipe;
    int read_end; /* rank 0's stdin; to be closed when the rank has it */
    size_t start, end;
    char bytes[4096]; /* read and not yet taken by rank 0 */
} input;

/* False: see errno. SIGTTIN must be blocked. */
bool input_start(input *input, int epoll);

/* Terminal input waits while cmrun is in the background: looks again whether it still is. */
void input_retry(input *input);

void input_stop(input *input);

#endif
