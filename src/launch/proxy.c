/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy.c: connects a rank_set to a channel: its events become frames, and frames become calls. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/exit.h"
#include "comm/computer.h"
#include "launch/channel.h"
#include "launch/per_host.h"
#include "launch/proxy.h"
#include "launch/proxy_below.h"
#include "launch/proxy_input.h"
#include "launch/proxy_keys.h"
#include "launch/rank_set.h"
#include "launch/signals.h"
#include "launch/spawn.h"
#include "launch/step.h"

static const double kill_after_s = 1; /* from TERM to KILL */
static const double give_up_s = 10;   /* from KILL to giving up waiting */

enum { FULL_BYTES = 1 << 20, ARGUMENTS_BYTES = 1 << 22 };

typedef struct {
    int epoll;
    channel channel;
    signals signals;
    watch signal_watch;

    /* What cmrun sent before the start. */
    char *folder, **argv, *path;
    size_t arguments, said_bytes;

    rank_set *set;
    rank_set_plan plan;
    sigset_t no_signals;
    bool hold[RANK_STREAMS], stopped; /* stopped: by TSTP, as cmrun itself is */
    double timeout_s, beat_s;

    proxy_input input;
    proxy_below below;
    proxy_keys keys;

    bool over, at_once; /* to be ended; without a grace period */
} proxy;

static void send_text(proxy *proxy, frame_kind kind, int flag, int rank, const char *text,
                      size_t most)
{
    size_t bytes = strlen(text);
    channel_send(&proxy->channel, kind, flag, rank, text, bytes < most ? bytes : most);
}

/* ---- Events of the ranks --------------------------------------------------------------------- */

static int index_of(const proxy *proxy, int rank)
{
    return (rank - proxy->plan.first) / proxy->plan.stride;
}

static void on_line(void *context, int rank, const char *line)
{
    proxy *proxy = context;
    char answer[CM_PMI_LINE_BYTES];
    if (proxy_keys_answer(&proxy->keys, index_of(proxy, rank), line, answer))
        rank_set_answer(proxy->set, rank, answer, strlen(answer));
    else send_text(context, FRAME_LINE, 0, rank, line, FRAME_DATA_BYTES);
}

static void on_line_broken(void *context, int rank, const char *why)
{
    send_text(context, FRAME_LINE_BROKEN, 0, rank, why, 256);
}

static void on_line_end(void *context, int rank)
{
    proxy *proxy = context;
    channel_send(&proxy->channel, FRAME_LINE_END, 0, rank, NULL, 0);
}

static void on_output(void *context, int rank, int stream, const char *data, size_t bytes)
{
    proxy *proxy = context;
    while (bytes > 0) {
        size_t n = bytes < FRAME_DATA_BYTES ? bytes : FRAME_DATA_BYTES;
        channel_send(&proxy->channel, FRAME_OUTPUT, stream, rank, data, n);
        data += n;
        bytes -= n;
    }
}

static void on_output_end(void *context, int rank, int stream)
{
    proxy *proxy = context;
    channel_send(&proxy->channel, FRAME_OUTPUT_END, stream, rank, NULL, 0);
}

static void on_ended(void *context, int rank, pid_t pid, int status)
{
    proxy *proxy = context;
    char numbers[8];
    frame_put_number(numbers, 0, pid);
    frame_put_number(numbers, 1, status);
    channel_send(&proxy->channel, FRAME_ENDED, 0, rank, numbers, sizeof numbers);
}

static void on_stopped(void *context, int rank, int signal)
{
    proxy *proxy = context;
    channel_send(&proxy->channel, FRAME_STOPPED, signal, rank, NULL, 0);
}

static void on_not_started(void *context, int rank, const char *doing, const char *why)
{
    char text[512];
    snprintf(text, sizeof text, "%s: %s", doing, why);
    send_text(context, FRAME_NOT_STARTED, 0, rank, text, sizeof text);
}

static void on_other_ended(void *context, pid_t pid, int status)
{
    proxy *proxy = context;
    if (proxy->below.tree) tree_ended(proxy->below.tree, pid, status);
}

static const rank_set_events rank_events = {.line = on_line,
                                            .line_broken = on_line_broken,
                                            .line_end = on_line_end,
                                            .output = on_output,
                                            .output_end = on_output_end,
                                            .ended = on_ended,
                                            .stopped = on_stopped,
                                            .not_started = on_not_started,
                                            .other_ended = on_other_ended};

