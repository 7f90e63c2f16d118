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
#include "base/exit.h"
#include "launch/host_set.h"
#include "launch/host_set_internal.h"

/* ---- Ranks ----------------------------------------------------------------------------------- */

static bool has_rank(const host *host, int rank)
{
    return rank >= host->first && (rank - host->first) % host->stride == 0
           && (rank - host->first) / host->stride < host->count;
}

static remote *remote_of(const host_set *set, int rank) { return set->of_rank[rank]; }
static int number_of(const remote *remote, const host_set *set)
{
    return (int)(remote - set->remote);
}

/* No more events can arrive for its ranks. */
static void give_up_ranks(host_set *set, const remote *remote)
{
    for (int i = 0; i < remote->host->count; i++) {
        bool *ended = &set->ended[remote->host->first + i * remote->host->stride];
        set->alive -= !*ended;
        *ended = true;
    }
}

static void give_up_all(host_set *set)
{
    for (int i = 0; i < set->n; i++) give_up_ranks(set, &set->remote[i]);
}

/* ---- Hosts that are lost --------------------------------------------------------------------- */

/* Writes which host failed and who was to start its proxy, why, and whom it takes along. */
static void describe(const host_set *set, const remote *first, int n, const char *why, char *text,
                     size_t bytes)
{
    const char *carrier = first->carrier >= 0 ? set->names[first->carrier] : NULL;
    size_t used = (size_t)snprintf(text, bytes, "host '%s'%s%s%s: %s", first->host->name,
                                   carrier ? ", from host '" : "", carrier ? carrier : "",
                                   carrier ? "'" : "", why);
    if (!set->started && carrier && used < bytes)
        used += (size_t)snprintf(text + used, bytes - used,
                                 " (with --fan-out %d, cmrun reaches all hosts from its own)",
                                 set->n > TREE_FAN_OUT_LEAST ? set->n : TREE_FAN_OUT_LEAST);
    for (int i = 1; set->started && i < n && used < bytes; i++) {
        const char *before = i > 1 ? ", " : n > 2 ? "; with it the hosts " : "; with it host ";
        used += (size_t)snprintf(text + used, bytes - used, "%s'%s'", before, first[i].host->name);
    }
    for (unsigned char *c = (unsigned char *)text; *c; c++) /* words of another process */
        if (*c < ' ' || *c == 127) *c = ' ';
}

/* The first of these n hosts failed, and the others can no longer be reached. */
static void lose(host_set *set, remote *first, int n, int status, const char *why)
{
    const host **hosts = set->losing;
    char text[2048];
    int lost = 0;
    for (int i = 0; i < n; i++) {
        remote *remote = &first[i];
        if (has_rank(remote->host, 0)) host_input_stop(&set->input);
        give_up_ranks(set, remote);
        if (!remote->lost) hosts[lost++] = remote->host;
        remote->lost = true;
    }
    describe(set, first, n, why, text, sizeof text);
    /* No rank runs anywhere before all hosts are ready. */
    if (!set->started) {
        give_up_all(set);
        set->events->failed(set->context, status, text);
    } else if (lost > 0) set->events->lost(set->context, hosts, lost, status, text);
}

static void on_lost(void *context, int number, int status, const char *why)
{
    host_set *set = context;
    lose(set, &set->remote[number], 1 + set->remote[number].below, status, why);
}

/* ---- Starting the programs ------------------------------------------------------------------- */

static void say_text(host_set *set, frame_kind kind, const char *text)
{
    tree_say(set->tree, &(frame){.kind = kind, .data = text, .bytes = strlen(text)});
}

static void say_plan(host_set *set)
{
    char numbers[4 * FRAME_PREPARE_NUMBERS];
    say_text(set, FRAME_FOLDER, set->folder);
    for (const char *const *each = set->plan.variables; *each; each++)
        say_text(set, FRAME_VARIABLE, *each);
    for (char *const *each = set->plan.argv; *each; each++) say_text(set, FRAME_ARGUMENT, *each);
    frame_put_number(numbers, FRAME_TIMEOUT_MS, (int32_t)(1e3 * set->plan.timeout_s));
    frame_put_number(numbers, FRAME_PER_HOST, (int32_t)set->plan.per_host);
    frame_put_number(numbers, FRAME_SLOTS, per_host_count(set->plan.per_host));
    tree_say(set->tree, &(frame){.kind = FRAME_PREPARE, .data = numbers, .bytes = sizeof numbers});
}

