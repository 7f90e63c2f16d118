/* SPDX-License-Identifier: BSD-3-Clause */
/* host_input.c: carries cmrun's stdin (file, pipe or terminal) to rank 0 on another host. */
#include "config.h"
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "launch/host_set_internal.h"

void host_input_none(host_input *input) { *input = (host_input){.in.fd = -1}; }

/* Stops watching only; cmrun's stdin stays open. */
void host_input_stop(host_input *input)
{
    if (input->in.fd >= 0) loop_watch(input->epoll, &input->in, 0);
    input->in.fd = -1;
}

static void read_some(host_input *input)
{
    char bytes[FRAME_DATA_BYTES];
    ssize_t got = read(0, bytes, sizeof bytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got > 0) {
        input->waiting = true;
        loop_watch(input->epoll, &input->in, 0);
    } else host_input_stop(input);
    tree_send(input->tree, input->host, FRAME_INPUT, 0, 0, bytes, got > 0 ? (size_t)got : 0);
}

static void in_ready(watch *watch, uint32_t events)
{
    (void)events;
    read_some(watch->owner);
}

static void look(host_input *input)
{
    if (input->in.fd < 0 || input->waiting) return;
    /* Reading a terminal from the background would stop cmrun. */
    input->background = isatty(0) && tcgetpgrp(0) != getpgrp();
    if (input->background) loop_watch(input->epoll, &input->in, 0);
    else if (!loop_watch(input->epoll, &input->in, EPOLLIN))
        read_some(input); /* a regular file: epoll cannot watch it, and it never blocks */
}

void host_input_start(host_input *input, int epoll, tree *tree, int host)
{
    *input = (host_input){.epoll = epoll,
                          .tree = tree,
                          .host = host,
                          .in = {.fd = 0, .ready = in_ready, .owner = input}};
    look(input);
}

void host_input_taken(host_input *input, bool gone)
{
    input->waiting = false;
    if (gone) host_input_stop(input);
    else look(input);
}

double host_input_clock(host_input *input, double otherwise_s)
{
    if (input->in.fd < 0 || input->waiting) return otherwise_s;
    look(input);
    double again_s = loop_now_s() + 0.25;
    return input->background && again_s < otherwise_s ? again_s : otherwise_s;
}
