/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h: declarations that the files of cm-collective share. All ranks go through the same
   cases together; rank 0 decides when there are enough samples, and writes the result. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "collective_clock.h"
#include "comm/hosts.h"
#include "comm/tuning.h"
#include "pairs/job.h"

enum { COLLECTIVE_ROOT = 0, COLLECTIVE_ELEMENT_BYTES = 8, COLLECTIVE_MOST_LIST = 128 };

/* How operations follow each other. */
typedef enum {
    COLLECTIVE_BACK_TO_BACK = 1,
    COLLECTIVE_SEPARATED = 2,  /* by a barrier */
    COLLECTIVE_WINDOWS = 3,    /* all ranks begin at an agreed time, on synchronised clocks */
    COLLECTIVE_NONBLOCKING = 4 /* by a barrier; started and waited for */
} collective_repetition;
typedef enum { COLLECTIVE_SYNC_BARRIER, COLLECTIVE_SYNC_WINDOW } collective_sync;

/* ---- collective_operation.c: the operations -------------------------------------------------- */

typedef struct {
    size_t bytes;                    /* of a vector or block */
    unsigned char *in, *out;         /* equal if the operation works in place (bcast) */
    const size_t *counts;            /* elements of each rank's block, all alike (reduce_scatter) */
    const size_t *lengths, *offsets; /* bytes of each rank's block, all alike, one after the other
                                        (gatherv and the like) */
    int type;                        /* of reductions: index of collective_types */
    cm_algorithm algorithm;
    bool nonblocking;
} collective_call;

/* The element types of reductions. */
typedef struct {
    const char *name;
    cm_type type;
    size_t bytes; /* divide COLLECTIVE_ELEMENT_BYTES */
} collective_type;
enum { COLLECTIVE_TYPES = 4, COLLECTIVE_INT64 = 1 };
extern const collective_type collective_types[COLLECTIVE_TYPES];
extern const char *const collective_type_names[];

typedef struct {
    cm_collective collective; /* its name is cm_collective_name's */
    bool sized, reduction;
    bool in_all, out_all;   /* a block for each rank instead of one */
    bool in_root, out_root; /* read or written at the root only */
    bool in_place;          /* out is in */
    bool data_of_root;      /* the result depends on the root's data only */
    bool prefix;            /* the result is of this rank and those below it */
    void (*perform)(cm_group *group, const collective_call *call);
    const char *size_is;
} collective_operation;

/* collective_nonblocking.c: starts the operation's non-blocking form; performs the operation in the
   form that the call says. */
cm_request *collective_start(cm_group *group, const collective_operation *operation,
                             const collective_call *call);
void collective_perform(cm_group *group, const collective_operation *operation,
                        const collective_call *call);

enum { COLLECTIVE_OPERATIONS = 14 };
extern const collective_operation collective_operations[COLLECTIVE_OPERATIONS];
extern const char *const collective_operation_names[]; /* those of the operations, "all", NULL */

/* ---- collective_plan.c: what is measured ----------------------------------------------------- */

/* Options that were not given are, until the check, COLLECTIVE_TYPES (type), NULL (lists), -1 (the
   time limit) and 0 (sizes, their factor, sweeps). */
typedef struct {
    int operation; /* index of collective_operations; COLLECTIVE_OPERATIONS: all */
    int type;      /* index of collective_types */
    const char *algorithms_text, *leaves_text, *segments_text, *ranks_text;
    int repetition; /* index of collective_repetitions */
    int sync;       /* collective_sync: how operations are separated */
    bool overlap;   /* non-blocking forms, with computing */
    int64_t lower_bytes, upper_bytes, factor;
    bool fit; /* leaves out sizes that do not fit into memory; set by the check without --upper */
    int64_t sweeps;
    const char *tuning;   /* file for the table of choices; NULL: none */
    cm_sampling sampling; /* a trial is a batch */
    cm_result_files files;
} collective_options;
/* back-to-back and separated, in the order of their numbers; then both. */
extern const char *const collective_repetitions[];
extern const char *const collective_syncs[];

typedef struct {
    int64_t value[COLLECTIVE_MOST_LIST];
    size_t n;
} collective_list;
typedef struct {
    cm_algorithm algorithm[CM_KINDS * COLLECTIVE_MOST_LIST];
    size_t n;
} collective_algorithms;

/* Parse "1,2,4" (numbers from 1) and "4Ki,64Ki" (bytes from 0). Return false if text is no such
   list. */
bool collective_numbers_parse(const char *text, collective_list *list);
bool collective_segments_parse(const char *text, collective_list *list);

