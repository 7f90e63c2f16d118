/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.h: clustermark's communication layer. One backend (MPI, TCP sockets, a dummy) is linked in;
   programs are written against this page alone.

   Conventions. Lengths are bytes (size_t, any value) except in reductions, where they are counts of
   elements. Ranks count from 0 within a group. Buffers may be NULL when their length is 0. A
   function without a return value does not return on failure: the layer prints one line on stderr
   (rank, host, peer, operation, cause) and ends the job with status 3, or 2 when the call itself
   was wrong. Only the failure of another rank can be made to return instead: cm_on_failure. */
#ifndef CM_COMM_H
#define CM_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Exit statuses of every clustermark program. */
enum { CM_EXIT_PASS = 0, CM_EXIT_WRONG = 1, CM_EXIT_USAGE = 2, CM_EXIT_SYSTEM = 3 };

enum { CM_ANY = -1 };          /* any source, any tag */
#define CM_TAG_LIMIT (1 << 28) /* 0 <= tag < CM_TAG_LIMIT */

typedef struct cm_group cm_group;     /* ranks that talk on a message space of their own */
typedef struct cm_request cm_request; /* an operation under way */

typedef struct {
    int source; /* rank in the group */
    int tag;
    size_t bytes; /* length of the message */
    int failed;   /* rank in the group whose failure ended the operation (cm_on_failure); source is
                      the same, tag CM_ANY, bytes 0, and the buffer's contents mean nothing. Else
                      -1 */
} cm_status;

/* ---- Life ---------------------------------------------------------------------------------- */

/* Joins the job that the launcher describes in the environment; without a launcher, a job of one.
   Returns 0, or prints one line and returns an exit status (CM_EXIT_USAGE: started by a launcher
   that this backend cannot talk to; CM_EXIT_SYSTEM). argc and argv may be NULL. */
int cm_init(int *argc, char ***argv);

/* Completes what is owed to other ranks and leaves the job. Collective over all ranks. */
void cm_finalize(void);

/* Ends the whole job with this exit status; prints rank, host and the text on stderr. Also callable
   before cm_init, where it ends this process alone. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void cm_abort(int status, const char *format, ...);

typedef enum { CM_END_JOB, CM_RETURN } cm_failure_mode;

/* What the failure of another rank does: it ends the job (CM_END_JOB, the default), or what can no
   longer complete returns (CM_RETURN) and the job goes on. All ranks call it, best right after
   cm_init. Returns 0, or prints one line on rank 0 and returns CM_EXIT_USAGE: the mpi backend
   cannot go on, and cmrun ends the others unless it was started with --keep-going (Hydra:
   -disable-auto-cleanup, which cannot be seen from here).

   With CM_RETURN, messages that a rank sent before it failed and that have arrived whole are still
   received; others count as never sent. Then
   - a receive or probe from the failed rank returns, now and whenever it is called again, with
     status.failed;
   - of the receives and probes from CM_ANY in a group, one returns with status.failed for each
     member that failed: the first that is posted then, else the next one that finds no message. (A
     probe without a status leaves it to the next.) When all other members have failed, every one
     that finds no message returns so;
   - a send to the failed rank completes, its buffer is free; cm_wait and its kin say status.failed,
     cm_send and the sending half of cm_sendrecv leave it to cm_failed. Sends that were complete say
     nothing about their arrival;
   - a collective operation (cm_split is one) that meets a failed member ends the job with status 3,
     for it needs all members. Groups without failed members are not concerned.
   A rank that cannot be reached is a failed one, also when it is only the network that failed. What
   is this rank's own fault (no memory, a message longer than its receive) still ends the job. A
   failure is noticed inside calls that move messages. cm_finalize waits for the ranks that are
   left. */
int cm_on_failure(cm_failure_mode mode);

/* This process's rank as the launcher's environment gives it, before cm_init; 0 without a launcher.
   Lets a wrong option be reported once and not by every rank. */
int cm_launch_rank(void);

/* Calls each(key, value, context) for everything about the backend that changes measured numbers:
   comm (its name), comm_version, transport, eager_bytes, piece_bytes, nodelay, congestion_control,
   spin_us, ... Values are valid during the call. After cm_init. */
void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context);

