/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_nonblocking.c: starts the non-blocking forms of the operations. */
#include "collective.h"

static cm_type type(const collective_call *c) { return collective_types[c->type].type; }

static size_t elements(const collective_call *c)
{
    return c->bytes / collective_types[c->type].bytes;
}

cm_request *collective_start(cm_group *group, const collective_operation *operation,
                             const collective_call *c)
{
    const int root = COLLECTIVE_ROOT;
    const cm_algorithm a = c->algorithm;
    switch (operation->collective) {
    case CM_COLLECTIVE_BARRIER:
        return cm_ibarrier(group, a);
    case CM_COLLECTIVE_BCAST:
        return cm_ibcast(group, c->in, c->bytes, root, a);
    case CM_COLLECTIVE_REDUCE:
        return cm_ireduce(group, c->in, c->out, elements(c), type(c), CM_SUM, root, a);
    case CM_COLLECTIVE_ALLREDUCE:
        return cm_iallreduce(group, c->in, c->out, elements(c), type(c), CM_SUM, a);
    case CM_COLLECTIVE_SCAN:
        return cm_iscan(group, c->in, c->out, elements(c), type(c), CM_SUM, a);
    case CM_COLLECTIVE_REDUCE_SCATTER:
        return cm_ireduce_scatter(group, c->in, c->out, c->counts, type(c), CM_SUM, a);
    case CM_COLLECTIVE_GATHER:
        return cm_igather(group, c->in, c->bytes, c->out, root, a);
    case CM_COLLECTIVE_GATHERV:
        return cm_igatherv(group, c->in, c->bytes, c->out, c->lengths, c->offsets, root, a);
    case CM_COLLECTIVE_SCATTER:
        return cm_iscatter(group, c->in, c->bytes, c->out, root, a);
    case CM_COLLECTIVE_SCATTERV:
        return cm_iscatterv(group, c->in, c->lengths, c->offsets, c->out, c->bytes, root, a);
    case CM_COLLECTIVE_ALLGATHER:
        return cm_iallgather(group, c->in, c->bytes, c->out, a);
    case CM_COLLECTIVE_ALLGATHERV:
        return cm_iallgatherv(group, c->in, c->bytes, c->out, c->lengths, c->offsets, a);
    case CM_COLLECTIVE_ALLTOALL:
        return cm_ialltoall(group, c->in, c->bytes, c->out, a);
    case CM_COLLECTIVE_ALLTOALLV:
        return cm_ialltoallv(group, c->in, c->lengths, c->offsets, c->out, c->lengths, c->offsets,
                             a);
    case CM_COLLECTIVES:
        break;
    }
    cm_abort(CM_EXIT_SYSTEM, "collective %d has no non-blocking form", (int)operation->collective);
}

void collective_perform(cm_group *group, const collective_operation *operation,
                        const collective_call *call)
{
    if (!call->nonblocking) {
        operation->perform(group, call);
        return;
    }
    cm_request *request = collective_start(group, operation, call);
    cm_wait(&request, NULL);
}