/* Lists the leaves of trees of size ranks. text is a list; "all" means 1 to size - 1, NULL the
   powers of two below size - 1, and size - 1. Returns false if they are more than a list holds. */
bool collective_leaves(const char *text, int size, collective_list *list);

/* Lists the numbers of ranks to measure in a job of size ranks. text is a list; NULL means all
   ranks, "all" the powers of two below size, and size. Returns false if a number is above size. */
bool collective_ranks(const char *text, int size, collective_list *list);

/* Lists the algorithms of one operation in the order of their numbers: those of named (from
   --algorithm), or all if named is empty. Algorithms that the layer does not have for the operation
   are left out. Unless they are named, so are those that would repeat others: direct on several
   hosts; hosts on one, or with one rank of group on each. group is NULL: one host. */
void collective_algorithms_of(const collective_operation *operation,
                              const collective_algorithms *named, const collective_list *leaves,
                              const collective_list *segments, cm_group *group,
                              collective_algorithms *list);
/* Parses "linear,tree:2"; "all" gives an empty list. */
bool collective_names_parse(const char *text, collective_algorithms *list);

/* Lists the sizes of an operation: lower times powers of factor up to upper. Reductions round up to
   whole elements; no size appears twice. An operation without a size has one size, 0. */
void collective_sizes(const collective_operation *operation, int64_t lower, int64_t upper,
                      int64_t factor, collective_list *sizes);

/* Returns whether an operation reads or writes a block for each rank. */
bool collective_has_blocks(const collective_operation *operation);

/* Memory for operations of up to upper bytes, and up to block_bytes if they have a block for each
   rank, on one of size ranks: the bytes that they read and write (SIZE_MAX if more than can be
   counted), and the total, which counts both twice because the layer may copy them. */
typedef struct {
    size_t in, out;
} collective_room;
collective_room collective_room_of(const collective_options *options, int64_t block_bytes,
                                   int size);
size_t collective_memory(const collective_room *room);

/* Returns the largest size of operations with a block for each rank with which all operations take
   at most free_bytes on a rank, or no more than those without such blocks take alone. */
int64_t collective_block_bytes(const collective_options *options, int size, size_t free_bytes);

/* ---- collective_check.c ---------------------------------------------------------------------- */

int collective_check(const cm_program *program, void *options);

/* What a job of this size measures: numbers of ranks; the largest size of operations with a block
   for each rank, which is less than --upper where that takes more than free_bytes (half of the free
   memory) on a rank; and a rank's buffers. */
typedef struct {
    collective_list ranks;
    int64_t block_bytes;
    size_t free_bytes;
    collective_room room;
} collective_extent;

/* Checks that the size of the job and its memory go with the options. Returns what is measured, or
   ends the job with one line. Every rank calls it first. peers: the other ranks are the dummy
   backend's (collective_others). */
collective_extent collective_require(const collective_options *options, bool peers);

/* ---- collective_verify.c: checks results ----------------------------------------------------- */

typedef struct {
    int64_t wrong_bytes; /* for a barrier: ranks that left too early */
    int64_t position;    /* of the first wrong byte */
    int32_t rank, expected, got;
} collective_damage;

enum { COLLECTIVE_GUARD_BYTES = 64 };

typedef struct {
    unsigned char *in, *out;
    size_t *counts, *lengths, *offsets; /* one for each rank of the job */
} collective_buffers;
bool collective_buffers_open(collective_buffers *buffers, const collective_room *room);
void collective_buffers_close(collective_buffers *buffers);

/* Returns the call that performs an operation on these buffers. */
collective_call collective_call_of(const collective_operation *operation,
                                   const collective_buffers *buffers, size_t bytes, int type,
                                   cm_algorithm algorithm);

/* The other ranks: real ranks, or the dummy backend's peers (src/comm/dummy/dummy.h). A peer
   contributes the data of rank 0 to the backend's own operations, and zeros to the layer's
   algorithms. */
typedef enum { COLLECTIVE_RANKS, COLLECTIVE_PEERS } collective_others;

/* Performs call once on data that depend on rank, place and size, and compares the result, the
   input afterwards, and the memory after the result. Rank 0 gets the number of wrong bytes of all
   ranks and the first of them. Returns true on all ranks if everything is right. */
bool collective_verify(cm_group *group, collective_others others,
                       const collective_operation *operation, const collective_call *call,
                       collective_damage *damage);

/* ---- collective_measure.c: samples ----------------------------------------------------------- */