/* What a program may have to know about the backend, whose name is for people alone. */
typedef enum {
    CM_HAS_PROCESSES,      /* each rank is a process that runs the program; else those above 0 only
                               answer what rank 0 sends, on a virtual clock                       */
    CM_HAS_PMI,            /* ranks speak PMI-1, as cmrun does */
    CM_HAS_NATIVE,         /* CM_NATIVE is a library's own operation, and what CM_AUTO means */
    CM_HAS_SURVIVAL,       /* a job can go on without ranks that failed: cm_on_failure */
    CM_HAS_SOCKET_BUFFERS, /* CM_BUFFER_BYTES has an effect */
    CM_HAS_RAILS           /* CM_RAILS has an effect */
} cm_property;

/* The same on all ranks; also before cm_init. */
bool cm_comm_has(cm_property property);

/* ---- Groups -------------------------------------------------------------------------------- */

cm_group *cm_world(void); /* all ranks; belongs to the layer */
int cm_rank(const cm_group *group);
int cm_size(const cm_group *group);

/* Node name of a rank; two ranks are on the same host when the strings are equal. */
const char *cm_host(const cm_group *group, int rank);

/* Collective over group: one new group per color, ranked by key, then by rank in group. A negative
   color makes the caller a member of none and returns NULL. The caller frees the group. */
cm_group *cm_split(cm_group *group, int color, int key);
void cm_group_free(cm_group *group); /* collective over the group; NULL is allowed */

/* With cm_on_failure(CM_RETURN): whether this rank has noticed the failure of that one; how many
   members of the group it knows to have failed. */
bool cm_failed(const cm_group *group, int rank);
int cm_failures(const cm_group *group);

/* ---- Time ---------------------------------------------------------------------------------- */

double cm_time(void);            /* seconds, monotonic; simulated under a simulator */
double cm_time_resolution(void); /* seconds */

/* ---- Point to point ------------------------------------------------------------------------ */
/* Messages from one rank to one rank in one group with the same tag are received in the order sent.
   A send completes when its buffer may be reused: up to the eager limit at once, above it when the
   receiver has taken the data. A receive of a message longer than its capacity ends the job. The
   contents of a receive buffer beyond the message stay as they were. status may be NULL. What the
   failure of another rank does to an operation stands at cm_on_failure. */

void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag);
void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status);
void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status);

/* The buffer is the layer's until the request completes. */
cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag);
cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag);

/* Completion frees the request and sets the pointer to NULL; a NULL request is complete. Of the
   status of a send only failed is specified. */
void cm_wait(cm_request **request, cm_status *status);
void cm_waitall(int n, cm_request **requests);

/* Waits until one of n requests completes; returns its index, or -1 when all were NULL. */
int cm_waitany(int n, cm_request **requests, cm_status *status);

/* Waits until at least one completes; returns how many did, their indices and, unless NULL, their
   statuses (arrays of n); -1 when all were NULL. */
int cm_waitsome(int n, cm_request **requests, int *indices, cm_status *statuses);

bool cm_test(cm_request **request, cm_status *status);

/* Takes back a receive that nothing has matched, else completes it; frees the request either way.
   Sends and collective operations cannot be cancelled: status 2. */
void cm_cancel(cm_request **request);

void cm_probe(cm_group *group, int source, int tag, cm_status *status);  /* waits for a message */
bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status); /* is there one? */

/* Moves messages and collective operations on; call it inside long computations that overlap
   them. */
void cm_progress(void);

/* After cm_coalesce(true), cm_isends wait for one another, so that several short ones to one rank
   cost one write: for a process that answers many messages with many and does little in between.
   Off at first. At most CM_COALESCE_BYTES wait for a rank, 32 more a message than its data; longer
   messages do not wait. What waits is complete for its sender, and leaves
   - when this process looks for messages: where a cm_recv, cm_sendrecv, wait, test, probe or
     collective operation does not find done already what it is for, and in cm_progress;
   - before any message that does not wait: of cm_send, of a collective operation, a longer one;
   - before what would be too much for its rank;
   - in cm_coalesce, on or off, and in cm_finalize.
   So a process that turns to something long first calls cm_progress or cm_coalesce. Order and
   failures are as without it. Returns whether this backend does so: with mpi and dummy each message
   leaves at once. */
enum { CM_COALESCE_BYTES = 4096 };
bool cm_coalesce(bool on);

/* ---- Collectives --------------------------------------------------------------------------- */
/* Called by all members in the same order, with the same algorithm. None of them may have failed:
   one that meets a failed member ends the job, also with cm_on_failure(CM_RETURN). */

/* The algorithms, X(KIND, builders, name, counts, least): counts says what the parameter counts,
   from least on. There is no other list: numbers, names, the words of options, Fortran's constants
   and what the tests go through come from this one. */
