/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h: what the parts of cm-stream share. */
#ifndef STREAM_H
#define STREAM_H

#include <stdint.h>
#include "measure/samples.h"
#include "memory/stream.h"
#include "run/run.h"
#include "sample/sample.h"

typedef enum { STREAM_MEMORY, STREAM_CACHE, STREAM_PLACES } stream_place;

typedef struct {
    int64_t size_bytes;   /* of an array of each rank; 0: found out */
    bool no_cache;        /* only arrays that no cache holds */
    cm_sampling sampling; /* a trial is a pass, in which a kernel in a cache is repeated */
    cm_result_files files;
} stream_options;

/* ---- stream_check.c ------------------------------------------------------------------------- */

int stream_check(const cm_program *program, void *options);

/* ---- stream_size.c -------------------------------------------------------------------------- */

/* Numbers of an array, the same on every rank. In memory: CM_STREAM_CACHES last-level caches of the
   processor, for each rank as if it had that cache alone; less where the ranks of a host would so
   fill more than half of what is free there, but then all of a host's arrays together at least
   that. In the cache: the three arrays of the ranks of a host fill half of it. Collective. */
size_t stream_memory_n(int64_t size_bytes);
size_t stream_cache_n(void);

/* ---- stream_measure.c ----------------------------------------------------------------------- */

typedef struct {
    const cm_sampling *sampling;
    cm_stream_stores stores;
    cm_group *group; /* who takes part at once */
    int hosts;       /* of the group's ranks */
    const int *host; /* [rank of the group]: counted from 0 as they come */
} stream_setting;
int stream_ranks(const stream_setting *setting, int host); /* of the group, on this host */

/* The times of one kernel of all ranks, a sample a pass: the slowest rank of each host. */
typedef struct {
    cm_samples *time_s; /* [kernel * hosts + host]; of one run of the kernel */
    double error;       /* cm_stream_error, the largest of all ranks */
} stream_times;

/* Passes over the arrays by all ranks of the group, until the rule is met by the slowest kernel;
   rank 0 of the group gets the times, which the caller has set to CM_SAMPLES_EMPTY; all get
   error. */
void stream_measure(const stream_setting *setting, cm_stream *arrays, stream_times *times);

/* ---- stream_result.c: rank 0 writes --------------------------------------------------------- */

/* Over all settings. */
typedef struct {
    size_t n[STREAM_PLACES];                /* numbers of an array */
    double error;                           /* the largest */
    double triad_B_per_s[STREAM_PLACES][2]; /* [place][all at once]: the best of the stores */
} stream_found;

/* With columns and metadata; or the job ends with one line. */
cm_result *stream_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                              const stream_found *found);
/* A row for each kernel and host. */
void stream_result_rows(cm_result *result, const stream_found *found, stream_place place,
                        const stream_setting *setting, const stream_times *times);
/* Check and verdicts. Returns the exit status. */
int stream_result_close(cm_result *result, const stream_options *options,
                        const stream_found *found);

/* ---- stream_run.c --------------------------------------------------------------------------- */

int stream_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric stream_metrics[]; /* of the RESULT lines */

#endif
