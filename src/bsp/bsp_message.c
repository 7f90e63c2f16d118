/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_message.c: messages. They stay in the streams in which they arrived, linked to a queue. */
#include <limits.h>
#include "bsp/bsp_internal.h"

/* Ends the job if an argument that this call needs is NULL. */
static void need(const char *call, const void *argument, const char *name)
{
    if (!argument) cm_bsp_wrong(call, "%s is NULL", name);
}

/* A name in parentheses is also that of a macro in bsp.h. */

void bsp_set_tagsize64(size_t *tag_bytes)
{
    cm_bsp_check_call("bsp_set_tagsize", 0);
    need("bsp_set_tagsize", tag_bytes, "the size");
    if (*tag_bytes > INT_MAX)
        cm_bsp_wrong("bsp_set_tagsize", "a tag of %zu bytes; expected at most %d", *tag_bytes,
                     INT_MAX);
    int before = cm_bsp.next_tag_bytes;
    cm_bsp.next_tag_bytes = (int)*tag_bytes;
    *tag_bytes = (size_t)before;
}

void(bsp_set_tagsize)(int *tag_bytes)
{
    cm_bsp_check_call("bsp_set_tagsize", 0);
    need("bsp_set_tagsize", tag_bytes, "the size");
    if (*tag_bytes < 0)
        cm_bsp_wrong("bsp_set_tagsize", "a tag of %d bytes; expected at least 0", *tag_bytes);
    size_t bytes = (size_t)*tag_bytes;
    bsp_set_tagsize64(&bytes);
    *tag_bytes = (int)bytes;
}

void bsp_send64(int pid, const void *tag, const void *payload, size_t payload_bytes)
{
    cm_bsp_check_call("bsp_send", pid);
    size_t tag_bytes = (size_t)cm_bsp.tag_bytes, tag_room = bsp_padded(tag_bytes);
    if (tag_bytes) need("bsp_send", tag, "the tag");
    if (payload_bytes) need("bsp_send", payload, "the payload");
    bsp_record *record = cm_bsp_append(pid, BSP_SEND, 0, 8 + tag_room + payload_bytes);
    unsigned char *data = (unsigned char *)(record + 1);
    record->bytes = (uint32_t)tag_bytes;
    record->offset = payload_bytes;
    if (tag_bytes) memcpy(data + 8, tag, tag_bytes);
    if (payload_bytes) memcpy(data + 8 + tag_room, payload, payload_bytes);
    cm_bsp.out[pid].payload_bytes += tag_bytes + payload_bytes;
    cm_bsp.out[pid].messages++;
}

void bsp_send(int pid, const void *tag, const void *payload, int payload_bytes)
{
    if (payload_bytes < 0)
        cm_bsp_wrong("bsp_send", "a payload of %d bytes; expected at least 0", payload_bytes);
    bsp_send64(pid, tag, payload, (size_t)payload_bytes);
}

/* The payload may be read until the end of the superstep; it is read at once. */
void bsp_hpsend64(int pid, const void *tag, const void *payload, size_t payload_bytes)
{
    bsp_send64(pid, tag, payload, payload_bytes);
}

void bsp_hpsend(int pid, const void *tag, const void *payload, int payload_bytes)
{
    bsp_send(pid, tag, payload, payload_bytes);
}

/* ---- The queue ------------------------------------------------------------------------------- */

/* Messages of the superstep that just ended: the streams of its parity. */
static const bsp_stream *streams(void) { return cm_bsp.in[(cm_bsp.superstep - 1) & 1]; }

static void to_next_process(void)
{
    while (!cm_bsp.queue_at && ++cm_bsp.queue_pid < cm_bsp.p)
        cm_bsp.queue_at = cm_bsp.queue_first[cm_bsp.queue_pid];
}

void cm_bsp_queue_turn(void)
{
    cm_bsp.queue_pid = -1;
    cm_bsp.queue_at = 0;
    if (cm_bsp.queue_messages) to_next_process();
}

static bsp_record *first_message(const char *call)
{
    cm_bsp_check_call(call, 0);
    if (!cm_bsp.queue_messages) return NULL;
    return (bsp_record *)(void *)(streams()[cm_bsp.queue_pid].buffer.data + cm_bsp.queue_at);
}

