/* SPDX-License-Identifier: BSD-3-Clause */
/* backend_mpi.c: the communication layer over an MPI library; the only file that knows MPI. */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#include "comm/backend.h"
#include "comm/mpi/hydra.h"
#include "comm/mpi/launcher.h"
#include "comm/schedule.h"

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

struct cm_group {
    cm_group_base base; /* its shadow is a duplicate of comm */
    MPI_Comm comm;
    int *world_ranks; /* of its members; NULL in the world: the same; a shadow borrows it */
};

typedef enum { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE } request_kind;

struct cm_request {
    cm_request_base base;
    MPI_Request mpi;
    request_kind kind;
    int peer;        /* rank in group or CM_ANY; CM_ANY for a collective */
    size_t capacity; /* of a receive's buffer */
    cm_group *group;
    cm_request *next_free;
};

static cm_group world = {{0, 0, NULL, 0}, MPI_COMM_NULL, NULL};
static cm_group world_shadow = {{0, 0, NULL, 0}, MPI_COMM_NULL, NULL};
static char (*host_names)[MPI_MAX_PROCESSOR_NAME]; /* by world rank */
static unsigned tag_limit = CM_TAG_LIMIT;          /* tags are below it */
static bool alive;                                 /* between MPI_Init and MPI_Finalize */
static bool oversubscribed;                        /* more ranks on this host than processors */
static size_t eager_bytes;                         /* CM_EAGER_BYTES, for messages to oneself */
static cm_request *free_requests;
static int schedules; /* requests with a schedule */

/* ---- Lengths --------------------------------------------------------------------------------- */

/* MPI 4 takes 64-bit counts in the calls with suffix _c, which therefore serve all lengths.
   Before that a count is an int, and a longer message is one element of a type made for it. */
#if MPI_VERSION >= 4 && SIZE_MAX > 0xffffffff
#define LARGE_COUNTS 1
#define LARGE(call) call##_c
typedef MPI_Count mpi_length;
typedef MPI_Aint mpi_offset;
#define LENGTH_LIMIT SIZE_MAX
_Static_assert(sizeof(mpi_length) == sizeof(size_t) && sizeof(mpi_offset) == sizeof(size_t),
               "size_t arrays are passed as they are");
#else
#define LARGE_COUNTS 0
#define LARGE(call) call
typedef int mpi_length;
typedef int mpi_offset;
#define LENGTH_LIMIT ((size_t)INT_MAX)
#endif

typedef struct {
    mpi_length count;
    MPI_Datatype type;
} shape;

static MPI_Datatype long_type(size_t bytes);

static inline shape shape_of(size_t bytes)
{
    if (UNLIKELY(bytes > LENGTH_LIMIT)) return (shape){1, long_type(bytes)};
    return (shape){(mpi_length)bytes, MPI_BYTE};
}

static inline void shape_free(size_t bytes, shape *s)
{
    if (UNLIKELY(bytes > LENGTH_LIMIT)) MPI_Type_free(&s->type);
}

