/* SPDX-License-Identifier: BSD-3-Clause */
/* backend.h: the seam between what all backends share (collectives, operators, environment) and a
   backend. A backend defines cm_init, cm_finalize, cm_abort, cm_on_failure, cm_failed,
   cm_failures, cm_describe, cm_comm_has, cm_world, cm_host, cm_computer_of (computer.h), cm_split,
   cm_group_free, cm_time, cm_time_resolution, all point-to-point calls of comm.h, and the
   functions under "A backend defines" below. Its group and request structures begin with the two
   base structures here. The rest of comm.h is shared. */
#ifndef CM_BACKEND_H
#define CM_BACKEND_H

#include "comm/comm.h"
#include "base/environment.h"

/* The first member of every backend's struct cm_group. */
typedef struct {
    int rank, size;
    cm_group *shadow;     /* the same members with a separate message space for collectives; NULL in
                             a shadow itself */
    unsigned collectives; /* collective operations started on this group so far */
    struct cm_hosts *hosts; /* hosts.h; NULL until first needed */
} cm_group_base;

/* A collective operation as rounds of messages and local operations; see schedule.h. */
typedef struct cm_schedule cm_schedule;

/* The first member of every backend's struct cm_request. */
typedef struct {
    /* NULL unless this is a collective operation; then the backend's own fields are unused. */
    cm_schedule *schedule;
} cm_request_base;

static inline cm_group_base *cm_group_base_of(cm_group *group) { return (cm_group_base *)group; }

/* ---- A backend defines ----------------------------------------------------------------------- */

/* A request that carries only a schedule; cm_backend_request_free releases it. */
cm_request *cm_backend_request_new(cm_schedule *schedule);
void cm_backend_request_free(cm_request *request);

/* Blocks until something may have changed (a message moved) or a short time has passed. cm_wait on
   a schedule calls it between two checks. */
void cm_backend_pause(void);

/* Returns true if this computer has more ranks than cores. Then the number of messages
   determines the time, not the number of rounds. All ranks of a job on one computer get the same
   answer. */
bool cm_backend_oversubscribed(void);

/* The backend's own collectives. cm_backend_native_available tells for which collectives the
   backend has one at all. The calls return false if the backend cannot do this call (an operator or
   type that it cannot express); then the layer's own algorithm is used. Arguments are as in comm.h
   and already checked. */
bool cm_backend_native_available(cm_collective collective);

typedef struct {
    cm_collective collective;
    const void *in;
    void *out;    /* bcast: the data on every rank */
    size_t bytes; /* length of one block; reductions: length of in */
    const size_t *in_bytes, *in_offsets, *out_bytes, *out_offsets;
    size_t count;         /* reductions: number of elements of in */
    const size_t *counts; /* reduce_scatter: elements of each rank's block; NULL in the others */
    cm_type type;
    cm_op op;
    int root;
    const struct cm_hosts *hosts; /* hosts.h; NULL: all ranks count as ranks of one host */
} cm_collective_call;

bool cm_backend_collective(cm_group *group, const cm_collective_call *call);
/* Starts the operation. Returns NULL if the backend cannot do this call. */
cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call);

/* ---- Direct access: what a backend lets ranks do with the memory of others ------------------- */

/* Where a rank's data are, for another rank of its host. It is sent as it is. */
typedef struct {
    uint64_t memory; /* 0: nowhere that the other rank could reach; else the backend's own */
    uint64_t address;
} cm_backend_place;

/* Returns the least number of bytes for which it pays that this rank and that one read each other's
   memory, SIZE_MAX if they cannot. Both get the same answer, and so do all ranks that are asked
   about ranks of one host. It does not promise that the system allows it. */
size_t cm_backend_direct_bytes(cm_group *group, int rank);

/* Returns true if auto may use algorithms that need direct access. All ranks of a job get the same
   answer. */
bool cm_backend_direct(void);

/* Says where data are for a rank that will read them or, with written, write them. */
void cm_backend_offer(cm_group *group, int rank, const void *data, size_t bytes, bool written,
                      cm_backend_place *place);

/* Reads (out: writes) bytes of a rank's memory, at this offset from a place that it has offered.
   Returns false if that cannot be done; some of the bytes may then have been moved. The place is
   not trusted. */
bool cm_backend_move(cm_group *group, int rank, const cm_backend_place *place, size_t offset,
                     void *data, size_t bytes, bool out);

/* ---- Shared, for backends -------------------------------------------------------------------- */

/* In schedule.c. cm_schedule_advance moves a collective on without blocking and returns true once
   it is complete; cm_schedule_free releases it. A backend's wait, test and progress use them for
   requests with a schedule. */
bool cm_schedule_advance(cm_schedule *schedule);
void cm_schedule_free(cm_schedule *schedule);
void cm_schedule_progress(void); /* advances all pending collectives; called by cm_progress */

/* In operator.c: right = left op right. cm_operator_defined returns false if op is not defined on
   type. */
bool cm_operator_defined(cm_op op, cm_type type);
void cm_operator_apply(cm_op op, cm_type type, const void *left, void *right, size_t count);

/* In allocate.c: zero and page-aligned, for free. Returns NULL if memory is short. */
void *cm_allocate_ordinary(size_t bytes);

/* Sets bytes of new memory to 0, so that every page exists. Returns false, with some of them
   untouched, if the host's memory or that of a control group would not hold them: the kernel would
   end the process. */
bool cm_allocate_touch(void *memory, size_t bytes);

/* delay.c: spins for delay_ns nanoseconds of cm_time. */
__attribute__((cold)) void cm_delay_spin(int delay_ns);

/* Holds a message up for CM_DELAY_NS. A backend with processes calls it once in each point-to-point
   call that sends, before anything of the message leaves. Messages of the shared collectives go
   through those calls, so they are held up as well. */
static inline void cm_delay_message(int delay_ns)
{
    if (__builtin_expect(delay_ns != 0, 0)) cm_delay_spin(delay_ns);
}

#endif
