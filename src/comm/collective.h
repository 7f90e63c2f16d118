/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h: the table of collective algorithms, their builders, and names for error lines. */
#ifndef CM_COLLECTIVE_H
#define CM_COLLECTIVE_H

#include "comm/schedule.h"

enum { CM_KINDS = CM_KIND_SCATTER_ALLGATHER + 1 };

/* Adds to schedule what rank of size ranks does in this call. The call has been checked; in
   reductions call->bytes is the length of the vector. Builders may be composed: allreduce is a
   reduction to rank 0 and a broadcast. parameter: the algorithm's, see cm_algorithm. */
typedef void cm_builder(cm_schedule *schedule, const cm_collective_call *call, int rank, int size,
                        int64_t parameter);

/* NULL when there is no such algorithm. For auto and native the layer's own choice. */
cm_builder *cm_algorithm_builder(cm_collective collective, cm_algorithm algorithm);

/* Ends the job with status 2 and a line that names the combination, why not, and what there is. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void cm_algorithm_refuse(cm_collective collective, cm_algorithm algorithm);

/* operator.c */
const char *cm_type_name(cm_type type);
const char *cm_operator_name(cm_op op);

/* Whether operands may change places without changing a bit of the result, as far as one can
   know. */
bool cm_operator_reorderable(cm_op op, cm_type type);

/* collective_linear.c */
cm_builder cm_linear_barrier, cm_linear_bcast, cm_linear_reduce, cm_linear_allreduce,
    cm_linear_scan, cm_linear_gather, cm_linear_gatherv, cm_linear_scatter, cm_linear_scatterv,
    cm_linear_allgather, cm_linear_allgatherv, cm_linear_alltoall, cm_linear_alltoallv;

/* collective_binomial.c */
cm_builder cm_binomial_barrier, cm_binomial_bcast, cm_binomial_reduce, cm_binomial_allreduce,
    cm_binomial_scan, cm_binomial_gather, cm_binomial_scatter, cm_binomial_allgather;

#endif