/* ---- Starting -------------------------------------------------------------------------------- */

/* Captures what the calls in between print on stderr, so that cmrun can print it with the name of
   this host. */
typedef struct {
    int memory, before;
} diversion;

static diversion divert_stderr(void)
{
    diversion d = {.memory = memfd_create("cmrun", MFD_CLOEXEC),
                   .before = fcntl(2, F_DUPFD_CLOEXEC, SPAWN_PMI_FD + 1)};
    if (d.memory >= 0 && d.before >= 0) dup2(d.memory, 2);
    return d;
}

static void restore_stderr(proxy *proxy, diversion d, int status)
{
    char text[1024] = "";
    if (d.before >= 0) {
        dup2(d.before, 2);
        close(d.before);
    }
    if (d.memory >= 0) {
        ssize_t got = pread(d.memory, text, sizeof text - 1, 0);
        text[got > 0 ? got : 0] = '\0';
        close(d.memory);
    }
    if (!status) return;
    text[strcspn(text, "\n")] = '\0';
    char *why = strncmp(text, "cmrun: ", 7) == 0 ? text + 7 : text;
    send_text(proxy, FRAME_REFUSED, status & 0xff, 0, *why ? why : "cannot start the ranks", 1024);
}

/* Keeps a copy of a text. Returns false if cmrun sends more than a command line can hold. */
static char *keep(proxy *proxy, const frame *frame)
{
    proxy->said_bytes += frame->bytes + sizeof(char *);
    return proxy->said_bytes > ARGUMENTS_BYTES ? NULL : strdup(frame->data);
}

static bool add_argument(proxy *proxy, const frame *frame)
{
    char **longer = realloc(proxy->argv, (proxy->arguments + 2) * sizeof *longer);
    if (!longer) return false;
    proxy->argv = longer;
    if (!(longer[proxy->arguments] = keep(proxy, frame))) return false;
    longer[++proxy->arguments] = NULL;
    return true;
}

static bool add_variable(proxy *proxy, const frame *frame)
{
    char *text = strchr(frame->data, '=') > frame->data ? keep(proxy, frame) : NULL;
    if (!text) return false;
    char *equals = strchr(text, '=');
    *equals = '\0';
    const bool set = setenv(text, equals + 1, 1) == 0;
    free(text);
    return set;
}

/* cmrun has counted the cores or sockets of its own host and expects the same of the others. */
static int check_slots(const frame *frame)
{
    int kind = frame_number(frame, FRAME_PER_HOST), expected = frame_number(frame, FRAME_SLOTS);
    if (kind != PER_HOST_CORES && kind != PER_HOST_SOCKETS) return 0;
    int here = per_host_count((per_host_kind)kind);
    if (here == expected) return 0;
    const char *name = per_host_name((per_host_kind)kind);
    fprintf(stderr,
            "--per-host %s: it has %d %s, but cmrun's host has %d; expected --per-host N or slots "
            "in the list of hosts; nothing was started\n",
            name, here, name, expected);
    return CM_EXIT_USAGE;
}

static void ready(proxy *proxy)
{
    char host[256] = "", text[32];
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "%" PRIx64, cm_computer_here(host));
    send_text(proxy, FRAME_READY, 0, 0, text, sizeof text);
}

static void prepare(proxy *proxy, const frame *frame)
{
    int status = 0, timeout_ms = frame_number(frame, FRAME_TIMEOUT_MS);
    if (proxy->path || proxy->arguments == 0 || !proxy->folder || timeout_ms < 1) {
        proxy->over = true;
        return;
    }
    proxy->timeout_s = 1e-3 * timeout_ms;
    diversion d = divert_stderr();
    if (chdir(proxy->folder) < 0) {
        fprintf(stderr, "cannot work in the folder '%s': %s; nothing was started\n", proxy->folder,
                strerror(errno));
        status = CM_EXIT_USAGE;
    } else if (!(status = check_slots(frame)) && !(status = proxy_below_launch(&proxy->below)))
        status = spawn_find(proxy->argv[0], &proxy->path);
    restore_stderr(proxy, d, status);
    if (!status) ready(proxy);
}

