/* SPDX-License-Identifier: BSD-3-Clause */
/* pending.c: lets connections in before their handshake has arrived; see pending.h. */
#include "config.h"
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include "comm/engine/cards.h"
#include "comm/engine/limits.h"
#include "comm/engine/pending.h"
#include "comm/engine/transport.h"

/* A peer sends its handshake as soon as it gets a core. No stranger has to leave before this
   time. */
static const double GRACE_S = 0.1;

static struct {
    int n;        /* number of lanes whose handshake has not arrived, at most */
    double due_s; /* no stranger has to leave before this time */
} pending;

/* Counts the pending. The newest are first in the list. */
static cm_lane *oldest_pending(void)
{
    cm_lane *oldest = NULL;
    pending.n = 0;
    for (cm_lane *lane = engine.lanes; lane; lane = lane->next)
        if (lane->peer < 0) {
            pending.n++;
            oldest = lane;
        }
    return oldest;
}

/* Disconnects the oldest stranger. Returns false if it may still stay or there is none. */
static bool dismiss_oldest(void)
{
    cm_lane *oldest = oldest_pending();
    if (!oldest || cm_engine_now() - oldest->since_s < GRACE_S) return false;
    cm_lane_close(oldest);
    pending.n--;
    return true;
}

void cm_pending_dismiss_late(void)
{
    if (!pending.n) return;
    const double now_s = cm_engine_now(), stay_s = cm_cards_start_limit_s();
    if (now_s < pending.due_s) return;
    for (cm_lane *oldest; (oldest = oldest_pending()); cm_lane_close(oldest)) {
        pending.due_s = oldest->since_s + stay_s;
        if (now_s < pending.due_s) return;
    }
}

int cm_pending_ms(void)
{
    if (!pending.n) return INT_MAX;
    const double left_s = pending.due_s - cm_engine_now();
    return left_s > 0 ? (int)(1000 * left_s) + 1 : 0;
}

static int most(void) { return CM_PENDING + engine.size * engine.rails; }

/* Returns true if there is room for one more connection. Others wait in the kernel's queue. */
static bool has_room(void)
{
    if (pending.n < most()) return true;
    oldest_pending();
    return pending.n < most() || dismiss_oldest();
}

static bool exhausted(void)
{
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
}

int cm_pending_socket(int family)
{
    for (;;) {
        int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd >= 0 || !exhausted() || !oldest_pending()) return fd;
        while (!dismiss_oldest()) sched_yield();
    }
}

/* Those who are sent away at once leave room for the next, so room alone is no limit: somebody who
   connects all the time would keep this rank here. All peers together fit into one look. */
bool cm_pending_accept(int listener, cm_lane *(*lane_of)(int fd))
{
    bool moved = false;
    for (int come = 0; come < most() && has_room(); come++) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0) {
            cm_lane *lane = lane_of(fd);
            if (!lane) continue;
            moved = true;
            if (!pending.n++) pending.due_s = lane->since_s + cm_cards_start_limit_s();
            cm_receive_lane(lane);
        } else if (exhausted()) {
            int cause = errno;
            if (dismiss_oldest()) continue;
            if (pending.n) break;
            cm_engine_fail(-1, "cannot accept a connection: %s%s", strerror(cause),
                           cm_limits_advice(cause, 0));
        } else if (errno != EINTR && errno != ECONNABORTED) {
            break;
        }
    }
    return moved;
}
