/* SPDX-License-Identifier: BSD-3-Clause */
/* copy.c: copies by the kernel between this process and a peer's; see copy.h. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include "comm/block_copy.h"
#include "comm/engine/copy.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* The word that peers read and write back. */
static uint64_t probe;

static bool copy_straight(pid_t process, uint64_t there, char *here, size_t bytes, bool out)
{
    while (bytes) {
        const struct iovec own = {here, bytes}, peers = {(void *)(uintptr_t)there, bytes};
        const ssize_t copied = out ? process_vm_writev(process, &own, 1, &peers, 1, 0)
                                   : process_vm_readv(process, &own, 1, &peers, 1, 0);
        if (copied <= 0) {
            if (copied == 0) errno = EFAULT;
            return false;
        }
        here += copied;
        there += (uint64_t)copied;
        bytes -= (size_t)copied;
    }
    return true;
}

/* Copies that would be slow (block_copy.h) pass through a stage that lies elsewhere in its page. */
enum { STAGE_BYTES = 32768 };
static _Alignas(CM_BLOCK_PAGE_BYTES) char stage[STAGE_BYTES + CM_BLOCK_PAGE_BYTES];

bool cm_copy_bytes(pid_t process, uint64_t there, char *here, size_t bytes, bool out)
{
    const uint64_t own = (uintptr_t)here;
    if (!cm_block_slow(out ? there : own, out ? own : there, bytes))
        return copy_straight(process, there, here, bytes, out);
    char *staged = stage + (there + CM_BLOCK_PAGE_BYTES / 2) % CM_BLOCK_PAGE_BYTES;
    for (size_t n; bytes; here += n, there += n, bytes -= n) {
        n = bytes < STAGE_BYTES ? bytes : STAGE_BYTES;
        if (out) memcpy(staged, here, n);
        if (!copy_straight(process, there, staged, n, out)) return false;
        if (!out) memcpy(here, staged, n);
    }
    return true;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

void cm_copy_admit(void)
{
#ifdef PR_SET_PTRACER
    struct ucred launcher;
    socklen_t length = sizeof launcher;
    /* The launcher created the socket pair to this rank, so its PID is that of the socket's peer.
       Under PMIx the pair is the rank's own, so its parent is taken for the launcher. Without Yama
       prctl fails and is not needed. PID 1 would admit every process. */
    if (!engine.pmi
        || getsockopt(cm_pmi_fd(engine.pmi), SOL_SOCKET, SO_PEERCRED, &launcher, &length) != 0)
        return;
    if (launcher.pid == getpid()) launcher.pid = getppid();
    if (launcher.pid > 1) (void)prctl(PR_SET_PTRACER, (unsigned long)launcher.pid, 0, 0, 0);
#endif
}

static cm_copy *copy_of(int peer)
{
    cm_copy **copy = &engine.peer[peer].copy;
    if (!*copy) {
        *copy = cm_engine_allocate(sizeof **copy, "what is known of a peer");
        memset(*copy, 0, sizeof **copy);
    }
    return *copy;
}

static bool refused_here(void) { return engine.environment.copy == CM_COPY_RING; }

static void ask(int peer, cm_copy *copy)
{
    if (copy->asked || !cm_share_lane(peer)) return;
    if (!probe && !cm_auth_random((unsigned char *)&probe, sizeof probe)) return;
    const cm_wire_header header = {
        .kind = CM_WIRE_ASK_COPY, .offset = (uintptr_t)&probe, .handle = probe};
    copy->asked = true;
    cm_send_header(peer, 0, &header);
}

/* Writes back the same word that was read, so the peer's memory does not change. */
static bool try(cm_lane *lane, uint64_t address, uint64_t word)
{
    uint64_t seen = 0;
    const pid_t process = cm_lane_process(lane);
    errno = ESRCH;
    if (process <= 0 || !cm_copy_bytes(process, address, (char *)&seen, sizeof seen, false))
        return false;
    errno = EFAULT;
    return seen == word && cm_copy_bytes(process, address, (char *)&seen, sizeof seen, true);
}

static void answer(cm_lane *lane, const cm_wire_header *header)
{
    cm_copy *copy = copy_of(lane->peer);
    if (!refused_here()) {
        copy->may = try(lane, header->offset, header->handle);
        copy->cause = copy->may ? 0 : errno;
        ask(lane->peer, copy);
    }
    copy->tried = true;
    const cm_wire_header found = {
        .kind = CM_WIRE_MAY_COPY, .bytes = copy->may, .context = (uint32_t)copy->cause};
    cm_send_header(lane->peer, 0, &found);
}

void cm_copy_refuse(int peer, int cause)
{
    cm_copy *copy = copy_of(peer);
    if (copy->refused) return;
    copy->refused = true;
    copy->cause = cause;
    const cm_wire_header header = {.kind = CM_WIRE_MAY_COPY, .context = (uint32_t)cause};
    cm_send_header(peer, 0, &header);
}

/* ---- Which way ------------------------------------------------------------------------------- */

/* Messages after which a class is tried again, and after which a trial is given up, because perhaps
   no receive is ever posted in time. */
enum { TRY_AFTER = 1024, TRY_MOST = 64 };

/* The kernel's copies are chosen only if they are faster than the ring by this factor. If this rank
   sends to the peer meanwhile, the ring is chosen only if it is: both processors copy all the time
   then, and the ring's two copies of each byte delay what is sent, which is not timed. */
static const double CLEARLY = 0.95;

static int class_of(size_t bytes)
{
    const int class = 63 - __builtin_clzll(bytes) - (63 - __builtin_clzll(CM_COPY_LEAST_BYTES));
    return class < CM_COPY_CLASSES ? class : CM_COPY_CLASSES - 1;
}

static void say(int peer, cm_wire_kind kind, int class, cm_copy_way way)
{
    const cm_wire_header header = {
        .kind = (uint8_t)kind, .ahead_units = (uint16_t)way, .bytes = (uint64_t) class};
    cm_send_header(peer, 0, &header);
}

bool cm_copy_open(int peer)
{
    if (refused_here()) return false;
    cm_copy *copy = copy_of(peer);
    if (!copy->asked) ask(peer, copy);
    return cm_copy_possible(peer);
}

bool cm_copy_wanted(int peer, size_t bytes)
{
    if (!cm_copy_open(peer)) return false;
    cm_copy *copy = engine.peer[peer].copy;
    if (copy->pass && bytes <= engine.eager_most) {
        copy->pass--;
        return false;
    }
    if (engine.environment.copy == CM_COPY_HALVES) return true;
    const int class = class_of(bytes);
    const bool again =
        !copy->out[class].trying && (!copy->out[class].known || copy->out[class].sent >= TRY_AFTER);
    if (again) {
        copy->out[class].trying = true;
        copy->out[class].sent = 0;
        say(peer, CM_WIRE_TRY_COPY, class, 0);
    }
    const unsigned sent = copy->out[class].sent++;
    if (copy->out[class].trying && sent >= TRY_MOST) {
        copy->out[class].trying = false;
        copy->out[class].known = true;
    }
    return copy->out[class].trying ? sent % 2 : copy->out[class].way == CM_COPY_HALVES;
}

void cm_copy_busy(int peer, bool busy)
{
    enum { PASS_MOST = 256 };
    cm_copy *copy = copy_of(peer);
    copy->passing = !busy ? 0 : copy->passing < PASS_MOST ? 2 * copy->passing + 8 : PASS_MOST;
    copy->pass = copy->passing;
}

void cm_copy_begin(cm_request *receive, int peer)
{
    const cm_copy *copy = engine.peer[peer].copy;
    receive->began_s = 0;
    if (!copy || receive->status.bytes < CM_COPY_LEAST_BYTES) return;
    if (!copy->in[class_of(receive->status.bytes)].timed) return;
    receive->timed_peer = peer;
    receive->began_s = cm_engine_now();
}

/* The second smallest of the times, which a single delay does not change. */
static double second(const double *seconds)
{
    double best = INFINITY, next = INFINITY;
    for (int i = 0; i < CM_COPY_TIMED; i++) {
        const double s = seconds[i];
        if (s < best) {
            next = best;
            best = s;
        } else if (s < next) {
            next = s;
        }
    }
    return next;
}

void cm_copy_end(cm_request *receive, cm_copy_way way)
{
    const int peer = receive->timed_peer, class = class_of(receive->status.bytes);
    cm_copy *copy = engine.peer[peer].copy;
    const double seconds = cm_engine_now() - receive->began_s;
    receive->began_s = 0;
    if (!copy->in[class].timed) return;
    uint8_t *n = copy->in[class].n;
    if (n[way] < CM_COPY_TIMED) {
        copy->in[class].exchanged += copy->busy || engine.peer[peer].rail[0].first;
        copy->in[class].seconds[way][n[way]++] = seconds;
    }
    if (n[0] < CM_COPY_TIMED || n[1] < CM_COPY_TIMED) return;
    const double bound = copy->in[class].exchanged >= CM_COPY_TIMED ? 1 / CLEARLY : CLEARLY;
    const bool halves = second(copy->in[class].seconds[CM_COPY_HALVES])
                        < bound * second(copy->in[class].seconds[CM_COPY_RING]);
    copy->in[class].timed = false;
    say(peer, CM_WIRE_CHOOSE_COPY, class, halves ? CM_COPY_HALVES : CM_COPY_RING);
}

bool cm_copy_hear(cm_lane *lane, const cm_wire_header *header)
{
    if (!cm_lane_shares(lane)) return false;
    cm_copy *copy = copy_of(lane->peer);
    const int class = (int)header->bytes;
    switch (header->kind) {
    case CM_WIRE_ASK_COPY:
        if (copy->tried) return false;
        answer(lane, header);
        return true;
    case CM_WIRE_MAY_COPY:
        if (copy->answered && cm_copy_allowed(lane->peer) && !header->bytes) {
            copy->refused = true;
            copy->cause = (int)header->context;
            return true;
        }
        if (!copy->asked || copy->answered || header->bytes > 1) return false;
        copy->answered = true;
        copy->lets = header->bytes;
        if (!copy->lets && !copy->cause) copy->cause = (int)header->context;
        return true;
    }
    if (!cm_copy_allowed(lane->peer) || header->bytes >= CM_COPY_CLASSES
        || header->ahead_units > CM_COPY_HALVES)
        return false;
    if (header->kind == CM_WIRE_TRY_COPY) {
        copy->in[class].timed = true;
        copy->in[class].exchanged = 0;
        memset(copy->in[class].n, 0, sizeof copy->in[class].n);
    } else {
        copy->out[class].trying = false;
        copy->out[class].known = copy->out[class].measured = true;
        copy->out[class].way = (uint8_t)header->ahead_units;
        copy->out[class].sent = 0;
    }
    return true;
}

/* ---- Description ----------------------------------------------------------------------------- */

/* The size classes in which both ways were measured, each with the way that most peers use. */
static void describe_classes(char *text, size_t capacity)
{
    text[0] = 0;
    for (int class = 0; class < CM_COPY_CLASSES; class ++) {
        int n[2] = {0, 0};
        for (int rank = 0; rank < engine.size; rank++) {
            const cm_copy *copy = engine.peer[rank].copy;
            if (copy && copy->out[class].measured) n[copy->out[class].way]++;
        }
        if (!n[0] && !n[1]) continue;
        const size_t used = strlen(text);
        snprintf(text + used, capacity - used, "%s%zu:%s", used ? " " : "",
                 (size_t)CM_COPY_LEAST_BYTES << class, n[1] > n[0] ? "halves" : "ring");
    }
}

void cm_copy_describe(cm_describe_each *each, void *context)
{
    int may = 0, cause = 0;
    bool known = refused_here();
    char text[256];
    if (!engine.any_in_memory) return;
    for (int rank = 0; rank < engine.size; rank++) {
        if (!engine.peer[rank].copy) continue;
        may += cm_copy_possible(rank);
        known |= engine.peer[rank].copy->answered;
        if (engine.peer[rank].copy->cause) cause = engine.peer[rank].copy->cause;
    }
    if (known) each("copy", may ? "halves" : "ring", context);
    if (cause) each("copy_refused", strerror(cause), context);
    describe_classes(text, sizeof text);
    if (text[0]) each("copy_ways", text, context);
}

void cm_copy_free(void)
{
    for (int rank = 0; rank < engine.size; rank++) free(engine.peer[rank].copy);
}
