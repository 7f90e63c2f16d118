/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.h: what the parts of cm-hint share: data types, kernels, grids and their bounds. */
#ifndef HINT_H
#define HINT_H

#include "hint_kernel.h"
#include "run/run.h"
#include "sample/sample.h"

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

/* What a trial gives: seconds a lap, of the slowest rank; and with --copies seconds a lap of all of
   them together. */
enum { HINT_LAP, HINT_TOGETHER, HINT_VALUES };

typedef struct {
    int64_t n; /* subintervals reached */
    hint_bounds bounds;
    int64_t memory_bytes; /* of one rank */
    double t_s, quality, quips, aggregate_quips;
    double lower, upper; /* of the area 1 */
    bool alike;          /* copies have the same bounds, each trial */
    int64_t laps;        /* of a trial */
    size_t trials;
    cm_samples samples[HINT_VALUES]; /* rank 0; the fastest lap counts */
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
    bool scatter, copies, speed_up, swap;
    int64_t lower, upper;     /* subintervals; upper < 0: until something ends it */
    int64_t max_memory_bytes; /* of a host; < 0: half of what is free */
    double slow_part, lap_limit_s;
    cm_sampling sampling; /* an operation is a lap */
    cm_result_files files;
} hint_options;

/* Is the curve of this type and kernel asked for? */
bool hint_asks(const hint_options *options, int type, int kernel);

/* One curve. */
typedef struct {
    hint_type type;
    hint_kernel_kind kernel;
    int ranks;         /* the first so many of the job take part */
    cm_group *group;   /* they; NULL on the others */
    const char *ended; /* why: NULL while it goes on */
    size_t count;
    hint_point *points;
    double peak_quips;            /* so far; sizes that are measured again may exceed it */
    int outside, falling, unlike; /* sizes that fail a check */
} hint_series;

/* The same on every rank, but for the samples. */
typedef struct {
    const hint_options *options;
    size_t count;
    hint_series *series;
    int64_t limit_bytes; /* of a rank */
    void *memory;        /* this rank's */
    size_t capacity_bytes;
} hint_job;

/* hint_part.c: what of a curve a rank has. */
bool hint_is_parallel(const hint_options *options); /* strips and a reduction */
hint_work hint_work_of(const hint_job *job, const hint_series *series, int rank);
int64_t hint_part_of(const hint_job *job, const hint_series *series, int64_t n, int rank);
int64_t hint_rank_bytes(const hint_job *job, const hint_series *series, int64_t n); /* most */
/* The smallest size of a curve: no rank has fewer subintervals than strips. */
int64_t hint_first_size(const hint_job *job, const hint_series *series);

/* hint_memory.c: what each rank may have, and has. */
int64_t hint_limit_of_rank(const hint_options *options);
/* At least so many bytes on every rank, of unknown content. False: some rank cannot have them, and
   none has any. */
bool hint_reserve(hint_job *job, size_t bytes);

/* hint_trial.c: laps of a curve at point->n, by all ranks. */
typedef struct {
    const hint_job *job;
    hint_series *series;
    hint_point *point;  /* gets the bounds of the whole grid, and whether copies are alike */
    hint_bounds bounds; /* this rank's */
} hint_course;
/* guess: laps of a trial, from those of a smaller size; 0: there is none */
cm_subject hint_subject(hint_course *course, int64_t guess);
/* One lap, and how long it took. False: compared is asked for, and a rank's bounds are not
   classic's. */
bool hint_first_lap(hint_course *course, bool compared, double *lap_s);

void hint_sweep(hint_job *job, cm_result *result); /* hint_sweep.c; result: NULL but on rank 0 */

/* hint_check.c: options, ranks, memory; 0, or an exit status. */
int hint_check(const cm_program *program, void *options);
int hint_check_ranks(const cm_program *program, const hint_options *options);
int hint_check_memory(const cm_program *program, const hint_job *job);

/* hint_result.c */
cm_result *hint_result_open(const cm_benchmark *benchmark, const hint_job *job, int argc,
                            char **argv);
void hint_result_write(const hint_job *job, cm_result *result);
extern const cm_metric hint_metrics[]; /* of the RESULT lines */

int hint_run(const cm_benchmark *benchmark, int argc, char **argv); /* hint_run.c */

#endif
