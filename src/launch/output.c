/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: collects lines of ranks and writes them without ever blocking the launcher. */
#include "config.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "launch/loop.h"
#include "launch/output.h"

enum { LONGEST_LINE = 1 << 20, FULL_BYTES = 1 << 20 };

typedef struct {
    char *bytes;
    size_t start, used, capacity;
} buffer;

struct output {
    int epoll, ranks;
    bool broken, prefix;
    bool always_ready; /* a regular file: epoll cannot watch it, and it never blocks */
    watch out;
    buffer queue; /* bytes to be written */
    buffer *line; /* for each rank, a line begun and still without newline */
    void (*on_broken)(void *context, int fd, int error);
    void *context;
};

static bool append(buffer *buffer, const char *bytes, size_t n)
{
    if (buffer->start > 0 && buffer->used + n > buffer->capacity) {
        memmove(buffer->bytes, buffer->bytes + buffer->start, buffer->used - buffer->start);
        buffer->used -= buffer->start;
        buffer->start = 0;
    }
    if (buffer->used + n > buffer->capacity) {
        size_t capacity = 2 * (buffer->used + n);
        char *longer = realloc(buffer->bytes, capacity);
        if (!longer) return false;
        buffer->bytes = longer;
        buffer->capacity = capacity;
    }
    memcpy(buffer->bytes + buffer->used, bytes, n);
    buffer->used += n;
    return true;
}

static void fail(output *output, int error)
{
    output_drop(output);
    output->broken = true;
    loop_watch(output->epoll, &output->out, 0);
    output->on_broken(output->context, output->out.fd, error);
}

/* A pipe that polls writable takes PIPE_BUF bytes without blocking (POSIX, write), so this never
   writes more than that at a time. The file itself stays in blocking mode, because its flags are
   shared by all processes that have it open. */
static void write_some(output *output)
{
    buffer *queue = &output->queue;
    while (queue->start < queue->used) {
        size_t n = queue->used - queue->start;
        if (!output->always_ready && n > PIPE_BUF) n = PIPE_BUF;
        ssize_t written = write(output->out.fd, queue->bytes + queue->start, n);
        if (written >= 0) queue->start += (size_t)written;
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (output->always_ready) {
                fail(output, errno);
                return;
            }
        } else if (errno != EINTR) {
            fail(output, errno);
            return;
        }
        if (!output->always_ready) break;
    }
    if (queue->start == queue->used) {
        queue->start = queue->used = 0;
        loop_watch(output->epoll, &output->out, 0);
    }
}

static void out_ready(watch *watch, uint32_t events)
{
    (void)events;
    write_some(watch->owner);
}

static void wake(output *output)
{
    if (output->broken || output->queue.start == output->queue.used) return;
    if (!output->always_ready && !loop_watch(output->epoll, &output->out, EPOLLOUT))
        output->always_ready = true;
    if (output->always_ready) write_some(output);
}

static bool emit(output *output, int rank, const char *text, size_t bytes, bool newline)
{
    char prefix[16];
    int n = snprintf(prefix, sizeof prefix, "[%d] ", rank);
    return append(&output->queue, prefix, (size_t)n) && append(&output->queue, text, bytes)
           && (!newline || append(&output->queue, "\n", 1));
}

void output_data(output *output, int rank, const char *data, size_t bytes)
{
    buffer *line = &output->line[rank];
    bool enough = true;
    if (!output->prefix && !output->broken) {
        enough = append(&output->queue, data, bytes);
        bytes = 0;
    }
    while (bytes > 0 && !output->broken && enough) {
        const char *newline = memchr(data, '\n', bytes);
        size_t room = LONGEST_LINE - line->used;
        size_t n = newline ? (size_t)(newline + 1 - data) : bytes;
        bool whole = newline && n <= room + 1;
        if (!whole && n > room) n = room;
        if (line->used == 0 && whole) enough = emit(output, rank, data, n, false);
        else {
            enough = append(line, data, n);
            if (enough && (whole || line->used >= LONGEST_LINE)) {
                enough = emit(output, rank, line->bytes, line->used, !whole);
                line->used = 0;
            }
        }
        data += n;
        bytes -= n;
    }
    if (!enough) fail(output, ENOMEM);
    wake(output);
}

void output_end(output *output, int rank)
{
    buffer *line = &output->line[rank];
    if (line->used > 0 && !output->broken && !emit(output, rank, line->bytes, line->used, true))
        fail(output, ENOMEM);
    free(line->bytes);
    *line = (buffer){0};
    wake(output);
}

void output_own(output *output, const char *text)
{
    if (output->broken || !append(&output->queue, text, strlen(text))) fputs(text, stderr);
    wake(output);
}

bool output_pending(const output *output) { return output->queue.start < output->queue.used; }

bool output_full(const output *output)
{
    return output->queue.used - output->queue.start > FULL_BYTES;
}

void output_drop(output *output) { output->queue.start = output->queue.used = 0; }

output *output_new(int epoll, int fd, int ranks, bool prefix,
                   void (*broken)(void *context, int fd, int error), void *context)
{
    output *new = calloc(1, sizeof *new);
    buffer *line = calloc((size_t)ranks, sizeof *line);
    if (!new || !line) {
        free(new);
        free(line);
        return NULL;
    }
    *new = (output){.epoll = epoll,
                    .ranks = ranks,
                    .prefix = prefix,
                    .line = line,
                    .on_broken = broken,
                    .context = context,
                    .out = {.fd = fd, .ready = out_ready, .owner = new}};
    return new;
}

void output_free(output *output)
{
    if (!output) return;
    loop_watch(output->epoll, &output->out, 0);
    for (int i = 0; i < output->ranks; i++) free(output->line[i].bytes);
    free(output->line);
    free(output->queue.bytes);
    free(output);
}
