/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c: the proxies below this process: who carries whom, their first words, frames up and down,
   their ends. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include "base/exit.h"
#include "launch/tree_internal.h"

enum { FILES_EACH = 3 }; /* pipes to and from the proxy, and the stderr of its launcher */

int tree_part(int n, int fan_out, int i, int *begin)
{
    const int parts = n < fan_out ? n : fan_out;
    *begin = parts ? (int)((int64_t)n * i / parts) : 0;
    return i < parts ? (int)((int64_t)n * (i + 1) / parts) - *begin : 0;
}

/* The branch that a host is on. */
static branch *branch_of(const tree *tree, int host)
{
    int least = 0, most = tree->n - 1;
    while (least < most) {
        int middle = (least + most + 1) / 2;
        if (tree->branch[middle].number <= host) least = middle;
        else most = middle - 1;
    }
    return &tree->branch[least];
}

static bool carries(const branch *branch, int host)
{
    return host >= branch->number && host <= branch->number + branch->below;
}

void tree_cut(tree *tree, int host, const char *text)
{
    branch *branch = branch_of(tree, host);
    if (branch->channel.open) branch_fail(branch, CM_EXIT_SYSTEM, "%s", text);
}

/* ---- End of the connection to a proxy -------------------------------------------------------- */

static void channel_ended(channel *channel, const char *why)
{
    branch *branch = channel->owner;
    char how[64];
    if (branch->phase == BRANCH_BYE) return;
    if (why) {
        const char *words = branch_last_words(branch);
        branch_fail(branch, CM_EXIT_SYSTEM,
                    "%s arrived instead of cmrun's protocol%s (does a shell "
                    "start-up file print something?)%s%s",
                    why, branch->phase == BRANCH_LAUNCHED ? " at the start" : "",
                    *words ? ": " : "", words);
        return;
    }
    branch_await_end(branch);
    branch_how_ended(branch, how, sizeof how);
    if (branch->phase == BRANCH_LAUNCHED) {
        const char *words = branch_last_words(branch);
        if (branch->local)
            branch_fail(branch, CM_EXIT_SYSTEM, "cannot start: its proxy %s%s%s", how,
                        *words ? ": " : "", words);
        else
            branch_fail(branch, CM_EXIT_SYSTEM, "cannot be reached: the launcher '%s' %s%s%s",
                        branch->tree->plan.launcher, how, *words ? ": " : "", words);
    } else if (branch->local) branch_fail(branch, CM_EXIT_SYSTEM, "lost: its proxy %s", how);
    else if (branch->tree->step) branch_fail(branch, CM_EXIT_SYSTEM, "lost: its proxy is gone");
    else branch_fail(branch, CM_EXIT_SYSTEM, "lost: its proxy is gone; the launcher %s", how);
}

/* ---- Frames that come up --------------------------------------------------------------------- */

static int32_t milliseconds(double seconds)
{
    return seconds < 1e-3 * INT32_MAX ? (int32_t)(1e3 * seconds) : INT32_MAX;
}

/* Tells a proxy which hosts are below it. */
static void send_hosts(branch *branch)
{
    const tree_plan *plan = &branch->tree->plan;
    char numbers[4 * FRAME_GROW_NUMBERS];
    if (branch->below == 0) return;
    for (int i = 1; i <= branch->below; i++) {
        const char *name = plan->names[branch->number - plan->first + i];
        channel_send(&branch->channel, FRAME_BELOW, 0, 0, name, strlen(name));
    }
    channel_send(&branch->channel, FRAME_LAUNCHER, 0, 0, plan->launcher, strlen(plan->launcher));
    frame_put_number(numbers, FRAME_NUMBER, branch->number + 1);
    frame_put_number(numbers, FRAME_FAN_OUT, plan->fan_out);
    frame_put_number(numbers, FRAME_GROW_TIMEOUT_MS, milliseconds(plan->timeout_s));
    frame_put_number(numbers, FRAME_START_TIMEOUT_MS, milliseconds(plan->start_timeout_s));
    channel_send(&branch->channel, FRAME_GROW, 0, 0, numbers, sizeof numbers);
}

static void came_first(branch *branch, const frame *frame)
{
    if (frame->kind != FRAME_HELLO || strcmp(frame->data, PACKAGE_VERSION) != 0) {
        branch_fail(branch, CM_EXIT_SYSTEM,
                    "its cmrun is version %.40s, but this one is " PACKAGE_VERSION
                    "; both must be the same version",
                    frame->kind == FRAME_HELLO ? frame->data : "(unknown)");
        return;
    }
    branch->phase = BRANCH_THERE;
    branch_pass_words(branch);
    send_hosts(branch);
    channel_send_frames(&branch->channel, branch->tree->said, branch->tree->said_bytes);
}

