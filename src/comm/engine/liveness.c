/* SPDX-License-Identifier: BSD-3-Clause */
/* liveness.c: failures that cause no event. A rank that waits checks at intervals for stopped ranks
   on its own host and for hosts that do not answer. A stopped process keeps its connections, and
   its kernel goes on acknowledging. But ranks on the same host can see its state. Each rank's card
   contains its process id and start time, so that no process of another namespace, or of another
   host with the same name, is mistaken for it. A host that does not answer shows in the state of
   TCP. TCP_USER_TIMEOUT is no alternative: it also ends a connection whose other side answers but
   does not read, such as a rank that computes for long. */
#include "config.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/engine/cards.h"
#include "comm/engine/companion.h"
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

/* Number of processes checked at a time, which takes less than a millisecond. */
enum { RANKS_A_LOOK = 64 };

static struct {
    double next_s; /* time of the next check */
    int next_rank;
} liveness;

/* Reads the state and the start time (in kernel ticks since boot) of a process. Returns false if it
   cannot be seen. */
static bool inspect(const char *pid, char *state, unsigned long long *started)
{
    char name[64], text[1024];
    snprintf(name, sizeof name, "/proc/%s/stat", pid);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t bytes = read(fd, text, sizeof text - 1);
    close(fd);
    if (bytes <= 0) return false;
    text[bytes] = 0;
    /* The second field is the program's name in parentheses, which may itself contain some. */
    const char *rest = strrchr(text, ')');
    return rest
           && sscanf(rest,
                     ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                     "%*d %*d %llu",
                     state, started)
                  == 2;
}

void cm_liveness_write(char *card, size_t capacity)
{
    char state;
    unsigned long long started = 0;
    bool seen = inspect("self", &state, &started);
    snprintf(card, capacity, "%ld.%llu", seen ? (long)getpid() : 0, started);
}

bool cm_liveness_read(const char *card, cm_peer *peer)
{
    char *end;
    peer->pid = strtol(card, &end, 10); /* sscanf would take longer than the rest of the card */
    if (end == card || *end != '.') return false;
    card = end + 1;
    peer->started = strtoull(card, &end, 10);
    return end != card && !*end;
}

/* Time between two checks. Durations are counted in checks, not by the clock, because this rank may
   have been stopped together with the others. */
static double interval_s(void)
{
    double eighth_s = engine.environment.timeout_s / 8;
    return eighth_s < 1 ? eighth_s : 1;
}

static bool look_at_process(int rank, double between_looks_s)
{
    cm_peer *peer = &engine.peer[rank];
    char state, pid[24];
    unsigned long long started;
    cm_cards_need(rank);
    if (rank == engine.rank || !peer->pid || strcmp(peer->host, engine.host) != 0) return false;
    snprintf(pid, sizeof pid, "%ld", peer->pid);
    bool stopped = inspect(pid, &state, &started) && started == peer->started && state == 'T';
    if (!stopped) peer->stopped_looks = 0;
    else if (++peer->stopped_looks > engine.environment.timeout_s / between_looks_s)
        return cm_failure_lose(rank, "stopped (as by SIGSTOP) for %g s",
                               engine.environment.timeout_s);
    return false;
}

static bool look_at_processes(void)
{
    bool lost = false;
    if (engine.local_ranks < 2) return false;
    int turns = (engine.local_ranks + RANKS_A_LOOK - 1) / RANKS_A_LOOK;
    int most = (engine.size + turns - 1) / turns;
    for (int i = 0; i < most && i < engine.size; i++) {
        lost |= look_at_process(liveness.next_rank, turns * interval_s());
        liveness.next_rank = (liveness.next_rank + 1) % engine.size;
    }
    return lost;
}

double cm_liveness_silence_s(void)
{
    return engine.environment.timeout_s > 2 ? engine.environment.timeout_s : 2;
}

static bool lose_host(const cm_lane *lane)
{
    const double limit_s = cm_liveness_silence_s();
    if (!lane->connecting)
        return cm_failure_lose(lane->peer, "its host has not answered for %g s%s", limit_s,
                               cm_rail_name(lane->rail));
    return cm_failure_lose(lane->peer,
                           "cannot connect to its address (%s): its host has not answered for %g "
                           "s%s",
                           engine.peer[lane->peer].card, limit_s, cm_rail_name(lane->rail));
}

/* A host that drops what is sent over a connection of its busy rank may answer all else. */
static bool look_at_hosts(void)
{
    bool lost = false;
    for (cm_lane *lane = engine.lanes; lane; lane = lane->next) {
        if (lane->peer < 0 || engine.peer[lane->peer].state != CM_PEER_HERE) continue;
        const bool silent = cm_lane_unanswered(lane, interval_s());
        const bool answers = cm_lane_pursue(lane, silent);
        lost |= engine.peer[lane->peer].state != CM_PEER_HERE;
        lane->silent_s = silent && !answers ? lane->silent_s + interval_s() : 0;
        /* In cm_finalize no messages are expected any more. */
        if (lane->silent_s >= cm_liveness_silence_s() && !engine.finalizing)
            lost |= lose_host(lane);
    }
    return lost;
}

int cm_liveness_ms(void)
{
    double left_s = liveness.next_s - cm_engine_now();
    return left_s > 0 ? (int)(1000 * left_s) + 1 : 0;
}

bool cm_liveness_look(void)
{
    double now_s = cm_engine_now();
    /* Not while a job starts: a third of the time of 1,024 ranks on a host went into that. */
    if (liveness.next_s == 0) liveness.next_s = now_s + interval_s();
    if (now_s < liveness.next_s) return false;
    liveness.next_s = now_s + interval_s();
    bool lost = look_at_processes();
    lost |= cm_companion_look(interval_s());
    return look_at_hosts() || lost;
}