#define CM_ALGORITHM_LIST(X)                      \
    X(AUTO, auto, "auto", NOTHING, 0)             \
    X(NATIVE, native, "native", NOTHING, 0)       \
    X(LINEAR, linear, "linear", NOTHING, 0)       \
    X(BINOMIAL, binomial, "binomial", NOTHING, 0) \
    X(TREE, tree, "tree", LEAVES, 1)              \
    X(CHAIN, chain, "chain", BYTES, 0)            \
    X(RING, ring, "ring", NOTHING, 0)             \
    X(DOUBLING, doubling, "doubling", NOTHING, 0) \
    X(SCATTER_ALLGATHER, scatter_allgather, "scatter-allgather", NOTHING, 0)

#define CM_ALGORITHM_KIND(kind, builders, name, counts, least) CM_KIND_##kind,
typedef enum { CM_ALGORITHM_LIST(CM_ALGORITHM_KIND) CM_KINDS } cm_algorithm_kind;

typedef enum {
    CM_COUNTS_NOTHING, /* the algorithm takes no parameter */
    CM_COUNTS_LEAVES,  /* of a node of a tree */
    CM_COUNTS_BYTES    /* of a segment */
} cm_algorithm_counts;

typedef struct {
    int kind;          /* cm_algorithm_kind */
    int64_t parameter; /* of what cm_algorithm_parameter says; 0 where it counts nothing */
} cm_algorithm;

#ifdef __cplusplus
#define CM_ALGORITHM(kind, parameter) (cm_algorithm{kind, parameter})
#else
#define CM_ALGORITHM(kind, parameter) ((cm_algorithm){kind, parameter})
#endif
#define CM_AUTO CM_ALGORITHM(CM_KIND_AUTO, 0)     /* the layer chooses */
#define CM_NATIVE CM_ALGORITHM(CM_KIND_NATIVE, 0) /* the MPI's own; CM_AUTO elsewhere */
#define CM_LINEAR CM_ALGORITHM(CM_KIND_LINEAR, 0)
#define CM_BINOMIAL CM_ALGORITHM(CM_KIND_BINOMIAL, 0)
#define CM_TREE(leaves) CM_ALGORITHM(CM_KIND_TREE, leaves)
#define CM_CHAIN(segment_bytes) CM_ALGORITHM(CM_KIND_CHAIN, segment_bytes)
#define CM_RING CM_ALGORITHM(CM_KIND_RING, 0)
#define CM_DOUBLING CM_ALGORITHM(CM_KIND_DOUBLING, 0)
#define CM_SCATTER_ALLGATHER CM_ALGORITHM(CM_KIND_SCATTER_ALLGATHER, 0)

typedef enum {
    CM_COLLECTIVE_BARRIER,
    CM_COLLECTIVE_BCAST,
    CM_COLLECTIVE_REDUCE,
    CM_COLLECTIVE_ALLREDUCE,
    CM_COLLECTIVE_SCAN,
    CM_COLLECTIVE_GATHER,
    CM_COLLECTIVE_GATHERV,
    CM_COLLECTIVE_SCATTER,
    CM_COLLECTIVE_SCATTERV,
    CM_COLLECTIVE_ALLGATHER,
    CM_COLLECTIVE_ALLGATHERV,
    CM_COLLECTIVE_ALLTOALL,
    CM_COLLECTIVE_ALLTOALLV,
    CM_COLLECTIVES
} cm_collective;

/* How they are written, for the words of options: "auto, ..., tree:LEAVES, chain:BYTES, ..., " */
#define CM_ALGORITHM_FORMS CM_ALGORITHM_LIST(CM_ALGORITHM_FORM)
#define CM_ALGORITHM_FORM(kind, builders, name, counts, least) name CM_FORM_##counts ", "
#define CM_FORM_NOTHING ""
#define CM_FORM_LEAVES ":LEAVES"
#define CM_FORM_BYTES ":BYTES"

/* Reads one of these forms; false for anything else. */
bool cm_algorithm_parse(const char *text, cm_algorithm *algorithm);
const char *cm_algorithm_name(cm_algorithm algorithm);    /* without the parameter */
cm_algorithm_counts cm_algorithm_parameter(int kind);     /* CM_COUNTS_NOTHING of no kind */
const char *cm_collective_name(cm_collective collective); /* "bcast", ... */

/* Whether this backend has the combination. A call with one that it does not have ends the job with
   status 2 and a line naming both. */
bool cm_algorithm_available(cm_collective collective, cm_algorithm algorithm);

