/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h: frames over two files, one to read and one to write, in an event loop; neither ever
   blocks. */
#ifndef CM_LAUNCH_CHANNEL_H
#define CM_LAUNCH_CHANNEL_H

#include "launch/frame.h"
#include "launch/loop.h"

typedef struct channel channel;

struct channel {
    int epoll;
    watch in, out;
    frame_reader reader;
    char *queue; /* to be written */
    size_t start, used, capacity;
    bool open, failed;
    double heard_s; /* when the last bytes came */
    void (*came)(channel *channel, const frame *frame);
    /* Nothing more will come; why is NULL at a plain end of file. Called once, and not by
       channel_close. */
    void (*ended)(channel *channel, const char *why);
    void *owner;
};

/* channel's came, ended and owner are set. The files become its own; false: see errno. */
bool channel_open(channel *channel, int epoll, int in, int out);

/* Queues a frame and sends what can be sent. */
void channel_send(channel *channel, frame_kind kind, int flag, int rank, const char *data,
                  size_t bytes);

size_t channel_unsent(const channel *channel);
void channel_close(channel *channel); /* what is unsent is lost */

#endif
