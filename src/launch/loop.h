/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.h: what an event loop on epoll calls when a file is ready. */
#ifndef CM_LAUNCH_LOOP_H
#define CM_LAUNCH_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Lives until the loop has ended, also after its file was closed: then fd is -1 and ready is not
   called. */
typedef struct watch {
    int fd;          /* -1: nothing to watch */
    uint32_t events; /* EPOLLIN, EPOLLOUT watched for now; 0: not in the epoll set */
    void (*ready)(struct watch *watch, uint32_t events);
    void *owner;
    int number; /* whatever helps the owner */
} watch;

/* Watches for events from now on; 0: for nothing. False when epoll cannot watch such a file (a
   regular one) or is out of memory. */
bool loop_watch(int epoll, watch *watch, uint32_t events);

/* Stops watching and closes the file. */
void loop_close(int epoll, watch *watch);

/* Waits at most timeout_ms (-1: for ever) and calls ready of all that is; false: see errno. */
bool loop_once(int epoll, int timeout_ms);

double loop_now_s(void); /* monotonic */

#endif
