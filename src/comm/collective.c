/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: the collective calls of comm.h except reductions: checks the arguments, chooses the
   backend's own operation or a schedule, and runs it. */
#include "comm/collective.h"
#include "comm/collective_call.h"
#include "comm/hosts.h"

/* ---- Checks: a wrong call ends the job with status 2 ----------------------------------------- */

void cm_call_check_group(cm_collective collective, const cm_group *group)
{
    if (!group)
        cm_abort(CM_EXIT_USAGE,
                 "cm_%s: group is NULL; cm_split returns NULL on ranks with a "
                 "negative color, which must not take part",
                 cm_collective_name(collective));
}

void cm_call_check_root(cm_collective collective, const cm_group *group, int root)
{
    if (root < 0 || root >= cm_size(group))
        cm_abort(CM_EXIT_USAGE, "cm_%s: root is %d; expected 0 to %d",
                 cm_collective_name(collective), root, cm_size(group) - 1);
}

void cm_call_check_data(cm_collective collective, const char *name, const void *data, size_t bytes)
{
    if (!data && bytes)
        cm_abort(CM_EXIT_USAGE, "cm_%s: '%s' is NULL; expected a buffer of %zu bytes",
                 cm_collective_name(collective), name, bytes);
}

/* Returns the length of all blocks together, one for each rank. */
static size_t check_total(cm_collective collective, const cm_group *group, size_t bytes)
{
    size_t total;
    if (__builtin_mul_overflow(bytes, (size_t)cm_size(group), &total))
        cm_abort(CM_EXIT_USAGE, "cm_%s: %d blocks of %zu bytes exceed the address space",
                 cm_collective_name(collective), cm_size(group), bytes);
    return total;
}

/* Checks a length and an offset for each rank. what is the name of the data that they describe. */
static void check_blocks(cm_collective collective, const cm_group *group, const char *what,
                         const void *data, const size_t *bytes, const size_t *offsets)
{
    if (!bytes || !offsets)
        cm_abort(CM_EXIT_USAGE,
                 "cm_%s: '%s_%s' is NULL; expected an array with an entry for each rank",
                 cm_collective_name(collective), what, bytes ? "offsets" : "bytes");
    for (int k = 0; k < cm_size(group); k++) {
        size_t end;
        cm_call_check_data(collective, what, data, bytes[k]);
        if (__builtin_add_overflow(bytes[k], offsets[k], &end))
            cm_abort(CM_EXIT_USAGE,
                     "cm_%s: %s_offsets[%d] is %zu; with %zu bytes it exceeds the "
                     "address space",
                     cm_collective_name(collective), what, k, offsets[k], bytes[k]);
    }
}

/* The block that a rank sends to itself has two lengths, which must agree. */
static void check_own(cm_collective collective, const cm_group *group, size_t in_bytes,
                      size_t out_bytes)
{
    if (in_bytes != out_bytes)
        cm_abort(CM_EXIT_USAGE, "cm_%s: rank %d sends itself %zu bytes but expects %zu",
                 cm_collective_name(collective), cm_rank(group), in_bytes, out_bytes);
}

/* ---- Running the operation ------------------------------------------------------------------- */

/* Returns true if the backend's own operation is to be tried first. */
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
    cm_collective_call placed = *call;
    const bool chooses = algorithm.kind == CM_KIND_AUTO || algorithm.kind == CM_KIND_NATIVE;
    /* Other algorithms need no host names. The mpi backend gathers the names by one of them. */
    if (chooses || algorithm.kind == CM_KIND_HOSTS) placed.hosts = cm_hosts_of(group);
    if (chooses) algorithm = cm_collective_choose(&placed, size);
    cm_schedule *schedule = cm_schedule_begin(group, call->collective, call->type, call->op);
    cm_algorithm_builder(call->collective, algorithm)(schedule, &placed, cm_rank(group), size,
                                                      algorithm.parameter);
    return schedule;
}

void cm_call_perform(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm,
                     bool empty)
{
    check_algorithm(call->collective, algorithm);
    if (empty) return;
    if (prefers_native(call->collective, algorithm) && cm_backend_collective(group, call)) return;
    cm_schedule_run(record(group, call, algorithm));
}

cm_request *cm_call_start(cm_group *group, const cm_collective_call *call, cm_algorithm algorithm,
                          bool empty)
{
    check_algorithm(call->collective, algorithm);
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

/* Each operation has a function that checks its arguments, and the blocking and the non-blocking
   call, which differ only in how they go on. */

void cm_barrier(cm_group *group, cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_BARRIER};
    cm_call_check_group(call.collective, group);
    cm_call_perform(group, &call, algorithm, false);
}

cm_request *cm_ibarrier(cm_group *group, cm_algorithm algorithm)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_BARRIER};
    cm_call_check_group(call.collective, group);
    return cm_call_start(group, &call, algorithm, false);
}

static cm_collective_call bcast_call(cm_group *group, void *data, size_t bytes, int root)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_BCAST, .out = data, .bytes = bytes, .root = root};
    cm_call_check_group(call.collective, group);
    cm_call_check_root(call.collective, group, root);
    cm_call_check_data(call.collective, "data", data, bytes);
    return call;
}

