/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.h: clustermark's communication layer. A program is linked with one backend (MPI, TCP
   sockets, shared memory, both of these, or a dummy) and is written against this page alone.

   Conventions. Lengths are in bytes (size_t, any value), except in reductions, where they are
   counts of elements. Ranks are numbered from 0 within a group. A buffer may be NULL if its length
   is 0.

   Errors. A function returns on failure only if its comment says so. Otherwise the layer prints one
   line on stderr (rank, host, peer, operation, cause) and ends the job with status 3, or with
   status 2 if the call itself was wrong (a rank outside the group, a tag out of range, a NULL
   buffer with a length above 0, a NULL group). Only the failure of another rank can be made to
   return instead: see cm_on_failure.

   Threads. A process may have any number of threads, but only the thread that called cm_init calls
   the functions of this page. The layer starts no thread of its own and makes progress only inside
   calls. Other threads may read and write a buffer as the program itself may: not while it belongs
   to the layer. */
#ifndef CM_COMM_H
#define CM_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/exit.h"
#include "base/launch_rank.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CM_ANY = -1 };          /* in a receive or probe: any source, any tag */
#define CM_TAG_LIMIT (1 << 28) /* 0 <= tag < CM_TAG_LIMIT */

typedef struct cm_group cm_group;     /* ranks that exchange messages in a message space of
                                         their own */
typedef struct cm_request cm_request; /* an operation under way */

/* The outcome of an operation. In the status of a send or of a collective operation only failed is
   specified. */
typedef struct {
    int source;   /* sender's rank in the group */
    int tag;      /* tag of the message */
    size_t bytes; /* length of the message */
    int failed;   /* -1; or the rank in the group whose failure ended the operation
                     (cm_on_failure). Then source is the same rank, tag is CM_ANY, bytes is 0 and
                     the contents of the buffer are undefined */
} cm_status;

/* ---- Life ---------------------------------------------------------------------------------- */

/* Joins the job that the launcher describes in the environment. Without a launcher the job has one
   rank. argc and argv point to main's arguments and may be NULL. Returns 0. On an error it prints
   one line and returns an exit status: CM_EXIT_USAGE if the process was started by a launcher that
   this backend cannot talk to, else CM_EXIT_SYSTEM. */
int cm_init(int *argc, char ***argv);

/* Completes everything that this rank still owes to other ranks, and leaves the job. Collective
   over all ranks. Says in a line on stderr which messages to this rank were never received, and
   which of its sends and receives never completed: the first of each, and how many more. The exit
   status does not change. (The mpi backend leaves such words to MPI.) */
void cm_finalize(void);

/* Ends the whole job with the given exit status. Prints rank, host and the formatted text on
   stderr. May also be called before cm_init; it then ends this process alone. Does not return. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void cm_abort(int status, const char *format, ...);

typedef enum { CM_END_JOB, CM_RETURN } cm_failure_mode;

/* Sets what the failure of another rank does. With CM_END_JOB, the default, it ends the job. With
   CM_RETURN the operations that can no longer complete return, and the job goes on. All ranks call
   this function, preferably right after cm_init.

   Returns 0. If the job could not go on after a failure, it prints one line on rank 0 and returns
   CM_EXIT_USAGE: the mpi backend cannot go on, and cmrun ends the other ranks unless it was started
   with --keep-going. (Hydra needs -disable-auto-cleanup; the layer cannot see whether it was
   given.)

   With CM_RETURN, a message that a rank sent before it failed is still received if it has arrived
   whole. All its other messages count as never sent. After that:
   - A receive or probe from the failed rank returns with status.failed, now and whenever it is
     called again.
   - Of the receives and probes from CM_ANY in a group, one returns with status.failed for each
     member that failed. This is the first one that is posted at that time, otherwise the next one
     that finds no message. (A probe without a status leaves the report to the next operation.) When
     all other members have failed, every such receive or probe that finds no message returns with
     status.failed.
   - A send to the failed rank completes and its buffer may be reused. cm_wait and the other waits
     and tests report the failure in status.failed. cm_send and the send of cm_sendrecv do not
     report it; ask cm_failed. A send that had completed before says nothing about the arrival of
     its message.
   - A collective operation (cm_split is one) that meets a failed member ends the job with status 3,
     because it needs all members. Groups without failed members are not affected.
   A rank that cannot be reached counts as failed, even if only the network failed. This rank's own
   errors (no memory, a message longer than its receive buffer) still end the job. A failure is
   noticed inside calls that move messages. cm_finalize waits for the ranks that are left. */
