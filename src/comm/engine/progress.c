/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: when to look, when to spin, when to sleep. A look at the one lane where a message is
   expected costs one system call; every so often, and always before sleeping, all lanes are
   asked. */
#include "config.h"
#include <sched.h>
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

enum {
    POLL_EVERY = 64,      /* looks at the expected lane between looks at all lanes */
    POLL_RAILS_EVERY = 4, /* the same where answers come over other rails */
    CLOCK_EVERY = 16,     /* fruitless looks between readings of the clock */
    DIRECT_LANES = 2,     /* so few lanes are read without asking first which are ready */
    PROGRESS_LOOKS = 64   /* bound of one cm_progress, should messages never end */
};

/* From then on a spinning rank lets others have its core between looks: costs little when nobody
   wants it, and a time slice less when somebody does: a rank that shares it, unseen when that one
   is on another virtual host. Four ranks of two such hosts on two cores took 227 us for an
   allreduce of 8 bytes with 50 us here, 127 with 20 and 96 with 10, where the answers to 64 KB
   begin to take longer than that. */
static const double YIELD_AFTER_S = 20e-6;

static bool has_more(const cm_peer *peer)
{
    for (int rail = 0; rail < engine.rails; rail++)
        if (peer->rail[rail].first) return true;
    return false;
}

static bool flush_pending(void)
{
    bool moved = false;
    for (int i = 0; i < engine.n_pending;) {
        cm_peer *peer = &engine.peer[engine.pending[i]];
        if (peer->state == CM_PEER_HERE) moved |= cm_send_flush(engine.pending[i]);
        if (__builtin_expect(peer->state == CM_PEER_LOST, 0)) {
            cm_failure_settle(engine.pending[i]);
            moved = true;
        }
        if (has_more(peer)) {
            i++;
        } else {
            peer->pending = false;
            engine.pending[i] = engine.pending[--engine.n_pending];
        }
    }
    return moved;
}

static bool look(int peer)
{
    bool moved = false, looked = false;
    cm_lane *expected = peer >= 0 ? engine.peer[peer].rail[0].rx : NULL;
    if (expected) {
        moved = cm_receive_lane(expected);
        looked = true;
    } else if (engine.n_lanes <= DIRECT_LANES && engine.n_lanes == engine.size - 1) {
        for (cm_lane *lane = engine.lanes, *next; lane; lane = next) {
            next = lane->next;
            moved |= cm_receive_lane(lane);
        }
        looked = true;
    }
    if (engine.n_pending) moved |= flush_pending();
    /* Also while messages keep coming where they are expected: others wait to be let in. */
    const unsigned every = engine.rails > 1 ? POLL_RAILS_EVERY : POLL_EVERY;
    if ((!moved && !looked) || engine.striped || ++engine.polls % every == 0)
        moved |= cm_transport_poll(0);
    return moved;
}

static void want_room(bool want)
{
    for (int i = 0; i < engine.n_pending; i++)
        for (int k = 0; k < engine.rails; k++) {
            const cm_rail *rail = &engine.peer[engine.pending[i]].rail[k];
            cm_transport_want_room(rail->tx, want && rail->first);
        }
}

static void sleep_until_event(void)
{
    want_room(true);
    cm_transport_poll(-1);
    want_room(false);
    if (engine.n_pending) flush_pending();
}

static bool still_spinning(void)
{
    if (engine.spin_s == 0) return false;
    if (++engine.idle_looks % CLOCK_EVERY) return true;
    double now_s = cm_engine_now();
    if (engine.idle_since_s == 0) engine.idle_since_s = now_s;
    double idle_s = now_s - engine.idle_since_s;
    if (idle_s >= engine.spin_s) return false;
    if (idle_s >= YIELD_AFTER_S) sched_yield();
    return true;
}

bool cm_progress_step(int peer, bool may_sleep)
{
    if (engine.size == 1) return false;
    if (__builtin_expect(engine.coalesced, 0)) cm_coalesce_release();
    bool moved = look(peer);
    if (moved) {
        engine.idle_since_s = 0;
        engine.activity++;
        cm_schedule_progress();
        return true;
    }
    /* The caller may have looked at its requests one after the other while messages moved: it
       sleeps only when none has since it was here last. */
    if (!may_sleep) return false;
    if (engine.activity != engine.activity_seen) {
        engine.activity_seen = engine.activity;
        return false;
    }
    if (still_spinning()) return false;
    sleep_until_event();
    engine.idle_since_s = 0;
    engine.activity++;
    cm_schedule_progress();
    return true;
}

void cm_progress_wait(cm_request *request)
{
    while (!request->complete) cm_progress_step(request->peer, true);
}

void cm_progress(void)
{
    engine.doing = "cm_progress";
    for (int looks = 0; looks < PROGRESS_LOOKS && cm_progress_step(CM_ANY, false); looks++) {}
    cm_schedule_progress();
}

void cm_backend_pause(void) { cm_progress_step(CM_ANY, true); }
