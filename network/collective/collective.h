/* SPDX-License-Identifier: BSD-3-Clause */
/* collective.h: what the parts of cm-collective share. All ranks go through the same cases
   together; rank 0 decides when there are samples enough, and writes the result. */
#ifndef COLLECTIVE_H
#define COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "collective_clock.h"
#include "pairs/job.h"

enum { COLLECTIVE_ROOT = 0, COLLECTIVE_ELEMENT_BYTES = 8, COLLECTIVE_MOST_LIST = 128 };

/* How operations follow each other. */
typedef enum {
    COLLECTIVE_BACK_TO_BACK = 1,
    COLLECTIVE_SEPARATED = 2, /* by a barrier */
    COLLECTIVE_WINDOWS = 3    /* each begins at a moment of its own, on synchronised clocks */
} collective_repetition;
typedef enum { COLLECTIVE_SYNC_BARRIER, COLLECTIVE_SYNC_WINDOW } collective_sync;

/* ---- collective_operation.c: the operations -------------------------------------------------- */

typedef struct {
    size_t bytes;            /* of a vector, of a block */
    unsigned char *in, *out; /* the same where data do not change their place (bcast) */
    cm_algorithm algorithm;
} collective_call;

typedef struct {
    cm_collective collective; /* its name is cm_collective_name's */
    bool sized, reduction;
    bool in_all, out_all;   /* as many blocks as ranks, instead of one */
    bool in_root, out_root; /* read, written at the root alone */
    bool in_place;          /* out is in */
    bool data_of_root;      /* the result depends on nobody's data but the root's */
    void (*perform)(cm_group *group, const collective_call *call);
    const char *size_is;
} collective_operation;

enum { COLLECTIVE_OPERATIONS = 8 };
extern const collective_operation collective_operations[COLLECTIVE_OPERATIONS];
extern const char *const collective_operation_names[]; /* theirs, "all", NULL */

/* ---- collective_plan.c: what is measured ----------------------------------------------------- */

typedef struct {
    int operation; /* index of collective_operations; COLLECTIVE_OPERATIONS: all */
    const char *algorithms_text, *leaves_text, *segments_text, *ranks_text;
    int repetition; /* index of collective_repetitions */
    int sync;       /* collective_sync: what separates operations */
    int64_t lower_bytes, upper_bytes, factor;
    int64_t sweeps;
    cm_sampling sampling; /* a trial is a batch */
    cm_result_files files;
} collective_options;
/* back-to-back, separated: in the order of their numbers; both. */
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

/* "1,2,4", from 1 on; "4Ki,64Ki", from 0 on. False: no such list. */
bool collective_numbers_parse(const char *text, collective_list *list);
bool collective_segments_parse(const char *text, collective_list *list);

/* Leaves of a tree of size ranks: text ("all": 1 to size - 1; NULL: powers of two below size - 1,
   and size - 1). False: more than a list holds. */
bool collective_leaves(const char *text, int size, collective_list *list);

/* How many ranks, of a job of size: a list; NULL: all of them; "all": powers of two below size, and
   size. False: more than there are. */
bool collective_ranks(const char *text, int size, collective_list *list);

/* The algorithms of one operation, in the order of their numbers; named: those of --algorithm,
   none: all. own: the backend has collectives of its own. Those that the layer does not have are
   left out. */
void collective_algorithms_of(const collective_operation *operation,
                              const collective_algorithms *named, const collective_list *leaves,
                              const collective_list *segments, bool own,
                              collective_algorithms *list);
/* "linear,tree:2"; "all" gives none. */
bool collective_names_parse(const char *text, collective_algorithms *list);
void collective_algorithm_text(cm_algorithm algorithm, char *text, size_t capacity);

/* Sizes of an operation: lower times powers of factor up to upper; reductions in whole elements,
   each size once. An operation without a size has one, 0. */
void collective_sizes(const collective_operation *operation, int64_t lower, int64_t upper,
                      int64_t factor, collective_list *sizes);

/* Bytes that the operations of a rank of size read and write, up to upper bytes; SIZE_MAX: more
   than there can be. Memory that they take: both, and as much again for what the layer lays
   aside. */
