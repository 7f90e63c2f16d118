/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: the collective calls of comm.h: checks their arguments, chooses who carries them
   out (the backend's own operation or a schedule), and does it. */
#include "comm/collective.h"

/* ---- Checks: a wrong call ends the job with status 2 ----------------------------------------- */

static void check_group(cm_collective collective, const cm_group *group)
{
    if (!group)
        cm_abort(CM_EXIT_USAGE,
                 "cm_%s: group is NULL; cm_split gives NULL to ranks with a "
                 "negative color, and they must not take part",
                 cm_collective_name(collective));
}

static void check_root(cm_collective collective, const cm_group *group, int root)
{
    if (root < 0 || root >= cm_size(group))
        cm_abort(CM_EXIT_USAGE, "cm_%s: root is %d, must be 0 to %d",
                 cm_collective_name(collective), root, cm_size(group) - 1);
}

static void check_data(cm_collective collective, const char *name, const void *data, size_t bytes)
{
    if (!data && bytes)
        cm_abort(CM_EXIT_USAGE, "cm_%s: '%s' is NULL and must have %zu bytes",
                 cm_collective_name(collective), name, bytes);
}

/* Length of one block a rank. */
static size_t check_total(cm_collective collective, const cm_group *group, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(bytes, (size_t)cm_size(group), &total))
        cm_abort(CM_EXIT_USAGE, "cm_%s: %d blocks of %zu bytes exceed the address space",
                 cm_collective_name(collective), cm_size(group), bytes);
    return total;
}

/* One length and offset a rank; what names the data they describe. */
static void check_blocks(cm_collective collective, const cm_group *group, const char *what,
                         const void *data, const size_t *bytes, const size_t *offsets)
{
    if (!bytes || !offsets)
        cm_abort(CM_EXIT_USAGE, "cm_%s: '%s_%s' is NULL, must have an entry a rank",
                 cm_collective_name(collective), what, bytes ? "offsets" : "bytes");
    for (int k = 0; k < cm_size(group); k++) {
        size_t end;
        check_data(collective, what, data, bytes[k]);
        if (__builtin_add_overflow(bytes[k], offsets[k], &end))
            cm_abort(CM_EXIT_USAGE,
                     "cm_%s: %s_offsets[%d] is %zu; with %zu bytes it exceeds the "
                     "address space",
                     cm_collective_name(collective), what, k, offsets[k], bytes[k]);
    }
}

/* A rank's block to itself has two lengths, which must agree. */
static void check_own(cm_collective collective, const cm_group *group, size_t in_bytes,
                      size_t out_bytes)
{
    if (in_bytes != out_bytes)
        cm_abort(CM_EXIT_USAGE, "cm_%s: rank %d gives itself %zu bytes and expects %zu",
                 cm_collective_name(collective), cm_rank(group), in_bytes, out_bytes);
}

/* Returns the vector's length in bytes. out must be there on a rank where the result arrives. */
static size_t check_reduction(const cm_collective_call *call, const cm_group *group, bool result)
{
    const char *name = cm_collective_name(call->collective);
    const size_t element = cm_type_bytes(call->type);
    size_t bytes;
    check_group(call->collective, group);
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
    check_data(call->collective, "in", call->in, bytes);
    if (result) check_data(call->collective, "out", call->out, bytes);
    return bytes;
}

/* ---- Carrying out ---------------------------------------------------------------------------- */

/* Whether the backend is to be asked for its own operation first. */
static bool prefers_native(cm_collective collective, cm_algorithm algorithm)
{
    return (algorithm.kind == CM_KIND_AUTO || algorithm.kind == CM_KIND_NATIVE)
           && cm_backend_native_available(collective);
}

static void check_algorithm(cm_collective collective, cm_algorithm algorithm)
{
    if (!cm_algorithm_builder(collective, algorithm)) cm_algorithm_refuse(collective, algorithm);
}