static void start(proxy *proxy, const frame *frame)
{
    rank_set_plan *plan = &proxy->plan;
    int first = frame_number(frame, FRAME_FIRST), stride = frame_number(frame, FRAME_STRIDE);
    int count = frame_number(frame, FRAME_COUNT), size = frame_number(frame, FRAME_SIZE);
    if (proxy->keys.free || !proxy->path || first < 0 || stride < 1 || count < 1 || size > 65536
        || first + (int64_t)stride * (count - 1) >= size) {
        proxy->over = true;
        return;
    }
    *plan = (rank_set_plan){.path = proxy->path,
                            .argv = proxy->argv,
                            .first = first,
                            .stride = stride,
                            .count = count,
                            .size = size,
                            .capture = true,
                            .core = frame_number(frame, FRAME_CORE),
                            .input = -1,
                            .files = proxy_below_files(&proxy->below)};
    if (frame_number(frame, FRAME_WITH_INPUT))
        plan->input = proxy_input_start(&proxy->input, proxy->epoll, &proxy->channel);
    diversion d = divert_stderr();
    int status = proxy_keys_start(&proxy->keys, count) ? 0 : CM_EXIT_SYSTEM;
    if (!status)
        status = rank_set_start(plan, &rank_events, proxy, proxy->epoll, &proxy->no_signals,
                                &proxy->set);
    restore_stderr(proxy, d, status);
    if (plan->input >= 0) close(plan->input);
    if (status) {
        proxy_input_stop(&proxy->input);
        return;
    }
    channel_send(&proxy->channel, FRAME_STARTED, 0, 0, NULL, 0);
    for (int i = 0; i < count; i++) {
        char number[4];
        int rank = first + i * stride;
        frame_put_number(number, 0, rank_set_pid(proxy->set, rank));
        channel_send(&proxy->channel, FRAME_PROCESS, 0, rank, number, sizeof number);
    }
}

/* ---- Frames and signals ---------------------------------------------------------------------- */

static bool is_mine(const proxy *proxy, int rank)
{
    const rank_set_plan *plan = &proxy->plan;
    return proxy->set && rank >= plan->first && (rank - plan->first) % plan->stride == 0
           && (rank - plan->first) / plan->stride < plan->count;
}

static void answer_all(proxy *proxy, const frame *frame)
{
    for (int i = 0; i < proxy->plan.count; i++) proxy_keys_answered(&proxy->keys, i, frame->data);
    rank_set_answer_all(proxy->set, frame->data, frame->bytes);
}

/* A frame for all hosts. */
static void came_for_all(proxy *proxy, const frame *frame)
{
    /* Before this proxy acts on it, which may take long. But its hosts below are started then. */
    if (frame->kind != FRAME_PREPARE) proxy_below_all(&proxy->below, frame);
    switch (frame->kind) {
    case FRAME_FOLDER:
        if (!proxy->folder) proxy->folder = keep(proxy, frame);
        break;
    case FRAME_VARIABLE:
        if (!add_variable(proxy, frame)) proxy->over = true;
        break;
    case FRAME_ARGUMENT:
        if (proxy->path || !add_argument(proxy, frame)) proxy->over = true;
        break;
    case FRAME_PREPARE:
        prepare(proxy, frame);
        proxy_below_all(&proxy->below, frame);
        break;
    case FRAME_SIGNAL:
        if (frame->flag == SIGTSTP || frame->flag == SIGCONT)
            proxy->stopped = frame->flag == SIGTSTP;
        if (proxy->set) rank_set_signal(proxy->set, frame->flag);
        break;
    case FRAME_HOLD:
        proxy->hold[frame->flag / 2] = frame->flag % 2;
        break;
    case FRAME_CLEAR:
        proxy->over = true;
        proxy->at_once |= frame->flag;
        break;
    case FRAME_KEYS:
        if (!proxy_keys_take(&proxy->keys, frame->data)) proxy->over = true;
        break;
    default:
        if (proxy->set) answer_all(proxy, frame);
    }
}

