/* SPDX-License-Identifier: BSD-3-Clause */
/* rank_set.c: the ranks on this host: their sockets, pipes and ends. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "launch/descendants.h"
#include "launch/rank_set_internal.h"

static int rank_of(const rank_set *set, const local_rank *local)
{
    return set->plan.first + set->plan.stride * (int)(local - set->rank);
}

static local_rank *local_of(const rank_set *set, int rank)
{
    return &set->rank[(rank - set->plan.first) / set->plan.stride];
}

/* ---- PMI lines ------------------------------------------------------------------------------- */

static void line_end(rank_set *set, local_rank *local)
{
    loop_close(set->epoll, &local->pmi);
    if (local->line_ended) return;
    local->line_ended = true;
    set->events->line_end(set->context, rank_of(set, local));
}

/* Sends unsent answers. Returns false while some remain. */
static bool flush(rank_set *set, local_rank *local)
{
    size_t done = 0;
    while (done < local->unsent_bytes && local->pmi.fd >= 0) {
        ssize_t sent = send(local->pmi.fd, local->unsent + done, local->unsent_bytes - done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) done += (size_t)sent;
        else if (errno == EINTR) continue;
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            memmove(local->unsent, local->unsent + done, local->unsent_bytes - done);
            local->unsent_bytes -= done;
            /* Reads no more from a rank that does not take its answers, so the queue stays
               short. */
            loop_watch(set->epoll, &local->pmi, EPOLLOUT);
            return false;
        } else break; /* the rank is ending; reading the socket will show it */
    }
    local->unsent_bytes = 0;
    return true;
}

void rank_set_answer(rank_set *set, int rank, const char *line, size_t bytes)
{
    local_rank *local = local_of(set, rank);
    if (local->pmi.fd < 0) return;
    char *longer = realloc(local->unsent, local->unsent_bytes + bytes);
    if (!longer) {
        set->events->line_broken(set->context, rank,
                                 "caused more PMI answers than cmrun has memory for");
        return;
    }
    local->unsent = longer;
    memcpy(longer + local->unsent_bytes, line, bytes);
    local->unsent_bytes += bytes;
    flush(set, local);
}

void rank_set_answer_all(rank_set *set, const char *line, size_t bytes)
{
    for (int i = 0; i < set->plan.count; i++)
        rank_set_answer(set, rank_of(set, &set->rank[i]), line, bytes);
}

/* Delivers at most `lines` lines, so that one rank cannot keep cmrun from its other work. */
static void read_lines(rank_set *set, local_rank *local, int lines)
{
    char *line;
    while (local->pmi.fd >= 0 && local->unsent_bytes == 0) {
        if (lines-- == 0) {
            /* The reader may hold lines that epoll does not know of. The socket is writable now, so
               epoll calls this again at once. */
            loop_watch(set->epoll, &local->pmi, EPOLLIN | EPOLLOUT);
            return;
        }
        switch (cm_pmi_reader_next(&local->reader, local->pmi.fd, false, &line)) {
        case CM_PMI_READ_LINE:
            set->events->line(set->context, rank_of(set, local), line);
            break;
        case CM_PMI_READ_MORE:
            loop_watch(set->epoll, &local->pmi, EPOLLIN);
            return;
        case CM_PMI_READ_TOO_LONG:
            set->events->line_broken(set->context, rank_of(set, local),
                                     "sent a PMI line that is too long");
            line_end(set, local);
            return;
        case CM_PMI_READ_END:
        case CM_PMI_READ_ERROR:
            line_end(set, local);
            return;
        }
    }
}

