/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h: declarations that the files of cm-stream share. */
#ifndef STREAM_H
#define STREAM_H

#include <stdint.h>
#include "measure/samples.h"
#include "memory/stream.h"
#include "run/run.h"
#include "sample/sample.h"

/* What the rows are about: arrays in memory or in the cache, STREAM as it is compiled plainly, and
   the sizes of --sweep. */
typedef enum {
    STREAM_MEMORY,
    STREAM_CACHE,
    STREAM_PLAIN,
    STREAM_SWEEP,
    STREAM_PLACES
} stream_place;

/* The pages of the arrays. default: a program that asks for nothing gets them. */
typedef enum {
    STREAM_SMALL,
    STREAM_TRANSPARENT,
    STREAM_EXPLICIT,
    STREAM_DEFAULT,
    STREAM_PAGES
} stream_pages;

/* --plain: which ranks run STREAM as it is compiled plainly. stream_check replaces NOT_GIVEN. */
typedef enum {
    STREAM_PLAIN_NOT_GIVEN = -1,
    STREAM_PLAIN_NO,
    STREAM_PLAIN_ONE,
    STREAM_PLAIN_ALL
} stream_plain_ranks;

typedef struct {
    int64_t size_bytes;   /* of an array of each rank; 0: chosen */
    bool no_cache;        /* only arrays that no cache holds */
    int plain;            /* stream_plain_ranks */
    bool sweep;           /* all sizes, pages and stores instead */
    bool matrix;          /* from every socket to every NUMA node instead */
    bool latency;         /* loads one after the other instead */
    int64_t per_octave;   /* sizes of these two while an array doubles */
    cm_sampling sampling; /* a trial is a pass; kernels in the cache are repeated within it */
    cm_result_files files;
} stream_options;

/* ---- stream_check.c ------------------------------------------------------------------------- */

int stream_check(const cm_program *program, void *options);

/* ---- stream_size.c -------------------------------------------------------------------------- */

/* Returns the bytes of the last-level cache that this rank uses while it runs alone; where the
   system does not tell that, at least the floor for a socket. */
int64_t stream_own_cache_bytes(void);
/* Return the numbers of an array, the same on every rank; collective. In memory: the arrays of all
   ranks of a host together are CM_STREAM_CACHES times all last-level caches, which is STREAM's
   rule, and those of each rank CM_STREAM_CACHES times the cache that it uses alone: so the ranks of
   any team keep the rule for their own caches. It is less if the ranks of a host would fill more
   than half of its free memory, but all arrays of a host together still have at least that size. In
   the cache: the three arrays of all ranks of a host fill half of the last level; in a virtual
   machine, where that may be its host's, the arrays of a rank fill half of the second level. */
size_t stream_memory_n(int64_t size_bytes);
size_t stream_cache_n(void);
int stream_cache_level(void); /* 2, or 0 for the last one; of this rank's computer */
/* Returns the numbers of the shortest array of a sweep: three of them fill half of the first cache.
   Longer arrays are longest / 2^(step / per_octave). */
size_t stream_first_n(void);
size_t stream_step_n(size_t longest, int64_t step, int64_t per_octave);

/* ---- stream_plain.c ------------------------------------------------------------------------- */

/* STREAM's NTIMES: the passes that it makes; the first is not counted. */
enum { STREAM_NTIMES = 10 };

/* Allocates and fills three arrays of n numbers, laid out like a program's static data: one after
   the other, and without a request for huge pages. Returns false if memory is short. */
bool stream_plain_open(size_t n, cm_stream *arrays);
void stream_plain_close(cm_stream *arrays);
/* Runs a kernel with STREAM's factor, 3, by the simplest loop. */
void stream_plain_kernel(const cm_stream *arrays, cm_stream_kernel kernel);
/* STREAM's check: cm_stream_error for that factor. */
double stream_plain_error(const cm_stream *arrays, size_t passes);

/* ---- stream_pages.c ------------------------------------------------------------------------- */

extern const char *const stream_pages_names[STREAM_PAGES];

typedef struct {
    char *memory; /* begins at a boundary of huge pages */
    size_t bytes;
    int node; /* requested NUMA node; -1: the node of the rank that touches it first */
    stream_pages pages;
    void *mapped;
    size_t mapped_bytes;
} stream_region;

/* Maps and touches at least `bytes` bytes in pages of a kind. Returns false if the system has no
   such pages, too few of them, or no such node. */
