/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c: the event loop in which a rank sleeps; see events.h. It also sees to what causes no
   event: failures (liveness.c) and connections that never greet (pending.c). */
#include "config.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/companion.h"
#include "comm/engine/engine.h"
#include "comm/engine/limits.h"
#include "comm/engine/pending.h"
#include "comm/engine/transport.h"

/* POLLS_A_LOOK is the number of polls that do not wait after which failures are checked, because a
   busy rank may never wait. */
enum { EVENTS = 64, POLLS_A_LOOK = 1024 };

static struct {
    int queue;
    unsigned polls;
    cm_watch launcher;
} events = {.queue = -1};

static void watch_as(int fd, cm_watch *watch, uint32_t kinds, int how)
{
    struct epoll_event event = {.events = kinds, .data.ptr = watch};
    if (epoll_ctl(events.queue, how, fd, &event) != 0)
        cm_engine_fail(-1, "cannot watch a connection: %s", strerror(errno));
}

void cm_events_add(int fd, cm_watch *watch) { watch_as(fd, watch, EPOLLIN, EPOLL_CTL_ADD); }

void cm_events_want_room(int fd, cm_watch *watch, bool want)
{
    watch_as(fd, watch, want ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
}

static bool look_at_launcher(cm_watch *watch)
{
    char byte;
    (void)watch;
    if (engine.finalizing) return false;
    if (recv(cm_pmi_fd(engine.pmi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
        cm_engine_fail(-1, "lost the launcher");
    return false;
}

void cm_events_open(void)
{
    events.queue = epoll_create1(EPOLL_CLOEXEC);
    if (events.queue < 0)
        cm_engine_fail(-1, "cannot create an event queue: %s%s", strerror(errno),
                       cm_limits_advice(errno, 0));
    events.launcher.ready = look_at_launcher;
    if (engine.pmi) cm_events_add(cm_pmi_fd(engine.pmi), &events.launcher);
}

void cm_events_close(void)
{
    if (events.queue >= 0) close(events.queue);
    events.queue = -1;
}

static int sooner(int a, int b) { return a < b ? a : b; }

/* Returns the time until a check is due even without an event. */
static int patience_ms(void) { return sooner(cm_liveness_ms(), cm_pending_ms()); }

bool cm_events_poll(int timeout_ms)
{
    struct epoll_event event[EVENTS];
    bool moved = false, lost = false;
    const bool waits = timeout_ms < 0;
    const int again_ms = waits ? cm_transport_patience_ms() : INT_MAX;
    int n;
    if (waits && cm_transport_sleeps(true)) timeout_ms = 0;
    do {
        n = epoll_wait(events.queue, event, EVENTS,
                       timeout_ms < 0 ? sooner(patience_ms(), again_ms) : timeout_ms);
        if (waits || ++events.polls % POLLS_A_LOOK == 0) lost = cm_liveness_look();
        if (n == 0) cm_pending_dismiss_late();
    } while (timeout_ms < 0 && n == 0 && !lost && again_ms == INT_MAX);
    if (waits) cm_transport_sleeps(false);
    for (int i = 0; i < n; i++) {
        cm_watch *watch = event[i].data.ptr;
        if (watch->last) continue;
        event[i].data.ptr = NULL; /* a lane may be gone after this */
        if (event[i].events & ~(uint32_t)EPOLLOUT) moved |= watch->ready(watch);
    }
    /* Called only now, when no event refers to a lane that they close. */
    if (engine.any_in_memory) moved |= cm_transport_look();
    cm_pending_dismiss_late();
    for (int i = 0; i < n; i++) {
        cm_watch *watch = event[i].data.ptr;
        if (watch) moved |= watch->ready(watch);
    }
    /* It may close lanes to get a file, so it comes after the events. */
    if (__builtin_expect(engine.companion_due, 0)) cm_companion_hold();
    return moved || lost;
}