int cm_on_failure(cm_failure_mode mode);

/* Calls each(key, value, context) for every property of the backend that changes measured numbers:
   comm (the backend's name), comm_version, transport, eager_bytes, piece_bytes, nodelay,
   congestion_control, spin_us, ... Key and value are valid during the call of each only. Call it
   after cm_init. */
void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context);

/* Properties of the backend that a program may depend on. The backend's name is only for people to
   read; no program should depend on it. */
typedef enum {
    CM_HAS_PROCESSES,      /* each rank is a process that runs the program. Without this property,
                              the ranks above 0 only answer what rank 0 sends, on a virtual clock */
    CM_HAS_PMI,            /* ranks speak PMI-1, as cmrun does */
    CM_HAS_NATIVE,         /* CM_NATIVE is a library's own operation, and CM_AUTO means it */
    CM_HAS_SURVIVAL,       /* a job can go on without failed ranks: cm_on_failure */
    CM_HAS_SOCKET_BUFFERS, /* CM_SOCKET_BUFFER_BYTES has an effect */
    CM_HAS_RAILS,          /* CM_RAILS has an effect */
    CM_HAS_SIMULATOR,      /* a simulator plays the hosts: a computation takes no time, and the
                              ranks cannot be bound to the computer's cores */
    CM_HAS_SHARED          /* ranks of a host can share memory of cm_allocate */
} cm_property;

/* Returns true if the backend has the property. The answer is the same on all ranks. May be called
   before cm_init. */
bool cm_comm_has(cm_property property);

/* ---- Groups -------------------------------------------------------------------------------- */

cm_group *cm_world(void);           /* the group of all ranks; it belongs to the layer */
int cm_rank(const cm_group *group); /* this process's rank in the group */
int cm_size(const cm_group *group); /* the number of ranks in the group */

/* Returns the node name of a rank of the group. Two ranks are on the same host if their names are
   equal strings. The string belongs to the layer. */
const char *cm_host(const cm_group *group, int rank);

/* Creates one new group for each color. The members of a new group are ordered by key, and by their
   rank in the old group if keys are equal. Collective over the old group. Returns the new group of
   the caller, or NULL for a negative color: the caller then belongs to no new group. The caller
   frees the new group with cm_group_free. */
cm_group *cm_split(cm_group *group, int color, int key);

/* Creates one new group for each host: the ranks that cm_host gives the same name, ordered by their
   rank in the old group. Collective over the old group. The caller frees the new group with
   cm_group_free. */
cm_group *cm_split_host(cm_group *group);

/* Frees a group that cm_split or cm_split_host returned. Collective over that group. NULL is
   allowed. */
void cm_group_free(cm_group *group);

/* With cm_on_failure(CM_RETURN): cm_failed returns true if this rank has noticed the failure of the
   given rank of the group. cm_failures returns the number of members that this rank knows to have
   failed. */
bool cm_failed(const cm_group *group, int rank);
int cm_failures(const cm_group *group);

/* ---- Time ---------------------------------------------------------------------------------- */

/* cm_time returns the time in seconds, monotonic; under a simulator it is simulated time.
   cm_time_resolution returns the resolution of that clock in seconds. */
double cm_time(void);
double cm_time_resolution(void);

/* Under a simulator (CM_HAS_SIMULATOR), says what a computation costs: the time that flop
   floating-point operations take at the speed that the platform states for this rank's host, plus
   the given number of seconds. That time passes during the call. Does nothing otherwise. */
void cm_compute(double flop, double seconds);

/* Returns what one item of the program's own work costs under a simulator, in seconds:
   CM_SIM_ITEM_NS. The program's chapter says what an item is. Returns 0 without a simulator. */
double cm_item_s(void);

/* ---- Memory -------------------------------------------------------------------------------- */

/* Returns memory that is zero, aligned to pages of 4096 bytes, and touched. Returns NULL if the
   host's free memory (without swap) or the limit of a control group would not hold it. Messages may
   lie anywhere in it. Where ranks share their host's memory (CM_HAS_SHARED), the other ranks of the
   host can map it: a long message from it or into it is then copied once, without the kernel, and
   if both buffers are such memory, each of the two ranks copies a part at the same time. (Messages
   in ordinary memory are copied twice, or once by the kernel: CM_COPY. The way changes no guarantee
   of this file.) A rank can
   have 64 of these; further ones, and those of less than 16384 bytes, are ordinary memory, as with
   the other backends: correct, and not faster than malloc's. Call it after cm_init. */