bool stream_pages_open(stream_pages pages, int node, size_t bytes, stream_region *region);
void stream_pages_close(stream_region *region);
/* Return the part of a region, 0 to 1, that is in huge pages, and that is on its node, as the
   kernel says; below 0: it does not say. */
double stream_pages_huge(const stream_region *region);
double stream_pages_on_node(const stream_region *region);
/* The least part that must be there: other memory would be measured as the node's. */
#define STREAM_LEAST_ON_NODE 0.95
/* Writes comments on what the system granted of the pages and the node that rank 0 requested. */
void stream_pages_tell(const stream_region *region, cm_result *result);

/* ---- stream_chase.c ------------------------------------------------------------------------- */

enum { STREAM_LINE_BYTES = 64 };

/* A chain of pointers through all lines of a region's beginning, in random order: a load has the
   address of the next, so that their times add up, and no prefetcher knows which it is. */
typedef struct {
    void **memory, **at;
    size_t lines;
} stream_chase;

/* Makes the chain through the first `bytes` bytes, a multiple of STREAM_LINE_BYTES. */
void stream_chase_open(const stream_region *region, size_t bytes, stream_chase *chase);
/* Follows the chain for `hops` loads. */
void stream_chase_run(stream_chase *chase, int64_t hops);
/* Returns after how many loads it is back, which is `lines`; more than that: not by then. */
size_t stream_chase_length(const stream_chase *chase);

/* ---- stream_span.c -------------------------------------------------------------------------- */

/* When a rank ran a kernel, by its host's clock, and for how long. */
typedef struct {
    double begin_s, time_s;
} stream_lap;
/* Returns the time in which the ranks of host number of_host did their work, in seconds, of
   lap[rank] and host[rank]: that of the slowest if all ran at once. If they did not, because they
   share cores, it is from the first begin to the last end: a rank that runs while others wait has
   the memory to itself, and the sum of such ranks' rates would be more than memory gives. */
double stream_span_s(const stream_lap *lap, const int *host, int ranks, int of_host);

/* ---- stream_measure.c ----------------------------------------------------------------------- */

typedef struct {
    const cm_sampling *sampling;
    stream_place place;
    cm_stream_stores stores;
    stream_pages pages;
    bool remote;            /* the arrays are on the NUMA node that is farthest from their rank */
    cm_stream_kernel first; /* kernels from this one to the triad are measured */
    cm_group *group;        /* the ranks that work at once */
    int hosts;              /* number of hosts of these ranks */
    const int *host; /* [rank of the group]: number of its host, from 0 in the order of ranks */
} stream_setting;
int stream_ranks(const stream_setting *setting, int host); /* ranks of the group on this host */

/* The times of each kernel. A sample is a pass and stream_span_s of a host. */
typedef struct {
    cm_samples *time_s; /* [(kernel - first) * hosts + host]; of one run of the kernel */
    double error;       /* cm_stream_error, the largest of all ranks */
} stream_times;

/* Returns their number, and those of a kernel. */
size_t stream_series(const stream_setting *setting);
const cm_samples *stream_samples(const stream_setting *setting, const stream_times *times,
                                 cm_stream_kernel kernel, int host);

/* Runs passes over the arrays on all ranks of the group, until the slowest kernel meets the rule.
   Rank 0 of the group gets the times, which the caller has set to CM_SAMPLES_EMPTY; all ranks get
   error. */
void stream_measure(const stream_setting *setting, cm_stream *arrays, stream_times *times);

/* ---- stream_result.c: rank 0 writes --------------------------------------------------------- */

/* A triad is that of the fastest pass, on the slowest host, with the better stores, in MB/s. */

/* The longest arrays of a sweep: the best triad for each number of ranks, with either kind of
   stores and in any pages; and the triads with ordinary stores, of one rank and of all ranks, in
   each kind of pages on their own node, and on the farthest node. */
enum { STREAM_STEPS = 32 };
typedef struct {
    int steps, most_ranks; /* how many numbers of ranks there are, and the largest */
    struct {
        int ranks;
        cm_quantity triad;
    } step[STREAM_STEPS];
    double pages_MB_per_s[STREAM_PAGES][2], remote_MB_per_s[2]; /* [all at once] */
} stream_swept;

/* Results of --latency in memory: [idle, in pages of each kind], on the slowest node, and under the
   highest load. */