void rank_set_pmi_ready(watch *watch, uint32_t events)
{
    rank_set *set = watch->owner;
    local_rank *local = &set->rank[watch->number];
    (void)events;
    if (flush(set, local)) read_lines(set, local, 64);
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Delivers at most `pieces` pieces. Returns false when there is nothing more to read now. */
static bool read_output(rank_set *set, local_rank *local, int stream, int pieces)
{
    char data[65536];
    while (local->out[stream].fd >= 0 && pieces-- > 0) {
        ssize_t got = read(local->out[stream].fd, data, sizeof data);
        if (got > 0)
            set->events->output(set->context, rank_of(set, local), stream, data, (size_t)got);
        else if (got < 0 && errno == EINTR) continue;
        else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
        else {
            loop_close(set->epoll, &local->out[stream]);
            set->events->output_end(set->context, rank_of(set, local), stream);
            return false;
        }
    }
    return local->out[stream].fd >= 0;
}

void rank_set_output_ready(watch *watch, uint32_t events)
{
    rank_set *set = watch->owner;
    (void)events;
    read_output(set, &set->rank[watch->number / RANK_STREAMS], watch->number % RANK_STREAMS, 1);
}

void rank_set_hold_output(rank_set *set, int stream, bool hold)
{
    if (set->hold[stream] == hold) return;
    set->hold[stream] = hold;
    for (int i = 0; i < set->plan.count; i++)
        loop_watch(set->epoll, &set->rank[i].out[stream], hold ? 0 : EPOLLIN);
}

void rank_set_drain(rank_set *set)
{
    for (int i = 0; i < set->plan.count; i++)
        for (int stream = 0; stream < RANK_STREAMS; stream++) {
            local_rank *local = &set->rank[i];
            if (local->out[stream].fd < 0) continue;
            read_output(set, local, stream, 64);
            if (local->out[stream].fd < 0) continue;
            loop_close(set->epoll, &local->out[stream]);
            set->events->output_end(set->context, rank_of(set, local), stream);
        }
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static void ended(rank_set *set, local_rank *local, int status)
{
    local->ended = true;
    set->alive--;
    local->unsent_bytes = 0;      /* no one is left to take answers */
    read_lines(set, local, 4096); /* its last lines: finalize, abort */
    line_end(set, local);
    for (int stream = 0; stream < RANK_STREAMS; stream++) read_output(set, local, stream, 16);
    if (!descendants_in_group(local->pid)) {
        local->cleared = true;
        set->guard.group[local - set->rank] = 0;
    }
    set->events->ended(set->context, rank_of(set, local), local->pid, status);
}

static void changed(rank_set *set, local_rank *local, int status)
{
    if (WIFSTOPPED(status))
        set->events->stopped(set->context, rank_of(set, local), WSTOPSIG(status));
    else if (WIFCONTINUED(status)) set->events->stopped(set->context, rank_of(set, local), 0);
    else ended(set, local, status);
}

void rank_set_reap(rank_set *set)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG | WUNTRACED | WCONTINUED);
        if (pid < 0 && errno == EINTR) continue;
        if (pid <= 0) return;
        int i = 0;
        while (i < set->plan.count && (set->rank[i].pid != pid || set->rank[i].ended)) i++;
        if (i < set->plan.count) changed(set, &set->rank[i], status);
        else if (set->events->other_ended && !WIFSTOPPED(status) && !WIFCONTINUED(status))
            set->events->other_ended(set->context, pid, status);
    }
}

static void signal_one(rank_set *set, local_rank *local, int signal)
{
    if (local->pid <= 0 || local->cleared) return;
    if (local->ended && !descendants_in_group(local->pid)) {
        /* From now on the number may belong to another process's group. */
        local->cleared = true;
        set->guard.group[local - set->rank] = 0;
    } else if (kill(-local->pid, signal) < 0 && !local->ended) kill(local->pid, signal);
}

void rank_set_signal(rank_set *set, int signal)
{
    for (int i = 0; i < set->plan.count; i++) signal_one(set, &set->rank[i], signal);
}

void rank_set_kill(rank_set *set, int rank) { signal_one(set, local_of(set, rank), SIGKILL); }

static bool was_there_before(const rank_set *set, pid_t pid)
{
    for (size_t i = 0; i < set->n_before; i++)
        if (set->before[i] == pid) return true;
    return false;
}

bool rank_set_leftovers(rank_set *set, int signal)
{
    bool left = false;
    if (signal) rank_set_signal(set, signal);
    for (int i = 0; i < set->plan.count; i++) {
        local_rank *local = &set->rank[i];
        if (local->pid <= 0 || local->cleared) continue;
        if (descendants_in_group(local->pid)) left = true;
        else {
            local->cleared = true;
            set->guard.group[i] = 0;
        }
    }
    /* Processes that created a session or group of their own are still children of this one. */
    size_t n;
    pid_t *child = descendants_children(&n);
    for (size_t i = 0; i < n; i++) {
        if (child[i] == set->guard.pid || was_there_before(set, child[i])) continue;
        left = true;
        if (signal) kill(child[i], signal);
    }
    free(child);
    return left;
}

/* ---- Life ------------------------------------------------------------------------------------ */

void rank_set_free(rank_set *set)
{
    guard_stop(&set->guard);
    loop_close(set->epoll, &set->report);
    for (int i = 0; i < set->plan.count; i++) {
        loop_close(set->epoll, &set->rank[i].pmi);
        for (int stream = 0; stream < RANK_STREAMS; stream++)
            loop_close(set->epoll, &set->rank[i].out[stream]);
        free(set->rank[i].unsent);
    }
    free(set->before);
    free(set->rank);
    free(set);
}

int rank_set_alive(const rank_set *set) { return set->alive; }
pid_t rank_set_pid(const rank_set *set, int rank) { return local_of(set, rank)->pid; }
