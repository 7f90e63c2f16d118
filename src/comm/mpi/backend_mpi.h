/* SPDX-License-Identifier: BSD-3-Clause */
/* backend_mpi.h: shared by the parts of the mpi backend. Only this folder uses MPI.

   length.h      lengths beyond an int
   life.c        start, end, the world, time
   error.c       the end of the job and its error lines
   group.c       communicators
   message.c     blocking point-to-point messages
   self.c        eager messages to the rank itself
   request.c     requests, and waiting for one
   several.c     waiting for several
   progress.c    collectives made of messages, in addition to MPI's own calls
   collective.c  MPI's own collectives
   pair.c        reductions of values with an index
   failure.c     calls that no MPI supports
   describe.c    description of the MPI

   Functions on the way of a send, receive or wait to MPI's call are inline here. */
#ifndef CM_BACKEND_MPI_H
#define CM_BACKEND_MPI_H

#include <stdlib.h>
#include "comm/backend.h"
#include "comm/mpi/length.h"
#include "comm/schedule.h"

/* Calls within a shared library are direct, too. */
#pragma GCC visibility push(hidden)

struct cm_group {
    cm_group_base base; /* the shadow's communicator is a duplicate of comm */
    MPI_Comm comm;
    int *world_ranks; /* of its members; NULL if the same as in the world; a shadow borrows it */
};

#ifdef SMPI_H
enum { CM_MPI_SIMULATES = true };
#else
enum { CM_MPI_SIMULATES = false };
#endif

typedef enum { CM_REQUEST_SEND, CM_REQUEST_RECEIVE, CM_REQUEST_COLLECTIVE } cm_request_kind;

struct cm_request {
    cm_request_base base;
    MPI_Request mpi;
    cm_request_kind kind;
    int peer;        /* rank in group or CM_ANY; CM_ANY for a collective */
    size_t capacity; /* of the receive's buffer */
    cm_group *group;
    void *copy; /* of an operand, freed with the request; NULL: none */
    bool ended; /* cm_mpi_pause has its status; mpi is MPI_REQUEST_NULL */
    MPI_Status got;
    cm_request *next_free;
};

typedef struct {
    uint64_t computer; /* computer.h */
    uint64_t which;    /* cm_machine_processors */
    char name[MPI_MAX_PROCESSOR_NAME];
} cm_mpi_host;

typedef struct {
    cm_group world, world_shadow;
    cm_mpi_host *hosts;  /* by world rank */
    unsigned tag_limit;  /* tags must be below it */
    double item_s;       /* CM_SIM_ITEM_NS, in seconds */
    const char *place;   /* CM_PLACE; NULL: none */
    int delay_ns;        /* CM_DELAY_NS */
    bool alive;          /* between MPI_Init and MPI_Finalize */
    bool oversubscribed; /* more ranks here than processors, or on those of this rank */
    size_t eager_bytes;  /* CM_EAGER_BYTES, for messages to oneself */
    cm_request *free_requests;
    int schedules; /* requests with a schedule */
} cm_mpi_state;

extern cm_mpi_state cm_mpi;

/* ---- error.c --------------------------------------------------------------------------------- */

/* A rank that exits before cm_finalize ends the job with its status; if that is CM_EXIT_PASS, with
   a line and CM_EXIT_SYSTEM. The launcher would find out by itself, but Hydra then often reports a
   status of its own. */
void cm_mpi_pass_status_on(void);

/* Ends the job with MPI's error in an operation with peer, a rank of group or, for any or all of
   them, CM_ANY. */
__attribute__((cold, noreturn)) void cm_mpi_fail(const char *operation, const cm_group *group,
                                                 int peer, int error);

/* The same for a receive. If a message is too long, MPI reports neither its length nor the
   limit. */
__attribute__((cold, noreturn)) void cm_mpi_fail_receive(const char *operation,
                                                         const cm_group *group, int peer,
                                                         size_t capacity, int error);

__attribute__((cold, noreturn)) void cm_mpi_fail_request(const char *operation,
                                                         const cm_request *request, int error);

/* Ends the job with a line about the wrong argument of a point-to-point call. missing is true for a
   buffer that must not be NULL. */
__attribute__((cold, noreturn)) void cm_mpi_refuse(const char *operation, const cm_group *group,
                                                   bool missing, int rank, int tag, bool receive);

/* Never returns NULL. */
void *cm_mpi_allocate(size_t bytes);

/* compute.c: the property clock_hz of this rank's host in SimGrid's platform; NULL: none, or no
   simulator. */
const char *cm_mpi_simulated_clock(void);

static inline void cm_mpi_check_send(const char *operation, const cm_group *group, const void *data,
                                     size_t bytes, int dest, int tag)
{
    bool missing = !data && bytes;
    if (UNLIKELY(!group || missing || (unsigned)dest >= (unsigned)group->base.size
                 || (unsigned)tag >= cm_mpi.tag_limit))
        cm_mpi_refuse(operation, group, missing, dest, tag, false);
}

static inline void cm_mpi_check_receive(const char *operation, const cm_group *group,
                                        const void *data, size_t capacity, int source, int tag)
{
    bool missing = !data && capacity;
    if (UNLIKELY(!group || missing
                 || ((unsigned)source >= (unsigned)group->base.size && source != CM_ANY)
                 || ((unsigned)tag >= cm_mpi.tag_limit && tag != CM_ANY)))
        cm_mpi_refuse(operation, group, missing, source, tag, true);
}

/* ---- group.c --------------------------------------------------------------------------------- */

static inline int cm_mpi_world_rank(const cm_group *group, int rank)
{
    return group->world_ranks ? group->world_ranks[rank] : rank;
}

