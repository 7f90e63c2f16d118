/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: decides when to look for messages, when to spin and when to sleep. Looking at the one
   lane where a message is expected costs one system call. All lanes are polled at intervals, and
   always before sleeping. */
#include "config.h"
#include <sched.h>
#include "comm/engine/copying.h"
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"
#include "comm/schedule.h"

enum {
    POLL_EVERY = 64,          /* looks at the expected lane between looks at all lanes */
    POLL_RAILS_EVERY = 4,     /* the same if answers arrive over other rails */
    POLL_MEMORY_EVERY = 1024, /* the same if no peer needs it: it costs as much as 50 looks */
    CLOCK_EVERY = 16,         /* unsuccessful looks between readings of the clock */
    DIRECT_LANES = 2,         /* up to this many lanes are read without polling first */
    PROGRESS_LOOKS = 64       /* limit of one cm_progress, in case messages never end */
};

/* After this time a spinning rank yields its core between looks. That costs little if no one needs
   the core. A rank that shares it, possibly unseen on another virtual host, waits a time slice
   less. Four ranks on two such hosts with two cores took 227 us for an allreduce of 8 bytes with 50
   us here, 127 with 20 and 96 with 10; but with 10, answers to 64 KB begin to take longer. */
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
    for (int i = 0; i < engine.n_unsent;) {
        cm_peer *peer = &engine.peer[engine.unsent[i]];
        if (peer->state == CM_PEER_HERE) moved |= cm_send_flush(engine.unsent[i]);
        if (__builtin_expect(peer->state == CM_PEER_LOST, 0)) {
            cm_failure_settle(engine.unsent[i]);
            moved = true;
        }
        if (has_more(peer)) {
            i++;
        } else {
            peer->unsent = false;
            engine.unsent[i] = engine.unsent[--engine.n_unsent];
        }
    }
    return moved;
}

/* Returns how many looks come between two polls. Peers that are not connected yet may knock. */
static unsigned poll_every(void)
{
    const bool connected = engine.all_in_memory && engine.n_lanes >= engine.size - 1;
    return engine.rails > 1                  ? POLL_RAILS_EVERY
           : connected && !engine.hands_over ? POLL_MEMORY_EVERY
                                             : POLL_EVERY;
}

static bool look(int peer)
{
    bool moved = false, looked = false;
    cm_lane *expected = peer >= 0 ? engine.peer[peer].rail[0].rx : NULL;
    if (expected) {
        moved = cm_receive_lane(expected);
        looked = true;
    } else if (engine.any_in_memory) {
        moved = cm_transport_look();
        looked = engine.all_in_memory;
    } else if (engine.n_lanes <= DIRECT_LANES && engine.n_lanes == engine.size - 1) {
        for (cm_lane *lane = engine.lanes, *next; lane; lane = next) {
            next = lane->next;
            moved |= cm_receive_lane(lane);
        }
        looked = true;
    }
    if (engine.n_unsent) moved |= flush_pending();
    const bool copies = engine.copying;
    if (__builtin_expect(copies, 0)) {
        cm_copying_go_on();
        moved = true;
    }
    /* Done even while messages keep arriving on the expected lane: other ranks may wait to be
       accepted. */
    if ((!moved && !looked) || engine.striped || copies || ++engine.polls % poll_every() == 0)
        moved |= cm_events_poll(0);
    return moved;
}

static void want_room(bool want)
{
    for (int i = 0; i < engine.n_unsent; i++)
        for (int k = 0; k < engine.rails; k++) {
            const cm_rail *rail = &engine.peer[engine.unsent[i]].rail[k];
            cm_lane_want_room(rail->tx, want && rail->first);
        }
}

static void sleep_until_event(void)
{
    want_room(true);
    cm_events_poll(-1);
    want_room(false);
    if (engine.n_unsent) flush_pending();
}

static bool still_spinning(void)
{
    if (engine.spin_s == 0) return false;
    if (engine.hands_over) sched_yield();
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
    if (look(peer) || cm_schedule_working()) {
        engine.idle_since_s = 0;
        engine.activity++;
        cm_schedule_progress();
        return true;
    }
    /* The caller may have checked its requests one after the other while messages moved. It sleeps
       only if none has moved since its last call. */
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
    /* A program that computes calls this rarely. */
    if (engine.any_in_memory && cm_events_poll(0)) cm_schedule_progress();
    for (int looks = 0; looks < PROGRESS_LOOKS && cm_progress_step(CM_ANY, false); looks++) {}
    cm_schedule_progress();
}

void cm_backend_pause(void) { cm_progress_step(CM_ANY, true); }
