/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_apply.c: processes the records of a superstep in order. First all reads are copied, so that
   none sees data that another delivers; then the copies are moved to their destinations; then all
   writes are applied. */
#include "bsp/bsp_internal.h"

static const bsp_header *header_of(const bsp_stream *stream)
{
    return (const bsp_header *)(const void *)stream->buffer.data;
}

static unsigned char *begin_of(const bsp_stream *stream)
{
    return stream->buffer.data + sizeof(bsp_header);
}

static bsp_kind kind_of(const bsp_record *record) { return (bsp_kind)(record->kind_slot & 7); }
static int slot_of(const bsp_record *record) { return (int)(record->kind_slot >> 3); }

static unsigned char *target_of(const bsp_record *record)
{
    return (unsigned char *)cm_bsp.area[slot_of(record)].base + record->offset;
}

static size_t length_of(const bsp_record *record)
{
    switch (kind_of(record)) {
    case BSP_PUT:
        return sizeof *record + bsp_padded(record->bytes);
    case BSP_GET_DIRECT:
        return sizeof *record + 8;
    case BSP_SEND:
        return sizeof *record + 8 + bsp_padded(record->bytes) + bsp_padded(record->offset);
    case BSP_GET:
    case BSP_AREA:
    case BSP_POP:
        break;
    }
    return sizeof *record;
}

/* ---- Reads ----------------------------------------------------------------------------------- */

static void answer_direct(int pid, const bsp_record *record)
{
    uint64_t bytes;
    memcpy(&bytes, record + 1, sizeof bytes);
    cm_bsp.now.out_bytes += (int64_t)bytes;
    cm_bsp.now.out_messages++;
    cm_bsp_requests_add(&cm_bsp.sends, cm_isend(cm_bsp.group, target_of(record), bytes, pid,
                                                bsp_tag_of(BSP_TAG_ANSWER_DIRECT)));
}

static void answer_one(int pid, const bsp_stream *in)
{
    const unsigned char *at = begin_of(in), *end = at + header_of(in)->stream_bytes;
    bsp_buffer *out = &cm_bsp.reads[pid].out;
    out->used = 0;
    while (at < end) {
        const bsp_record *record = (const bsp_record *)(const void *)at;
        if (kind_of(record) == BSP_GET) {
            cm_bsp_grow(out, record->bytes);
            memcpy(out->data + out->used, target_of(record), record->bytes);
            out->used += record->bytes;
            cm_bsp.now.out_messages += pid != cm_bsp.pid;
        } else if (kind_of(record) == BSP_GET_DIRECT) {
            answer_direct(pid, record);
        }
        at += length_of(record);
    }
    if (pid == cm_bsp.pid || !out->used) return;
    cm_bsp.now.out_bytes += (int64_t)out->used;
    cm_bsp_requests_add(&cm_bsp.sends, cm_isend(cm_bsp.group, out->data, out->used, pid,
                                                bsp_tag_of(BSP_TAG_ANSWER)));
}

void cm_bsp_answer(bsp_stream *in)
{
    for (int pid = 0; pid < cm_bsp.p; pid++)
        if (header_of(&in[pid])->gets) answer_one(pid, &in[pid]);
}

void cm_bsp_deliver(void)
{
    for (int pid = 0; pid < cm_bsp.p; pid++) {
        const bsp_reads *reads = &cm_bsp.reads[pid];
        const unsigned char *from = pid == cm_bsp.pid ? reads->out.data : reads->in.data;
        for (size_t k = 0; k < reads->n; k++) {
            memcpy(reads->want[k].dst, from, reads->want[k].bytes);
            if (cm_bsp.check)
                cm_bsp_conflict_note(cm_bsp.pid, reads->want[k].dst, reads->want[k].bytes);
            from += reads->want[k].bytes;
        }
    }
}

/* ---- Writes, areas, messages ----------------------------------------------------------------- */

static void apply_one(int pid, bsp_stream *in)
{
    unsigned char *begin = begin_of(in), *end = begin + header_of(in)->stream_bytes;
    uint64_t *next = &cm_bsp.queue_first[pid];
    unsigned char *at = begin;
    *next = 0;
    while (at < end) {
        bsp_record *record = (bsp_record *)(void *)at;
        switch (kind_of(record)) {
        case BSP_PUT: {
            unsigned char *to = target_of(record);
            if (record->bytes == 8) memcpy(to, record + 1, 8);
            else memcpy(to, record + 1, record->bytes);
            if (cm_bsp.check) cm_bsp_conflict_note(pid, to, record->bytes);
            break;
        }
        case BSP_SEND:
            /* Fills in the link, which the sender left empty. */
            *next = (uint64_t)(at - in->buffer.data);
            next = (uint64_t *)(void *)(record + 1);
            *next = 0;
            cm_bsp.queue_messages++;
            cm_bsp.queue_bytes += record->offset;
            break;
        case BSP_AREA:
            cm_bsp_area_learn(pid, slot_of(record), record->offset, record->bytes);
            break;
        case BSP_POP:
            if (!record->bytes) cm_bsp_pop_learn(pid, (int)record->offset, slot_of(record));
            break;
        case BSP_GET:
        case BSP_GET_DIRECT:
            break;
        }
        at += length_of(record);
    }
}

void cm_bsp_apply(bsp_stream *in)
{
    cm_bsp.queue_messages = cm_bsp.queue_bytes = 0;
    for (int pid = 0; pid < cm_bsp.p; pid++) apply_one(pid, &in[pid]);
}
