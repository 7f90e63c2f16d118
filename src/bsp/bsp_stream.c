/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_stream.c: the memory of records, answers and requests. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

static void *zeros(size_t n, size_t bytes)
{
    return memset(cm_bsp_memory(NULL, n * bytes), 0, n * bytes);
}

void cm_bsp_grow(bsp_buffer *buffer, size_t bytes)
{
    size_t needed = buffer->used + bytes;
    if (needed <= buffer->capacity) return;
    size_t capacity = 2 * buffer->capacity;
    buffer->capacity = capacity > needed ? capacity : needed;
    buffer->data = cm_bsp_memory(buffer->data, buffer->capacity);
}

void cm_bsp_streams_open(void)
{
    size_t p = (size_t)cm_bsp.p;
    cm_bsp.out = zeros(p, sizeof *cm_bsp.out);
    cm_bsp.in[0] = zeros(p, sizeof *cm_bsp.in[0]);
    cm_bsp.in[1] = zeros(p, sizeof *cm_bsp.in[1]);
    cm_bsp.reads = zeros(p, sizeof *cm_bsp.reads);
    cm_bsp.heard = zeros(p, sizeof *cm_bsp.heard);
    cm_bsp.queue_first = zeros(p, sizeof *cm_bsp.queue_first);
    cm_bsp.coming = zeros(p, sizeof *cm_bsp.coming);
    cm_bsp.round = zeros(2, bsp_round_bytes(cm_bsp.p));
    for (size_t pid = 0; pid < p; pid++) {
        cm_bsp_grow(&cm_bsp.out[pid].buffer, BSP_FIRST_BYTES);
        cm_bsp_grow(&cm_bsp.in[0][pid].buffer, BSP_FIRST_BYTES);
        cm_bsp_grow(&cm_bsp.in[1][pid].buffer, BSP_FIRST_BYTES);
        cm_bsp.out[pid].buffer.used = sizeof(bsp_header);
    }
}

void cm_bsp_streams_close(void)
{
    for (int pid = 0; pid < cm_bsp.p; pid++) {
        free(cm_bsp.out[pid].buffer.data);
        free(cm_bsp.in[0][pid].buffer.data);
        free(cm_bsp.in[1][pid].buffer.data);
        free(cm_bsp.reads[pid].want);
        free(cm_bsp.reads[pid].in.data);
        free(cm_bsp.reads[pid].out.data);
    }
    free(cm_bsp.out);
    free(cm_bsp.in[0]);
    free(cm_bsp.in[1]);
    free(cm_bsp.reads);
    free(cm_bsp.heard);
    free(cm_bsp.queue_first);
    free(cm_bsp.coming);
    free(cm_bsp.round);
    free(cm_bsp.spare.data);
    free(cm_bsp.sends.request);
    free(cm_bsp.receives.request);
}

bsp_record *cm_bsp_append(int pid, bsp_kind kind, int slot, size_t data_bytes)
{
    bsp_buffer *buffer = &cm_bsp.out[pid].buffer;
    size_t bytes = sizeof(bsp_record) + bsp_padded(data_bytes);
    if (buffer->capacity - buffer->used < bytes) cm_bsp_grow(buffer, bytes);
    bsp_record *record = (bsp_record *)(void *)(buffer->data + buffer->used);
    cm_bsp.out[pid].last = 0;
    buffer->used += bytes;
    record->kind_slot = (uint32_t)kind + 8 * (uint32_t)slot;
    record->bytes = (uint32_t)data_bytes;
    return record;
}

void cm_bsp_requests_add(bsp_requests *requests, cm_request *request)
{
    if (requests->n == requests->capacity) {
        requests->capacity = requests->capacity ? 2 * requests->capacity : 16;
        requests->request = cm_bsp_memory(requests->request,
                                          (size_t)requests->capacity * sizeof *requests->request);
    }
    requests->request[requests->n++] = request;
}

void cm_bsp_requests_wait(bsp_requests *requests)
{
    if (requests->n) cm_waitall(requests->n, requests->request, NULL);
    requests->n = 0;
}