static void came(channel *channel, const frame *frame)
{
    branch *branch = channel->owner;
    tree *tree = branch->tree;
    if (branch->phase == BRANCH_LAUNCHED) {
        came_first(branch, frame);
        return;
    }
    if (frame->kind == FRAME_BEAT) return;
    if (frame->kind == FRAME_HOST) {
        if (carries(branch, frame->rank)) branch->from = frame->rank;
        else
            branch_fail(branch, CM_EXIT_SYSTEM,
                        "its proxy sent a frame of a host that is not below it");
        return;
    }
    int host = branch->from;
    branch->from = branch->number;
    bool own = host == branch->number, early = branch->cleared == CLEAR_NOT;
    if (own && frame->kind == FRAME_READY && branch->phase == BRANCH_THERE)
        branch->phase = BRANCH_READY;
    if (own && frame->kind == FRAME_BYE) branch->phase = BRANCH_BYE;
    tree->events->came(tree->context, host, frame);
    if (own && frame->kind == FRAME_BYE && early && branch->channel.open)
        branch_fail(branch, CM_EXIT_SYSTEM, "lost: its proxy was told to end");
}

/* ---- Frames that go down --------------------------------------------------------------------- */

void tree_send(tree *tree, int host, frame_kind kind, int flag, int rank, const char *data,
               size_t bytes)
{
    branch *branch = branch_of(tree, host);
    if (host != branch->number) channel_send(&branch->channel, FRAME_HOST, 0, host, NULL, 0);
    channel_send(&branch->channel, kind, flag, rank, data, bytes);
}

void tree_send_all(tree *tree, const frame *frame)
{
    for (int i = 0; i < tree->n; i++)
        channel_send(&tree->branch[i].channel, frame->kind, frame->flag, frame->rank, frame->data,
                     frame->bytes);
}

/* Keeps a frame. Returns false if out of memory. */
static bool keep(tree *tree, const frame *frame)
{
    size_t need = tree->said_bytes + FRAME_HEAD_BYTES + frame->bytes;
    if (need > tree->said_capacity) {
        char *longer = realloc(tree->said, 2 * need);
        if (!longer) return false;
        tree->said = longer;
        tree->said_capacity = 2 * need;
    }
    frame_head(frame, (unsigned char *)tree->said + tree->said_bytes);
    if (frame->bytes)
        memcpy(tree->said + tree->said_bytes + FRAME_HEAD_BYTES, frame->data, frame->bytes);
    tree->said_bytes = need;
    return true;
}

void tree_say(tree *tree, const frame *frame)
{
    bool kept = keep(tree, frame);
    for (int i = 0; i < tree->n; i++) {
        branch *branch = &tree->branch[i];
        if (!kept) branch_fail(branch, CM_EXIT_SYSTEM, "cannot start: out of memory");
        else if (branch->phase != BRANCH_LAUNCHED)
            channel_send(&branch->channel, frame->kind, frame->flag, frame->rank, frame->data,
                         frame->bytes);
    }
}

void tree_pause(tree *tree, bool pause)
{
    if (tree->paused == pause) return;
    tree->paused = pause;
    for (int i = 0; i < tree->n; i++) {
        channel_pause(&tree->branch[i].channel, pause);
        tree->branch[i].channel.heard_s = loop_now_s();
    }
}

/* ---- Time limits ----------------------------------------------------------------------------- */

/* Lets a branch fail that is not ready in time. Returns when that time is over. */
static double check_start(branch *branch, double now_s)
{
    const tree_plan *plan = &branch->tree->plan;
    double until_s = branch->launched_s + plan->start_timeout_s;
    if (branch->phase >= BRANCH_READY || (!branch->channel.open && !branch->awaited))
        return INFINITY;
    if (now_s < until_s) return until_s;
    const char *words = branch->phase == BRANCH_LAUNCHED ? branch_last_words(branch) : "";
    if (branch->phase == BRANCH_LAUNCHED && !branch->local)
        branch_fail(branch, CM_EXIT_SYSTEM,
                    "cannot be reached: %g s after its start, launcher '%s' still runs "
                    "but cmrun has not answered (--start-timeout)%s%s",
                    plan->start_timeout_s, plan->launcher, *words ? ": " : "", words);
    else
        branch_fail(branch, CM_EXIT_SYSTEM,
                    "its proxy was not ready within %g s "
                    "(--start-timeout); does the working folder or the program hang on that host?",
                    plan->start_timeout_s);
    return INFINITY;
}

/* Both sides send beats as soon as the host is ready, because it may have to wait long for the
   others. Before that only --start-timeout applies: a proxy whose working folder hangs cannot
   send. */
