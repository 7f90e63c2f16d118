/* SPDX-License-Identifier: BSD-3-Clause */
/* loop.c: the event loop, a few calls of epoll. */
#include "config.h"
#include <errno.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>
#include "launch/loop.h"

bool loop_watch(int epoll, watch *watch, uint32_t events)
{
    if (watch->fd < 0 || watch->events == events) return watch->fd >= 0;
    struct epoll_event event = {.events = events, .data.ptr = watch};
    int operation = !events ? EPOLL_CTL_DEL : watch->events ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (epoll_ctl(epoll, operation, watch->fd, &event) < 0) return false;
    watch->events = events;
    return true;
}

void loop_close(int epoll, watch *watch)
{
    if (watch->fd < 0) return;
    /* Removed explicitly: a child between fork and exec may still hold the open file, and epoll
       would go on reporting it. */
    loop_watch(epoll, watch, 0);
    close(watch->fd);
    watch->fd = -1;
}

bool loop_once(int epoll, int timeout_ms)
{
    struct epoll_event event[256];
    int n = epoll_wait(epoll, event, sizeof event / sizeof event[0], timeout_ms);
    if (n < 0) return errno == EINTR;
    for (int i = 0; i < n; i++) {
        watch *watch = event[i].data.ptr;
        /* An earlier event of this batch may have closed it. */
        if (watch->fd >= 0 && watch->events) watch->ready(watch, event[i].events);
    }
    return true;
}

double loop_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
