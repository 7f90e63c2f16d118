/* SPDX-License-Identifier: BSD-3-Clause */
/* hint.h: data types, kernels, grids and their bounds, which the files of cm-hint share. */
#ifndef HINT_H
#define HINT_H

#include "hint_kernel.h"
#include "run/run.h"
#include "sample/sample.h"

/* ---- Types and their grids: hint_grid.c ------------------------------------------------------ */

extern const char *const hint_type_names[HINT_TYPES + 2]; /* then "all", NULL */
extern const char *const hint_kernel_names[HINT_KERNELS + 2];
/* refine is NULL if the kernel does not compute in the type. */
const hint_kernel *hint_kernel_of(hint_type type, hint_kernel_kind kind);

/* Returns the whole grid of a type: 2^floor(b/2) columns and 2^ceil(b/2) rows, if the type holds
   whole numbers of b bits. */
hint_work hint_work_alone(hint_type type);

/* Sets a rank's part of a grid that is cut into 4 strips per rank, dealt out cyclically. The number
   of columns is 4 ranks times the largest power of two that fits the type. Returns false if the
   strips would be narrower than two columns because there are too many ranks. */
enum { HINT_STRIPS = 4 };
bool hint_work_scattered(hint_type type, int ranks, int rank, hint_work *work);
/* Returns a rank's share of n subintervals; the first ranks have one more if n does not divide. */
int64_t hint_share(int64_t n, int ranks, int rank);

double hint_squares(const hint_work *work); /* of the grid: up to 2^64, exact */
double hint_quality(double squares, const hint_bounds *bounds);
/* Returns true if squares (2 ln 2 - 1) lies between the bounds. Computes in whole numbers, without
   rounding. */
bool hint_encloses(double squares, const hint_bounds *bounds);
extern const double hint_area; /* 2 ln 2 - 1 */

/* ---- Curves: hint_curve.c -------------------------------------------------------------------- */

/* Values of a trial: seconds per lap of the slowest rank; with --copies also seconds per lap of all
   ranks together. */
enum { HINT_LAP, HINT_TOGETHER, HINT_VALUES };

typedef struct {
    int64_t n; /* subintervals reached */
    hint_bounds bounds;
    int64_t memory_bytes; /* of one rank, as its kernel counts them */
    double t_s, quality, quips, aggregate_quips;
    double lower, upper; /* of the area, in units of 1 */
    bool alike;          /* copies have the same bounds, each trial */
    int64_t laps;        /* of a trial */
    size_t trials;
    cm_samples samples[HINT_VALUES]; /* rank 0; the fastest lap counts */
} hint_point;

/* Returns the next size after n: 2, 3, 4, 5, 6, 8, 10..., ten per decade, rounded. */
int64_t hint_next_size(int64_t n);
/* Returns the original's next size: 1.2589 n, rounded down, and at least n + 1. */
int64_t hint_next_size_of_original(int64_t n);

/* Returns the integral of QUIPS over ln t, summed from the back as in the original: the sum of
   QUIPS_j (1 - t_j / t_j+1), and the last QUIPS. count >= 1. */
double hint_net_quips(size_t count, const hint_point *points);
const hint_point *hint_peak(size_t count, const hint_point *points);
/* Returns the largest point that takes at most this number of bytes; NULL if there is none. */
const hint_point *hint_within(size_t count, const hint_point *points, int64_t bytes);

/* ---- A run ----------------------------------------------------------------------------------- */

typedef struct {
    int type, kernel; /* hint_type, hint_kernel_kind; the number after the last means all */
    bool scatter, copies, speed_up, swap;
    int64_t lower, upper;     /* subintervals; upper < 0: no limit */
    int64_t max_memory_bytes; /* of a host; < 0: half of its free memory */
    double stop_below, lap_limit_s;
    cm_sampling sampling; /* an operation is a lap */
    cm_result_files files;
} hint_options;

/* Returns true if the options ask for the curve of this type and kernel. */
bool hint_asks(const hint_options *options, int type, int kernel);
/* hint_curve.c: returns the size after n of the sweep that the options ask for. */
int64_t hint_size_after(const hint_options *options, int64_t n);

/* One curve. */
typedef struct {
    hint_type type;
    hint_kernel_kind kernel;
    int ranks;         /* the first `ranks` of the job take part */
    cm_group *group;   /* of these ranks; NULL on the others */
    const char *ended; /* the reason; NULL while the curve goes on */
    size_t count;
    hint_point *points;
    double peak_quips;            /* so far; repeated sizes may exceed it */
    int outside, falling, unlike; /* sizes that fail a check */
} hint_series;

/* Equal on every rank, except for the samples. */
typedef struct {
    const hint_options *options;
    size_t count;
    hint_series *series;
    int64_t limit_bytes; /* of a rank */
    void *memory;        /* this rank's */
    size_t capacity_bytes;
} hint_job;

/* hint_part.c: a rank's part of a curve. */
bool hint_is_parallel(const hint_options *options); /* strips and a reduction */
hint_work hint_work_of(const hint_job *job, const hint_series *series, int rank);
int64_t hint_part_of(const hint_job *job, const hint_series *series, int64_t n, int rank);
int64_t hint_rank_bytes(const hint_job *job, const hint_series *series, int64_t n); /* most */
int64_t hint_counted_bytes(const hint_job *job, const hint_series *series, int64_t n);
/* Returns the smallest size of a curve: each rank has at least as many subintervals as strips. */
int64_t hint_first_size(const hint_job *job, const hint_series *series);

/* hint_memory.c: the memory that each rank may have, and has. */
int64_t hint_limit_of_rank(const hint_options *options);
/* Gives every rank at least this number of bytes, with unknown content. If some rank cannot have
   them, no rank has any memory afterwards, and false is returned. */
bool hint_reserve(hint_job *job, size_t bytes);

/* hint_trial.c: laps of a curve at point->n, by all ranks. */
typedef struct {
    const hint_job *job;
    hint_series *series;
    hint_point *point;  /* receives the bounds of the whole grid, and whether copies are alike */
    hint_bounds bounds; /* this rank's */
} hint_course;
/* guess: number of laps of a trial, from a smaller size; 0: none. */
cm_subject hint_subject(hint_course *course, int64_t guess);
/* Runs one lap and measures its time. Returns false if compared is true and some rank's bounds
   differ from classic's. */
bool hint_first_lap(hint_course *course, bool compared, double *lap_s);

/* Returns true if the lap limit ended the curve before its first size. */
bool hint_cut(const hint_series *series);
void hint_sweep(hint_job *job, cm_result *result); /* hint_sweep.c; result: NULL except on rank 0 */

/* hint_check.c: options, ranks, memory. Each returns 0 or an exit status. */
int hint_check(const cm_program *program, void *options);
int hint_check_ranks(const cm_program *program, const hint_options *options);
int hint_check_memory(const cm_program *program, const hint_job *job);

/* hint_result.c */
cm_result *hint_result_open(const cm_benchmark *benchmark, const hint_job *job);
void hint_result_write(const hint_job *job, cm_result *result);
extern const cm_metric hint_metrics[]; /* of the RESULT lines */
extern const cm_labels hint_labels[];

int hint_run(const cm_benchmark *benchmark); /* hint_run.c */

#endif
