/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.h: frames over two files in an event loop, one to read and one to write. Neither
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
    char *queue; /* bytes to be written */
    size_t start, used, capacity;
    bool open, failed;
    double heard_s; /* when the last bytes arrived */
    void (*came)(channel *channel, const frame *frame);
    /* Called once, when no more frames can arrive. why is NULL at a regular end of file.
       channel_close does not call it. */
    void (*ended)(channel *channel, const char *why);
    void *owner;
    /* The other side's first frame. What comes before it is dropped, because the shell that starts
       a proxy may print something. FRAME_NONE: nothing may come before. */
    frame_kind begins_with;
    size_t dropped;
};

enum { CHANNEL_DROPS_MOST = 65536 };

/* Set came, ended and owner before the call. The channel takes over both files, also on failure.
   Returns false on failure; see errno. */
bool channel_open(channel *channel, int epoll, int in, int out);

/* Queues a frame and writes as much of the queue as the file takes now. */
void channel_send(channel *channel, frame_kind kind, int flag, int rank, const char *data,
                  size_t bytes);

/* Queues whole frames, as frame_head and their data are. */
void channel_send_frames(channel *channel, const char *bytes, size_t n);

/* Reads nothing until called with false. */
void channel_pause(channel *channel, bool pause);

size_t channel_unsent(const channel *channel);
void channel_close(channel *channel); /* discards unsent frames */

#endif