/* So many chunks of 2^30 bytes, then the rest. */
__attribute__((cold)) static MPI_Datatype long_type(size_t bytes)
{
    const int chunk_bytes = 1 << 30;
    int chunks = (int)(bytes / (size_t)chunk_bytes);
    MPI_Datatype chunk, whole;
    MPI_Type_contiguous(chunk_bytes, MPI_BYTE, &chunk);
    int lengths[] = {chunks, (int)(bytes % (size_t)chunk_bytes)};
    MPI_Aint offsets[] = {0, (MPI_Aint)chunks * chunk_bytes};
    MPI_Datatype types[] = {chunk, MPI_BYTE};
    MPI_Type_create_struct(2, lengths, offsets, types, &whole);
    MPI_Type_commit(&whole);
    MPI_Type_free(&chunk);
    return whole;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static int world_rank_of(const cm_group *group, int rank)
{
    return group->world_ranks ? group->world_ranks[rank] : rank;
}

__attribute__((cold, noreturn)) static void end_job(int status, const char *text)
{
    fflush(stdout);
    if (!alive) {
        fprintf(stderr, "clustermark: %s\n", text);
        exit(status);
    }
    fprintf(stderr, "clustermark: rank %d on %s: %s\n", world.base.rank,
            host_names ? host_names[world.base.rank] : "?", text);
    cm_hydra_hear_out();
    /* The line says why. MPI_Abort would print lines of its own. */
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

void cm_abort(int status, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    end_job(status, text);
}

/* MPI's own text for an error, on one line. MPICH prints a stack of calls, whose first line is
   the kind of error and whose last is the cause. */
static void error_text(int error, size_t capacity, char *text)
{
    char whole[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    MPI_Error_string(error, whole, &length);
    while (length > 0 && (whole[length - 1] == '\n' || whole[length - 1] == ' '))
        whole[--length] = 0;
    char *last = strrchr(whole, '\n'), *first_end = strchr(whole, '\n');
    if (first_end) *first_end = 0;
    char *stack = strstr(whole, ", error stack:");
    if (stack) *stack = 0;
    if (!last) {
        snprintf(text, capacity, "%s", whole);
        return;
    }
    last++;
    char *cause = strstr(last, "): ");
    cause = cause ? cause + 3 : last;
    if (strcmp(cause, whole) == 0) snprintf(text, capacity, "%s", whole);
    else snprintf(text, capacity, "%s: %s", whole, cause);
}

/* What MPI reported during an operation with peer (a rank of group; CM_ANY: any or all of them). */
__attribute__((cold, noreturn)) static void fail(const char *operation, const cm_group *group,
                                                 int peer, int error)
{
    char reason[MPI_MAX_ERROR_STRING + 64];
    error_text(error, sizeof reason, reason);
    if (peer >= 0)
        cm_abort(CM_EXIT_SYSTEM, "%s with rank %d on %s: %s", operation, world_rank_of(group, peer),
                 cm_host(group, peer), reason);
    cm_abort(CM_EXIT_SYSTEM, "%s with any of %d ranks: %s", operation, group->base.size, reason);
}

/* Of a message that is too long MPI tells neither the length nor the limit. */
__attribute__((cold, noreturn)) static void
fail_receive(const char *operation, const cm_group *group, int peer, size_t capacity, int error)
{
    int class;
    MPI_Error_class(error, &class);
    if (class != MPI_ERR_TRUNCATE) fail(operation, group, peer, error);
    char from[MPI_MAX_PROCESSOR_NAME + 32] = "any rank";
    if (peer >= 0)
        snprintf(from, sizeof from, "rank %d on %s", world_rank_of(group, peer),
                 cm_host(group, peer));
    cm_abort(CM_EXIT_SYSTEM,
             "%s from %s: message truncated: it is longer than the receive's %zu"
             " bytes",
             operation, from, capacity);
}

__attribute__((cold, noreturn)) static void fail_request(const char *operation,
                                                         const cm_request *request, int error)
{
    static const char *const kinds[] = {"a send", "a receive", "a collective"};
    char text[64];
    snprintf(text, sizeof text, "%s of %s", operation, kinds[request->kind]);
    if (request->kind == REQUEST_RECEIVE)
        fail_receive(text, request->group, request->peer, request->capacity, error);
    fail(text, request->group, request->peer, error);
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu bytes", bytes);
    return memory;
}

/* Says which argument of a point-to-point call was wrong. */
__attribute__((cold, noreturn)) static void refuse(const char *operation, const cm_group *group,
                                                   bool missing, int rank, int tag, bool receive)
{
    const char *any = receive ? " or CM_ANY" : "";
    if (!alive) cm_abort(CM_EXIT_USAGE, "%s before cm_init or after cm_finalize", operation);
    if (!group) cm_abort(CM_EXIT_USAGE, "%s: the group is NULL", operation);
    if ((rank < 0 || rank >= group->base.size) && !(receive && rank == CM_ANY))
        cm_abort(CM_EXIT_USAGE, "%s: rank %d is not from 0 to %d%s", operation, rank,
                 group->base.size - 1, any);
    if (missing) cm_abort(CM_EXIT_USAGE, "%s: the buffer is NULL, its length is not 0", operation);
    cm_abort(CM_EXIT_USAGE, "%s: tag %d is not from 0 to %u%s%s", operation, tag, tag_limit - 1,
             any, tag >= 0 && tag < CM_TAG_LIMIT ? " (the largest tag of this MPI)" : "");
}

static inline void check_send(const char *operation, const cm_group *group, const void *data,
                              size_t bytes, int dest, int tag)
{
    bool missing = !data && bytes;
    if (UNLIKELY(!group || missing || (unsigned)dest >= (unsigned)group->base.size
                 || (unsigned)tag >= tag_limit))
        refuse(operation, group, missing, dest, tag, false);
}

static inline void check_receive(const char *operation, const cm_group *group, const void *data,
                                 size_t capacity, int source, int tag)
{
    bool missing = !data && capacity;
    if (UNLIKELY(!group || missing
                 || ((unsigned)source >= (unsigned)group->base.size && source != CM_ANY)
                 || ((unsigned)tag >= tag_limit && tag != CM_ANY)))
        refuse(operation, group, missing, source, tag, true);
}

/* ---- Life ------------------------------------------------------------------------------------ */

static void gather_host_names(void)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length;
    host_names = allocate((size_t)world.base.size * sizeof *host_names);
    MPI_Get_processor_name(name, &length);
    MPI_Allgather(name, sizeof name, MPI_CHAR, host_names, sizeof name, MPI_CHAR, world.comm);
    int here = 0;
    for (int rank = 0; rank < world.base.size; rank++)
        here += strcmp(host_names[rank], host_names[world.base.rank]) == 0;
    oversubscribed = here > sysconf(_SC_NPROCESSORS_ONLN);
}

static void read_tag_limit(void)
{
    int *largest, found;
    MPI_Comm_get_attr(world.comm, MPI_TAG_UB, &largest, &found);
    if (found && *largest < CM_TAG_LIMIT - 1) tag_limit = (unsigned)*largest + 1;
}

int cm_init(int *argc, char ***argv)
{
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (!status) status = cm_launcher_refuse_cmrun(argv ? *argv : NULL);
    if (status) return status;
    eager_bytes = environment.eager_bytes;

    int thread_level;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &thread_level) != MPI_SUCCESS) {
        fprintf(stderr, "clustermark: MPI_Init_thread failed\n");
        return CM_EXIT_SYSTEM;
    }
    world.comm = MPI_COMM_WORLD;
    MPI_Comm_rank(world.comm, &world.base.rank);
    MPI_Comm_size(world.comm, &world.base.size);
    if (world.base.size == 1) {
        status = cm_launcher_refuse_single(argv ? *argv : NULL);
        if (status) {
            MPI_Finalize();
            return status;
        }
    }
    alive = true;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(world.comm, MPI_ERRORS_RETURN);
    int error = MPI_Comm_dup(world.comm, &world_shadow.comm); /* inherits the error handler */
    if (error) fail("MPI_Comm_dup", &world, CM_ANY, error);
    world_shadow.base.rank = world.base.rank;
    world_shadow.base.size = world.base.size;
    world.base.shadow = &world_shadow;
    read_tag_limit();
    gather_host_names();
    return 0;
}

