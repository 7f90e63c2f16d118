/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h: declarations that the files of cm-stream share. */
#ifndef STREAM_H
#define STREAM_H

#include <stdint.h>
#include "measure/samples.h"
#include "memory/stream.h"
#include "run/run.h"
#include "sample/sample.h"

typedef enum { STREAM_MEMORY, STREAM_CACHE, STREAM_PLACES } stream_place;

typedef struct {
    int64_t size_bytes;   /* of an array of each rank; 0: chosen */
    bool no_cache;        /* only arrays that no cache holds */
    cm_sampling sampling; /* a trial is a pass; kernels in the cache are repeated within it */
    cm_result_files files;
} stream_options;

/* ---- stream_check.c ------------------------------------------------------------------------- */

int stream_check(const cm_program *program, void *options);

/* ---- stream_size.c -------------------------------------------------------------------------- */

/* Return the numbers of an array, the same on every rank; collective. In memory: CM_STREAM_CACHES
   times the last-level cache, counted for each rank as if it had that cache alone. It is less if
   the ranks of a host would fill more than half of its free memory, but all arrays of a host
   together still have at least that size. In the cache: the three arrays of all ranks of a host
   fill half of it. */
size_t stream_memory_n(int64_t size_bytes);
size_t stream_cache_n(void);

/* ---- stream_measure.c ----------------------------------------------------------------------- */

typedef struct {
    const cm_sampling *sampling;
    cm_stream_stores stores;
    cm_group *group; /* the ranks that work at once */
    int hosts;       /* number of hosts of these ranks */
    const int *host; /* [rank of the group]: number of its host, from 0 in the order of ranks */
} stream_setting;
int stream_ranks(const stream_setting *setting, int host); /* ranks of the group on this host */

/* The times of each kernel. A sample is a pass and the time of the slowest rank of a host. */
typedef struct {
    cm_samples *time_s; /* [kernel * hosts + host]; of one run of the kernel */
    double error;       /* cm_stream_error, the largest of all ranks */
} stream_times;

/* Runs passes over the arrays on all ranks of the group, until the slowest kernel meets the rule.
   Rank 0 of the group gets the times, which the caller has set to CM_SAMPLES_EMPTY; all ranks get
   error. */
void stream_measure(const stream_setting *setting, cm_stream *arrays, stream_times *times);

/* ---- stream_result.c: rank 0 writes --------------------------------------------------------- */

/* The triad of the fastest pass, on the slowest host, with the better stores. */
typedef struct {
    double MB_per_s;
    cm_result_interval interval;
} stream_triad;

/* Found over all settings. */
typedef struct {
    size_t n[STREAM_PLACES];              /* numbers of an array */
    double error;                         /* the largest of all settings */
    stream_triad triad[STREAM_PLACES][2]; /* [place][all at once] */
} stream_found;

/* Opens the result and writes columns and metadata. Ends the job with one line if it cannot. */
cm_result *stream_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                              const stream_found *found);
/* Writes a row for each kernel and host. */
void stream_result_rows(cm_result *result, const stream_found *found, stream_place place,
                        const stream_setting *setting, const stream_times *times);
/* Writes check and verdicts. Returns the exit status. */
int stream_result_close(cm_result *result, const stream_options *options,
                        const stream_found *found);

/* ---- stream_run.c --------------------------------------------------------------------------- */

int stream_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric stream_metrics[]; /* of the RESULT lines */

#endif