void cm_bcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = bcast_call(group, data, bytes, root);
    cm_call_perform(group, &call, algorithm, bytes == 0);
}

cm_request *cm_ibcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm)
{
    const cm_collective_call call = bcast_call(group, data, bytes, root);
    return cm_call_start(group, &call, algorithm, bytes == 0);
}

static cm_collective_call gather_call(cm_group *group, const void *in, size_t bytes, void *out,
                                      int root)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_GATHER, .in = in, .out = out, .bytes = bytes, .root = root};
    cm_call_check_group(call.collective, group);
    cm_call_check_root(call.collective, group, root);
    const size_t total = check_total(call.collective, group, bytes);
    cm_call_check_data(call.collective, "in", in, bytes);
    if (cm_rank(group) == root) cm_call_check_data(call.collective, "out", out, total);
    return call;
}

void cm_gather(cm_group *group, const void *in, size_t bytes, void *out, int root,
               cm_algorithm algorithm)
{
    const cm_collective_call call = gather_call(group, in, bytes, out, root);
    cm_call_perform(group, &call, algorithm, bytes == 0);
}

cm_request *cm_igather(cm_group *group, const void *in, size_t bytes, void *out, int root,
                       cm_algorithm algorithm)
{
    const cm_collective_call call = gather_call(group, in, bytes, out, root);
    return cm_call_start(group, &call, algorithm, bytes == 0);
}

static cm_collective_call gatherv_call(cm_group *group, const void *in, size_t bytes, void *out,
                                       const size_t *out_bytes, const size_t *out_offsets, int root)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_GATHERV,
                                     .in = in,
                                     .out = out,
                                     .bytes = bytes,
                                     .out_bytes = out_bytes,
                                     .out_offsets = out_offsets,
                                     .root = root};
    cm_call_check_group(call.collective, group);
    cm_call_check_root(call.collective, group, root);
    cm_call_check_data(call.collective, "in", in, bytes);
    if (cm_rank(group) == root) {
        check_blocks(call.collective, group, "out", out, out_bytes, out_offsets);
        check_own(call.collective, group, bytes, out_bytes[root]);
    }
    return call;
}

void cm_gatherv(cm_group *group, const void *in, size_t bytes, void *out, const size_t *out_bytes,
                const size_t *out_offsets, int root, cm_algorithm algorithm)
{
    const cm_collective_call call =
        gatherv_call(group, in, bytes, out, out_bytes, out_offsets, root);
    cm_call_perform(group, &call, algorithm, false);
}

cm_request *cm_igatherv(cm_group *group, const void *in, size_t bytes, void *out,
                        const size_t *out_bytes, const size_t *out_offsets, int root,
                        cm_algorithm algorithm)
{
    const cm_collective_call call =
        gatherv_call(group, in, bytes, out, out_bytes, out_offsets, root);
    return cm_call_start(group, &call, algorithm, false);
}

static cm_collective_call scatter_call(cm_group *group, const void *in, size_t bytes, void *out,
                                       int root)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_SCATTER, .in = in, .out = out, .bytes = bytes, .root = root};
    cm_call_check_group(call.collective, group);
    cm_call_check_root(call.collective, group, root);
    const size_t total = check_total(call.collective, group, bytes);
    cm_call_check_data(call.collective, "out", out, bytes);
    if (cm_rank(group) == root) cm_call_check_data(call.collective, "in", in, total);
    return call;
}

void cm_scatter(cm_group *group, const void *in, size_t bytes, void *out, int root,
                cm_algorithm algorithm)
{
    const cm_collective_call call = scatter_call(group, in, bytes, out, root);
    cm_call_perform(group, &call, algorithm, bytes == 0);
}

cm_request *cm_iscatter(cm_group *group, const void *in, size_t bytes, void *out, int root,
                        cm_algorithm algorithm)
{
    const cm_collective_call call = scatter_call(group, in, bytes, out, root);
    return cm_call_start(group, &call, algorithm, bytes == 0);
}

static cm_collective_call scatterv_call(cm_group *group, const void *in, const size_t *in_bytes,
                                        const size_t *in_offsets, void *out, size_t bytes, int root)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_SCATTERV,
                                     .in = in,
                                     .out = out,
                                     .bytes = bytes,
                                     .in_bytes = in_bytes,
                                     .in_offsets = in_offsets,
                                     .root = root};
    cm_call_check_group(call.collective, group);
    cm_call_check_root(call.collective, group, root);
    cm_call_check_data(call.collective, "out", out, bytes);
    if (cm_rank(group) == root) {
        check_blocks(call.collective, group, "in", in, in_bytes, in_offsets);
        check_own(call.collective, group, in_bytes[root], bytes);
    }
    return call;
}

void cm_scatterv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                 void *out, size_t bytes, int root, cm_algorithm algorithm)
{
    const cm_collective_call call =
        scatterv_call(group, in, in_bytes, in_offsets, out, bytes, root);
    cm_call_perform(group, &call, algorithm, false);
}

