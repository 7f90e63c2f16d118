/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_reduction.c: the reductions of comm.h: checks their arguments. */
#include "comm/collective.h"
#include "comm/collective_call.h"

/* Returns the length of the vector in bytes. out must not be NULL on a rank where the result
   arrives. */
static size_t check_reduction(const cm_collective_call *call, const cm_group *group, bool result)
{
    const char *name = cm_collective_name(call->collective);
    const size_t element = cm_type_bytes(call->type);
    size_t bytes;
    cm_call_check_group(call->collective, group);
    if (!element)
        cm_abort(CM_EXIT_USAGE, "cm_%s: type %lld is not an element type", name,
                 (long long)call->type);
    if (!cm_operator_defined(call->op, call->type)) {
        if (call->op.kind == CM_OP_USER)
            cm_abort(CM_EXIT_USAGE, "cm_%s: the user operator has no function", name);
        cm_abort(CM_EXIT_USAGE, "cm_%s: operator %s (number %d) is not defined on type %s", name,
                 cm_operator_name(call->op), call->op.kind, cm_type_name(call->type));
    }
    if (__builtin_mul_overflow(call->count, element, &bytes))
        cm_abort(CM_EXIT_USAGE, "cm_%s: %zu elements of %zu bytes exceed the address space", name,
                 call->count, element);
    cm_call_check_data(call->collective, "in", call->in, bytes);
    if (result) cm_call_check_data(call->collective, "out", call->out, bytes);
    return bytes;
}

static cm_collective_call reduce_call(cm_group *group, const void *in, void *out, size_t count,
                                      cm_type type, cm_op op, int root)
{
    cm_collective_call call = {.collective = CM_COLLECTIVE_REDUCE,
                               .in = in,
                               .out = out,
                               .count = count,
                               .type = type,
                               .op = op,
                               .root = root};
    cm_call_check_group(call.collective, group);
    cm_call_check_root(call.collective, group, root);
    call.bytes = check_reduction(&call, group, cm_rank(group) == root);
    return call;
}

void cm_reduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
               int root, cm_algorithm algorithm)
{
    const cm_collective_call call = reduce_call(group, in, out, count, type, op, root);
    cm_call_perform(group, &call, algorithm, count == 0);
}

cm_request *cm_ireduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                       cm_op op, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = reduce_call(group, in, out, count, type, op, root);
    return cm_call_start(group, &call, algorithm, count == 0);
}

/* A call whose result arrives on all ranks. */
static cm_collective_call vector_call(cm_collective collective, cm_group *group, const void *in,
                                      void *out, size_t count, cm_type type, cm_op op)
{
    cm_collective_call call = {
        .collective = collective, .in = in, .out = out, .count = count, .type = type, .op = op};
    call.bytes = check_reduction(&call, group, true);
    return call;
}

void cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
                  cm_algorithm algorithm)
{
    const cm_collective_call call =
        vector_call(CM_COLLECTIVE_ALLREDUCE, group, in, out, count, type, op);
    cm_call_perform(group, &call, algorithm, count == 0);
}

cm_request *cm_iallreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                          cm_op op, cm_algorithm algorithm)
{
    const cm_collective_call call =
        vector_call(CM_COLLECTIVE_ALLREDUCE, group, in, out, count, type, op);
    return cm_call_start(group, &call, algorithm, count == 0);
}

void cm_scan(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
             cm_algorithm algorithm)
{
    const cm_collective_call call =
        vector_call(CM_COLLECTIVE_SCAN, group, in, out, count, type, op);
    cm_call_perform(group, &call, algorithm, count == 0);
}

cm_request *cm_iscan(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                     cm_op op, cm_algorithm algorithm)
{
    const cm_collective_call call =
        vector_call(CM_COLLECTIVE_SCAN, group, in, out, count, type, op);
    return cm_call_start(group, &call, algorithm, count == 0);
}

static cm_collective_call reduce_scatter_call(cm_group *group, const void *in, void *out,
                                              const size_t *counts, cm_type type, cm_op op)
{
    cm_collective_call call = {.collective = CM_COLLECTIVE_REDUCE_SCATTER,
                               .in = in,
                               .out = out,
                               .counts = counts,
                               .type = type,
                               .op = op};
    cm_call_check_group(call.collective, group);
    if (!counts)
        cm_abort(CM_EXIT_USAGE,
                 "cm_reduce_scatter: 'counts' is NULL; expected an array with an entry for each "
                 "rank");
    for (int k = 0; k < cm_size(group); k++)
        if (__builtin_add_overflow(call.count, counts[k], &call.count))
            cm_abort(CM_EXIT_USAGE,
                     "cm_reduce_scatter: counts[%d] is %zu; with the blocks before it this exceeds "
                     "the address space",
                     k, counts[k]);
    call.bytes = check_reduction(&call, group, false);
    cm_call_check_data(call.collective, "out", out, counts[cm_rank(group)] * cm_type_bytes(type));
    return call;
}

void cm_reduce_scatter(cm_group *group, const void *in, void *out, const size_t *counts,
                       cm_type type, cm_op op, cm_algorithm algorithm)
{
    const cm_collective_call call = reduce_scatter_call(group, in, out, counts, type, op);
    cm_call_perform(group, &call, algorithm, call.count == 0);
}

cm_request *cm_ireduce_scatter(cm_group *group, const void *in, void *out, const size_t *counts,
                               cm_type type, cm_op op, cm_algorithm algorithm)
{
    const cm_collective_call call = reduce_scatter_call(group, in, out, counts, type, op);
    return cm_call_start(group, &call, algorithm, call.count == 0);
}