/* ---- progress.c ------------------------------------------------------------------------------ */

/* Blocking calls of MPI advance MPI's messages, but not the collectives that are made of messages
   here. While such a collective is pending (cm_mpi.schedules > 0), every blocking call therefore
   starts its non-blocking form and advances both in turn. Calls that do not block advance the
   collectives once, except on a shadow group, whose calls come from the schedules themselves. */

/* Waits in this way for a request of MPI's. Returns MPI's error. */
int cm_mpi_finish(MPI_Request *request, MPI_Status *status);

/* Pauses between two looks at these requests. Under a simulator each look is an event, and SimGrid
   3.32 adds it to a list that later events search. There, this waits until one of the requests, or
   a message of a pending schedule, is complete, which the next look then finds. (LINPACK of order
   2000 on 4 x 4 ranks: 1.8 s instead of 2.8.) */
#ifdef SMPI_H
void cm_mpi_pause(int n, cm_request **requests); /* simulated.c */
#else
static inline void cm_mpi_pause(int n, cm_request **requests)
{
    (void)n;
    (void)requests;
    cm_backend_pause();
}
#endif

/* Called before a blocking collective of MPI. */
void cm_mpi_complete_schedules(void);

static inline void cm_mpi_move_schedules(const cm_group *group)
{
    if (UNLIKELY(cm_mpi.schedules) && group->base.shadow) cm_schedule_progress();
}

/* ---- self.c ---------------------------------------------------------------------------------- */

/* Open MPI's ob1 (4.1, 5.0) does not notice that a short message to the rank itself is longer than
   the receive posted for it: it takes the first of the message's two segments, the header, for the
   whole message. A synchronous send has its length in the header. */
#ifdef OPEN_MPI
#define SELF_NEEDS_LENGTH 1
#else
#define SELF_NEEDS_LENGTH 0
#endif

static inline bool cm_mpi_tells_length(const cm_group *group, int dest)
{
    return SELF_NEEDS_LENGTH && UNLIKELY(dest == group->base.rank);
}

static inline int cm_mpi_start_send(cm_group *group, const void *data, cm_mpi_shape s, int dest,
                                    int tag, MPI_Request *request)
{
    if (cm_mpi_tells_length(group, dest))
        return LARGE(MPI_Issend)(data, s.count, s.type, dest, tag, group->comm, request);
    return LARGE(MPI_Isend)(data, s.count, s.type, dest, tag, group->comm, request);
}

static inline bool cm_mpi_eager_to_self(const cm_group *group, size_t bytes, int dest)
{
    return UNLIKELY(dest == group->base.rank) && bytes <= cm_mpi.eager_bytes;
}

/* Sends such a message. It is complete on return. */
void cm_mpi_send_copy(cm_group *group, const void *data, size_t bytes, int tag);
void cm_mpi_drop_kept_sends(void); /* frees messages that were never received */

/* ---- request.c ------------------------------------------------------------------------------- */

__attribute__((cold)) void cm_mpi_refill_requests(void);

static inline cm_request *cm_mpi_request_new(cm_group *group, cm_request_kind kind, int peer)
{
    if (UNLIKELY(!cm_mpi.free_requests)) cm_mpi_refill_requests();
    cm_request *request = cm_mpi.free_requests;
    cm_mpi.free_requests = request->next_free;
    request->base.schedule = NULL;
    request->mpi = MPI_REQUEST_NULL;
    request->kind = kind;
    request->peer = peer;
    request->group = group;
    request->copy = NULL;
    request->ended = false;
    return request;
}

static inline void cm_mpi_request_free(cm_request *request)
{
    if (UNLIKELY(request->copy)) free(request->copy);
    request->next_free = cm_mpi.free_requests;
    cm_mpi.free_requests = request;
}

/* Checks once without blocking. Frees the request if it is complete. */
bool cm_mpi_complete(const char *operation, cm_request **request, cm_status *status);

/* ---- MPI's constants ------------------------------------------------------------------------- */

static inline int cm_mpi_source(int source) { return source == CM_ANY ? MPI_ANY_SOURCE : source; }
static inline int cm_mpi_tag(int tag) { return tag == CM_ANY ? MPI_ANY_TAG : tag; }

static inline void cm_mpi_take_status(MPI_Status *from, cm_status *to)
{
    cm_mpi_length count = 0;
    LARGE(MPI_Get_count)(from, MPI_BYTE, &count);
    MPI_Count bytes = count;
    /* The count exceeds an int. SMPI has neither this call nor such messages. */
    if (!LARGE_COUNTS && count == MPI_UNDEFINED) MPI_Get_elements_x(from, MPI_BYTE, &bytes);
    to->source = from->MPI_SOURCE;
    to->tag = from->MPI_TAG;
    to->bytes = (size_t)bytes;
    to->failed = -1;
}

/* Sets a request's status, unless NULL; for a receive, all of it. */
static inline void cm_mpi_take_end(const cm_request *request, MPI_Status *from, cm_status *to)
{
    if (!to) return;
    to->failed = -1;
    if (request->kind == CM_REQUEST_RECEIVE) cm_mpi_take_status(from, to);
}

/* ---- pair.c ---------------------------------------------------------------------------------- */

enum { CM_FLOAT_PAIR, CM_DOUBLE_PAIR, CM_PAIRS };
extern MPI_Datatype cm_mpi_pair_type;       /* MPI_DATATYPE_NULL until created */
extern MPI_Op cm_mpi_pair_ops[CM_PAIRS][2]; /* minloc, maxloc */
void cm_mpi_pairs_make(void);
void cm_mpi_pairs_free(void); /* only if created */

#pragma GCC visibility pop
#endif
