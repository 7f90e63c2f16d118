/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.c: MPI's own collective operations. */
#include <stdlib.h>
#include <string.h>
#include "comm/mpi/backend_mpi.h"

bool cm_backend_oversubscribed(void) { return false; } /* auto uses MPI's own collectives */

bool cm_backend_native_available(cm_collective collective)
{
    return collective >= 0 && collective < CM_COLLECTIVES;
}

/* Finds MPI's type and operator for a reduction. Returns false if MPI has none. */
static bool map_reduction(const cm_collective_call *call, MPI_Datatype *type, MPI_Op *op)
{
    switch (call->type) {
    case CM_UINT8:
        *type = MPI_UINT8_T;
        break;
    case CM_INT32:
        *type = MPI_INT32_T;
        break;
    case CM_INT64:
        *type = MPI_INT64_T;
        break;
    case CM_FLOAT:
        *type = MPI_FLOAT;
        break;
    case CM_DOUBLE:
        *type = MPI_DOUBLE;
        break;
    case CM_FLOAT_INDEX:
    case CM_DOUBLE_INDEX:
        if (cm_mpi_pair_type == MPI_DATATYPE_NULL) cm_mpi_pairs_make();
        *type = cm_mpi_pair_type;
        break;
    default:
        return false;
    }
    const bool floats = call->type == CM_FLOAT_INDEX;
    const MPI_Op *pair = cm_mpi_pair_ops[floats ? CM_FLOAT_PAIR : CM_DOUBLE_PAIR];
    switch (call->op.kind) {
    case CM_OP_SUM:
        *op = MPI_SUM;
        break;
    case CM_OP_PROD:
        *op = MPI_PROD;
        break;
    case CM_OP_MIN:
        *op = MPI_MIN;
        break;
    case CM_OP_MAX:
        *op = MPI_MAX;
        break;
    case CM_OP_AND:
        *op = MPI_BAND;
        break;
    case CM_OP_OR:
        *op = MPI_BOR;
        break;
    case CM_OP_XOR:
        *op = MPI_BXOR;
        break;
    case CM_OP_MINLOC:
        *op = pair[0];
        return call->count <= INT_MAX; /* the count of MPI's operator function */
    case CM_OP_MAXLOC:
        *op = pair[1];
        return call->count <= INT_MAX;
    default:
        return false; /* MPI passes no context to a user's function */
    }
    return call->count <= LENGTH_LIMIT;
}

/* Converts the lengths or offsets of all ranks to MPI's type. Arrays that are in use at the same
   time have different slots. */
#if LARGE_COUNTS
#define LENGTHS(group, values, slot) ((const cm_mpi_length *)(values))
#define OFFSETS(group, values, slot) ((const cm_mpi_offset *)(values))
#else
static const int *integers(const cm_group *group, const size_t *values, int slot)
{
    static struct {
        int n;
        int *value;
    } kept[4];
    int n = group->base.size;
    if (!values) return NULL; /* not the root */
    if (n > kept[slot].n) {
        free(kept[slot].value);
        kept[slot].value = cm_mpi_allocate((size_t)n * sizeof(int));
        kept[slot].n = n;
    }
    for (int k = 0; k < n; k++) {
        /* Other ranks do not see these arrays and can no longer agree on another algorithm. */
        if (values[k] > LENGTH_LIMIT)
            cm_abort(CM_EXIT_USAGE,
                     "a collective with length or offset %zu for rank %d: this MPI's"
                     " counts end at %d; use another algorithm than native",
                     values[k], k, INT_MAX);
        kept[slot].value[k] = (int)values[k];
    }
    return kept[slot].value;
}
#define LENGTHS integers
#define OFFSETS integers
#endif

static bool reads_arrays(cm_collective collective)
{
    switch (collective) {
    case CM_COLLECTIVE_GATHERV:
    case CM_COLLECTIVE_SCATTERV:
    case CM_COLLECTIVE_ALLGATHERV:
    case CM_COLLECTIVE_ALLTOALLV:
    case CM_COLLECTIVE_REDUCE_SCATTER:
        return true;
    default:
        return false;
    }
}

/* The blocking or, if there is a request, the non-blocking call of MPI. */
#define RUN(blocking, starting, ...) \
    (request ? LARGE(starting)(__VA_ARGS__, comm, request) : LARGE(blocking)(__VA_ARGS__, comm))

/* Runs the collective, or starts it if request is not NULL. Returns false if MPI has no such
   collective; otherwise *error is MPI's. */