void *cm_allocate(size_t bytes);

/* Frees memory of cm_allocate; NULL is allowed. No operation may use it any more; a send from it
   that is not complete ends the job with status 2. May be called after cm_finalize, too. */
void cm_free(void *memory);

/* ---- Point to point ------------------------------------------------------------------------ */
/* dest and source are ranks in the group; 0 <= tag < CM_TAG_LIMIT. In receives and probes, source
   and tag may also be CM_ANY. status may be NULL.

   Order: messages with the same tag from one rank to one rank in one group are received in the
   order in which they were sent.

   Turns: where the backend has CM_HAS_PMI, receives and probes from CM_ANY take turns between the
   ranks whose messages have arrived. There is one order of turns for all groups and tags, so a
   receive of one tag also ends its sender's turn for the others; but a message that is the oldest
   of those that fit is passed over no more often than there are ranks. No rank waits for a look at
   its connection longer than 64 such receives. What a probe from CM_ANY finds is what the next
   receive with the same arguments gets, unless there is another probe from CM_ANY between the two:
   only the last one is remembered.

   A send completes when its buffer may be reused. A message up to the eager limit completes at
   once, or within about 200 us where the kernel's copy is offered first (CM_COPY); a longer one
   completes when the receiver has taken the data.

   A message longer than the capacity of its receive ends the job. The part of a receive buffer
   beyond the message keeps its contents.

   What the failure of another rank does to an operation is described at cm_on_failure. */

/* Sends bytes of data to dest. Blocks until the send is complete. */
void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag);

/* Receives a message of at most capacity bytes into data. Blocks until it has arrived. */
void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status);

/* Sends and receives at the same time. Blocks until both are complete; status is that of the
   receive. */
void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status);

/* Start a send or receive and return a request for it at once. The buffer belongs to the layer
   until the request completes. */
cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag);
cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag);

/* Block until one request, or all n requests, are complete. Completion, here and below, frees the
   request and sets the pointer to NULL. A NULL request counts as complete and leaves its status
   unchanged. statuses is NULL or an array of n, one status for each request. */
void cm_wait(cm_request **request, cm_status *status);
void cm_waitall(int n, cm_request **requests, cm_status *statuses);

/* Blocks until one of n requests completes. Returns its index, or -1 if all were NULL. */
int cm_waitany(int n, cm_request **requests, cm_status *status);

/* Blocks until at least one of n requests completes. Returns the number of those that completed,
   stores their indices and, unless statuses is NULL, their statuses (both are arrays of n).
   Returns -1 if all requests were NULL. */
int cm_waitsome(int n, cm_request **requests, int *indices, cm_status *statuses);

/* Returns true if the request is complete, and then frees it as cm_wait does; otherwise returns
   false. Does not block. */
bool cm_test(cm_request **request, cm_status *status);

/* Cancels a receive that no message has matched; otherwise waits until the receive is complete.
   Frees the request in both cases. Sends and collective operations cannot be cancelled: the job
   ends with status 2. */
void cm_cancel(cm_request **request);

/* Look for a message without receiving it. cm_probe blocks until there is one. cm_iprobe returns
   true if there is one, and does not block. */
void cm_probe(cm_group *group, int source, int tag, cm_status *status);
bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status);

/* Advances messages and collective operations. Call it inside long computations that overlap
   them. */
void cm_progress(void);

/* Turns coalescing on or off; it is off at first. While it is on, short messages of cm_isend are
   held back, so that several messages to one rank leave in one write. This helps a process that
   answers many messages with many and does little in between. At most CM_COALESCE_BYTES are held
   for each rank, where every message counts 32 bytes more than its data. Longer messages are not
   held. A held message is complete for its sender. It leaves
   - when this process looks for messages: in cm_progress, and in a cm_recv, cm_sendrecv, wait,
     test, probe or collective operation that cannot complete without looking;
   - before any message that is not held: one of cm_send, of a collective operation, or a longer
     one;
   - before a message that would exceed CM_COALESCE_BYTES for its rank;
   - in cm_coalesce, on or off, and in cm_finalize.
   A process that turns to a long computation should therefore call cm_progress or cm_coalesce
   first. Message order and failures are the same as without coalescing. Returns true if this
   backend coalesces; with mpi and dummy it returns false and each message leaves at once. */