static void free_operators(void);
static void drop_kept_sends(void);

void cm_finalize(void)
{
    if (!alive) return;
    free_operators();
    drop_kept_sends();
    MPI_Comm_free(&world_shadow.comm);
    alive = false;
    MPI_Finalize();
    free(host_names);
    host_names = NULL;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

cm_group *cm_world(void)
{
    if (!alive) cm_abort(CM_EXIT_USAGE, "cm_world before cm_init or after cm_finalize");
    return &world;
}

const char *cm_host(const cm_group *group, int rank)
{
    if (!group || rank < 0 || rank >= group->base.size)
        refuse("cm_host", group, false, rank, 0, false);
    return host_names[world_rank_of(group, rank)];
}

static int *world_ranks_of(MPI_Comm comm, int size)
{
    int *ranks = allocate((size_t)size * sizeof *ranks);
    int *world_ranks = allocate((size_t)size * sizeof *world_ranks);
    for (int k = 0; k < size; k++) ranks[k] = k;
    MPI_Group members, all;
    MPI_Comm_group(comm, &members);
    MPI_Comm_group(world.comm, &all);
    MPI_Group_translate_ranks(members, size, ranks, all, world_ranks);
    MPI_Group_free(&members);
    MPI_Group_free(&all);
    free(ranks);
    return world_ranks;
}

static void complete_schedules(void);

cm_group *cm_split(cm_group *group, int color, int key)
{
    if (!group) refuse("cm_split", group, false, 0, 0, false);
    if (UNLIKELY(schedules)) complete_schedules();
    MPI_Comm comm;
    int error = MPI_Comm_split(group->comm, color < 0 ? MPI_UNDEFINED : color, key, &comm);
    if (error) fail("cm_split", group, CM_ANY, error);
    if (comm == MPI_COMM_NULL) return NULL;

    cm_group *part = allocate(sizeof *part), *shadow = allocate(sizeof *shadow);
    memset(part, 0, sizeof *part);
    memset(shadow, 0, sizeof *shadow);
    part->comm = comm;
    MPI_Comm_rank(comm, &part->base.rank);
    MPI_Comm_size(comm, &part->base.size);
    part->world_ranks = world_ranks_of(comm, part->base.size);
    part->base.shadow = shadow;
    shadow->base.rank = part->base.rank;
    shadow->base.size = part->base.size;
    shadow->world_ranks = part->world_ranks;
    error = MPI_Comm_dup(comm, &shadow->comm);
    if (error) fail("cm_split", part, CM_ANY, error);
    return part;
}

void cm_group_free(cm_group *group)
{
    if (!group) return;
    if (group == &world) cm_abort(CM_EXIT_USAGE, "cm_group_free: the world belongs to the layer");
    MPI_Comm_free(&group->base.shadow->comm);
    MPI_Comm_free(&group->comm);
    free(group->base.shadow);
    free(group->world_ranks);
    free(group);
}

/* ---- Time ------------------------------------------------------------------------------------ */

double cm_time(void) { return MPI_Wtime(); }
double cm_time_resolution(void) { return MPI_Wtick(); }

/* ---- Progress of our own collectives --------------------------------------------------------- */

/* Blocking calls of MPI move MPI's messages on, but not the collectives that are made of them
   here. While one is under way (schedules > 0), every call that blocks therefore starts its
   non-blocking form and looks at both in turn. Calls that do not block do the same once, except
   on a shadow group: those come from the schedules themselves. */

void cm_backend_pause(void)
{
    if (schedules) cm_schedule_progress();
    if (oversubscribed) sched_yield();
}

static int finish(MPI_Request *request, MPI_Status *status)
{
    for (;;) {
        int done, error = MPI_Test(request, &done, status);
        if (error || done) return error;
        cm_backend_pause();
    }
}

/* Before a blocking collective of MPI, which has no non-blocking form that would match the
   blocking one of ranks with nothing under way. All members of a group start its collectives in
   one order, so those under way can be completed first; only ranks that start collectives of
   two groups in opposite orders would wait for each other. */
static void complete_schedules(void)
{
    while (cm_schedule_pending()) cm_backend_pause();
}

static inline void move_schedules(const cm_group *group)
{
    if (UNLIKELY(schedules) && group->base.shadow) cm_schedule_progress();
}

void cm_progress(void)
{
    int flag;
    if (schedules) cm_schedule_progress();
    int error = MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world.comm, &flag, MPI_STATUS_IGNORE);
    if (UNLIKELY(error)) fail("cm_progress", &world, CM_ANY, error);
}

/* An MPI keeps no message back, and a program over it cannot without frames of its own. */
bool cm_coalesce(bool on)
{
    (void)on;
    return false;
}

/* ---- Blocking point to point ----------------------------------------------------------------- */

static inline int mpi_source(int source) { return source == CM_ANY ? MPI_ANY_SOURCE : source; }
static inline int mpi_tag(int tag) { return tag == CM_ANY ? MPI_ANY_TAG : tag; }

