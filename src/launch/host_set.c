/* SPDX-License-Identifier: BSD-3-Clause */
/* host_set.c: translates the frames of the proxies into events of a rank_set, and calls into
   frames. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "launch/host_set.h"
#include "launch/host_set_internal.h"

/* ---- Ranks ----------------------------------------------------------------------------------- */

static bool has_rank(const host *host, int rank)
{
    return rank >= host->first && (rank - host->first) % host->stride == 0
           && (rank - host->first) / host->stride < host->count;
}

static remote *remote_of(const host_set *set, int rank) { return set->of_rank[rank]; }

/* No more events can arrive for its ranks. */
static void give_up_ranks(remote *remote)
{
    host_set *set = remote->set;
    for (int i = 0; i < remote->host->count; i++) {
        bool *ended = &set->ended[remote->host->first + i * remote->host->stride];
        set->alive -= !*ended;
        *ended = true;
    }
}

__attribute__((format(printf, 3, 4))) static void fail_host(remote *remote, int status,
                                                            const char *format, ...)
{
    host_set *set = remote->set;
    char text[1536], line[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < ' ' || *c == 127) *c = ' ';
    snprintf(line, sizeof line, "host '%s': %s", remote->host->name, text);
    channel_close(&remote->channel);
    if (set->started) remote_end(remote);
    if (has_rank(remote->host, 0)) host_input_stop(&set->input);
    /* No rank runs anywhere before all hosts are ready. */
    for (int i = 0; i < set->n; i++)
        if (&set->remote[i] == remote || !set->started) give_up_ranks(&set->remote[i]);
    if (set->started) set->events->lost(set->context, remote->host, status, line);
    else set->events->failed(set->context, status, line);
}

/* ---- End of the connection to a proxy -------------------------------------------------------- */

static void channel_ended(channel *channel, const char *why)
{
    remote *remote = channel->owner;
    const host_set_plan *plan = &remote->set->plan;
    char how[64];
    if (remote->phase == PHASE_BYE) return;
    if (why) {
        const char *words = remote_last_words(remote);
        fail_host(remote, CM_EXIT_SYSTEM,
                  "%s arrived instead of cmrun's protocol%s (does a shell "
                  "start-up file print something?)%s%s",
                  why, remote->phase == PHASE_LAUNCHED ? " at the start" : "", *words ? ": " : "",
                  words);
        return;
    }
    remote_await_end(remote);
    remote_how_ended(remote, how, sizeof how);
    if (remote->phase == PHASE_LAUNCHED) {
        const char *words = remote_last_words(remote);
        if (remote->host->local)
            fail_host(remote, CM_EXIT_SYSTEM, "cannot start: its proxy %s%s%s", how,
                      *words ? ": " : "", words);
        else
            fail_host(remote, CM_EXIT_SYSTEM, "cannot be reached: the launcher '%s' %s%s%s",
                      plan->launcher, how, *words ? ": " : "", words);
    } else if (remote->host->local) fail_host(remote, CM_EXIT_SYSTEM, "lost: its proxy %s", how);
    else fail_host(remote, CM_EXIT_SYSTEM, "lost: its proxy is gone; the launcher %s", how);
}

/* ---- Starting the programs ------------------------------------------------------------------- */

static void send_text(remote *remote, frame_kind kind, const char *text)
{
    channel_send(&remote->channel, kind, 0, 0, text, strlen(text));
}

static void send_plan(remote *remote)
{
    const host_set *set = remote->set;
    char numbers[4 * FRAME_PREPARE_NUMBERS];
    send_text(remote, FRAME_FOLDER, set->folder);
    for (const char *const *each = set->plan.variables; *each; each++)
        send_text(remote, FRAME_VARIABLE, *each);
    for (char *const *each = set->plan.argv; *each; each++)
        send_text(remote, FRAME_ARGUMENT, *each);
    frame_put_number(numbers, FRAME_TIMEOUT_MS, (int32_t)(1e3 * set->plan.timeout_s));
    frame_put_number(numbers, FRAME_PER_HOST, (int32_t)set->plan.per_host);
    frame_put_number(numbers, FRAME_SLOTS, per_host_count(set->plan.per_host));
    channel_send(&remote->channel, FRAME_PREPARE, 0, 0, numbers, sizeof numbers);
}

/* Ranks of the hosts before this one in the list that have the same cores. */
static int ranks_before(const remote *remote)
{
    int ranks = 0;
    for (const struct remote *other = remote->set->remote; other < remote; other++)
        if (other->computer == remote->computer) ranks += other->host->count;
    return ranks;
}