typedef struct {
    double value;
    int64_t index;
} cm_double_index;
typedef struct {
    float value;
    int64_t index;
} cm_float_index;

/* Element types. CM_RECORD(bytes) is for user functions only. */
typedef int64_t cm_type;
enum { CM_UINT8 = 1, CM_INT32, CM_INT64, CM_FLOAT, CM_DOUBLE, CM_FLOAT_INDEX, CM_DOUBLE_INDEX };
#define CM_RECORD(bytes) (((cm_type)(bytes) << 8) | 0xff)
size_t cm_type_bytes(cm_type type); /* 0 for what is not a type */

/* right[i] = left[i] op right[i], i < count; left comes from lower ranks. */
typedef void cm_op_function(const void *left, void *right, size_t count, cm_type type);

typedef struct {
    int kind;
    int commutative;          /* user functions: may operands change places? */
    cm_op_function *function; /* user functions */
} cm_op;

/* sum, prod, min, max: int32, int64, float, double. and, or, xor (bitwise): uint8, int32, int64.
   minloc, maxloc: float_index, double_index, the lowest index on ties. */
enum {
    CM_OP_SUM = 1,
    CM_OP_PROD,
    CM_OP_MIN,
    CM_OP_MAX,
    CM_OP_AND,
    CM_OP_OR,
    CM_OP_XOR,
    CM_OP_MINLOC,
    CM_OP_MAXLOC,
    CM_OP_USER
};
#ifdef __cplusplus
#define CM_OPERATOR(kind, commutative, function) (cm_op{kind, commutative, function})
#else
#define CM_OPERATOR(kind, commutative, function) ((cm_op){kind, commutative, function})
#endif
#define CM_SUM CM_OPERATOR(CM_OP_SUM, 1, 0)
#define CM_PROD CM_OPERATOR(CM_OP_PROD, 1, 0)
#define CM_MIN CM_OPERATOR(CM_OP_MIN, 1, 0)
#define CM_MAX CM_OPERATOR(CM_OP_MAX, 1, 0)
#define CM_AND CM_OPERATOR(CM_OP_AND, 1, 0)
#define CM_OR CM_OPERATOR(CM_OP_OR, 1, 0)
#define CM_XOR CM_OPERATOR(CM_OP_XOR, 1, 0)
#define CM_MINLOC CM_OPERATOR(CM_OP_MINLOC, 1, 0)
#define CM_MAXLOC CM_OPERATOR(CM_OP_MAXLOC, 1, 0)
#define CM_USER_OP(function, commutative) CM_OPERATOR(CM_OP_USER, commutative, function)

void cm_barrier(cm_group *group, cm_algorithm algorithm);
void cm_bcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm);

/* out is read on root only and may be NULL elsewhere; in and out must not overlap, except that
   in == out is allowed where the result arrives. The result of float reductions is the same, bit
   for bit, every time for one algorithm on one number of ranks. */
void cm_reduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
               int root, cm_algorithm algorithm);
void cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
                  cm_algorithm algorithm);
/* Inclusive prefix: rank r gets in[0] op ... op in[r]. */
void cm_scan(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
             cm_algorithm algorithm);

/* bytes: what each rank contributes (gather) or gets (scatter); block r belongs to rank r. The
   v-forms take a length and an offset in bytes for each rank; on root only, except allgatherv. */
void cm_gather(cm_group *group, const void *in, size_t bytes, void *out, int root,
               cm_algorithm algorithm);
void cm_gatherv(cm_group *group, const void *in, size_t bytes, void *out, const size_t *out_bytes,
                const size_t *out_offsets, int root, cm_algorithm algorithm);
void cm_scatter(cm_group *group, const void *in, size_t bytes, void *out, int root,
                cm_algorithm algorithm);
void cm_scatterv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                 void *out, size_t bytes, int root, cm_algorithm algorithm);
void cm_allgather(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm);
void cm_allgatherv(cm_group *group, const void *in, size_t bytes, void *out,
                   const size_t *out_bytes, const size_t *out_offsets, cm_algorithm algorithm);
/* bytes: per pair of ranks. */
void cm_alltoall(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm);
void cm_alltoallv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                  void *out, const size_t *out_bytes, const size_t *out_offsets,
                  cm_algorithm algorithm);

/* Non-blocking forms, completed by the waits above. */
cm_request *cm_ibcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm);
cm_request *cm_iallreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                          cm_op op, cm_algorithm algorithm);

#ifdef __cplusplus
}
#endif
#endif