static inline void take_status(MPI_Status *from, cm_status *to)
{
    mpi_length count = 0;
    LARGE(MPI_Get_count)(from, MPI_BYTE, &count);
    MPI_Count bytes = count;
    /* More than an int holds. SMPI does not have this call, nor such messages. */
    if (!LARGE_COUNTS && count == MPI_UNDEFINED) MPI_Get_elements_x(from, MPI_BYTE, &bytes);
    to->source = from->MPI_SOURCE;
    to->tag = from->MPI_TAG;
    to->bytes = (size_t)bytes;
    to->failed = -1;
}

/* Eager messages to oneself. MPI_Send to the own rank may block until the receive is posted,
   which with one thread is never (MPICH's does, for any length). So such messages are sent from
   a copy, which is kept until MPI has delivered it. */
typedef struct kept_send {
    MPI_Request mpi;
    struct kept_send *next;
    char data[];
} kept_send;
static struct {
    kept_send *first, **end;
} kept = {NULL, &kept.first};

static inline bool is_eager_to_self(const cm_group *group, size_t bytes, int dest)
{
    return UNLIKELY(dest == group->base.rank) && bytes <= eager_bytes;
}

static void release_kept_sends(void)
{
    while (kept.first) {
        kept_send *send = kept.first;
        int done, error = MPI_Test(&send->mpi, &done, MPI_STATUS_IGNORE);
        if (error) fail("cm_send", &world, world.base.rank, error);
        if (!done) return;
        kept.first = send->next;
        if (!kept.first) kept.end = &kept.first;
        free(send);
    }
}

static void drop_kept_sends(void)
{
    release_kept_sends();
    for (kept_send *send = kept.first; send; send = send->next)
        MPI_Request_free(&send->mpi); /* nobody received it; its memory stays until the end */
}

static void send_copy(cm_group *group, const void *data, size_t bytes, int tag)
{
    release_kept_sends();
    kept_send *send = allocate(sizeof *send + bytes);
    if (bytes) memcpy(send->data, data, bytes);
    int error =
        MPI_Isend(send->data, (int)bytes, MPI_BYTE, group->base.rank, tag, group->comm, &send->mpi);
    if (error) fail("cm_send", group, group->base.rank, error);
    send->next = NULL;
    *kept.end = send;
    kept.end = &send->next;
    release_kept_sends();
}

void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    check_send("cm_send", group, data, bytes, dest, tag);
    if (is_eager_to_self(group, bytes, dest)) {
        send_copy(group, data, bytes, tag);
        return;
    }
    shape s = shape_of(bytes);
    int error;
    if (UNLIKELY(schedules)) {
        MPI_Request request;
        error = LARGE(MPI_Isend)(data, s.count, s.type, dest, tag, group->comm, &request);
        if (!error) error = finish(&request, MPI_STATUS_IGNORE);
    } else {
        error = LARGE(MPI_Send)(data, s.count, s.type, dest, tag, group->comm);
    }
    if (UNLIKELY(error)) fail("cm_send", group, dest, error);
    shape_free(bytes, &s);
}

void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status)
{
    check_receive("cm_recv", group, data, capacity, source, tag);
    shape s = shape_of(capacity);
    MPI_Status got, *want = status ? &got : MPI_STATUS_IGNORE;
    int error;
    if (UNLIKELY(schedules)) {
        MPI_Request request;
        error = LARGE(MPI_Irecv)(data, s.count, s.type, mpi_source(source), mpi_tag(tag),
                                 group->comm, &request);
        if (!error) error = finish(&request, want);
    } else {
        error = LARGE(MPI_Recv)(data, s.count, s.type, mpi_source(source), mpi_tag(tag),
                                group->comm, want);
    }
    if (UNLIKELY(error)) fail_receive("cm_recv", group, source, capacity, error);
    if (status) take_status(&got, status);
    shape_free(capacity, &s);
}

void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status)
{
    check_send("cm_sendrecv", group, out, out_bytes, dest, out_tag);
    check_receive("cm_sendrecv", group, in, capacity, source, in_tag);
    shape s = shape_of(out_bytes), r = shape_of(capacity);
    MPI_Status got, *want = status ? &got : MPI_STATUS_IGNORE;
    int error;
    if (UNLIKELY(schedules)) {
        MPI_Request receive, send;
        error = LARGE(MPI_Irecv)(in, r.count, r.type, mpi_source(source), mpi_tag(in_tag),
                                 group->comm, &receive);
        if (!error)
            error = LARGE(MPI_Isend)(out, s.count, s.type, dest, out_tag, group->comm, &send);
        if (!error) error = finish(&send, MPI_STATUS_IGNORE);
        if (!error) error = finish(&receive, want);
    } else {
#ifdef SMPI_H
        /* The source that SMPI 3.32's MPI_Sendrecv reports is no rank in the communicator. */
        MPI_Request both[2];
        MPI_Status got_both[2];
        error = MPI_Irecv(in, r.count, r.type, mpi_source(source), mpi_tag(in_tag), group->comm,
                          &both[0]);
        if (!error) error = MPI_Isend(out, s.count, s.type, dest, out_tag, group->comm, &both[1]);
        if (!error) error = MPI_Waitall(2, both, got_both);
        got = got_both[0];
        if (error == MPI_ERR_IN_STATUS) error = got.MPI_ERROR;
#else
        error = LARGE(MPI_Sendrecv)(out, s.count, s.type, dest, out_tag, in, r.count, r.type,
                                    mpi_source(source), mpi_tag(in_tag), group->comm, want);
#endif
    }
    if (UNLIKELY(error)) fail_receive("cm_sendrecv", group, source, capacity, error);
    if (status) take_status(&got, status);
    shape_free(out_bytes, &s);
    shape_free(capacity, &r);
}

bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status)
{
    check_receive("cm_iprobe", group, NULL, 0, source, tag);
    MPI_Status got;
    int found;
    move_schedules(group);
    int error = MPI_Iprobe(mpi_source(source), mpi_tag(tag), group->comm, &found, &got);
    if (UNLIKELY(error)) fail("cm_iprobe", group, source, error);
    if (found && status) take_status(&got, status);
    return found;
}

void cm_probe(cm_group *group, int source, int tag, cm_status *status)
{
    check_receive("cm_probe", group, NULL, 0, source, tag);
    if (UNLIKELY(schedules)) {
        while (!cm_iprobe(group, source, tag, status)) cm_backend_pause();
        return;
    }
    MPI_Status got;
    int error = MPI_Probe(mpi_source(source), mpi_tag(tag), group->comm, &got);
    if (UNLIKELY(error)) fail("cm_probe", group, source, error);
    if (status) take_status(&got, status);
}

/* ---- Requests -------------------------------------------------------------------------------- */

__attribute__((cold, noinline)) static void refill_requests(void)
{
    enum { BLOCK = 64 };
    cm_request *block = allocate(BLOCK * sizeof *block);
    for (int k = 0; k < BLOCK; k++) {
        block[k].next_free = free_requests;
        free_requests = &block[k];
    }
}

static inline cm_request *request_new(cm_group *group, request_kind kind, int peer)
{
    if (UNLIKELY(!free_requests)) refill_requests();
    cm_request *request = free_requests;
    free_requests = request->next_free;
    request->base.schedule = NULL;
    request->mpi = MPI_REQUEST_NULL;
    request->kind = kind;
    request->peer = peer;
    request->group = group;
    return request;
}

static inline void request_free(cm_request *request)
{
    request->next_free = free_requests;
    free_requests = request;
}

cm_request *cm_backend_request_new(cm_schedule *schedule)
{
    cm_request *request = request_new(&world, REQUEST_COLLECTIVE, CM_ANY);
    request->base.schedule = schedule;
    schedules++;
    return request;
}

void cm_backend_request_free(cm_request *request)
{
    if (request->base.schedule) schedules--;
    request_free(request);
}

cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    check_send("cm_isend", group, data, bytes, dest, tag);
    cm_request *request = request_new(group, REQUEST_SEND, dest);
    if (is_eager_to_self(group, bytes, dest)) {
        send_copy(group, data, bytes, tag);
        return request; /* complete: its mpi is MPI_REQUEST_NULL */
    }
    shape s = shape_of(bytes);
    int error = LARGE(MPI_Isend)(data, s.count, s.type, dest, tag, group->comm, &request->mpi);
    if (UNLIKELY(error)) fail("cm_isend", group, dest, error);
    shape_free(bytes, &s);
    return request;
}

cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag)
{
    check_receive("cm_irecv", group, data, capacity, source, tag);
    cm_request *request = request_new(group, REQUEST_RECEIVE, source);
    request->capacity = capacity;
    shape s = shape_of(capacity);
    int error = LARGE(MPI_Irecv)(data, s.count, s.type, mpi_source(source), mpi_tag(tag),
                                 group->comm, &request->mpi);
    if (UNLIKELY(error)) fail("cm_irecv", group, source, error);
    shape_free(capacity, &s);
    return request;
}

/* A request's status, unless NULL: all of it for a receive. */
static inline void take_end(const cm_request *request, MPI_Status *from, cm_status *to)
{
    if (!to) return;
    to->failed = -1;
    if (request->kind == REQUEST_RECEIVE) take_status(from, to);
}

/* One look without blocking; frees the request when it is complete. */
static bool complete(const char *operation, cm_request **where, cm_status *status)
{
    cm_request *request = *where;
    if (request->base.schedule) {
        if (!cm_schedule_advance(request->base.schedule)) return false;
        if (status) status->failed = -1;
        cm_schedule_free(request->base.schedule);
        cm_backend_request_free(request);
    } else {
        MPI_Status got;
        int done;
        int error = MPI_Test(&request->mpi, &done, status ? &got : MPI_STATUS_IGNORE);
        if (UNLIKELY(error)) fail_request(operation, request, error);
        if (!done) return false;
        take_end(request, &got, status);
        request_free(request);
    }
    *where = NULL;
    return true;
}

bool cm_test(cm_request **request, cm_status *status)
{
    if (!*request) return true;
    move_schedules((*request)->group);
    return complete("cm_test", request, status);
}

void cm_wait(cm_request **where, cm_status *status)
{
    cm_request *request = *where;
    if (!request) return;
    if (UNLIKELY(schedules)) {
        while (!complete("cm_wait", where, status)) cm_backend_pause();
        return;
    }
    MPI_Status got;
    int error = MPI_Wait(&request->mpi, status ? &got : MPI_STATUS_IGNORE);
    if (UNLIKELY(error)) fail_request("cm_wait", request, error);
    take_end(request, &got, status);
    request_free(request);
    *where = NULL;
}

/* MPI's view of n requests, in memory that lasts until the next call. False when one of them is
   complete already, which MPI would take for no request at all. */
static struct {
    int n;
    MPI_Request *requests;
    MPI_Status *statuses;
} view;