static cm_schedule *record(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm)
{
    const int size = cm_size(group);
    if (algorithm.kind == CM_KIND_AUTO || algorithm.kind == CM_KIND_NATIVE)
        algorithm = cm_collective_choose(call, size);
    cm_schedule *schedule = cm_schedule_begin(group, call->collective, call->type, call->op);
    cm_algorithm_builder(call->collective, algorithm)(schedule, call, cm_rank(group), size,
                                                      algorithm.parameter);
    return schedule;
}

/* empty: no rank has any data, and there is nothing to do; all ranks know. */
static void perform(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm,
                    bool empty)
{
    check_algorithm(call->collective, algorithm);
    if (empty) return;
    if (prefers_native(call->collective, algorithm) && cm_backend_collective(group, call)) return;
    cm_schedule_run(record(group, call, algorithm));
}

static cm_request *start(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm)
{
    check_algorithm(call->collective, algorithm);
    const bool empty = call->bytes == 0;
    if (!empty && prefers_native(call->collective, algorithm)) {
        cm_request *request = cm_backend_icollective(group, call);
        if (request) return request;
    }
    cm_schedule *schedule = empty ? cm_schedule_begin(group, call->collective, call->type, call->op)
                                  : record(group, call, algorithm);
    cm_schedule_start(schedule);
    return cm_backend_request_new(schedule);
}

/* ---- The calls ------------------------------------------------------------------------------- */

void cm_barrier(cm_group *group, cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_BARRIER};
    check_group(call.collective, group);
    perform(group, &call, algorithm, false);
}

static cm_collective_call bcast_call(cm_group *group, void *data, size_t bytes, int root)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_BCAST, .out = data, .bytes = bytes, .root = root};
    check_group(call.collective, group);
    check_root(call.collective, group, root);
    check_data(call.collective, "data", data, bytes);
    return call;
}

void cm_bcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = bcast_call(group, data, bytes, root);
    perform(group, &call, algorithm, bytes == 0);
}

cm_request *cm_ibcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = bcast_call(group, data, bytes, root);
    return start(group, &call, algorithm);
}

void cm_reduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
               int root, cm_algorithm algorithm)
{
    cm_collective_call call = {.collective = CM_COLLECTIVE_REDUCE,
                               .in = in,
                               .out = out,
                               .count = count,
                               .type = type,
                               .op = op,
                               .root = root};
    check_group(call.collective, group);
    check_root(call.collective, group, root);
    call.bytes = check_reduction(&call, group, cm_rank(group) == root);
    perform(group, &call, algorithm, count == 0);
}

static cm_collective_call allreduce_call(cm_group *group, const void *in, void *out, size_t count,
                                         cm_type type, cm_op op)
{
    cm_collective_call call = {.collective = CM_COLLECTIVE_ALLREDUCE,
                               .in = in,
                               .out = out,
                               .count = count,
                               .type = type,
                               .op = op};
    call.bytes = check_reduction(&call, group, true);
    return call;
}

void cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
                  cm_algorithm algorithm)
{
    const cm_collective_call call = allreduce_call(group, in, out, count, type, op);
    perform(group, &call, algorithm, count == 0);
}

cm_request *cm_iallreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                          cm_op op, cm_algorithm algorithm)
{
    const cm_collective_call call = allreduce_call(group, in, out, count, type, op);
    return start(group, &call, algorithm);
}

void cm_scan(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
             cm_algorithm algorithm)
{
    cm_collective_call call = {.collective = CM_COLLECTIVE_SCAN,
                               .in = in,
                               .out = out,
                               .count = count,
                               .type = type,
                               .op = op};
    call.bytes = check_reduction(&call, group, true);
    perform(group, &call, algorithm, count == 0);
}

void cm_gather(cm_group *group, const void *in, size_t bytes, void *out, int root,
               cm_algorithm algorithm)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_GATHER, .in = in, .out = out, .bytes = bytes, .root = root};
    check_group(call.collective, group);
    check_root(call.collective, group, root);
    const size_t total = check_total(call.collective, group, bytes);
    check_data(call.collective, "in", in, bytes);
    if (cm_rank(group) == root) check_data(call.collective, "out", out, total);
    perform(group, &call, algorithm, bytes == 0);
}

