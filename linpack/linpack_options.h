/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_options.h: cm-linpack's options, their checks, and the run. */
#ifndef LINPACK_OPTIONS_H
#define LINPACK_OPTIONS_H

#include "blas/blas.h"
#include "linpack_costs.h"
#include "linpack_hpl.h"
#include "run/run.h"
#include "sample/sample.h"

enum { LINPACK_GRID, LINPACK_BLOCKED, LINPACK_CLASSIC };
enum { LINPACK_DIRECT, LINPACK_ROLL };
enum { LINPACK_FACTORS_SINGLE, LINPACK_FACTORS_BFLOAT16, LINPACK_FACTORS_HALF };
enum { LINPACK_SLICES = 2 }; /* of an update, where something goes on between them */
enum { LINPACK_PARTIAL, LINPACK_TOURNAMENT };
/* The values of --broadcast. */
#define LINPACK_BROADCASTS \
    "auto, linear, binomial, tree:LEAVES, chain:BYTES, scatter-allgather, native or hosts"
enum {
    LINPACK_SEED = 1, /* unless another is given */
    LINPACK_SERIES_MOST = 64,
    LINPACK_ORDER_MOST = 100000000,
    LINPACK_PANEL_MOST = 1024,
    LINPACK_LOOK_AHEAD_MOST = 64
};

/* Ranks of a column of the grid, and of a row; rows = 0: not given. */
typedef struct {
    int rows, columns;
} linpack_grid;

typedef struct {
    int64_t order, block, panel, look_ahead, slices, threads, seed;
    const char *series, *matrix, *serial_file, *fit, *grid, *broadcast_text;
    int algorithm, pivoting, exchange, precision, generator;
    int refine_matrix, refine_factors; /* LINPACK_MATRIX_..., LINPACK_FACTORS_... */
    bool refine, serial, condition;
    const char *hpl_file;
    cm_sampling sampling; /* a sample is a factorization and solution */
    cm_result_files files;
    /* Set from the above by linpack_check. */
    int orders[LINPACK_SERIES_MOST], n_orders;
    int64_t entries;         /* numbers in the file of --matrix */
    linpack_grid grid_given; /* of --grid PxQ */
    cm_algorithm broadcast;
    cm_blas_low low;       /* of --refine-factors, unless they are single */
    char threads_from[40]; /* the variable of the environment that gave them; "": none */
    linpack_hpl hpl;       /* of --hpl; only on rank 0 until linpack_hpl_begin */
    /* Set by linpack_run.c; the same on all ranks. */
    cm_group *group;     /* the ranks that solve */
    int64_t cache_bytes; /* a rank's part of the last-level cache; 0: unknown */
    bool several_hosts;
    linpack_cost_range costs; /* what the model adds up; rounds is 0 if it is not used */
} linpack_options;

/* ---- linpack_check.c ------------------------------------------------------------------------- */
int linpack_check(const cm_program *program, void *options);
/* Refuses --bind to one core with more threads. */
int linpack_check_binding(const cm_program *program, const linpack_options *options);
/* Returns 0.5 for "memory=50%"; 0 if text has another form. */
double linpack_part_of_memory(const char *text);
/* Ends the job with a line if the grid of the options has not as many ranks. All ranks call it. */
void linpack_require_grid(const linpack_options *options);
/* Checks every host's memory before anything is allocated. Ends the job with a line that names the
   largest order that fits. All ranks call it. */
void linpack_require_memory(const linpack_options *options);

/* ---- linpack_low.c: --refine-factors --------------------------------------------------------- */
extern const char *const linpack_factors[]; /* their names; NULL ends them */
/* Returns the product of updates; NULL: the BLAS's of the matrix's precision. */
const cm_blas_low *linpack_low_of(const linpack_options *options);

/* ---- linpack_run.c --------------------------------------------------------------------------- */
int linpack_run(const cm_benchmark *benchmark);

#endif
