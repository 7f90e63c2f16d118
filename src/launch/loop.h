/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.h: an event loop on epoll, which calls a function when a file is ready. */
#ifndef CM_LAUNCH_LOOP_H
#define CM_LAUNCH_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Must live until the loop has ended, also after its file was closed. Then fd is -1 and ready is
   not called. */
typedef struct watch {
    int fd;          /* -1: nothing to watch */
    uint32_t events; /* watched at the moment: EPOLLIN, EPOLLOUT; 0: not in the epoll set */
    void (*ready)(struct watch *watch, uint32_t events);
    void *owner;
    int number; /* for the owner's use */
} watch;

/* Watches for these events from now on; 0 stops watching. Returns false if epoll cannot watch the
   file (a regular one) or is out of memory. */
bool loop_watch(int epoll, watch *watch, uint32_t events);

/* Stops watching and closes the file. */
void loop_close(int epoll, watch *watch);

/* Waits at most timeout_ms (-1: no limit) and calls ready of all that are. Returns false on
   failure; see errno. */
bool loop_once(int epoll, int timeout_ms);

double loop_now_s(void); /* monotonic clock */

#endif
