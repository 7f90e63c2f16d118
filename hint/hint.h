/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.h: what the parts of cm-hint share: data types, kernels, grids and their bounds. */
#ifndef HINT_H
#define HINT_H

#include "hint_kernel.h"
#include "run/run.h"

/* ---- Types and their grids: hint_grid.c ------------------------------------------------------ */

extern const char *const hint_type_names[HINT_TYPES + 2]; /* and "all", NULL */
extern const char *const hint_kernel_names[HINT_KERNELS + 2];
const hint_kernel *hint_kernel_of(hint_type type, hint_kernel_kind kind);

/* The whole grid of a type: 2^floor(b/2) columns, 2^ceil(b/2) rows, b the bits of whole numbers
   that it holds. */
hint_work hint_work_alone(hint_type type);

/* A rank's part of a grid that is cut into 4 strips a rank, dealt cyclically. The columns are the
   largest multiple of 4 ranks times a power of two that fits. False: too many ranks for the type,
   whose strips would be narrower than two columns. */
enum { HINT_STRIPS = 4 };
bool hint_work_scattered(hint_type type, int ranks, int rank, hint_work *work);
/* of n subintervals; the first ranks have the rest */
int64_t hint_share(int64_t n, int ranks, int rank);

uint64_t hint_squares(const hint_work *work); /* of the grid */
double hint_quality(uint64_t squares, const hint_bounds *bounds);
/* Does squares (2 ln 2 - 1) lie between the bounds? In whole numbers, without rounding. */
bool hint_encloses(uint64_t squares, const hint_bounds *bounds);
extern const double hint_area; /* 2 ln 2 - 1 */

/* ---- Curves: hint_curve.c -------------------------------------------------------------------- */

typedef struct {
    int64_t n; /* subintervals reached */
    hint_bounds bounds;
    int64_t memory_bytes; /* of one rank */
    double t_s, quality, quips, aggregate_quips;
    double lower, upper; /* of the area 1 */
    bool alike;          /* copies have the same bounds, each trial */
    int64_t laps;
    cm_samples samples; /* time of a lap, s; the fastest counts */
} hint_point;

/* 2, 3, 4, 5, 6, 8, 10...: ten a decade, rounded. The next after n. */
int64_t hint_next_size(int64_t n);

/* Integral of QUIPS over ln t as the original sums it, from the back: QUIPS_j (1 - t_j / t_j+1),
   and the last QUIPS. count >= 1. */
double hint_net_quips(size_t count, const hint_point *points);
const hint_point *hint_peak(size_t count, const hint_point *points);
/* The largest of those that take no more than so many bytes; NULL: none does. */
const hint_point *hint_within(size_t count, const hint_point *points, int64_t bytes);

/* ---- A run ----------------------------------------------------------------------------------- */

typedef struct {
    int type, kernel; /* hint_type, hint_kernel_kind; one more: all */
    bool scatter, copies, speed_up, bind, swap;
    int64_t lower, upper;     /* subintervals; upper < 0: until something ends it */
    int64_t max_memory_bytes; /* of a host; < 0: half of what is free */
    double slow_part, trial_s, time_limit_s, warm_up_s;
    int64_t trials;
    cm_result_files files;
} hint_options;

/* One curve. */
typedef struct {
    hint_type type;
    hint_kernel_kind kernel;
    int ranks;         /* the first so many of the job take part */
    cm_group *group;   /* they; NULL on the others */
    const char *ended; /* why: NULL while it goes on */
    size_t count;
    hint_point *points;
    double peak_quips;
    int outside, falling, unlike; /* sizes that fail a check */
} hint_series;

typedef struct {
    const hint_options *options;
    size_t count;
    hint_series *series;
    int64_t limit_bytes; /* of a rank */
    void *memory;        /* this rank's */
    size_t capacity_bytes;
} hint_job;

/* hint_trial.c: what all ranks do together. Rank 0 commands, the others follow until it ends. */
typedef struct {
    double slowest_s, laps_per_s; /* of a lap; of all copies together */
    hint_bounds bounds;           /* of the whole grid */
    bool alike;                   /* copies have the same bounds */
} hint_trial;
bool hint_command_reserve(hint_job *job, size_t bytes); /* on each rank; false: some cannot */
hint_trial hint_command_run(hint_job *job, size_t series, int64_t n, int64_t laps);
bool hint_command_compare(hint_job *job, size_t series, int64_t n); /* bounds as classic's? */
void hint_command_end(hint_job *job);
void hint_follow(hint_job *job);
bool hint_is_parallel(const hint_job *job); /* strips and a reduction */
bool hint_work_of(const hint_job *job, const hint_series *series, int rank, hint_work *work);
int64_t hint_rank_bytes(const hint_job *job, const hint_series *series, int64_t n);
/* The smallest size of a curve: no rank has fewer subintervals than strips. */
int64_t hint_first_size(const hint_job *job, const hint_series *series);

void hint_sweep(hint_job *job, cm_result *result); /* hint_sweep.c: rank 0 */
cm_result *hint_open(const cm_benchmark *benchmark, int argc, char **argv); /* hint_write.c */
void hint_write_metadata(const hint_job *job, cm_result *result);
void hint_write(const hint_job *job, cm_result *result);
int hint_run(const cm_benchmark *benchmark, int argc, char **argv); /* hint_run.c */

extern const cm_metric hint_metrics[]; /* of the RESULT lines */

#endif
