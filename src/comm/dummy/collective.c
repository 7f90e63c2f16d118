/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: the dummy's own collectives, in which every peer passes the same arguments as rank
   0 (dummy.h). */
#include "dummy.h"

#include <math.h>
#include <string.h>

bool cm_backend_oversubscribed(void) { return false; }

bool cm_backend_native_available(cm_collective collective)
{
    return (unsigned)collective < CM_COLLECTIVES;
}

/* ceil(log2 p): the number of rounds after which all of p ranks can know something. */
static int rounds(int p)
{
    int n = 0;
    while (1L << n < p) n++;
    return n;
}

static double cost_s(int p, const cm_collective_call *call)
{
    size_t bytes = call->bytes;
    double latency_s, transfer_s, depth = rounds(p);
    switch (call->collective) {
    case CM_COLLECTIVE_BARRIER:
        bytes = 0;
        break;
    case CM_COLLECTIVE_REDUCE:
    case CM_COLLECTIVE_ALLREDUCE:
    case CM_COLLECTIVE_SCAN:
    case CM_COLLECTIVE_REDUCE_SCATTER:
        bytes = call->count * cm_type_bytes(call->type);
        break;
    case CM_COLLECTIVE_GATHERV:
    case CM_COLLECTIVE_SCATTERV:
    case CM_COLLECTIVE_ALLGATHERV:
    case CM_COLLECTIVE_ALLTOALLV: {
        /* The bytes that pass rank 0's network card, as a mean length. */
        const size_t *lengths = call->out_bytes ? call->out_bytes : call->in_bytes;
        size_t sum = 0;
        for (int k = 0; lengths && k < p; k++) sum += lengths[k];
        if (lengths) bytes = sum / (size_t)p;
        break;
    }
    default:
        break;
    }
    latency_s = cm_dummy_latency_s(bytes);
    transfer_s = cm_dummy_transfer_s(bytes);
    switch (call->collective) {
    case CM_COLLECTIVE_BARRIER:
    case CM_COLLECTIVE_BCAST:
    case CM_COLLECTIVE_REDUCE:
    case CM_COLLECTIVE_SCAN:
    case CM_COLLECTIVE_REDUCE_SCATTER:
        return depth * (latency_s + transfer_s);
    case CM_COLLECTIVE_ALLREDUCE:
        return 2 * depth * (latency_s + transfer_s);
    default:
        return depth * latency_s + (p - 1) * transfer_s;
    }
}

static void copy(void *to, const void *from, size_t bytes)
{
    if (bytes && to != from) memmove(to, from, bytes);
}

/* Fills a block of `room` bytes from data of data_bytes. Bytes that the peer would not have sent
   are zero. */
static void fill(void *to, size_t offset, size_t room, const void *data, size_t data_bytes)
{
    char *block = (char *)to + offset;
    size_t bytes = data_bytes < room ? data_bytes : room;
    copy(block, data, bytes);
    if (room > bytes) memset(block + bytes, 0, room - bytes);
}

static void reduce(int p, const cm_collective_call *call, size_t count)
{
    copy(call->out, call->in, count * cm_type_bytes(call->type));
    /* out = in op out, p - 1 times. All operands are equal, so their order does not matter. If in
       is out, the operator would change its own operand, so a copy is kept, an element at a
       time. */
    size_t width = cm_type_bytes(call->type);
    for (size_t i = 0; i < count; i++) {
        char *element = (char *)call->out + i * width;
        cm_dummy_message *operand = cm_dummy_message_new(0, 0, width);
        memcpy(operand->payload, element, width);
        for (int k = 1; k < p; k++)
            cm_operator_apply(call->op, call->type, operand->payload, element, 1);
        cm_dummy_message_free(operand);
    }
}

static void perform(cm_group *group, const cm_collective_call *call)
{
    int p = group->base.size;
    bool at_root = call->root == 0;
    const char *in = call->in;
    switch (call->collective) {
    case CM_COLLECTIVE_REDUCE:
        if (at_root) reduce(p, call, call->count);
        break;
    case CM_COLLECTIVE_ALLREDUCE:
        reduce(p, call, call->count);
        break;
    case CM_COLLECTIVE_REDUCE_SCATTER:
        reduce(p, call, call->counts[0]);
        break;
    case CM_COLLECTIVE_SCAN:
        copy(call->out, in, call->count * cm_type_bytes(call->type));
        break;
    case CM_COLLECTIVE_GATHER:
        if (!at_root) break;
        /* fall through */
    case CM_COLLECTIVE_ALLGATHER:
        for (int k = 0; k < p; k++)
            copy((char *)call->out + (size_t)k * call->bytes, in, call->bytes);
        break;
    case CM_COLLECTIVE_GATHERV:
        if (!at_root) break;
        /* fall through */
    case CM_COLLECTIVE_ALLGATHERV:
        for (int k = 0; k < p; k++)
            fill(call->out, call->out_offsets[k], call->out_bytes[k], in, call->bytes);
        break;
    case CM_COLLECTIVE_SCATTER:
        if (at_root) copy(call->out, in, call->bytes);
        else if (call->bytes) memset(call->out, 0, call->bytes);
        break;
    case CM_COLLECTIVE_SCATTERV:
        if (at_root) copy(call->out, in + call->in_offsets[0], call->bytes);
        else if (call->bytes) memset(call->out, 0, call->bytes);
        break;
    case CM_COLLECTIVE_ALLTOALL:
        for (int k = 0; k < p; k++)
            copy((char *)call->out + (size_t)k * call->bytes, in, call->bytes);
        break;
    case CM_COLLECTIVE_ALLTOALLV:
        for (int k = 0; k < p; k++)
            fill(call->out, call->out_offsets[k], call->out_bytes[k], in + call->in_offsets[0],
                 call->in_bytes[0]);
        break;
    default:
        break; /* barrier, bcast: rank 0's data stay as they are */
    }
}

bool cm_backend_collective(cm_group *group, const cm_collective_call *call)
{
    perform(group, call);
    cm_dummy_tick();
    cm_dummy_advance_to(cm_dummy_now_s() + cost_s(group->base.size, call));
    return true;
}

cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call)
{
    perform(group, call);
    cm_dummy_tick();
    cm_request *request = cm_dummy_request_new(CM_DUMMY_COLLECTIVE, group);
    request->done = true;
    request->time_s = cm_dummy_now_s() + cost_s(group->base.size, call);
    return request;
}