static void came(channel *channel, const frame *frame)
{
    proxy *proxy = channel->owner;
    if (proxy->over && frame->kind != FRAME_CLEAR) return;
    if (proxy_below_relay(&proxy->below, frame)) return;
    switch (frame->kind) {
    case FRAME_FOLDER:
    case FRAME_VARIABLE:
    case FRAME_ARGUMENT:
    case FRAME_PREPARE:
    case FRAME_SIGNAL:
    case FRAME_HOLD:
    case FRAME_CLEAR:
    case FRAME_KEYS:
        came_for_all(proxy, frame);
        break;
    case FRAME_START:
        start(proxy, frame);
        break;
    case FRAME_ANSWER:
        if (frame->flag) came_for_all(proxy, frame);
        else if (is_mine(proxy, frame->rank)) {
            proxy_keys_answered(&proxy->keys, index_of(proxy, frame->rank), frame->data);
            rank_set_answer(proxy->set, frame->rank, frame->data, frame->bytes);
        }
        break;
    case FRAME_KILL:
        if (is_mine(proxy, frame->rank)) rank_set_kill(proxy->set, frame->rank);
        break;
    case FRAME_INPUT:
        proxy_input_take(&proxy->input, frame);
        break;
    case FRAME_BEAT:
        break;
    case FRAME_HOST:
    case FRAME_BELOW:
    case FRAME_LAUNCHER:
    case FRAME_GROW:
        if (!proxy_below_take(&proxy->below, proxy->epoll, frame)) proxy->over = true;
        break;
    default:
        proxy->over = true; /* only a proxy sends such frames, so the other side is not cmrun */
    }
}

static void way_gone(channel *channel, const char *why)
{
    proxy *proxy = channel->owner;
    (void)why;
    proxy->over = true;
}

static void on_signal(watch *watch, uint32_t events)
{
    proxy *proxy = watch->owner;
    int signal;
    (void)events;
    while ((signal = signals_next(&proxy->signals))) {
        if (signal == SIGCHLD && proxy->below.tree) tree_reap(proxy->below.tree);
        if (signal == SIGCHLD && proxy->set) rank_set_reap(proxy->set);
        /* cmrun passes on all other signals. A signal to cmrun's process group (from a keyboard,
           timeout or a batch system) also reaches a proxy on the same host, and often before
           cmrun. */
    }
}

/* ---- Life ------------------------------------------------------------------------------------ */

static double hold_and_beat(proxy *proxy)
{
    double now_s = loop_now_s();
    bool full = channel_unsent(&proxy->channel) > FULL_BYTES;
    for (int stream = 0; proxy->set && stream < RANK_STREAMS; stream++)
        rank_set_hold_output(proxy->set, stream, proxy->hold[stream] || full);
    if (proxy->below.tree) tree_pause(proxy->below.tree, full);
    double below_s = proxy->below.tree ? tree_clock(proxy->below.tree) : INFINITY;
    if (!(proxy->timeout_s > 0)) return below_s;
    /* Entering the working folder or starting the ranks took long. Frames from that time may still
       be unread. */
    if (now_s > proxy->beat_s + proxy->timeout_s / 2) proxy->channel.heard_s = now_s;
    if (now_s >= proxy->beat_s) {
        channel_send(&proxy->channel, FRAME_BEAT, 0, 0, NULL, 0);
        proxy->beat_s = now_s + proxy->timeout_s / 4;
    }
    if (!proxy->stopped && now_s > proxy->channel.heard_s + proxy->timeout_s) proxy->over = true;
    return fmin(proxy->beat_s, below_s);
}

static void one_round(proxy *proxy, double until_s)
{
    double wait_s = until_s - loop_now_s();
    loop_once(proxy->epoll, until_s == INFINITY ? -1 : wait_s <= 0 ? 0 : (int)ceil(1e3 * wait_s));
}

/* Ends the proxies below. Returns false if none is left. */
static bool clear_below(proxy *proxy, bool kill)
{
    return proxy->below.tree && tree_leftovers(proxy->below.tree, kill ? SIGKILL : SIGTERM);
}