static bool run_native(cm_group *group, const cm_collective_call *call, MPI_Request *request,
                       int *error)
{
    MPI_Comm comm = group->comm;
    bool is_root = group->base.rank == call->root;
    const void *in = call->in;
    void *out = call->out;
    if (call->bytes > LENGTH_LIMIT) return false;
    cm_mpi_length bytes = (cm_mpi_length)call->bytes, count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;

    switch (call->collective) {
    case CM_COLLECTIVE_REDUCE:
    case CM_COLLECTIVE_ALLREDUCE:
    case CM_COLLECTIVE_SCAN:
    case CM_COLLECTIVE_REDUCE_SCATTER:
        if (!map_reduction(call, &type, &op)) return false;
        count = (cm_mpi_length)call->count;
        if (in == out && call->collective != CM_COLLECTIVE_REDUCE) in = MPI_IN_PLACE;
        break;
    default:
        break;
    }
    /* MPI reads its arrays of int until the operation completes, but integers has one of each. */
    if (!LARGE_COUNTS && request && reads_arrays(call->collective)) return false;

    switch (call->collective) {
    case CM_COLLECTIVE_BARRIER:
        *error = request ? MPI_Ibarrier(comm, request) : MPI_Barrier(comm);
        return true;
    case CM_COLLECTIVE_BCAST:
        *error = RUN(MPI_Bcast, MPI_Ibcast, out, bytes, MPI_BYTE, call->root);
        return true;
    case CM_COLLECTIVE_REDUCE:
        *error = RUN(MPI_Reduce, MPI_Ireduce, in, out, count, type, op, call->root);
        return true;
    case CM_COLLECTIVE_ALLREDUCE:
        *error = RUN(MPI_Allreduce, MPI_Iallreduce, in, out, count, type, op);
        return true;
    case CM_COLLECTIVE_SCAN:
        *error = RUN(MPI_Scan, MPI_Iscan, in, out, count, type, op);
        return true;
    case CM_COLLECTIVE_REDUCE_SCATTER:
        *error = RUN(MPI_Reduce_scatter, MPI_Ireduce_scatter, in, out,
                     LENGTHS(group, call->counts, 0), type, op);
        return true;
    case CM_COLLECTIVE_GATHER:
        *error =
            RUN(MPI_Gather, MPI_Igather, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, call->root);
        return true;
    case CM_COLLECTIVE_GATHERV:
        *error = RUN(MPI_Gatherv, MPI_Igatherv, in, bytes, MPI_BYTE, out,
                     LENGTHS(group, is_root ? call->out_bytes : NULL, 0),
                     OFFSETS(group, is_root ? call->out_offsets : NULL, 1), MPI_BYTE, call->root);
        return true;
    case CM_COLLECTIVE_SCATTER:
        *error =
            RUN(MPI_Scatter, MPI_Iscatter, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, call->root);
        return true;
    case CM_COLLECTIVE_SCATTERV:
        *error =
            RUN(MPI_Scatterv, MPI_Iscatterv, in, LENGTHS(group, is_root ? call->in_bytes : NULL, 0),
                OFFSETS(group, is_root ? call->in_offsets : NULL, 1), MPI_BYTE, out, bytes,
                MPI_BYTE, call->root);
        return true;
    case CM_COLLECTIVE_ALLGATHER:
        *error = RUN(MPI_Allgather, MPI_Iallgather, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE);
        return true;
    case CM_COLLECTIVE_ALLGATHERV:
        *error =
            RUN(MPI_Allgatherv, MPI_Iallgatherv, in, bytes, MPI_BYTE, out,
                LENGTHS(group, call->out_bytes, 0), OFFSETS(group, call->out_offsets, 1), MPI_BYTE);
        return true;
    case CM_COLLECTIVE_ALLTOALL:
        *error = RUN(MPI_Alltoall, MPI_Ialltoall, in, bytes, MPI_BYTE, out, bytes, MPI_BYTE);
        return true;
    case CM_COLLECTIVE_ALLTOALLV:
        *error =
            RUN(MPI_Alltoallv, MPI_Ialltoallv, in, LENGTHS(group, call->in_bytes, 0),
                OFFSETS(group, call->in_offsets, 1), MPI_BYTE, out,
                LENGTHS(group, call->out_bytes, 2), OFFSETS(group, call->out_offsets, 3), MPI_BYTE);
        return true;
    default:
        return false;
    }
}

/* MPICH 4.0.2 crashes in MPI_Reduce with MPI_IN_PLACE at a root other than 0 (two ranks, 600
   integers), so the root's operand is copied. The other ranks cannot know that the call is in
   place, so the root cannot choose another algorithm alone. */
static void *copied_operand(const cm_group *group, cm_collective_call *call)
{
    if (call->collective != CM_COLLECTIVE_REDUCE || call->in != call->out
        || group->base.rank != call->root)
        return NULL;
    void *copy = cm_mpi_allocate(call->bytes);
    memcpy(copy, call->in, call->bytes);
    call->in = copy;
    return copy;
}

bool cm_backend_collective(cm_group *group, const cm_collective_call *call)
{
    int error;
    cm_collective_call own = *call;
    if (UNLIKELY(cm_mpi.schedules)) cm_mpi_complete_schedules();
    void *copy = copied_operand(group, &own);
    bool native = run_native(group, &own, NULL, &error);
    free(copy);
    if (native && UNLIKELY(error))
        cm_mpi_fail(cm_collective_name(call->collective), group, CM_ANY, error);
    return native;
}

cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call)
{
    MPI_Request mpi;
    int error;
    cm_collective_call own = *call;
    /* SMPI 3.32's are all linear, whatever the platform chooses. They have one tag, so that a short
       message overtakes a long one of the broadcast before. MPI_Iallreduce with an operator of
       MPI_Op_create completes without having combined anything. */
    if (CM_MPI_SIMULATES) return NULL;
    void *copy = copied_operand(group, &own);
    if (!run_native(group, &own, &mpi, &error)) {
        free(copy);
        return NULL;
    }
    if (error) cm_mpi_fail(cm_collective_name(call->collective), group, CM_ANY, error);
    cm_request *request = cm_mpi_request_new(group, CM_REQUEST_COLLECTIVE, CM_ANY);
    request->mpi = mpi;
    request->copy = copy;
    return request;
}