cm_request *cm_iscatterv(cm_group *group, const void *in, const size_t *in_bytes,
                         const size_t *in_offsets, void *out, size_t bytes, int root,
                         cm_algorithm algorithm)
{
    const cm_collective_call call =
        scatterv_call(group, in, in_bytes, in_offsets, out, bytes, root);
    return cm_call_start(group, &call, algorithm, false);
}

static cm_collective_call allgather_call(cm_group *group, const void *in, size_t bytes, void *out)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_ALLGATHER, .in = in, .out = out, .bytes = bytes};
    cm_call_check_group(call.collective, group);
    cm_call_check_data(call.collective, "out", out, check_total(call.collective, group, bytes));
    cm_call_check_data(call.collective, "in", in, bytes);
    return call;
}

void cm_allgather(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm)
{
    const cm_collective_call call = allgather_call(group, in, bytes, out);
    cm_call_perform(group, &call, algorithm, bytes == 0);
}

cm_request *cm_iallgather(cm_group *group, const void *in, size_t bytes, void *out,
                          cm_algorithm algorithm)
{
    const cm_collective_call call = allgather_call(group, in, bytes, out);
    return cm_call_start(group, &call, algorithm, bytes == 0);
}

static cm_collective_call allgatherv_call(cm_group *group, const void *in, size_t bytes, void *out,
                                          const size_t *out_bytes, const size_t *out_offsets)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_ALLGATHERV,
                                     .in = in,
                                     .out = out,
                                     .bytes = bytes,
                                     .out_bytes = out_bytes,
                                     .out_offsets = out_offsets};
    cm_call_check_group(call.collective, group);
    cm_call_check_data(call.collective, "in", in, bytes);
    check_blocks(call.collective, group, "out", out, out_bytes, out_offsets);
    check_own(call.collective, group, bytes, out_bytes[cm_rank(group)]);
    return call;
}

void cm_allgatherv(cm_group *group, const void *in, size_t bytes, void *out,
                   const size_t *out_bytes, const size_t *out_offsets, cm_algorithm algorithm)
{
    const cm_collective_call call = allgatherv_call(group, in, bytes, out, out_bytes, out_offsets);
    cm_call_perform(group, &call, algorithm, false);
}

cm_request *cm_iallgatherv(cm_group *group, const void *in, size_t bytes, void *out,
                           const size_t *out_bytes, const size_t *out_offsets,
                           cm_algorithm algorithm)
{
    const cm_collective_call call = allgatherv_call(group, in, bytes, out, out_bytes, out_offsets);
    return cm_call_start(group, &call, algorithm, false);
}

static cm_collective_call alltoall_call(cm_group *group, const void *in, size_t bytes, void *out)
{
    const cm_collective_call call = {
        .collective = CM_COLLECTIVE_ALLTOALL, .in = in, .out = out, .bytes = bytes};
    cm_call_check_group(call.collective, group);
    const size_t total = check_total(call.collective, group, bytes);
    cm_call_check_data(call.collective, "in", in, total);
    cm_call_check_data(call.collective, "out", out, total);
    return call;
}

void cm_alltoall(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm)
{
    const cm_collective_call call = alltoall_call(group, in, bytes, out);
    cm_call_perform(group, &call, algorithm, bytes == 0);
}

cm_request *cm_ialltoall(cm_group *group, const void *in, size_t bytes, void *out,
                         cm_algorithm algorithm)
{
    const cm_collective_call call = alltoall_call(group, in, bytes, out);
    return cm_call_start(group, &call, algorithm, bytes == 0);
}

static cm_collective_call alltoallv_call(cm_group *group, const void *in, const size_t *in_bytes,
                                         const size_t *in_offsets, void *out,
                                         const size_t *out_bytes, const size_t *out_offsets)
{
    const cm_collective_call call = {.collective = CM_COLLECTIVE_ALLTOALLV,
                                     .in = in,
                                     .out = out,
                                     .in_bytes = in_bytes,
                                     .in_offsets = in_offsets,
                                     .out_bytes = out_bytes,
                                     .out_offsets = out_offsets};
    cm_call_check_group(call.collective, group);
    check_blocks(call.collective, group, "in", in, in_bytes, in_offsets);
    check_blocks(call.collective, group, "out", out, out_bytes, out_offsets);
    const int rank = cm_rank(group);
    check_own(call.collective, group, in_bytes[rank], out_bytes[rank]);
    return call;
}

void cm_alltoallv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                  void *out, const size_t *out_bytes, const size_t *out_offsets,
                  cm_algorithm algorithm)
{
    const cm_collective_call call =
        alltoallv_call(group, in, in_bytes, in_offsets, out, out_bytes, out_offsets);
    cm_call_perform(group, &call, algorithm, false);
}

cm_request *cm_ialltoallv(cm_group *group, const void *in, const size_t *in_bytes,
                          const size_t *in_offsets, void *out, const size_t *out_bytes,
                          const size_t *out_offsets, cm_algorithm algorithm)
{
    const cm_collective_call call =
        alltoallv_call(group, in, in_bytes, in_offsets, out, out_bytes, out_offsets);
    return cm_call_start(group, &call, algorithm, false);
}