typedef struct {
    cm_quantity ns;
    double bytes; /* of the chain */
} stream_latency_value;
typedef struct {
    stream_latency_value first_cache, idle[STREAM_PAGES], far, loaded;
} stream_latencies;

/* Found over all settings. */
typedef struct {
    size_t n[STREAM_PLACES];             /* numbers of an array */
    double error;                        /* the largest of all settings */
    cm_quantity triad[STREAM_PLACES][2]; /* [place][all at once] */
    double moved[CM_STREAM_STORES]; /* bytes that memory moved for those that STREAM counts; 0 or
                                       less: not known */
    char traffic[128];              /* what counted them, or why nothing did */
    stream_swept swept;
    stream_latencies latency;
    int short_cells;      /* of --matrix: rows of arrays that may stay in caches */
    double first_bytes;   /* of --latency: of the shortest chain */
    double missed_lines;  /* by the chain that missed most */
    double wrong_numbers; /* that the load stored */
} stream_found;

/* Opens the result and writes columns and metadata. Ends the job with one line if it cannot. */
cm_result *stream_result_open(const cm_benchmark *benchmark, const stream_found *found);
/* Writes a row for each kernel and host; n numbers are in an array. */
void stream_result_rows(cm_result *result, size_t n, const stream_setting *setting,
                        const stream_times *times);
/* Writes check and metrics. Returns the exit status. */
int stream_result_close(cm_result *result, const stream_options *options,
                        const stream_found *found);

/* ---- stream_take.c -------------------------------------------------------------------------- */

/* Measures one setting on the ranks of its group, which call it, and writes its rows. result is
   NULL except on rank 0. Adds to found->error. Returns the triad of the slowest host; 0 without a
   result. */
cm_quantity stream_take(cm_result *result, stream_found *found, const stream_setting *setting,
                        cm_stream *arrays);

/* ---- stream_moved.c ------------------------------------------------------------------------- */

/* Sets found->moved of the setting's stores, if memory controllers have counters that can be read,
   and found->traffic. All ranks of the group call it, after its measurement. The bytes are those of
   rank 0's host, whose other programs count, too. */
void stream_moved(const stream_setting *setting, const cm_stream *arrays, stream_found *found);

/* ---- stream_sweep.c ------------------------------------------------------------------------- */

/* Measures the triad over arrays from the first cache to memory, by one rank to all ranks of a
   host, in all kinds of pages, by both kinds of stores, on the own NUMA node and the farthest. All
   ranks call it; result is NULL except on rank 0. */
void stream_sweep(const stream_options *options, cm_result *result, stream_found *found);

/* ---- stream_swept.c: rank 0 keeps what the metrics of a sweep need -------------------------- */

/* Keeps a triad of the setting, with `ranks` ranks at work on each host that has so many, if it is
   the best of its kind. */
void stream_swept_keep(stream_found *found, const stream_setting *setting, size_t n, int ranks,
                       const cm_quantity *triad);
void stream_swept_metrics(cm_result *result, const stream_found *found);

/* ---- stream_latency.c ----------------------------------------------------------------------- */

/* Measures loads that depend on each other on the first rank of each host: over sizes from the
   first cache to memory in all kinds of pages, from each NUMA node, and from memory while the
   host's other ranks run the triad. All ranks call it; result is NULL except on rank 0. */
void stream_latency(const stream_options *options, cm_result *result, stream_found *found);

/* ---- stream_latency_result.c: rank 0 writes ------------------------------------------------- */

typedef struct {
    bool loaded;
    stream_pages pages;
    int node; /* requested NUMA node; -1: the rank's own */
    int host, load_ranks;
    double share; /* of the time in which a rank loads */
    double bytes; /* of the chain */
} stream_latency_row;

cm_result *stream_latency_result_open(const cm_benchmark *benchmark, const stream_found *found);
/* Writes a row from samples in ns, of the load in MB/s (NULL: none), and keeps what the metrics
   need. */
void stream_latency_result_row(cm_result *result, stream_found *found,
                               const stream_latency_row *row, const cm_samples *ns,
                               const cm_samples *load);
/* Writes checks and metrics. Returns the exit status. */
int stream_latency_result_close(cm_result *result, const stream_found *found);

/* ---- stream_run.c --------------------------------------------------------------------------- */

int stream_run(const cm_benchmark *benchmark);

extern const cm_metric stream_metrics[]; /* of the RESULT lines */
extern const cm_labels stream_labels[];

#endif