enum { CM_COALESCE_BYTES = 4096 };
bool cm_coalesce(bool on);

/* ---- Collectives --------------------------------------------------------------------------- */
/* All members of a group call its collective operations in the same order and with the same
   algorithm. No member may have failed: an operation that meets a failed member ends the job, even
   with cm_on_failure(CM_RETURN). */

/* Properties of an algorithm; a value is a sum of these. */
enum {
    CM_CUTS_VECTORS = 1,  /* cuts a vector into a part for each rank */
    CM_WHOLE_AT_ROOT = 2, /* all operands of an allreduce come to rank 0 before any result leaves
                             it, and the root of a broadcast receives nothing */
    CM_SUMS_BETWEEN = 4   /* in a reduce-scatter a rank gets others' sums, not their operands */
};

/* The list of algorithms, X(KIND, builders, name, counts, least, properties). counts is the
   quantity that the parameter counts, least its smallest value. This is the only list: the numbers,
   the names, the values of options, Fortran's constants and the algorithms that the tests run all
   come from it. */
#define CM_ALGORITHM_LIST(X)                                                                  \
    X(AUTO, auto, "auto", NOTHING, 0, CM_WHOLE_AT_ROOT)                                       \
    X(NATIVE, native, "native", NOTHING, 0, CM_WHOLE_AT_ROOT)                                 \
    X(LINEAR, linear, "linear", NOTHING, 0, CM_WHOLE_AT_ROOT)                                 \
    X(BINOMIAL, binomial, "binomial", NOTHING, 0, CM_WHOLE_AT_ROOT)                           \
    X(TREE, tree, "tree", LEAVES, 1, CM_WHOLE_AT_ROOT)                                        \
    X(CHAIN, chain, "chain", BYTES, 0, CM_WHOLE_AT_ROOT)                                      \
    X(RING, ring, "ring", NOTHING, 0, CM_CUTS_VECTORS)                                        \
    X(DOUBLING, doubling, "doubling", NOTHING, 0, CM_SUMS_BETWEEN)                            \
    X(SCATTER_ALLGATHER, scatter_allgather, "scatter-allgather", NOTHING, 0, CM_CUTS_VECTORS) \
    X(HOSTS, hosts, "hosts", NOTHING, 0, CM_SUMS_BETWEEN)                                     \
    X(DIRECT, direct, "direct", NOTHING, 0, CM_CUTS_VECTORS)

#define CM_ALGORITHM_KIND(kind, builders, name, counts, least, properties) CM_KIND_##kind,
typedef enum { CM_ALGORITHM_LIST(CM_ALGORITHM_KIND) CM_KINDS } cm_algorithm_kind;

/* The meaning of an algorithm's parameter. */
typedef enum {
    CM_COUNTS_NOTHING, /* the algorithm takes no parameter */
    CM_COUNTS_LEAVES,  /* leaves of a node of a tree */
    CM_COUNTS_BYTES    /* bytes of a segment */
} cm_algorithm_counts;

typedef struct {
    int kind;          /* cm_algorithm_kind */
    int64_t parameter; /* its unit is cm_algorithm_parameter(kind); 0 if there is no parameter */
} cm_algorithm;

#ifdef __cplusplus
#define CM_ALGORITHM(kind, parameter) (cm_algorithm{kind, parameter})
#else
#define CM_ALGORITHM(kind, parameter) ((cm_algorithm){kind, parameter})
#endif
#define CM_AUTO CM_ALGORITHM(CM_KIND_AUTO, 0)     /* the layer chooses */
#define CM_NATIVE CM_ALGORITHM(CM_KIND_NATIVE, 0) /* the MPI's own; CM_AUTO in other backends */
#define CM_LINEAR CM_ALGORITHM(CM_KIND_LINEAR, 0)
#define CM_BINOMIAL CM_ALGORITHM(CM_KIND_BINOMIAL, 0)
#define CM_TREE(leaves) CM_ALGORITHM(CM_KIND_TREE, leaves)
#define CM_CHAIN(segment_bytes) CM_ALGORITHM(CM_KIND_CHAIN, segment_bytes)
#define CM_RING CM_ALGORITHM(CM_KIND_RING, 0)
#define CM_DOUBLING CM_ALGORITHM(CM_KIND_DOUBLING, 0)
#define CM_SCATTER_ALLGATHER CM_ALGORITHM(CM_KIND_SCATTER_ALLGATHER, 0)
#define CM_HOSTS CM_ALGORITHM(CM_KIND_HOSTS, 0) /* inside hosts and between them */
/* Ranks of one host read each other's buffers themselves, where the backend shares memory
   (CM_HAS_SHARED) and blocks are long enough. Otherwise the same as CM_LINEAR. */