static void take(const bsp_record *record)
{
    memcpy(&cm_bsp.queue_at, record + 1, sizeof cm_bsp.queue_at);
    cm_bsp.queue_messages--;
    cm_bsp.queue_bytes -= record->offset;
    to_next_process();
}

static unsigned char *tag_of(bsp_record *record) { return (unsigned char *)(record + 1) + 8; }
static unsigned char *payload_of(bsp_record *record)
{
    return tag_of(record) + bsp_padded(record->bytes);
}

void bsp_qsize64(size_t *messages, size_t *payload_bytes)
{
    cm_bsp_check_call("bsp_qsize", 0);
    if (messages) *messages = cm_bsp.queue_messages;
    if (payload_bytes) *payload_bytes = cm_bsp.queue_bytes;
}

static int to_int(const char *call, const char *what, uint64_t value)
{
    if (value > INT_MAX)
        cm_bsp_wrong(call, "%llu %s do not fit into an int; use %s64", (unsigned long long)value,
                     what, call);
    return (int)value;
}

void(bsp_qsize)(int *messages, int *payload_bytes)
{
    size_t n, bytes;
    bsp_qsize64(&n, &bytes);
    if (messages) *messages = to_int("bsp_qsize", "messages", n);
    if (payload_bytes) *payload_bytes = to_int("bsp_qsize", "bytes", bytes);
}

void cm_bsp_qsize_unsigned(unsigned int *messages, size_t *payload_bytes)
{
    size_t n;
    bsp_qsize64(&n, payload_bytes);
    if (messages && n > UINT_MAX)
        cm_bsp_wrong("bsp_qsize", "%zu messages do not fit into an unsigned int; use a size_t", n);
    if (messages) *messages = (unsigned int)n;
}

size_t cm_bsp_queue_tag_bytes(void)
{
    const bsp_record *record = first_message("bsp_get_tag");
    return record ? record->bytes : 0;
}

void bsp_get_tag64(int64_t *payload_bytes, void *tag)
{
    bsp_record *record = first_message("bsp_get_tag");
    need("bsp_get_tag", payload_bytes, "the status");
    *payload_bytes = record ? (int64_t)record->offset : -1;
    if (!record || !record->bytes) return;
    need("bsp_get_tag", tag, "the tag");
    memcpy(tag, tag_of(record), record->bytes);
}

void cm_bsp_get_tag_size(size_t *payload_bytes, void *tag)
{
    int64_t bytes = -1;
    bsp_get_tag64(payload_bytes ? &bytes : NULL, tag);
    *payload_bytes = (size_t)bytes;
}

void(bsp_get_tag)(int *payload_bytes, void *tag)
{
    int64_t bytes = -1;
    bsp_get_tag64(payload_bytes ? &bytes : NULL, tag);
    *payload_bytes = bytes < 0 ? -1 : to_int("bsp_get_tag", "bytes", (uint64_t)bytes);
}

void bsp_move64(void *payload, size_t capacity)
{
    bsp_record *record = first_message("bsp_move");
    if (!record) cm_bsp_wrong("bsp_move", "the queue is empty");
    size_t bytes = record->offset < capacity ? record->offset : capacity;
    if (bytes) {
        need("bsp_move", payload, "the payload");
        memcpy(payload, payload_of(record), bytes);
    }
    take(record);
}

void bsp_move(void *payload, int capacity)
{
    if (capacity < 0) cm_bsp_wrong("bsp_move", "room for %d bytes; expected at least 0", capacity);
    bsp_move64(payload, (size_t)capacity);
}

int64_t bsp_hpmove64(void **tag, void **payload)
{
    bsp_record *record = first_message("bsp_hpmove");
    need("bsp_hpmove", tag, "the tag's pointer");
    need("bsp_hpmove", payload, "the payload's pointer");
    if (!record) return -1;
    *tag = tag_of(record);
    *payload = payload_of(record);
    take(record);
    return (int64_t)record->offset;
}

int bsp_hpmove(void **tag, void **payload)
{
    int64_t bytes = bsp_hpmove64(tag, payload);
    return bytes < 0 ? -1 : to_int("bsp_hpmove", "bytes", (uint64_t)bytes);
}