static void start_all(host_set *set)
{
    if (set->alive == 0) return; /* given up: a host was lost, or a signal arrived */
    for (int i = 0; i < set->n; i++)
        if (set->remote[i].phase != PHASE_READY) return;
    set->started = true;
    for (int i = 0; i < set->n; i++) {
        remote *remote = &set->remote[i];
        const host *host = remote->host;
        char numbers[4 * FRAME_NUMBERS];
        const int32_t values[FRAME_NUMBERS] = {[FRAME_FIRST] = host->first,
                                               [FRAME_STRIDE] = host->stride,
                                               [FRAME_COUNT] = host->count,
                                               [FRAME_SIZE] = set->plan.size,
                                               [FRAME_CORE] =
                                                   set->plan.bind ? ranks_before(remote) : -1,
                                               [FRAME_WITH_INPUT] = has_rank(host, 0)};
        for (size_t k = 0; k < FRAME_NUMBERS; k++) frame_put_number(numbers, k, values[k]);
        remote->phase = PHASE_STARTED;
        channel_send(&remote->channel, FRAME_START, 0, 0, numbers, sizeof numbers);
        if (has_rank(host, 0)) host_input_start(&set->input, set->epoll, &remote->channel);
    }
}

static void refused(remote *remote, const frame *frame)
{
    static const char *const nothing = "; nothing was started";
    char text[1100];
    snprintf(text, sizeof text, "%s", frame->data);
    size_t length = strlen(text), tail = strlen(nothing);
    if (length > tail && strcmp(text + length - tail, nothing) == 0 && remote->set->started)
        text[length - tail] = '\0';
    fail_host(remote, frame->flag ? frame->flag : CM_EXIT_SYSTEM, "%s", text);
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static void ended(remote *remote, const frame *frame)
{
    host_set *set = remote->set;
    if (set->ended[frame->rank]) return;
    set->ended[frame->rank] = true;
    set->alive--;
    set->pid[frame->rank] = frame_number(frame, 0);
    set->events->ranks->ended(set->context, frame->rank, frame_number(frame, 0),
                              frame_number(frame, 1));
}

static void came_of_rank(remote *remote, const frame *frame)
{
    host_set *set = remote->set;
    const rank_set_events *to = set->events->ranks;
    int rank = frame->rank;
    if (!set->started || !has_rank(remote->host, rank)) {
        fail_host(remote, CM_EXIT_SYSTEM,
                  "its proxy sent a frame for rank %d, which does not run there", rank);
        return;
    }
    switch (frame->kind) {
    case FRAME_PROCESS:
        set->pid[rank] = frame_number(frame, 0);
        break;
    case FRAME_LINE:
        to->line(set->context, rank, frame->data);
        break;
    case FRAME_LINE_BROKEN:
        to->line_broken(set->context, rank, frame->data);
        break;
    case FRAME_LINE_END:
        to->line_end(set->context, rank);
        break;
    case FRAME_OUTPUT:
        to->output(set->context, rank, frame->flag, frame->data, frame->bytes);
        break;
    case FRAME_OUTPUT_END:
        to->output_end(set->context, rank, frame->flag);
        break;
    case FRAME_ENDED:
        ended(remote, frame);
        break;
    case FRAME_STOPPED:
        to->stopped(set->context, rank, frame->flag);
        break;
    default:
        to->not_started(set->context, rank, "start", frame->data);
    }
}

static void came(channel *channel, const frame *frame)
{
    remote *remote = channel->owner;
    host_set *set = remote->set;
    if (remote->phase == PHASE_LAUNCHED) {
        if (frame->kind != FRAME_HELLO || strcmp(frame->data, PACKAGE_VERSION) != 0) {
            fail_host(remote, CM_EXIT_SYSTEM,
                      "its cmrun is version %.40s, but this one is " PACKAGE_VERSION
                      "; both must be the same version",
                      frame->kind == FRAME_HELLO ? frame->data : "(unknown)");
            return;
        }
        remote->phase = PHASE_THERE;
        remote_pass_words(remote);
        send_plan(remote);
        return;
    }
    switch (frame->kind) {
    case FRAME_BEAT:
    case FRAME_STARTED:
        break;
    case FRAME_READY:
        if (remote->phase != PHASE_THERE) break;
        remote->phase = PHASE_READY;
        remote->computer = strtoull(frame->data, NULL, 16);
        start_all(set);
        break;
    case FRAME_REFUSED:
        refused(remote, frame);
        break;
    case FRAME_INPUT_TAKEN:
        if (has_rank(remote->host, 0)) host_input_taken(&set->input, frame->flag != 0);
        break;
    case FRAME_BYE:
        give_up_ranks(remote);
        remote->phase = PHASE_BYE;
        if (remote->cleared == CLEAR_NOT)
            fail_host(remote, CM_EXIT_SYSTEM, "lost: its proxy was told to end");
        break;
    case FRAME_PROCESS:
    case FRAME_LINE:
    case FRAME_LINE_BROKEN:
    case FRAME_LINE_END:
    case FRAME_OUTPUT:
    case FRAME_OUTPUT_END:
    case FRAME_ENDED:
    case FRAME_STOPPED:
    case FRAME_NOT_STARTED:
        came_of_rank(remote, frame);
        break;
    default:
        fail_host(remote, CM_EXIT_SYSTEM, "its proxy sent a frame that only cmrun may send");
    }
}

/* ---- Calls ----------------------------------------------------------------------------------- */

int host_set_alive(const host_set *set) { return set->alive; }
pid_t host_set_pid(const host_set *set, int rank) { return set->pid[rank]; }

const char *host_set_host(const host_set *set, int rank)
{
    return remote_of(set, rank)->host->name;
}

void host_set_answer(host_set *set, int rank, const char *line, size_t bytes)
{
    channel_send(&remote_of(set, rank)->channel, FRAME_ANSWER, 0, rank, line, bytes);
}

/* One frame for each host, however many ranks it has. */
void host_set_answer_all(host_set *set, const char *line, size_t bytes)
{
    for (int i = 0; i < set->n; i++)
        channel_send(&set->remote[i].channel, FRAME_ANSWER, 1, 0, line, bytes);
}

void host_set_signal(host_set *set, int signal)
{
    for (int i = 0; i < set->n; i++)
        channel_send(&set->remote[i].channel, FRAME_SIGNAL, signal, 0, NULL, 0);
    bool harmless =
        signal == SIGTSTP || signal == SIGCONT || signal == SIGUSR1 || signal == SIGUSR2;
    if (set->started || harmless || set->alive == 0) return;
    for (int i = 0; i < set->n; i++) give_up_ranks(&set->remote[i]);
    char text[80];
    snprintf(text, sizeof text, "ended by signal %d (%s) before all hosts were ready", signal,
             strsignal(signal));
    set->events->failed(set->context, 128 + signal, text);
}

void host_set_kill(host_set *set, int rank)
{
    channel_send(&remote_of(set, rank)->channel, FRAME_KILL, 0, rank, NULL, 0);
}

void host_set_hold_output(host_set *set, int stream, bool hold)
{
    if (set->hold[stream] == hold) return;
    set->hold[stream] = hold;
    for (int i = 0; i < set->n; i++)
        channel_send(&set->remote[i].channel, FRAME_HOLD, 2 * stream + hold, 0, NULL, 0);
}

bool host_set_leftovers(host_set *set, int signal)
{
    bool left = false;
    clear_level level = signal == SIGKILL ? CLEAR_KILL : signal ? CLEAR_TERM : CLEAR_NOT;
    for (int i = 0; i < set->n; i++) {
        remote *remote = &set->remote[i];
        /* A proxy that has not answered yet has nothing to clear up. */
        if (remote->phase == PHASE_LAUNCHED) channel_close(&remote->channel);
        if (level > remote->cleared) {
            remote->cleared = level;
            channel_send(&remote->channel, FRAME_CLEAR, signal == SIGKILL, 0, NULL, 0);
            /* A proxy without a connection ends with its launcher. */
            if (!remote->channel.open && remote->pid > 0) kill(remote->pid, signal);
        }
        left |= remote->channel.open || remote->pid > 0;
    }
    return left;
}

/* Lets a host fail that is not ready in time. Returns when that time is over. */
static double check_start(remote *remote, double now_s)
{
    const host_set_plan *plan = &remote->set->plan;
    double until_s = remote->launched_s + plan->start_timeout_s;
    if (remote->phase >= PHASE_READY || !remote->channel.open) return INFINITY;
    if (now_s < until_s) return until_s;
    const char *words = remote->phase == PHASE_LAUNCHED ? remote_last_words(remote) : "";
    if (remote->phase == PHASE_LAUNCHED && !remote->host->local)
        fail_host(remote, CM_EXIT_SYSTEM,
                  "cannot be reached: %g s after its start, launcher '%s' still runs "
                  "but cmrun has not answered (--start-timeout)%s%s",
                  plan->start_timeout_s, plan->launcher, *words ? ": " : "", words);
    else
        fail_host(remote, CM_EXIT_SYSTEM,
                  "its proxy was not ready within %g s "
                  "(--start-timeout); does the working folder or the program hang on that host?",
                  plan->start_timeout_s);
    return INFINITY;
}

/* Both sides send beats as soon as the host is ready, because it may have to wait long for the
   others. Before that only --start-timeout applies: a proxy whose working folder hangs cannot
   send. */
static bool beats(const remote *remote)
{
    return remote->phase == PHASE_READY || remote->phase == PHASE_STARTED;
}

double host_set_clock(host_set *set)
{
    double now_s = loop_now_s(), silent_s = now_s - set->plan.timeout_s;
    double next_s = INFINITY;
    bool beat = now_s >= set->beat_s, was_away = now_s > set->beat_s + set->plan.timeout_s / 2;
    if (beat) set->beat_s = now_s + set->plan.timeout_s / 4;
    for (int i = 0; i < set->n; i++) {
        remote *remote = &set->remote[i];
        next_s = fmin(next_s, remote_clock(remote));
        if (was_away) remote->launched_s = now_s;
        if (!set->started) next_s = fmin(next_s, check_start(remote, now_s));
        if (!remote->channel.open || !beats(remote)) continue;
        if (beat) channel_send(&remote->channel, FRAME_BEAT, 0, 0, NULL, 0);
        /* cmrun itself was stopped or got no processor. Frames from that time may still be
           unread. */
        if (was_away) remote->channel.heard_s = now_s;
        else if (remote->channel.heard_s < silent_s)
            fail_host(remote, CM_EXIT_SYSTEM,
                      "lost: its proxy has been silent for %g s "
                      "(CM_TIMEOUT_S)",
                      set->plan.timeout_s);
    }
    return fmin(next_s, host_input_clock(&set->input, set->beat_s));
}

/* ---- Life ------------------------------------------------------------------------------------ */

int host_set_start(const host_set_plan *plan, const host_set_events *events, void *context,
                   int epoll, host_set **result)
{
    int status = 0;
    host_set *set = calloc(1, sizeof *set);
    if (set) {
        *set = (host_set){.plan = *plan,
                          .events = events,
                          .context = context,
                          .epoll = epoll,
                          .alive = plan->size,
                          .folder = getcwd(NULL, 0),
                          .remote = calloc((size_t)plan->hosts->n, sizeof *set->remote),
                          .ended = calloc((size_t)plan->size, sizeof *set->ended),
                          .pid = calloc((size_t)plan->size, sizeof *set->pid),
                          .of_rank = calloc((size_t)plan->size, sizeof *set->of_rank)};
        set->beat_s = loop_now_s();
        host_input_none(&set->input);
    }
    if (!set || !set->remote || !set->ended || !set->pid || !set->of_rank || !set->folder) {
        fprintf(stderr, "cmrun: cannot prepare for %d hosts: %s\n", plan->hosts->n,
                strerror(errno));
        status = CM_EXIT_SYSTEM;
    }
    /* Pipes to and from the proxy, and the stderr of its launcher. */
    else
        status = files_provide(host_list_used(plan->hosts), "hosts", 3, &set->files);
    for (int i = 0; !status && i < plan->hosts->n; i++) {
        if (plan->hosts->host[i].count == 0) continue;
        remote *remote = &set->remote[set->n++];
        const host *host = &plan->hosts->host[i];
        for (int k = 0; k < host->count; k++) set->of_rank[host->first + k * host->stride] = remote;
        *remote = (struct remote){
            .set = set,
            .host = host,
            .words_watch.fd = -1,
            .kill_s = INFINITY,
            .channel = {
                .came = came, .ended = channel_ended, .owner = remote, .begins_with = FRAME_HELLO}};
        remote->words_watch = (watch){.fd = -1, .ready = remote_words_ready, .owner = remote};
        status = remote_launch(remote);
    }
    if (status && set) {
        host_set_free(set);
        set = NULL;
    }
    *result = set;
    return status;
}

void host_set_free(host_set *set)
{
    for (int i = 0; i < set->n; i++) {
        remote *remote = &set->remote[i];
        channel_close(&remote->channel);
        if (remote->pid > 0) remote_await_end(remote);
        if (remote->pid > 0) {
            kill(remote->pid, SIGKILL);
            while (waitpid(remote->pid, NULL, 0) < 0 && errno == EINTR) {}
        }
        if (remote->phase >= PHASE_THERE && remote->words_watch.fd >= 0)
            remote_words_ready(&remote->words_watch, EPOLLIN);
        loop_close(set->epoll, &remote->words_watch);
    }
    host_input_stop(&set->input);
    free(set->remote);
    free(set->ended);
    free(set->pid);
    free(set->of_rank);
    free(set->folder);
    free(set);
}