#define CM_DIRECT CM_ALGORITHM(CM_KIND_DIRECT, 0)

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
    CM_COLLECTIVE_REDUCE_SCATTER,
    CM_COLLECTIVES
} cm_collective;

/* All forms of an algorithm's text, for the help of options: "auto, ..., tree:LEAVES, chain:BYTES,
   ..., " */
#define CM_ALGORITHM_FORMS CM_ALGORITHM_LIST(CM_ALGORITHM_FORM)
#define CM_ALGORITHM_FORM(kind, builders, name, counts, least, properties) \
    name CM_FORM_##counts ", "
#define CM_FORM_NOTHING ""
#define CM_FORM_LEAVES ":LEAVES"
#define CM_FORM_BYTES ":BYTES"

/* Converts one of these forms to an algorithm. Returns false for any other text and then leaves
   *algorithm unchanged. */
bool cm_algorithm_parse(const char *text, cm_algorithm *algorithm);

/* Returns the algorithm's name without its parameter, "unknown" for a number that is no kind. */
const char *cm_algorithm_name(cm_algorithm algorithm);

/* Writes the text that cm_algorithm_parse converts to it, cut to capacity - 1 bytes. */
void cm_algorithm_text(cm_algorithm algorithm, char *text, size_t capacity);

/* Returns what the parameter of this kind counts, CM_COUNTS_NOTHING for a number that is no
   kind. */
cm_algorithm_counts cm_algorithm_parameter(int kind);

/* Returns true if the kind has this property (CM_CUTS_VECTORS, ...). A number that is no kind has
   none. */
bool cm_algorithm_has(int kind, int property);

/* Returns the collective's name: "bcast", ... */
const char *cm_collective_name(cm_collective collective);

/* Returns true if the collective has the algorithm in this backend. A call with a combination that
   does not exist ends the job with status 2 and a line that names both. */
bool cm_algorithm_available(cm_collective collective, cm_algorithm algorithm);

typedef struct {
    double value;
    int64_t index;
} cm_double_index;
typedef struct {
    float value;
    int64_t index;
} cm_float_index;

/* Element types. CM_RECORD(bytes), a record of that length, is for user functions only. */
typedef int64_t cm_type;
enum { CM_UINT8 = 1, CM_INT32, CM_INT64, CM_FLOAT, CM_DOUBLE, CM_FLOAT_INDEX, CM_DOUBLE_INDEX };
#define CM_RECORD(bytes) (((cm_type)(bytes) << 8) | 0xff)
size_t cm_type_bytes(cm_type type); /* size of an element in bytes; 0 if it is not a type */

/* A user's operator. Sets right[i] = left[i] op right[i] for 0 <= i < count, all elements of the
   given type. left comes from lower ranks than right. */
typedef void cm_op_function(const void *left, void *right, size_t count, cm_type type);

typedef struct {
    int kind;                 /* CM_OP_SUM, ... */
    int commutative;          /* user functions: 1 if operands may change places */
    cm_op_function *function; /* user functions */
} cm_op;

/* The operators and their element types. sum, prod, min and max: int32, int64, float, double.
   and, or and xor (bitwise): uint8, int32, int64. minloc and maxloc: float_index, double_index; on
   ties the lowest index. Another combination ends the job with status 2. */
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

/* Blocks until all members of the group have called it. */
void cm_barrier(cm_group *group, cm_algorithm algorithm);

/* Copies bytes of data from root to data on all other ranks. */
void cm_bcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm);

/* Reductions combine, element by element, the count elements at in of all ranks with op. The result
   of count elements arrives in out: on root (cm_reduce), or on every rank (cm_allreduce). cm_reduce
   uses out on root only; it may be NULL on the other ranks. in and out must not overlap, except
   that in == out is allowed on a rank where the result arrives. The result of float reductions is
   the same, bit for bit, every time with the same algorithm, the same number of ranks and, with
   hosts and direct (which auto may mean), the same placement of ranks on hosts. */
