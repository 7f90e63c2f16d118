/* SPDX-License-Identifier: BSD-3-Clause */
/* input.c: carries terminal input to rank 0. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "launch/input.h"

static void look(input *input)
{
    bool foreground = tcgetpgrp(0) == getpgrp();
    bool empty = input->start == input->end;
    loop_watch(input->epoll, &input->terminal, empty && foreground ? EPOLLIN : 0);
    loop_watch(input->epoll, &input->pipe, empty ? 0 : EPOLLOUT);
}

static void terminal_ready(watch *watch, uint32_t events)
{
    input *input = watch->owner;
    (void)events;
    ssize_t got = read(0, input->bytes, sizeof input->bytes);
    if (got > 0) {
        input->start = 0;
        input->end = (size_t)got;
        look(input);
    }
    /* EIO comes from a background read with SIGTTIN blocked, and from a terminal that hung up. */
    else if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    else if (got < 0 && tcgetpgrp(0) != getpgrp() && tcgetpgrp(0) > 0) look(input);
    else input_stop(input);
}

static void pipe_ready(watch *watch, uint32_t events)
{
    input *input = watch->owner;
    (void)events;
    ssize_t sent = write(watch->fd, input->bytes + input->start, input->end - input->start);
    if (sent >= 0) input->start += (size_t)sent;
    else if (errno != EINTR && errno != EAGAIN) {
        input_stop(input);
        return;
    }
    look(input);
}

bool input_start(input *input, int epoll)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return false;
    if (fcntl(ends[1], F_SETFL, O_NONBLOCK) < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    input->epoll = epoll;
    input->read_end = ends[0];
    input->start = input->end = 0;
    input->terminal = (watch){.fd = 0, .ready = terminal_ready, .owner = input};
    input->pipe = (watch){.fd = ends[1], .ready = pipe_ready, .owner = input};
    look(input);
    return true;
}

void input_retry(input *input)
{
    if (input->pipe.fd >= 0 && input->terminal.events == 0) look(input);
}

void input_stop(input *input)
{
    if (input->pipe.fd < 0) return;
    loop_watch(input->epoll, &input->terminal, 0);
    loop_close(input->epoll, &input->pipe);
}