static bool view_requests(int n, cm_request **requests)
{
    if (UNLIKELY(n > view.n)) {
        free(view.requests);
        free(view.statuses);
        view.n = n < 64 ? 64 : n;
        view.requests = allocate((size_t)view.n * sizeof *view.requests);
        view.statuses = allocate((size_t)view.n * sizeof *view.statuses);
    }
    bool all_open = true;
    for (int k = 0; k < n; k++) {
        view.requests[k] = requests[k] ? requests[k]->mpi : MPI_REQUEST_NULL;
        all_open &= !requests[k] || requests[k]->mpi != MPI_REQUEST_NULL;
    }
    return all_open;
}

/* Of several requests MPI says in each status what became of it, when it says that one failed. */
__attribute__((cold, noreturn)) static void
fail_several(const char *operation, int n, cm_request **requests, const int *indices, int error)
{
    int class;
    MPI_Error_class(error, &class);
    for (int k = 0; class == MPI_ERR_IN_STATUS && k < n; k++) {
        const cm_request *request = requests[indices ? indices[k] : k];
        int own = view.statuses[k].MPI_ERROR;
        if (request && own != MPI_SUCCESS && own != MPI_ERR_PENDING)
            fail_request(operation, request, own);
    }
    fail(operation, &world, CM_ANY, error);
}

void cm_waitall(int n, cm_request **requests)
{
    if (UNLIKELY(schedules)) {
        for (int k = 0; k < n; k++) cm_wait(&requests[k], NULL);
        return;
    }
    view_requests(n, requests);
    int error = MPI_Waitall(n, view.requests, view.statuses);
    if (UNLIKELY(error)) fail_several("cm_waitall", n, requests, NULL, error);
    for (int k = 0; k < n; k++)
        if (requests[k]) {
            request_free(requests[k]);
            requests[k] = NULL;
        }
}

/* Looks at all n until at least one is complete; fills at most `most` indices. -1: all were
   NULL. */
static int wait_looking(const char *operation, int n, cm_request **requests, int most, int *indices,
                        cm_status *statuses)
{
    for (;;) {
        int present = 0, completed = 0;
        for (int k = 0; k < n && completed < most; k++) {
            if (!requests[k]) continue;
            present++;
            if (complete(operation, &requests[k], statuses ? &statuses[completed] : NULL))
                indices[completed++] = k;
        }
        if (!present) return -1;
        if (completed) return completed;
        cm_backend_pause();
    }
}

int cm_waitany(int n, cm_request **requests, cm_status *status)
{
    int index;
    if (UNLIKELY(schedules || !view_requests(n, requests)))
        return wait_looking("cm_waitany", n, requests, 1, &index, status) < 0 ? -1 : index;
    MPI_Status got;
    int error = MPI_Waitany(n, view.requests, &index, &got);
    if (UNLIKELY(error)) {
        if (index >= 0 && index < n) fail_request("cm_waitany", requests[index], error);
        fail("cm_waitany", &world, CM_ANY, error);
    }
    if (index == MPI_UNDEFINED) return -1;
    take_end(requests[index], &got, status);
    request_free(requests[index]);
    requests[index] = NULL;
    return index;
}

int cm_waitsome(int n, cm_request **requests, int *indices, cm_status *statuses)
{
    if (UNLIKELY(schedules || !view_requests(n, requests)))
        return wait_looking("cm_waitsome", n, requests, n, indices, statuses);
    int completed;
    int error = MPI_Waitsome(n, view.requests, &completed, indices, view.statuses);
    if (UNLIKELY(error)) fail_several("cm_waitsome", completed, requests, indices, error);
    if (completed == MPI_UNDEFINED) return -1;
    for (int k = 0; k < completed; k++) {
        cm_request **request = &requests[indices[k]];
        take_end(*request, &view.statuses[k], statuses ? &statuses[k] : NULL);
        request_free(*request);
        *request = NULL;
    }
    return completed;
}

void cm_cancel(cm_request **where)
{
    cm_request *request = *where;
    if (!request) return;
    if (request->kind != REQUEST_RECEIVE)
        cm_abort(CM_EXIT_USAGE, "cm_cancel: only receives can be cancelled");
    int error = MPI_Cancel(&request->mpi);
    if (error) fail_request("cm_cancel", request, error);
    cm_wait(where, NULL);
}

/* ---- MPI's own collectives ------------------------------------------------------------------- */

bool cm_backend_crowded(void) { return false; } /* its own collectives are what auto takes */

bool cm_backend_native_available(cm_collective collective)
{
    return collective >= 0 && collective < CM_COLLECTIVES;
}

/* Pairs of value and 64-bit index are not among MPI's own types, so they travel as 16 bytes and are
   compared by the layer's operators. */
enum { FLOAT_PAIR, DOUBLE_PAIR, PAIRS };
static MPI_Datatype pair_type = MPI_DATATYPE_NULL;
static MPI_Op pair_ops[PAIRS][2]; /* minloc, maxloc; made with pair_type */
_Static_assert(sizeof(cm_float_index) == 16 && sizeof(cm_double_index) == 16, "pair_type");

#define PAIR_FUNCTION(name, op, type)                                             \
    static void name(void *left, void *right, int *count, MPI_Datatype *datatype) \
    {                                                                             \
        (void)datatype;                                                           \
        cm_operator_apply(op, type, left, right, (size_t)*count);                 \
    }
PAIR_FUNCTION(float_minloc, CM_MINLOC, CM_FLOAT_INDEX)
PAIR_FUNCTION(float_maxloc, CM_MAXLOC, CM_FLOAT_INDEX)
PAIR_FUNCTION(double_minloc, CM_MINLOC, CM_DOUBLE_INDEX)
PAIR_FUNCTION(double_maxloc, CM_MAXLOC, CM_DOUBLE_INDEX)