void cm_reduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
               int root, cm_algorithm algorithm);
void cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
                  cm_algorithm algorithm);
/* Inclusive prefix reduction: out on rank r is in of rank 0 op ... op in of rank r. */
void cm_scan(cm_group *group, const void *in, void *out, size_t count, cm_type type, cm_op op,
             cm_algorithm algorithm);

/* Reduces blocks, one for each rank: in has the block of rank 0, then that of rank 1, and so on;
   block r has counts[r] elements. counts is the same on all ranks. Block r of the result arrives in
   out on rank r. in and out must not overlap. */
void cm_reduce_scatter(cm_group *group, const void *in, void *out, const size_t *counts,
                       cm_type type, cm_op op, cm_algorithm algorithm);

/* cm_gather collects a block of each rank in out on root; cm_scatter sends a block of in on root to
   each rank; cm_allgather collects the blocks on every rank. bytes is the length of the block that
   each rank contributes (gather) or gets (scatter). Blocks stand in the order of ranks: block r
   belongs to rank r. The array of blocks (out of gather, in of scatter) is used on root only.

   The forms with v take an array of lengths and an array of offsets, both in bytes with an entry
   for each rank, on root only, except cm_allgatherv, which takes them on every rank. bytes on a
   rank must equal its entry in the lengths. */
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
/* Every rank sends block r of in to rank r and receives the block of rank r as block r of out.
   bytes is the length of the block for each pair of ranks. cm_alltoallv takes lengths and offsets
   in bytes, with an entry for each rank, for in and for out. A rank's two lengths for its block to
   itself must be equal. */
void cm_alltoall(cm_group *group, const void *in, size_t bytes, void *out, cm_algorithm algorithm);
void cm_alltoallv(cm_group *group, const void *in, const size_t *in_bytes, const size_t *in_offsets,
                  void *out, const size_t *out_bytes, const size_t *out_offsets,
                  cm_algorithm algorithm);

/* Non-blocking forms of all of these. Each returns a request, which the waits and tests above
   complete. Until then the buffers and the arrays of counts, lengths and offsets belong to the
   layer. Members start the operations of a group, blocking and non-blocking ones, in the same
   order; they may complete in any order. */
cm_request *cm_ibarrier(cm_group *group, cm_algorithm algorithm);
cm_request *cm_ibcast(cm_group *group, void *data, size_t bytes, int root, cm_algorithm algorithm);
cm_request *cm_ireduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                       cm_op op, int root, cm_algorithm algorithm);
cm_request *cm_iallreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                          cm_op op, cm_algorithm algorithm);
cm_request *cm_iscan(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                     cm_op op, cm_algorithm algorithm);
cm_request *cm_ireduce_scatter(cm_group *group, const void *in, void *out, const size_t *counts,
                               cm_type type, cm_op op, cm_algorithm algorithm);
cm_request *cm_igather(cm_group *group, const void *in, size_t bytes, void *out, int root,
                       cm_algorithm algorithm);
cm_request *cm_igatherv(cm_group *group, const void *in, size_t bytes, void *out,
                        const size_t *out_bytes, const size_t *out_offsets, int root,
                        cm_algorithm algorithm);
cm_request *cm_iscatter(cm_group *group, const void *in, size_t bytes, void *out, int root,
                        cm_algorithm algorithm);
cm_request *cm_iscatterv(cm_group *group, const void *in, const size_t *in_bytes,
                         const size_t *in_offsets, void *out, size_t bytes, int root,
                         cm_algorithm algorithm);
cm_request *cm_iallgather(cm_group *group, const void *in, size_t bytes, void *out,
                          cm_algorithm algorithm);
cm_request *cm_iallgatherv(cm_group *group, const void *in, size_t bytes, void *out,
                           const size_t *out_bytes, const size_t *out_offsets,
                           cm_algorithm algorithm);
cm_request *cm_ialltoall(cm_group *group, const void *in, size_t bytes, void *out,
                         cm_algorithm algorithm);
cm_request *cm_ialltoallv(cm_group *group, const void *in, const size_t *in_bytes,
                          const size_t *in_offsets, void *out, const size_t *out_bytes,
                          const size_t *out_offsets, cm_algorithm algorithm);

#ifdef __cplusplus
}
#endif
#endif
