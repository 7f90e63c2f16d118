/* SPDX-License-Identifier: BSD-3-Clause */
/* channel.c: frames over two files in non-blocking mode. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "launch/channel.h"

static void end(channel *channel, const char *why)
{
    if (!channel->open) return;
    channel_close(channel);
    channel->ended(channel, why);
}

/* Drops what comes before the first frame. Returns false if that has not begun yet. */
static bool find_begin(channel *channel)
{
    if (frame_find(&channel->reader, channel->begins_with, &channel->dropped))
        channel->begins_with = FRAME_NONE;
    if (channel->dropped <= CHANNEL_DROPS_MOST) return channel->begins_with == FRAME_NONE;
    end(channel, "more than 64 KiB that are no frame");
    return false;
}

static void in_ready(watch *watch, uint32_t events)
{
    channel *channel = watch->owner;
    size_t room;
    (void)events;
    char *to = frame_room(&channel->reader, &room);
    if (!to) {
        end(channel, "out of memory");
        return;
    }
    ssize_t got = read(watch->fd, to, room);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        end(channel, got < 0 ? strerror(errno) : NULL);
        return;
    }
    frame_came(&channel->reader, (size_t)got);
    channel->heard_s = loop_now_s();
    if (channel->begins_with && !find_begin(channel)) return;
    while (channel->open) {
        frame frame;
        const char *why;
        switch (frame_next(&channel->reader, &frame, &why)) {
        case FRAME_WHOLE:
            channel->came(channel, &frame);
            break;
        case FRAME_MORE:
            return;
        case FRAME_WRONG:
            end(channel, why);
            return;
        case FRAME_NO_MEMORY:
            end(channel, "out of memory");
            return;
        }
    }
}

/* Writes as much of the queue as the file takes now. */
static void flush(channel *channel)
{
    while (channel->open && channel->start < channel->used) {
        ssize_t sent =
            write(channel->out.fd, channel->queue + channel->start, channel->used - channel->start);
        if (sent >= 0) channel->start += (size_t)sent;
        else if (errno == EAGAIN) {
            loop_watch(channel->epoll, &channel->out, EPOLLOUT);
            return;
        } else if (errno != EINTR) {
            /* The other side is gone. Its last frames and its end of file are still to be read. */
            channel->failed = true;
            break;
        }
    }
    channel->start = channel->used = 0;
    if (channel->open) loop_watch(channel->epoll, &channel->out, 0);
}

static void out_ready(watch *watch, uint32_t events)
{
    (void)events;
    flush(watch->owner);
}

static bool append(channel *channel, const void *bytes, size_t n)
{
    if (n == 0) return true;
    if (channel->start > 0 && channel->used + n > channel->capacity) {
        memmove(channel->queue, channel->queue + channel->start, channel->used - channel->start);
        channel->used -= channel->start;
        channel->start = 0;
    }
    if (channel->used + n > channel->capacity) {
        size_t capacity = 2 * (channel->used + n);
        char *longer = realloc(channel->queue, capacity);
        if (!longer) return false;
        channel->queue = longer;
        channel->capacity = capacity;
    }
    memcpy(channel->queue + channel->used, bytes, n);
    channel->used += n;
    return true;
}

void channel_send(channel *channel, frame_kind kind, int flag, int rank, const char *data,
                  size_t bytes)
{
    unsigned char head[FRAME_HEAD_BYTES];
    const frame frame = {.kind = kind, .flag = flag, .rank = rank, .bytes = bytes};
    if (!channel->open || channel->failed) return;
    frame_head(&frame, head);
    if (!append(channel, head, sizeof head) || !append(channel, data, bytes)) {
        end(channel, "out of memory");
        return;
    }
    if (!channel->out.events) flush(channel);
}

void channel_send_frames(channel *channel, const char *bytes, size_t n)
{
    if (!channel->open || channel->failed) return;
    if (!append(channel, bytes, n)) end(channel, "out of memory");
    else if (!channel->out.events) flush(channel);
}

void channel_pause(channel *channel, bool pause)
{
    if (channel->open) loop_watch(channel->epoll, &channel->in, pause ? 0 : EPOLLIN);
}

size_t channel_unsent(const channel *channel) { return channel->used - channel->start; }

static bool set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

bool channel_open(channel *channel, int epoll, int in, int out)
{
    channel->epoll = epoll;
    channel->in = (watch){.fd = in, .ready = in_ready, .owner = channel};
    channel->out = (watch){.fd = out, .ready = out_ready, .owner = channel};
    channel->heard_s = loop_now_s();
    channel->open =
        set_nonblocking(in) && set_nonblocking(out) && loop_watch(epoll, &channel->in, EPOLLIN);
    if (!channel->open) {
        close(in);
        close(out);
    }
    return channel->open;
}

void channel_close(channel *channel)
{
    if (!channel->open) return;
    channel->open = false;
    loop_close(channel->epoll, &channel->in);
    loop_close(channel->epoll, &channel->out);
    frame_reader_free(&channel->reader);
    free(channel->queue);
    channel->queue = NULL;
    channel->start = channel->used = channel->capacity = 0;
}