typedef struct {
    const collective_operation *operation;
    cm_group *group;
    int ranks; /* of group; the table needs it after group is freed */
    int64_t bytes;
    cm_algorithm algorithm;
    collective_repetition repetition;
    cm_tuning_place place;   /* of the group */
    collective_clock *clock; /* of the group; used by windows only */
} collective_case;

enum { COLLECTIVE_MOST_BATCH = 4096 };

/* The number of windows of a case, and the number that some rank started too late. Set on rank 0.
   */
typedef struct {
    int64_t windows, late;
} collective_count;

/* Measures one case; a sample is the slowest rank's time of an operation in seconds. Replaces the
   samples of sampled, as cm_sample does. With windows there are no samples if no operation began in
   time. */
void collective_measure(const collective_case *now, const collective_call *call,
                        const cm_sampling *sampling, cm_sampled *sampled, collective_count *count);

/* collective_window.c: the same for windows. first_s: rough time of an operation, on rank 0. */
void collective_measure_windows(const collective_case *now, const collective_call *call,
                                const cm_sampling *sampling, double first_s, cm_sampled *sampled,
                                collective_count *count);
/* own: the backend has a barrier of its own. */
void collective_warm_up(const cm_sampling *sampling, bool own);

/* ---- collective_tuning.c: the table of choices ----------------------------------------------- */

typedef struct {
    cm_collective collective;
    cm_tuning_place place;
    int ranks;
    int64_t bytes;
    cm_algorithm algorithm;
    double time_s, high_s; /* the lowest and the median of the sweeps' medians: other load only adds
                              time */
} collective_timed;

/* Lists the numbers of ranks of a table on several hosts, with here ranks on the first one: here,
   hosts and the powers of two below the larger. */
void collective_ranks_of_parts(int here, int hosts, collective_list *list);

/* Sorts the times, and chooses an algorithm for each size. All sizes of an operation, place and
   number of ranks must have the same algorithms. row has room for n; returns the number of rows. */
size_t collective_tuning_rows(collective_timed *times, size_t n, cm_tuning_row *row);

/* Writes the table of --write-tuning and a comment with its number of rows; n is above 0. Returns
   0, or an exit status after one line on stderr. */
int collective_tuning_write(cm_result *result, const collective_options *options,
                            collective_timed *times, size_t n);

/* ---- collective_overlap.c: non-blocking operations with computing ---------------------------- */

/* The computing calls the layer now and then, or not. */
enum { COLLECTIVE_SILENT, COLLECTIVE_PROGRESS, COLLECTIVE_WAYS };
typedef struct {
    double total_s;      /* the operation with computing between its start and its end */
    cm_quantity overlap; /* the part of the operation alone that computing hides */
} collective_hidden;
typedef struct {
    double compute_s;
    collective_hidden way[COLLECTIVE_WAYS];
} collective_overlapped;

/* Returns the time of a unit of cm_pair_compute on the slowest rank. All ranks of the group. */
double collective_unit_s(cm_group *group);
/* Measures one case; a sample is the slowest rank's time of an operation without computing.
   overlapped is set on rank 0. */
void collective_measure_overlap(const collective_case *now, const collective_call *call,
                                const cm_sampling *sampling, double unit_s, cm_sampled *sampled,
                                collective_overlapped *overlapped);

/* ---- collective_result.c: rank 0 writes ------------------------------------------------------ */

typedef struct collective_result collective_result;
/* Opens the result and writes columns and metadata. Ends the job with one line if it cannot. */
collective_result *collective_result_open(const cm_benchmark *benchmark, collective_others others);
void collective_result_core_shared(collective_result *table, bool shared);
/* Writes a comment on sizes that are left out because of the memory, if there are any. */
void collective_result_left_out(collective_result *table, const collective_extent *extent);
void collective_result_progress(collective_result *table, double fraction,
                                const collective_case *now);
void collective_result_row(collective_result *table, const collective_case *now, int64_t sweep,
                           const cm_sampled *sampled, const collective_count *count,
                           const collective_overlapped *overlapped);
void collective_result_clock(collective_result *table, const collective_clock *clock, int ranks);
void collective_result_damage(collective_result *table, const collective_case *now,
                              const collective_damage *damage);
/* Writes the fastest algorithms, checks and metrics. Returns the exit status. */
int collective_result_close(collective_result *table);

/* ---- collective_run.c ------------------------------------------------------------------------ */

int collective_run(const cm_benchmark *benchmark);

extern const cm_metric collective_metrics[]; /* of the RESULT lines */
extern const cm_labels collective_labels[];

#endif