typedef struct {
    size_t in, out;
} collective_room;
collective_room collective_room_of(const collective_options *options, int size);
size_t collective_memory(const collective_room *room);

/* ---- collective_check.c ---------------------------------------------------------------------- */

int collective_check(const cm_program *program, void *options);

/* Every rank, first of all: the numbers of ranks to measure with, and bytes of a rank's buffers; or
   the job ends with one line, where its size or the memory does not go with the options. peers:
   the dummy backend's (collective_others). */
collective_room collective_require(const collective_options *options, bool peers,
                                   collective_list *ranks);

/* ---- collective_verify.c: is it the right result? -------------------------------------------- */

typedef struct {
    int64_t wrong_bytes; /* a barrier: ranks that left too early */
    int64_t position;    /* of the first */
    int32_t rank, expected, got;
} collective_damage;

enum { COLLECTIVE_GUARD_BYTES = 64 };

typedef struct {
    unsigned char *in, *out;
} collective_buffers;
bool collective_buffers_open(collective_buffers *buffers, const collective_room *room);
void collective_buffers_close(collective_buffers *buffers);

/* What a call works on. */
collective_call collective_call_of(const collective_operation *operation,
                                   const collective_buffers *buffers, size_t bytes,
                                   cm_algorithm algorithm);

/* Who the other ranks are: ranks, or the dummy backend's peers (src/comm/dummy/dummy.h), each of
   which contributes what rank 0 does to the backend's own operations, zeros to the layer's
   algorithms. */
typedef enum { COLLECTIVE_RANKS, COLLECTIVE_PEERS } collective_others;

/* Performs call once, on data by rank, place and size, and compares: the result, what was read, and
   the memory behind the result. Rank 0 gets the sum and the first that is wrong; all ranks return
   whether all is right. */
bool collective_verify(cm_group *group, collective_others others,
                       const collective_operation *operation, const collective_call *call,
                       collective_damage *damage);

/* ---- collective_measure.c: samples ----------------------------------------------------------- */

typedef struct {
    const collective_operation *operation;
    cm_group *group;
    int ranks; /* of group, which is gone when the table is written */
    int64_t bytes;
    cm_algorithm algorithm;
    collective_repetition repetition;
    collective_clock *clock; /* of the group; only windows look at it */
} collective_case;

enum { COLLECTIVE_MOST_BATCH = 4096 };

/* Windows of a case, and how many of them some rank began too late. On rank 0. */
typedef struct {
    int64_t windows, late;
} collective_count;

/* Samples of one case: seconds an operation, the slowest rank's. sampled as cm_sample has it, its
   samples' old values are gone. Windows: there may be none, when no operation could be begun in
   time. */
void collective_measure(const collective_case *now, const collective_call *call,
                        const cm_sampling *sampling, cm_sampled *sampled, collective_count *count);

/* collective_window.c: the same of windows. first_s: an operation's time, about, on rank 0. */
void collective_measure_windows(const collective_case *now, const collective_call *call,
                                const cm_sampling *sampling, double first_s, cm_sampled *sampled,
                                collective_count *count);
/* own: the backend has a barrier of its own. */
void collective_warm_up(const cm_sampling *sampling, bool own);

/* ---- collective_result.c: rank 0 writes ------------------------------------------------------ */

typedef struct collective_result collective_result;
/* With columns and metadata; or the job ends with one line. */
collective_result *collective_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                                          collective_others others);
void collective_result_core_shared(collective_result *table, bool shared);
void collective_result_progress(collective_result *table, double fraction,
                                const collective_case *now);
void collective_result_row(collective_result *table, const collective_case *now, int64_t sweep,
                           const cm_sampled *sampled, const collective_count *count);
void collective_result_clock(collective_result *table, const collective_clock *clock, int ranks);
void collective_result_damage(collective_result *table, const collective_case *now,
                              const collective_damage *damage);
/* Winners, checks, verdicts. Returns the exit status. */
int collective_result_close(collective_result *table);

/* ---- collective_run.c ------------------------------------------------------------------------ */

int collective_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric collective_metrics[]; /* of the RESULT lines */

#endif
