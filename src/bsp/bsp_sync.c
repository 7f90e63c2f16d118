/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_sync.c: the end of a superstep: every process sends its counts and records to every other
   one, or only to those for whom it has any, in rounds (bsp_rounds.c). */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

static bsp_header *header_of(const bsp_stream *stream)
{
    return (bsp_header *)(void *)stream->buffer.data;
}

static size_t first_of(const bsp_stream *stream)
{
    static const unsigned char zeros[sizeof(bsp_header) - BSP_BRIEF_BYTES];
    if (!memcmp(stream->buffer.data + BSP_BRIEF_BYTES, zeros, sizeof zeros)) return BSP_BRIEF_BYTES;
    return stream->buffer.used < BSP_FIRST_BYTES ? stream->buffer.used : BSP_FIRST_BYTES;
}

static void take_first(bsp_stream *in, const cm_status *status)
{
    if (status->bytes == BSP_BRIEF_BYTES)
        memset(in->buffer.data + BSP_BRIEF_BYTES, 0, sizeof(bsp_header) - BSP_BRIEF_BYTES);
}

static void fill_headers(bsp_call call)
{
    for (int pid = 0; pid < cm_bsp.p; pid++) {
        bsp_stream *out = &cm_bsp.out[pid];
        *header_of(out) = (bsp_header){.superstep = cm_bsp.superstep,
                                       .stream_bytes = out->buffer.used - sizeof(bsp_header),
                                       .payload_bytes = out->payload_bytes,
                                       .call = (uint32_t)call,
                                       .pushes = (uint32_t)cm_bsp.pushes,
                                       .pops = (uint32_t)cm_bsp.pops,
                                       .tag_bytes = (uint32_t)cm_bsp.next_tag_bytes,
                                       .announced = out->announced,
                                       .gets = out->gets,
                                       .messages = out->messages};
        if (pid == cm_bsp.pid) continue;
        cm_bsp.now.out_bytes += (int64_t)out->payload_bytes;
        cm_bsp.now.out_messages += out->messages;
    }
}

/* ---- The first messages ---------------------------------------------------------------------- */

static void exchange_firsts(bsp_stream *in)
{
    int p = cm_bsp.p, pid = cm_bsp.pid, tag = bsp_tag_of(BSP_TAG_HEADER);
    cm_status status;
    for (int k = 1; k < p; k++) {
        int peer = (pid + k) % p;
        bsp_stream *to = &cm_bsp.out[peer];
        cm_bsp_requests_add(&cm_bsp.sends,
                            cm_isend(cm_bsp.group, to->buffer.data, first_of(to), peer, tag));
    }
    for (int k = 1; k < p; k++) {
        int peer = (pid + p - k) % p;
        cm_bsp_now_wait(cm_irecv(cm_bsp.group, in[peer].buffer.data, BSP_FIRST_BYTES, peer, tag),
                        &status);
        take_first(&in[peer], &status);
    }
}

static bsp_said said_in(const bsp_header *header)
{
    return (bsp_said){.superstep = header->superstep,
                      .call = header->call,
                      .tag_bytes = header->tag_bytes,
                      .pushes = header->pushes,
                      .pops = header->pops};
}

/* ---- The rests of the streams ---------------------------------------------------------------- */

static void receive_rests(bsp_stream *in, bsp_requests *rests)
{
    int p = cm_bsp.p, pid = cm_bsp.pid, tag = bsp_tag_of(BSP_TAG_REST);
    for (int k = 1; k < p; k++) {
        int peer = (pid + p - k) % p;
        bsp_buffer *buffer = &in[peer].buffer;
        size_t bytes = sizeof(bsp_header) + header_of(&in[peer])->stream_bytes;
        buffer->used = bytes < BSP_FIRST_BYTES ? bytes : BSP_FIRST_BYTES;
        if (bytes <= BSP_FIRST_BYTES) continue;
        cm_bsp_grow(buffer, bytes - BSP_FIRST_BYTES);
        cm_bsp_requests_add(rests, cm_irecv(cm_bsp.group, buffer->data + BSP_FIRST_BYTES,
                                            bytes - BSP_FIRST_BYTES, peer, tag));
        buffer->used = bytes;
    }
}

