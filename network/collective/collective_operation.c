/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_operation.c: the collective operations, and what each reads and writes. */
#include "collective.h"

const collective_type collective_types[COLLECTIVE_TYPES] = {{"int32", CM_INT32, 4},
                                                            {"int64", CM_INT64, 8},
                                                            {"float", CM_FLOAT, 4},
                                                            {"double", CM_DOUBLE, 8}};
const char *const collective_type_names[] = {"int32", "int64", "float", "double", 0};

static cm_type type(const collective_call *c) { return collective_types[c->type].type; }
static size_t elements(const collective_call *c)
{
    return c->bytes / collective_types[c->type].bytes;
}

static void barrier(cm_group *group, const collective_call *c) { cm_barrier(group, c->algorithm); }

static void bcast(cm_group *group, const collective_call *c)
{
    cm_bcast(group, c->in, c->bytes, COLLECTIVE_ROOT, c->algorithm);
}

static void reduce(cm_group *group, const collective_call *c)
{
    cm_reduce(group, c->in, c->out, elements(c), type(c), CM_SUM, COLLECTIVE_ROOT, c->algorithm);
}

static void allreduce(cm_group *group, const collective_call *c)
{
    cm_allreduce(group, c->in, c->out, elements(c), type(c), CM_SUM, c->algorithm);
}

static void reduce_scatter(cm_group *group, const collective_call *c)
{
    cm_reduce_scatter(group, c->in, c->out, c->counts, type(c), CM_SUM, c->algorithm);
}

static void gather(cm_group *group, const collective_call *c)
{
    cm_gather(group, c->in, c->bytes, c->out, COLLECTIVE_ROOT, c->algorithm);
}

static void scatter(cm_group *group, const collective_call *c)
{
    cm_scatter(group, c->in, c->bytes, c->out, COLLECTIVE_ROOT, c->algorithm);
}

static void allgather(cm_group *group, const collective_call *c)
{
    cm_allgather(group, c->in, c->bytes, c->out, c->algorithm);
}

static void alltoall(cm_group *group, const collective_call *c)
{
    cm_alltoall(group, c->in, c->bytes, c->out, c->algorithm);
}

static void scan(cm_group *group, const collective_call *c)
{
    cm_scan(group, c->in, c->out, elements(c), type(c), CM_SUM, c->algorithm);
}

static void gatherv(cm_group *group, const collective_call *c)
{
    cm_gatherv(group, c->in, c->bytes, c->out, c->lengths, c->offsets, COLLECTIVE_ROOT,
               c->algorithm);
}

static void scatterv(cm_group *group, const collective_call *c)
{
    cm_scatterv(group, c->in, c->lengths, c->offsets, c->out, c->bytes, COLLECTIVE_ROOT,
                c->algorithm);
}

static void allgatherv(cm_group *group, const collective_call *c)
{
    cm_allgatherv(group, c->in, c->bytes, c->out, c->lengths, c->offsets, c->algorithm);
}

static void alltoallv(cm_group *group, const collective_call *c)
{
    cm_alltoallv(group, c->in, c->lengths, c->offsets, c->out, c->lengths, c->offsets,
                 c->algorithm);
}

const collective_operation collective_operations[COLLECTIVE_OPERATIONS] = {
    {.collective = CM_COLLECTIVE_BARRIER, .perform = barrier, .size_is = "no data"},
    {.collective = CM_COLLECTIVE_BCAST,
     .sized = true,
     .in_place = true,
     .data_of_root = true,
     .perform = bcast,
     .size_is = "bytes of the message"},
    {.collective = CM_COLLECTIVE_REDUCE,
     .sized = true,
     .reduction = true,
     .out_root = true,
     .perform = reduce,
     .size_is = "bytes of the vector"},
    {.collective = CM_COLLECTIVE_ALLREDUCE,
     .sized = true,
     .reduction = true,
     .perform = allreduce,
     .size_is = "bytes of the vector"},
    {.collective = CM_COLLECTIVE_REDUCE_SCATTER,
     .sized = true,
     .reduction = true,
     .in_all = true,
     .perform = reduce_scatter,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_GATHER,
     .sized = true,
     .out_all = true,
     .out_root = true,
     .perform = gather,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_SCATTER,
     .sized = true,
     .in_all = true,
     .in_root = true,
     .data_of_root = true,
     .perform = scatter,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_ALLGATHER,
     .sized = true,
     .out_all = true,
     .perform = allgather,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_ALLTOALL,
     .sized = true,
     .in_all = true,
     .out_all = true,
     .perform = alltoall,
     .size_is = "bytes of a pair's block"},
    {.collective = CM_COLLECTIVE_SCAN,
     .sized = true,
     .reduction = true,
     .prefix = true,
     .perform = scan,
     .size_is = "bytes of the vector"},
    {.collective = CM_COLLECTIVE_GATHERV,
     .sized = true,
     .out_all = true,
     .out_root = true,
     .perform = gatherv,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_SCATTERV,
     .sized = true,
     .in_all = true,
     .in_root = true,
     .data_of_root = true,
     .perform = scatterv,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_ALLGATHERV,
     .sized = true,
     .out_all = true,
     .perform = allgatherv,
     .size_is = "bytes of a rank's block"},
    {.collective = CM_COLLECTIVE_ALLTOALLV,
     .sized = true,
     .in_all = true,
     .out_all = true,
     .perform = alltoallv,
     .size_is = "bytes of a pair's block"},
};

/* In the order of the table. */
const char *const collective_operation_names[] = {
    "barrier",    "bcast",     "reduce",   "allreduce", "reduce_scatter", "gather",
    "scatter",    "allgather", "alltoall", "scan",      "gatherv",        "scatterv",
    "allgatherv", "alltoallv", "all",      0,
};
const char *const collective_repetitions[] = {"back-to-back", "separated", "both", 0};
const char *const collective_syncs[] = {"barrier", "window", 0};