/* Ranks of the hosts before this one in the list that have the same cores. */
static int ranks_before(const host_set *set, const remote *remote)
{
    int ranks = 0;
    for (int i = 0; i < set->n; i++) {
        const struct remote *other = &set->remote[i];
        if (other->host < remote->host && other->computer == remote->computer)
            ranks += other->host->count;
    }
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
                                                   set->plan.bind ? ranks_before(set, remote) : -1,
                                               [FRAME_WITH_INPUT] = has_rank(host, 0)};
        for (size_t k = 0; k < FRAME_NUMBERS; k++) frame_put_number(numbers, k, values[k]);
        remote->phase = PHASE_STARTED;
        tree_send(set->tree, i, FRAME_START, 0, 0, numbers, sizeof numbers);
        if (has_rank(host, 0)) host_input_start(&set->input, set->epoll, set->tree, i);
    }
}

/* The host cannot run the ranks, but its proxy still carries others. */
static void refused(host_set *set, remote *remote, const frame *frame)
{
    static const char *const nothing = "; nothing was started";
    char text[1100];
    snprintf(text, sizeof text, "%s", frame->data);
    size_t length = strlen(text), tail = strlen(nothing);
    if (length > tail && strcmp(text + length - tail, nothing) == 0 && set->started)
        text[length - tail] = '\0';
    lose(set, remote, 1, frame->flag ? frame->flag : CM_EXIT_SYSTEM, text);
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static void ended(host_set *set, const frame *frame)
{
    if (set->ended[frame->rank]) return;
    set->ended[frame->rank] = true;
    set->alive--;
    set->pid[frame->rank] = frame_number(frame, 0);
    set->events->ranks->ended(set->context, frame->rank, frame_number(frame, 0),
                              frame_number(frame, 1));
}

static void came_of_rank(host_set *set, const remote *remote, const frame *frame)
{
    const rank_set_events *to = set->events->ranks;
    int rank = frame->rank;
    if (!set->started || !has_rank(remote->host, rank)) {
        char text[80];
        snprintf(text, sizeof text, "its proxy sent a frame for rank %d, which does not run there",
                 rank);
        tree_cut(set->tree, number_of(remote, set), text);
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
        ended(set, frame);
        break;
    case FRAME_STOPPED:
        to->stopped(set->context, rank, frame->flag);
        break;
    default:
        to->not_started(set->context, rank, "start", frame->data);
    }
}

static void on_came(void *context, int number, const frame *frame)
{
    host_set *set = context;
    remote *remote = &set->remote[number];
    switch (frame->kind) {
    case FRAME_STARTED:
        break;
    case FRAME_READY:
        if (remote->phase != PHASE_AWAITED) break;
        remote->phase = PHASE_READY;
        remote->computer = strtoull(frame->data, NULL, 16);
        start_all(set);
        break;
    case FRAME_REFUSED:
        refused(set, remote, frame);
        break;
    case FRAME_LOST:
        on_lost(set, number, frame->flag ? frame->flag : CM_EXIT_SYSTEM, frame->data);
        break;
    case FRAME_INPUT_TAKEN:
        if (has_rank(remote->host, 0)) host_input_taken(&set->input, frame->flag != 0);
        break;
    case FRAME_BYE:
        give_up_ranks(set, remote);
        remote->phase = PHASE_BYE;
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
        if (!remote->lost) came_of_rank(set, remote, frame);
        break;
    default:
        tree_cut(set->tree, number, "its proxy sent a frame that only cmrun may send");
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
    tree_send(set->tree, number_of(remote_of(set, rank), set), FRAME_ANSWER, 0, rank, line, bytes);
}

void host_set_answer_all(host_set *set, const char *line, size_t bytes)
{
    tree_send_all(set->tree,
                  &(frame){.kind = FRAME_ANSWER, .flag = 1, .data = line, .bytes = bytes});
}

void host_set_keys(host_set *set, const char *text, size_t bytes)
{
    tree_send_all(set->tree, &(frame){.kind = FRAME_KEYS, .data = text, .bytes = bytes});
}

void host_set_signal(host_set *set, int signal)
{
    tree_send_all(set->tree, &(frame){.kind = FRAME_SIGNAL, .flag = signal});
    bool harmless =
        signal == SIGTSTP || signal == SIGCONT || signal == SIGUSR1 || signal == SIGUSR2;
    if (set->started || harmless || set->alive == 0) return;
    give_up_all(set);
    char text[80];
    snprintf(text, sizeof text, "ended by signal %d (%s) before all hosts were ready", signal,
             strsignal(signal));
    set->events->failed(set->context, 128 + signal, text);
}

void host_set_kill(host_set *set, int rank)
{
    tree_send(set->tree, number_of(remote_of(set, rank), set), FRAME_KILL, 0, rank, NULL, 0);
}

void host_set_hold_output(host_set *set, int stream, bool hold)
{
    if (set->hold[stream] == hold) return;
    set->hold[stream] = hold;
    tree_send_all(set->tree, &(frame){.kind = FRAME_HOLD, .flag = 2 * stream + hold});
}

bool host_set_leftovers(host_set *set, int signal) { return tree_leftovers(set->tree, signal); }
void host_set_reap(host_set *set) { tree_reap(set->tree); }

double host_set_clock(host_set *set)
{
    return host_input_clock(&set->input, tree_clock(set->tree));
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* Notes who starts whose proxy: part of the hosts `begin`, n of them, carried by carrier. */
static void connect_remotes(host_set *set, int carrier, int begin, int n)
{
    int at, hosts;
    for (int i = 0; (hosts = tree_part(n, set->plan.fan_out, i, &at)) > 0; i++) {
        remote *remote = &set->remote[begin + at];
        remote->carrier = carrier;
        remote->below = hosts - 1;
        connect_remotes(set, begin + at, begin + at + 1, hosts - 1);
        if (i + 1 == set->plan.fan_out) break;
    }
}

static void add_remote(host_set *set, const host *host)
{
    remote *remote = &set->remote[set->n];
    remote->host = host;
    set->names[set->n++] = host->name;
    for (int k = 0; k < host->count; k++) set->of_rank[host->first + k * host->stride] = remote;
}

/* This host first, because only cmrun can start a proxy here. */
static void add_remotes(host_set *set)
{
    const host_list *list = set->plan.hosts;
    for (int local = 1; local >= 0; local--)
        for (int i = 0; i < list->n; i++)
            if (list->host[i].count > 0 && list->host[i].local == local)
                add_remote(set, &list->host[i]);
    connect_remotes(set, -1, 0, set->n);
}

static bool provide(host_set *set)
{
    const size_t hosts = (size_t)set->plan.hosts->n, size = (size_t)set->plan.size;
    set->folder = getcwd(NULL, 0);
    set->remote = calloc(hosts, sizeof *set->remote);
    set->names = calloc(hosts, sizeof *set->names);
    set->losing = calloc(hosts, sizeof *set->losing);
    set->ended = calloc(size, sizeof *set->ended);
    set->pid = calloc(size, sizeof *set->pid);
    set->of_rank = calloc(size, sizeof *set->of_rank);
    return set->folder && set->remote && set->names && set->losing && set->ended && set->pid
           && set->of_rank;
}

static int grow(host_set *set)
{
    static const tree_events events = {.came = on_came, .lost = on_lost};
    if (set->plan.step) set->plan.fan_out = TREE_FAN_OUT_MOST;
    add_remotes(set);
    const tree_plan plan = {.names = set->names,
                            .n = set->n,
                            .first_local = set->remote[0].host->local,
                            .fan_out = set->plan.fan_out,
                            .launcher = set->plan.launcher,
                            .step = set->plan.step,
                            .timeout_s = set->plan.timeout_s,
                            .start_timeout_s = set->plan.start_timeout_s};
    if (!(set->tree = tree_new(&plan, &events, set, set->epoll))) {
        fprintf(stderr, "cmrun: out of memory for %d hosts\n", set->n);
        return CM_EXIT_SYSTEM;
    }
    int status = tree_launch(set->tree);
    if (!status) say_plan(set);
    return status;
}

int host_set_start(const host_set_plan *plan, const host_set_events *events, void *context,
                   int epoll, host_set **result)
{
    int status;
    host_set *set = calloc(1, sizeof *set);
    if (set) {
        *set = (host_set){.plan = *plan,
                          .events = events,
                          .context = context,
                          .epoll = epoll,
                          .alive = plan->size};
        host_input_none(&set->input);
    }
    if (set && provide(set)) status = grow(set);
    else {
        fprintf(stderr, "cmrun: cannot prepare for %d hosts: %s\n", plan->hosts->n,
                strerror(errno));
        status = CM_EXIT_SYSTEM;
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
    tree_free(set->tree);
    host_input_stop(&set->input);
    free(set->remote);
    free(set->names);
    free(set->losing);
    free(set->ended);
    free(set->pid);
    free(set->of_rank);
    free(set->folder);
    free(set);
}
