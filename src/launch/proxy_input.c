/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_input.c: passes cmrun's stdin to rank 0 on this host. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "launch/proxy_input.h"

static void gone(proxy_input *input)
{
    loop_close(input->epoll, &input->pipe);
    channel_send(input->channel, FRAME_INPUT_TAKEN, 1, 0, NULL, 0);
}

static void pipe_ready(watch *watch, uint32_t events)
{
    proxy_input *input = watch->owner;
    (void)events;
    if (input->start == input->end) { /* EPOLLERR: the reader is gone */
        gone(input);
        return;
    }
    ssize_t sent = write(watch->fd, input->bytes + input->start, input->end - input->start);
    if (sent >= 0) input->start += (size_t)sent;
    else if (errno != EINTR && errno != EAGAIN) {
        gone(input);
        return;
    }
    if (input->start < input->end) return;
    loop_watch(input->epoll, watch, 0);
    channel_send(input->channel, FRAME_INPUT_TAKEN, 0, 0, NULL, 0);
}

void proxy_input_none(proxy_input *input)
{
    input->pipe.fd = -1;
    input->start = input->end = 0;
}

int proxy_input_start(proxy_input *input, int epoll, channel *channel)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    input->epoll = epoll;
    input->channel = channel;
    input->pipe = (watch){.fd = ends[1], .ready = pipe_ready, .owner = input};
    return ends[0];
}

void proxy_input_take(proxy_input *input, const frame *frame)
{
    if (input->pipe.fd < 0 || input->start < input->end) return;
    if (frame->bytes == 0) {
        loop_close(input->epoll, &input->pipe);
        return;
    }
    memcpy(input->bytes, frame->data, frame->bytes);
    input->start = 0;
    input->end = frame->bytes;
    loop_watch(input->epoll, &input->pipe, EPOLLOUT);
}

void proxy_input_stop(proxy_input *input)
{
    if (input->pipe.fd >= 0) loop_close(input->epoll, &input->pipe);
}
