/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_input.h: rank 0's stdin at its proxy: one frame's bytes at a time, from cmrun to the
   rank. */
#ifndef CM_LAUNCH_PROXY_INPUT_H
#define CM_LAUNCH_PROXY_INPUT_H

#include "launch/channel.h"

typedef struct {
    int epoll;
    channel *channel;
    watch pipe; /* fd -1: no rank 0 here, or nobody reads any more */
    size_t start, end;
    char bytes[FRAME_DATA_BYTES];
} proxy_input;

void proxy_input_none(proxy_input *input);

/* Makes rank 0's stdin; returns the end to read from, -1 when there can be none. */
int proxy_input_start(proxy_input *input, int epoll, channel *channel);

/* FRAME_INPUT came; it is answered by FRAME_INPUT_TAKEN when the rank has its bytes. */
void proxy_input_take(proxy_input *input, const frame *frame);

void proxy_input_stop(proxy_input *input);

#endif
