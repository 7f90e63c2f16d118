/* SPDX-License-Identifier: BSD-3-Clause */
/* backend.h: the seam between what all backends share (collectives, operators, environment) and a
   backend.

   A backend defines cm_init, cm_finalize, cm_abort, cm_on_failure, cm_failed, cm_failures,
   cm_describe, cm_comm_has, cm_world, cm_host, cm_split, cm_group_free, cm_time,
   cm_time_resolution, all point-to-point calls of comm.h, and what is declared under "A backend
   defines" below. Its group and request structures begin with the two base structures here.
   Everything else of comm.h is shared. */
#ifndef CM_BACKEND_H
#define CM_BACKEND_H

#include "comm/comm.h"
#include "comm/environment.h"

/* The first member of every backend's struct cm_group. */
typedef struct {
    int rank, size;
    cm_group *shadow;     /* same members, a message space of its own: collectives travel there;
                              NULL
                              in a shadow itself
                               */
    unsigned collectives; /* collective operations started on this group so far */
} cm_group_base;

/* A collective operation as rounds of messages and local operations: schedule.h. */
typedef struct cm_schedule cm_schedule;

/* The first member of every backend's struct cm_request. */
typedef struct {
    /* not NULL: a collective operation; the backend's own fields are unused */
    cm_schedule *schedule;
} cm_request_base;

static inline cm_group_base *cm_group_base_of(cm_group *group) { return (cm_group_base *)group; }

/* ---- A backend defines ----------------------------------------------------------------------- */

/* A request that carries nothing but the schedule, and its release. */
cm_request *cm_backend_request_new(cm_schedule *schedule);
void cm_backend_request_free(cm_request *request);

/* Blocks until something may have changed (a message moved), or a short time passed; what cm_wait
   on a schedule does between two looks at it. */
void cm_backend_pause(void);

/* Whether ranks outnumber cores on this host: then the number of messages counts, and not of
   rounds. The same on all ranks of a job on one host. */
bool cm_backend_crowded(void);

/* The backend's own collectives. available() says for which collectives it has one at all; the
   calls return false when this call has none (an operator or type it cannot express), and the
   layer's own algorithm is used instead. Arguments as in comm.h, already checked. */
bool cm_backend_native_available(cm_collective collective);

typedef struct {
    cm_collective collective;
    const void *in;
    void *out;    /* bcast: the data on every rank */
    size_t bytes; /* of one block */
    const size_t *in_bytes, *in_offsets, *out_bytes, *out_offsets;
    size_t count; /* reductions: elements */
    cm_type type;
    cm_op op;
    int root;
} cm_collective_call;

bool cm_backend_collective(cm_group *group, const cm_collective_call *call);
/* Starts bcast or allreduce; NULL when this call has none. */
cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call);

/* ---- Shared, for backends
   --------------------------------------------------------------------- */

/* schedule.c. advance moves a collective on without blocking and says whether it is complete; free
   releases it. A backend's wait, test and progress use them for requests with a schedule. */
bool cm_schedule_advance(cm_schedule *schedule);
void cm_schedule_free(cm_schedule *schedule);
void cm_schedule_progress(void); /* advances every collective under way; called by
                                         cm_progress */

/* operator.c: right = left op right; false when op is not defined on type. */
bool cm_operator_defined(cm_op op, cm_type type);
void cm_operator_apply(cm_op op, cm_type type, const void *left, void *right, size_t count);

#endif