void cm_gatherv(cm_group *group, const void *in, size_t bytes, void *out, const size_t *out_bytes,
                const size_t *out_offsets, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_GATHERV,
                                     .in = in,
                                     .out = out,
                                     .bytes = bytes,
                                     .out_bytes = out_bytes,
                                     .out_offsets = out_offsets,
                                     .root = root};
    check_group(call.collective, group);
    check_root(call.collective, group, root);
    check_data(call.collective, "in", in, bytes);
    if (cm_rank(group) == root) {
        check_blocks(call.collective, group, "out", out, out_bytes, out_offsets);
        check_own(call.collective, group, bytes, out_bytes[root]);
    }
    perform(group, &call, algorithm, false);
}

void cm_scatter(cm_group *group, const void *in, size_t bytes, void *out, int root,
                cm_algorithm algorithm)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_SCATTER, .in = in, .out = out, .bytes = bytes, .root = root};
    check_group(call.collective, group);
    check_root(call.collective, group, root);
    const size_t total = check_total(call.collective, group, bytes);
    check_data(call.collective, "out", out, bytes);
    if (cm_rank(group) == root) check_data(call.collective, "in", in, total);
    perform(group, &call, algorithm, bytes == 0);
}

void cm_scatterv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                 void *out, size_t bytes, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_SCATTERV,
                                     .in = in,
                                     .out = out,
                                     .bytes = bytes,
                                     .in_bytes = in_bytes,
                                     .in_offsets = in_offsets,
                                     .root = root};
    check_group(call.collective, group);
    check_root(call.collective, group, root);
    check_data(call.collective, "out", out, bytes);
    if (cm_rank(group) == root) {
        check_blocks(call.collective, group, "in", in, in_bytes, in_offsets);
        check_own(call.collective, group, in_bytes[root], bytes);
    }
    perform(group, &call, algorithm, false);
}

void cm_allgather(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_ALLGATHER, .in = in, .out = out, .bytes = bytes};
    check_group(call.collective, group);
    check_data(call.collective, "out", out, check_total(call.collective, group, bytes));
    check_data(call.collective, "in", in, bytes);
    perform(group, &call, algorithm, bytes == 0);
}

void cm_allgatherv(cm_group *group, const void *in, size_t bytes, void *out,
                   const size_t *out_bytes, const size_t *out_offsets, cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_ALLGATHERV,
                                     .in = in,
                                     .out = out,
                                     .bytes = bytes,
                                     .out_bytes = out_bytes,
                                     .out_offsets = out_offsets};
    check_group(call.collective, group);
    check_data(call.collective, "in", in, bytes);
    check_blocks(call.collective, group, "out", out, out_bytes, out_offsets);
    check_own(call.collective, group, bytes, out_bytes[cm_rank(group)]);
    perform(group, &call, algorithm, false);
}

void cm_alltoall(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_ALLTOALL, .in = in, .out = out, .bytes = bytes};
    check_group(call.collective, group);
    const size_t total = check_total(call.collective, group, bytes);
    check_data(call.collective, "in", in, total);
    check_data(call.collective, "out", out, total);
    perform(group, &call, algorithm, bytes == 0);
}

void cm_alltoallv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                  void *out, const size_t *out_bytes, const size_t *out_offsets,
                  cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_ALLTOALLV,
                                     .in = in,
                                     .out = out,
                                     .in_bytes = in_bytes,
                                     .in_offsets = in_offsets,
                                     .out_bytes = out_bytes,
                                     .out_offsets = out_offsets};
    check_group(call.collective, group);
    check_blocks(call.collective, group, "in", in, in_bytes, in_offsets);
    check_blocks(call.collective, group, "out", out, out_bytes, out_offsets);
    const int rank = cm_rank(group);
    check_own(call.collective, group, in_bytes[rank], out_bytes[rank]);
    perform(group, &call, algorithm, false);
}