static void make_operators(void)
{
    MPI_Type_contiguous(16, MPI_BYTE, &pair_type);
    MPI_Type_commit(&pair_type);
    MPI_Op_create(float_minloc, 1, &pair_ops[FLOAT_PAIR][0]);
    MPI_Op_create(float_maxloc, 1, &pair_ops[FLOAT_PAIR][1]);
    MPI_Op_create(double_minloc, 1, &pair_ops[DOUBLE_PAIR][0]);
    MPI_Op_create(double_maxloc, 1, &pair_ops[DOUBLE_PAIR][1]);
}

static void free_operators(void)
{
    if (pair_type == MPI_DATATYPE_NULL) return;
    MPI_Type_free(&pair_type);
    for (int k = 0; k < PAIRS; k++)
        for (int j = 0; j < 2; j++) MPI_Op_free(&pair_ops[k][j]);
}

/* The MPI's type and operator for a reduction; false when it has none. */
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
        if (pair_type == MPI_DATATYPE_NULL) make_operators();
        *type = pair_type;
        break;
    default:
        return false;
    }
    const MPI_Op *pair = pair_ops[call->type == CM_FLOAT_INDEX ? FLOAT_PAIR : DOUBLE_PAIR];
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
        return call->count <= INT_MAX; /* the function's count */
    case CM_OP_MAXLOC:
        *op = pair[1];
        return call->count <= INT_MAX;
    default:
        return false; /* a user's function carries no context through MPI */
    }
    return call->count <= LENGTH_LIMIT;
}

/* Lengths or offsets of all ranks in the MPI's type for them; slot tells arrays apart that are
   in use at the same time. */
#if LARGE_COUNTS
#define LENGTHS(group, values, slot) ((const mpi_length *)(values))
#define OFFSETS(group, values, slot) ((const mpi_offset *)(values))
#else
static const int *integers(const cm_group *group, const size_t *values, int slot)
{
    static struct {
        int n;
        int *value;
    } kept[4];
    int n = group->base.size;
    if (!values) return NULL; /* not root */
    if (n > kept[slot].n) {
        free(kept[slot].value);
        kept[slot].value = allocate((size_t)n * sizeof(int));
        kept[slot].n = n;
    }
    for (int k = 0; k < n; k++) {
        /* Other ranks do not see these arrays and cannot agree on another algorithm now. */
        if (values[k] > LENGTH_LIMIT)
            cm_abort(CM_EXIT_USAGE,
                     "a collective with length or offset %zu for rank %d: this MPI"
                     " counts to %d; choose another algorithm than native",
                     values[k], k, INT_MAX);
        kept[slot].value[k] = (int)values[k];
    }
    return kept[slot].value;
}
#define LENGTHS integers
#define OFFSETS integers
#endif

/* Runs the collective, or starts it when request is not NULL (bcast and allreduce only). false:
   MPI has no such collective; else *error is MPI's. */
static bool run_native(cm_group *group, const cm_collective_call *call, MPI_Request *request,
                       int *error)
{
    MPI_Comm comm = group->comm;
    bool is_root = group->base.rank == call->root;
    const void *in = call->in;
    void *out = call->out;
    if (call->bytes > LENGTH_LIMIT) return false;
    if (request && call->collective != CM_COLLECTIVE_BCAST
        && call->collective != CM_COLLECTIVE_ALLREDUCE)
        return false;
    mpi_length bytes = (mpi_length)call->bytes, count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;

    switch (call->collective) {
    case CM_COLLECTIVE_REDUCE:
    case CM_COLLECTIVE_ALLREDUCE:
    case CM_COLLECTIVE_SCAN:
        if (!map_reduction(call, &type, &op)) return false;
#ifdef SMPI_H
        /* SMPI 3.32 completes MPI_Iallreduce with an operator made by MPI_Op_create without having
           combined anything. */
        if (request && type == pair_type) return false;
#endif
        count = (mpi_length)call->count;
        if (in == out && call->collective != CM_COLLECTIVE_REDUCE) in = MPI_IN_PLACE;
        break;
    default:
        break;
    }

    switch (call->collective) {
    case CM_COLLECTIVE_BARRIER:
        *error = MPI_Barrier(comm);
        return true;
    case CM_COLLECTIVE_BCAST:
        *error = request ? LARGE(MPI_Ibcast)(out, bytes, MPI_BYTE, call->root, comm, request)
                         : LARGE(MPI_Bcast)(out, bytes, MPI_BYTE, call->root, comm);
        return true;
    case CM_COLLECTIVE_REDUCE:
        *error = LARGE(MPI_Reduce)(in, out, count, type, op, call->root, comm);
        return true;
    case CM_COLLECTIVE_ALLREDUCE:
        *error = request ? LARGE(MPI_Iallreduce)(in, out, count, type, op, comm, request)
                         : LARGE(MPI_Allreduce)(in, out, count, type, op, comm);
        return true;
    case CM_COLLECTIVE_SCAN:
        *error = LARGE(MPI_Scan)(in, out, count, type, op, comm);
        return true;
    case CM_COLLECTIVE_GATHER:
        *error = LARGE(MPI_Gather)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, call->root, comm);
        return true;
    case CM_COLLECTIVE_GATHERV:
        *error = LARGE(MPI_Gatherv)(
            in, bytes, MPI_BYTE, out, LENGTHS(group, is_root ? call->out_bytes : NULL, 0),
            OFFSETS(group, is_root ? call->out_offsets : NULL, 1), MPI_BYTE, call->root, comm);
        return true;
    case CM_COLLECTIVE_SCATTER:
        *error = LARGE(MPI_Scatter)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, call->root, comm);
        return true;
    case CM_COLLECTIVE_SCATTERV:
        *error = LARGE(MPI_Scatterv)(in, LENGTHS(group, is_root ? call->in_bytes : NULL, 0),
                                     OFFSETS(group, is_root ? call->in_offsets : NULL, 1), MPI_BYTE,
                                     out, bytes, MPI_BYTE, call->root, comm);
        return true;
    case CM_COLLECTIVE_ALLGATHER:
        *error = LARGE(MPI_Allgather)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
        return true;
    case CM_COLLECTIVE_ALLGATHERV:
        *error = LARGE(MPI_Allgatherv)(in, bytes, MPI_BYTE, out, LENGTHS(group, call->out_bytes, 0),
                                       OFFSETS(group, call->out_offsets, 1), MPI_BYTE, comm);
        return true;
    case CM_COLLECTIVE_ALLTOALL:
        *error = LARGE(MPI_Alltoall)(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm);
        return true;
    case CM_COLLECTIVE_ALLTOALLV:
        *error = LARGE(MPI_Alltoallv)(in, LENGTHS(group, call->in_bytes, 0),
                                      OFFSETS(group, call->in_offsets, 1), MPI_BYTE, out,
                                      LENGTHS(group, call->out_bytes, 2),
                                      OFFSETS(group, call->out_offsets, 3), MPI_BYTE, comm);
        return true;
    default:
        return false;
    }
}

