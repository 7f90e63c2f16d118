/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_below.c: connects the tree below a proxy to the channel above it. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "launch/proxy_below.h"

enum { HOSTS_MOST = 65536 };

/* ---- Up -------------------------------------------------------------------------------------- */

static void on_came(void *context, int host, const frame *frame)
{
    const proxy_below *below = context;
    channel_send(below->up, FRAME_HOST, 0, host, NULL, 0);
    channel_send(below->up, frame->kind, frame->flag, frame->rank, frame->data, frame->bytes);
}

static void on_lost(void *context, int host, int status, const char *text)
{
    on_came(context, host,
            &(frame){.kind = FRAME_LOST, .flag = status, .data = text, .bytes = strlen(text)});
}

/* ---- Down ------------------------------------------------------------------------------------ */

static bool add_name(proxy_below *below, const char *name)
{
    if (below->tree || below->n >= HOSTS_MOST) return false;
    if ((below->n & (below->n - 1)) == 0) { /* full: it grows at powers of 2 */
        size_t room = below->n ? 2 * (size_t)below->n : 1;
        char **longer = realloc(below->names, room * sizeof *longer);
        if (!longer) return false;
        below->names = longer;
    }
    char *copy = strdup(name);
    if (!copy) return false;
    below->names[below->n++] = copy;
    return true;
}

static bool grow(proxy_below *below, int epoll, const frame *frame)
{
    static const tree_events events = {.came = on_came, .lost = on_lost};
    int first = frame_number(frame, FRAME_NUMBER), fan_out = frame_number(frame, FRAME_FAN_OUT);
    int timeout_ms = frame_number(frame, FRAME_GROW_TIMEOUT_MS);
    int start_ms = frame_number(frame, FRAME_START_TIMEOUT_MS);
    if (below->tree || below->n == 0 || !below->launcher || first < 1 || first > HOSTS_MOST
        || fan_out < TREE_FAN_OUT_LEAST || fan_out > TREE_FAN_OUT_MOST || timeout_ms < 1
        || start_ms < 1)
        return false;
    const tree_plan plan = {.names = below->names,
                            .first = first,
                            .n = below->n,
                            .fan_out = fan_out,
                            .launcher = below->launcher,
                            .timeout_s = 1e-3 * timeout_ms,
                            .start_timeout_s = start_ms < INT32_MAX ? 1e-3 * start_ms : INFINITY};
    below->tree = tree_new(&plan, &events, below, epoll);
    return below->tree != NULL;
}

bool proxy_below_take(proxy_below *below, int epoll, const frame *frame)
{
    switch (frame->kind) {
    case FRAME_BELOW:
        return add_name(below, frame->data);
    case FRAME_LAUNCHER:
        if (!below->launcher) below->launcher = strdup(frame->data);
        return below->launcher && below->launcher[strspn(below->launcher, " \t")];
    case FRAME_GROW:
        return grow(below, epoll, frame);
    default:
        below->to = frame->rank;
        below->next_is_for = below->tree && tree_has(below->tree, frame->rank);
        return below->next_is_for;
    }
}

bool proxy_below_relay(proxy_below *below, const frame *frame)
{
    if (!below->next_is_for) return false;
    below->next_is_for = false;
    tree_send(below->tree, below->to, frame->kind, frame->flag, frame->rank, frame->data,
              frame->bytes);
    return true;
}

void proxy_below_all(proxy_below *below, const frame *frame)
{
    if (!below->tree) return;
    if (frame->kind <= FRAME_PREPARE) tree_say(below->tree, frame);
    else tree_send_all(below->tree, frame);
}

int proxy_below_launch(proxy_below *below) { return below->tree ? tree_launch(below->tree) : 0; }
int proxy_below_files(const proxy_below *below)
{
    return below->tree ? tree_files(below->tree) : 0;
}

void proxy_below_free(proxy_below *below)
{
    tree_free(below->tree);
    for (int i = 0; i < below->n; i++) free(below->names[i]);
    free(below->names);
    free(below->launcher);
}