static void send_rests(void)
{
    int p = cm_bsp.p, pid = cm_bsp.pid, tag = bsp_tag_of(BSP_TAG_REST);
    for (int k = 1; k < p; k++) {
        int peer = (pid + k) % p;
        const bsp_buffer *buffer = &cm_bsp.out[peer].buffer;
        if (buffer->used > BSP_FIRST_BYTES)
            cm_bsp_requests_add(&cm_bsp.sends,
                                cm_isend(cm_bsp.group, buffer->data + BSP_FIRST_BYTES,
                                         buffer->used - BSP_FIRST_BYTES, peer, tag));
    }
}

static void post_answers(bsp_requests *rests)
{
    for (int peer = 0; peer < cm_bsp.p; peer++) {
        bsp_reads *reads = &cm_bsp.reads[peer];
        if (!reads->bytes || peer == cm_bsp.pid) continue;
        reads->in.used = 0;
        cm_bsp_grow(&reads->in, reads->bytes);
        cm_bsp_requests_add(rests, cm_irecv(cm_bsp.group, reads->in.data, reads->bytes, peer,
                                            bsp_tag_of(BSP_TAG_ANSWER)));
    }
}

/* ---- The whole exchange ---------------------------------------------------------------------- */

static void take_own(bsp_stream *in)
{
    bsp_stream *own = &cm_bsp.out[cm_bsp.pid];
    bsp_buffer empty = in->buffer;
    in->buffer = own->buffer;
    own->buffer = empty;
}

static void turn(bsp_stream *in)
{
    for (int pid = 0; pid < cm_bsp.p; pid++) {
        const bsp_header *header = header_of(&in[pid]);
        bsp_stream *out = &cm_bsp.out[pid];
        if (pid != cm_bsp.pid) {
            cm_bsp.now.in_bytes += (int64_t)header->payload_bytes;
            cm_bsp.now.in_messages += header->messages;
        }
        out->buffer.used = sizeof(bsp_header);
        out->payload_bytes = out->last = 0;
        out->announced = out->gets = out->messages = 0;
        cm_bsp.reads[pid].n = cm_bsp.reads[pid].bytes = 0;
    }
    cm_bsp_areas_turn();
    cm_bsp_direct_end();
    cm_bsp_queue_turn();
    cm_bsp.tag_bytes = cm_bsp.next_tag_bytes;
}

void cm_bsp_exchange(bsp_call call)
{
    double begin_s = cm_time();
    bsp_stream *in = cm_bsp.in[cm_bsp.superstep & 1];
    bsp_requests *receives = &cm_bsp.receives, rests = {0};
    bool reads = false;
    if (cm_bsp.pushes || cm_bsp.pops) cm_bsp_areas_announce();
    fill_headers(call);
    const bsp_said mine = said_in(header_of(&cm_bsp.out[cm_bsp.pid]));
    if (cm_bsp.p > 1) {
        if (cm_bsp.in_rounds) {
            cm_bsp_rounds(&mine, in);
        } else {
            exchange_firsts(in);
            for (int pid = 0; pid < cm_bsp.p; pid++) {
                const bsp_said theirs = said_in(header_of(&in[pid]));
                if (pid != cm_bsp.pid) cm_bsp_check_agreement(pid, &mine, &theirs);
            }
        }
        send_rests();
        receive_rests(in, &rests);
        for (int pid = 0; pid < cm_bsp.p; pid++)
            if (pid != cm_bsp.pid) cm_bsp_direct_hear(pid, header_of(&in[pid])->announced);
        cm_bsp_requests_wait(&rests);
    }
    take_own(&in[cm_bsp.pid]);

    for (int pid = 0; pid < cm_bsp.p; pid++)
        reads = reads || header_of(&in[pid])->gets || cm_bsp.reads[pid].n;
    if (reads) {
        cm_bsp_answer(in);
        post_answers(&rests);
        cm_bsp_requests_wait(&rests);
        cm_bsp_deliver();
    }
    cm_bsp_apply(in);
    cm_bsp_requests_wait(receives);
    cm_bsp_requests_wait(&cm_bsp.sends);
    free(rests.request);
    if (cm_bsp.check) cm_bsp_conflict_check();
    turn(in);
    cm_bsp_trace_step(begin_s, cm_time());
    cm_bsp.superstep++;
    cm_bsp_now_turn();
}