/* MPICH 4.0.2 crashes in MPI_Reduce with MPI_IN_PLACE at a root other than 0 (two ranks, 600
   integers), so the root's operand is copied instead. Other ranks cannot know that it is in place;
   the root cannot decline alone. */
static void *copied_operand(const cm_group *group, cm_collective_call *call)
{
    if (call->collective != CM_COLLECTIVE_REDUCE || call->in != call->out
        || group->base.rank != call->root)
        return NULL;
    void *copy = allocate(call->bytes);
    memcpy(copy, call->in, call->bytes);
    call->in = copy;
    return copy;
}

bool cm_backend_collective(cm_group *group, const cm_collective_call *call)
{
    int error;
    cm_collective_call own = *call;
    if (UNLIKELY(schedules)) complete_schedules();
    void *copy = copied_operand(group, &own);
    bool native = run_native(group, &own, NULL, &error);
    free(copy);
    if (native && UNLIKELY(error)) fail(cm_collective_name(call->collective), group, CM_ANY, error);
    return native;
}

cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call)
{
    MPI_Request mpi;
    int error;
    if (!run_native(group, call, &mpi, &error)) return NULL;
    if (error) fail(cm_collective_name(call->collective), group, CM_ANY, error);
    cm_request *request = request_new(group, REQUEST_COLLECTIVE, CM_ANY);
    request->mpi = mpi;
    return request;
}

/* ---- Description ----------------------------------------------------------------------------- */

/* The text of line up to its end, runs of blanks as one. */
static void copy_line(const char *line, size_t capacity, char *text)
{
    size_t used = 0;
    for (; *line && *line != '\n' && used + 1 < capacity; line++) {
        bool blank = *line == ' ' || *line == '\t';
        if (blank && (used == 0 || text[used - 1] == ' ')) continue;
        text[used++] = blank ? ' ' : *line;
    }
    while (used > 0 && text[used - 1] == ' ') used--;
    text[used] = 0;
}

/* No MPI says through its interface which network it took. What its environment asks for is
   known. */
static void describe_transport(void (*each)(const char *, const char *, void *), void *context)
{
    static const char *const names[] = {"UCX_TLS",
                                        "UCX_NET_DEVICES",
                                        "UCX_RNDV_THRESH",
                                        "FI_PROVIDER",
                                        "MPIR_CVAR_CH4_NETMOD",
                                        "MPIR_CVAR_NOLOCAL",
                                        "MPIR_CVAR_ODD_EVEN_CLIQUES",
                                        "OMPI_MCA_pml",
                                        "OMPI_MCA_btl",
                                        "OMPI_MCA_mtl",
                                        "OMPI_MCA_btl_tcp_if_include"};
    char text[1024] = "";
    size_t used = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);
        if (!value || used >= sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? " " : "",
                                 names[k], value);
    }
    if (used) each("transport", text, context);
}

void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    static const char *const mpich_device = "MPICH Device:";
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", text[256];
    int length, number, subversion, level;
    each("comm", "mpi", context);
    MPI_Get_library_version(version, &length);
    copy_line(version, sizeof text, text);
    each("comm_version", text, context);
    MPI_Get_version(&number, &subversion);
    snprintf(text, sizeof text, "%d.%d", number, subversion);
    each("comm_mpi_standard", text, context);
    const char *device = strstr(version, mpich_device);
    if (device) {
        copy_line(device + strlen(mpich_device), sizeof text, text);
        each("comm_device", text, context);
    }
    if (strncmp(version, "SMPI", 4) == 0) each("transport", "simulated by SimGrid", context);
    else describe_transport(each, context);
    MPI_Query_thread(&level);
    each("comm_thread_level",
         level == MPI_THREAD_SINGLE       ? "single"
         : level == MPI_THREAD_FUNNELED   ? "funneled"
         : level == MPI_THREAD_SERIALIZED ? "serialized"
                                          : "multiple",
         context);
    snprintf(text, sizeof text, "%u", tag_limit - 1);
    each("comm_largest_tag", text, context);
}