static bool beats(const branch *branch)
{
    return branch->channel.open && branch->phase == BRANCH_READY;
}

double tree_clock(tree *tree)
{
    double now_s = loop_now_s(), timeout_s = tree->plan.timeout_s, next_s = INFINITY;
    bool beat = now_s >= tree->beat_s, was_away = now_s > tree->beat_s + timeout_s / 2;
    if (beat) tree->beat_s = now_s + timeout_s / 4;
    for (int i = 0; i < tree->n; i++) {
        branch *branch = &tree->branch[i];
        next_s = fmin(next_s, branch_clock(branch));
        if (was_away) branch->launched_s = now_s;
        next_s = fmin(next_s, check_start(branch, now_s));
        if (!beats(branch)) continue;
        if (beat) channel_send(&branch->channel, FRAME_BEAT, 0, 0, NULL, 0);
        /* This process was stopped or got no processor. Frames from that time may still be
           unread. */
        if (was_away || tree->paused) branch->channel.heard_s = now_s;
        else if (branch->channel.heard_s < now_s - timeout_s)
            branch_fail(branch, CM_EXIT_SYSTEM,
                        "lost: its proxy has been silent for %g s (CM_TIMEOUT_S)", timeout_s);
    }
    return fmin(next_s, tree->beat_s);
}

/* ---- Life ------------------------------------------------------------------------------------ */

tree *tree_new(const tree_plan *plan, const tree_events *events, void *context, int epoll)
{
    tree *tree = calloc(1, sizeof *tree);
    if (!tree) return NULL;
    int n = plan->n < plan->fan_out ? plan->n : plan->fan_out;
    *tree = (struct tree){.plan = *plan,
                          .events = events,
                          .context = context,
                          .epoll = epoll,
                          .n = n,
                          .branch = calloc((size_t)n, sizeof *tree->branch),
                          .beat_s = loop_now_s()};
    if (!tree->branch) {
        free(tree);
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        branch *branch = &tree->branch[i];
        int begin, hosts = tree_part(plan->n, plan->fan_out, i, &begin),
                   number = plan->first + begin;
        *branch = (struct branch){
            .tree = tree,
            .number = number,
            .from = number,
            .below = hosts - 1,
            .local = plan->first_local && i == 0,
            .launched_s = INFINITY,
            .kill_s = INFINITY,
            .channel = {
                .came = came, .ended = channel_ended, .owner = branch, .begins_with = FRAME_HELLO}};
        branch->words_watch = (watch){.fd = -1, .ready = branch_words_ready, .owner = branch};
    }
    return tree;
}

bool tree_has(const tree *tree, int host)
{
    return host >= tree->plan.first && host - tree->plan.first < tree->plan.n;
}

int tree_files(const tree *tree) { return FILES_EACH * tree->n; }

int tree_launch(tree *tree)
{
    int status = files_provide(tree->n, "hosts", FILES_EACH, 0, &tree->files);
    for (int i = 0; !status && i < tree->n; i++)
        if (!tree->plan.step || tree->branch[i].local) status = branch_launch(&tree->branch[i]);
    return status || !tree->plan.step ? status : step_launch(tree);
}

bool tree_leftovers(tree *tree, int signal)
{
    bool left = false;
    clear_level level = signal == SIGKILL ? CLEAR_KILL : signal ? CLEAR_TERM : CLEAR_NOT;
    for (int i = 0; i < tree->n; i++) {
        branch *branch = &tree->branch[i];
        /* A proxy that has not answered yet has nothing to clear up. */
        if (branch->phase == BRANCH_LAUNCHED) channel_close(&branch->channel);
        branch->awaited = false;
        if (level > branch->cleared) {
            branch->cleared = level;
            channel_send(&branch->channel, FRAME_CLEAR, signal == SIGKILL, 0, NULL, 0);
            /* A proxy without a connection ends with its launcher. */
            if (!branch->channel.open && branch->pid > 0) kill(branch->pid, signal);
        }
        left |= branch->channel.open || branch->pid > 0;
    }
    return (tree->step && step_left(tree->step, signal)) || left;
}

void tree_reap(tree *tree)
{
    for (int i = 0; i < tree->n; i++) branch_reap(&tree->branch[i]);
    if (tree->step) step_reap(tree->step);
}

void tree_ended(tree *tree, int pid, int status)
{
    for (int i = 0; i < tree->n; i++)
        if (tree->branch[i].pid == pid) {
            tree->branch[i].pid = 0;
            tree->branch[i].status = status;
        }
}

void tree_free(tree *tree)
{
    if (!tree) return;
    for (int i = 0; i < tree->n; i++) branch_free(&tree->branch[i]);
    step_free(tree->step);
    free(tree->branch);
    free(tree->said);
    free(tree);
}
