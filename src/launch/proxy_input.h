/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_input.h: rank 0's stdin at its proxy. The bytes of one frame at a time go from cmrun to the
   rank. */
#ifndef CM_LAUNCH_PROXY_INPUT_H
#define CM_LAUNCH_PROXY_INPUT_H

#include "launch/channel.h"

typedef struct {
    int epoll;
    channel *channel;
    watch pipe; /* fd -1: no rank 0 here, or the reader is gone */
    size_t start, end;
    char bytes[FRAME_DATA_BYTES];
} proxy_input;

void proxy_input_none(proxy_input *input);

/* Creates rank 0's stdin. Returns the end to read from, or -1 on failure. */
int proxy_input_start(proxy_input *input, int epoll, channel *channel);

/* Handles FRAME_INPUT. FRAME_INPUT_TAKEN answers it when the rank has the bytes. */
void proxy_input_take(proxy_input *input, const frame *frame);

void proxy_input_stop(proxy_input *input);

#endif