/* Ends ranks that still run (TERM, a second, KILL), then the processes that they left behind. */
static void end_ranks(proxy *proxy, double kill_s, double hopeless_s)
{
    bool killed = false;
    if (rank_set_alive(proxy->set) > 0) rank_set_signal(proxy->set, SIGTERM);
    while (rank_set_alive(proxy->set) > 0 && loop_now_s() < hopeless_s) {
        if (!killed && (loop_now_s() >= kill_s || proxy->at_once)) {
            rank_set_signal(proxy->set, SIGKILL);
            clear_below(proxy, true);
            killed = true;
        }
        hold_and_beat(proxy);
        one_round(proxy, loop_now_s() + 0.02);
    }
    bool left = rank_set_leftovers(proxy->set, SIGTERM);
    while (left && loop_now_s() < hopeless_s) {
        hold_and_beat(proxy);
        one_round(proxy, loop_now_s() + 0.02);
        left =
            rank_set_leftovers(proxy->set, loop_now_s() >= kill_s || proxy->at_once ? SIGKILL : 0);
    }
    rank_set_drain(proxy->set);
}

/* Ends everything here and below. */
static void end_all(proxy *proxy)
{
    double kill_s = loop_now_s() + (proxy->at_once ? 0 : kill_after_s);
    double hopeless_s = kill_s + give_up_s;
    clear_below(proxy, proxy->at_once);
    if (proxy->set) {
        end_ranks(proxy, kill_s, hopeless_s);
        rank_set_free(proxy->set);
        proxy->set = NULL;
    }
    while (clear_below(proxy, proxy->at_once || loop_now_s() >= kill_s)
           && loop_now_s() < hopeless_s) {
        hold_and_beat(proxy);
        one_round(proxy, loop_now_s() + 0.02);
    }
}

static bool set_up(proxy *proxy, bool of_step)
{
    int in, out, null;
    if (!spawn_arrange_files() || !signals_start(&proxy->signals)) return false;
    proxy->epoll = epoll_create1(EPOLL_CLOEXEC);
    int joined = of_step ? step_join() : -1;
    if (of_step && joined < 0) return false;
    in = fcntl(of_step ? joined : 0, F_DUPFD_CLOEXEC, SPAWN_PMI_FD + 1);
    out = fcntl(of_step ? joined : 1, F_DUPFD_CLOEXEC, SPAWN_PMI_FD + 1);
    if (of_step) close(joined);
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (proxy->epoll < 0 || in < 0 || out < 0 || null < 0) return false;
    dup2(null, 0);
    dup2(null, 1);
    close(null);
    proxy->channel = (channel){.came = came, .ended = way_gone, .owner = proxy};
    proxy->signal_watch = (watch){.fd = proxy->signals.fd, .ready = on_signal, .owner = proxy};
    return channel_open(&proxy->channel, proxy->epoll, in, out)
           && loop_watch(proxy->epoll, &proxy->signal_watch, EPOLLIN);
}

int proxy_run(bool of_step)
{
    proxy proxy = {0};
    proxy_input_none(&proxy.input);
    proxy.below.up = &proxy.channel;
    sigemptyset(&proxy.no_signals);
    if (isatty(0)) {
        fprintf(stderr, "cmrun: --proxy is only for cmrun itself, on other hosts; use --hosts\n");
        return CM_EXIT_USAGE;
    }
    if (!set_up(&proxy, of_step)) {
        if (!of_step)
            fprintf(stderr, "cmrun: the proxy cannot use its stdin and stdout: %s\n",
                    strerror(errno));
        return CM_EXIT_SYSTEM;
    }
    send_text(&proxy, FRAME_HELLO, 0, 0, PACKAGE_VERSION, 64);
    while (!proxy.over) one_round(&proxy, hold_and_beat(&proxy));
    proxy_input_stop(&proxy.input);
    end_all(&proxy);
    channel_send(&proxy.channel, FRAME_BYE, 0, 0, NULL, 0);
    /* cmrun may be slow to read the ranks' output. */
    while (proxy.channel.open && !proxy.channel.failed && channel_unsent(&proxy.channel) > 0) {
        one_round(&proxy, hold_and_beat(&proxy));
        if (proxy.timeout_s > 0 && !proxy.stopped
            && loop_now_s() > proxy.channel.heard_s + proxy.timeout_s)
            break;
    }
    proxy_below_free(&proxy.below);
    proxy_keys_free(&proxy.keys);
    channel_close(&proxy.channel);
    for (size_t i = 0; i < proxy.arguments; i++) free(proxy.argv[i]);
    free(proxy.argv);
    free(proxy.folder);
    free(proxy.path);
    return 0;
}
