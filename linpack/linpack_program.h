/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_program.h: cm-linpack's options, matrices, checks and result. */
#ifndef LINPACK_PROGRAM_H
#define LINPACK_PROGRAM_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/blas.h"
#include "linpack.h"
#include "linpack_costs.h"
#include "linpack_hpl.h"
#include "linpack_refine.h"
#include "run/run.h"
#include "sample/sample.h"

enum { LINPACK_SINGLE = CM_BLAS_SINGLE, LINPACK_DOUBLE = CM_BLAS_DOUBLE };
enum { LINPACK_GRID, LINPACK_BLOCKED, LINPACK_CLASSIC };
enum { LINPACK_DIRECT, LINPACK_ROLL };
enum { LINPACK_FACTORS_SINGLE, LINPACK_FACTORS_BFLOAT16, LINPACK_FACTORS_HALF };
enum { LINPACK_SLICES = 2 }; /* of an update, where something goes on between them */
enum { LINPACK_PARTIAL, LINPACK_TOURNAMENT };
/* The values of --broadcast. */
#define LINPACK_BROADCASTS \
    "auto, linear, binomial, tree:LEAVES, chain:BYTES, scatter-allgather, native or hosts"
enum {
    LINPACK_RANDOM,
    LINPACK_MATGEN,
    LINPACK_HPL, /* linpack_hpl_matrix.c */
    /* linpack_hard.c */
    LINPACK_WILKINSON,
    LINPACK_WRIGHT,
    LINPACK_FOSTER,
    LINPACK_KAHAN,
    LINPACK_HILBERT,
    LINPACK_GRADED,
    LINPACK_HUGE,
    LINPACK_MXP
};
enum {
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
    cm_blas_low low; /* of --refine-factors, unless they are single */
    bool threads_given;
    linpack_hpl hpl; /* of --hpl; only on rank 0 until linpack_hpl_begin */
    /* Set by linpack_run.c; the same on all ranks. */
    cm_group *group;     /* the ranks that solve */
    int64_t cache_bytes; /* a rank's part of the last-level cache; 0: unknown */
    bool several_hosts;
    linpack_cost_range costs; /* what the model adds up; rounds is 0 if it is not used */
} linpack_options;

/* ---- linpack_check.c ------------------------------------------------------------------------- */
int linpack_check(const cm_program *program, void *options);
/* Returns 0.5 for "memory=50%"; 0 if text has another form. */
double linpack_part_of_memory(const char *text);
/* Ends the job with a line if the grid of the options has not as many ranks. All ranks call it. */
void linpack_require_grid(const linpack_options *options);
/* Checks every host's memory before anything is allocated. Ends the job with a line that names the
   largest order that fits. All ranks call it. */
void linpack_require_memory(const linpack_options *options);

/* ---- linpack_solvers.c: arrays are float or double; right-hand sides and solutions are always
   double */
typedef struct {
    size_t bytes;   /* of an element */
    double epsilon; /* distance of 1 and the next number */
    void (*classic)(const linpack_layout *, void *a, void *diagonal, int *pivots, int *failed,
                    linpack_spent *);
    void (*blocked)(const linpack_layout *, int nb, int look_ahead, int slices, void *a,
                    void *diagonal, int *pivots, int *failed, linpack_spent *);
    /* A x = b or A^T x = b; x: the right-hand side, replaced by the solution, on every rank. */
    void (*solve)(const linpack_layout *, int nb, const void *a, const void *diagonal,
                  const int *pivots, bool transposed, double *x);
    /* The same for the right-hand side that was factored along. */
    void (*solve_right)(const linpack_layout *, int nb, const void *a, const void *diagonal,
                        double *x);
    void (*serial)(int n, void *a, int lda, int *pivots, int *failed, double *x);
    /* Seconds in which this rank alone factors a panel, the columns of the layout, into out. */
    double (*panel_s)(const linpack_layout *, const void *a, void *out);
    void (*store)(const double *from, void *to, size_t n, size_t stride);
    double (*largest)(const void *from, size_t n); /* absolute value; NaN if there is a NaN */
} linpack_solvers;
const linpack_solvers *linpack_solvers_of(int precision);

/* ---- linpack_allocate.c ---------------------------------------------------------------------- */
void *linpack_allocate(size_t n, size_t bytes, const char *what); /* zeroed; ends the job if none */

/* ---- linpack_matrix.c, linpack_hard.c, linpack_market.c: the matrix -------------------------- */
extern const char *const linpack_generators[]; /* their names; NULL ends them */
/* Returns element (i, j), from 1, of a matrix of order n of linpack_hard.c. random is between -1/2
   and 1/2. */
double linpack_hard_element(int kind, int n, int i, int j, double random);
typedef struct {
    int kind; /* LINPACK_RANDOM ... LINPACK_MXP; unused if row_start is set (a file) */
    int order;
    uint64_t seed;
    bool single;        /* elements are rounded to single precision */
    int64_t *row_start; /* [order + 1] */
    int32_t *column;
    double *value;
} linpack_matrix;

/* Stores element j (from 0) of row `row` (from 1) in a[j], j < order; a[order] is the right-hand
   side. The same for any number of ranks. */
void linpack_matrix_row(const linpack_matrix *matrix, int row, double *a);
/* The same for columns first + 1 ... first + count; a[0] is the first of them. */
void linpack_matrix_part(const linpack_matrix *matrix, int row, int first, int count, double *a);
double linpack_matrix_right(const linpack_matrix *matrix, int row);
/* linpack_hpl_matrix.c: columns first + 1 ... first + count of a row of HPL 2.3's matrix. Column
   order + 1 is its right-hand side. */
void linpack_hpl_part(int order, int row, int first, int count, double *a);
/* Returns true if two columns of matgen's matrix of this order are equal, because its random
   numbers have a period of 16384. */
bool linpack_matgen_repeats(int order);

/* Returns the order of the matrix in a Matrix Market file, and the number of its entries. Returns 0
   after one line if there is no matrix that can be solved. */
int linpack_market_order(const cm_program *program, const char *path, int64_t *entries);
/* Returns the most memory that a rank needs for this number of entries, each of which may stand for
   two elements. */
size_t linpack_market_bytes(int64_t entries);
/* Rank 0 reads the file; all ranks get the matrix. It ends the job if an element is beyond largest,
   the largest number of the precision in which the matrix is factored. */
void linpack_market_read(const char *path, double largest, linpack_matrix *matrix);
void linpack_matrix_free(linpack_matrix *matrix);

/* ---- linpack_gemm.c -------------------------------------------------------------------------- */
/* Operations per second of the BLAS: the best and the worst of LINPACK_GEMM_TIMES products. */
enum { LINPACK_GEMM_TIMES = 5 };
typedef struct {
    double best_flop_per_s, worst_flop_per_s;
    double busy; /* processors that a rank's products kept busy; NaN: simulated, or short ones */
} linpack_gemm_rate;
/* Measures products of n x n matrices like those of a factorization, on this rank. low: NULL, or
   the format of --refine-factors. */
linpack_gemm_rate linpack_gemm(int precision, const cm_blas_low *low, int n);
/* Returns the n that the orders of the run need: at most 1024. */
int linpack_gemm_edge(const linpack_options *options);

/* ---- linpack_verify.c ------------------------------------------------------------------------ */
typedef struct {
    double residual;          /* |b - Ax|, largest element */
    double a_infinity, a_max; /* norm (largest sum of a row), largest element */
    double b_max, x_max;
    double hpl, linpack; /* scaled residuals */
} linpack_residual;
#define LINPACK_ACCEPTED 16.0 /* HPL's threshold: a scaled residual up to this is accepted */

/* Computes b - A x with a newly generated matrix; sums are double. epsilon: distance of 1 and the
   next number. */
linpack_residual linpack_verify(const linpack_layout *map, const linpack_matrix *matrix,
                                const double *x, double epsilon);
/* Returns the largest element of U divided by that of A. */
double linpack_growth(const linpack_layout *map, const linpack_solvers *solvers, const void *a,
                      double a_max);

/* ---- linpack_vector.c ------------------------------------------------------------------------ */
double linpack_dot(const double *a, const double *x, int n);
/* Raises each value to the largest of all ranks, on all of them; NaN if one of them is NaN, which
   MPI's maximum may lose. n is at most 5. */
void linpack_raise_over_ranks(cm_group *group, double *values, int n);

/* ---- linpack_condition.c --------------------------------------------------------------------- */
/* Returns the condition number |A|_1 |A^-1|_1, with the second factor estimated from the factors
   (Hager 1984, Higham 1988). */
double linpack_condition(const linpack_layout *map, const linpack_matrix *matrix,
                         const linpack_solvers *solvers, int nb, const void *a,
                         const void *diagonal, const int *pivots);

/* ---- linpack_panel.c ------------------------------------------------------------------------- */
int linpack_panel(const linpack_options *options, int order, linpack_grid grid);
int linpack_look_ahead(const linpack_options *options, int order, linpack_grid grid, int panel);
int linpack_slices(const linpack_options *options, int order, linpack_grid grid, int panel);

/* ---- linpack_size.c -------------------------------------------------------------------------- */
size_t linpack_bytes(const linpack_options *options, int order, int ranks, int rank);
/* Returns the largest order that takes at most this part of the free memory of every host. All
   ranks call it. */
#define LINPACK_MEMORY_PART 0.9 /* that an order which is given may take */
int linpack_fit(const linpack_options *options, double part);
/* Returns true if an order fits into this part of every host's free memory, with the ranks of the
   options' group. All of them call it. */
bool linpack_fits(const linpack_options *options, int order, double part);

/* ---- linpack_model.c: the grid of ranks, and the way of panels ------------------------------- */
/* Returns true if the model will be used, so that its costs must be measured. */
bool linpack_needs_costs(const linpack_options *options);
/* Returns true if it chooses the grid, or the way of panels on the grid that is given. */
bool linpack_is_predicted(const linpack_options *options);
/* Measures the costs of the options' orders. All ranks call it. flop_per_s: of the slowest rank. */
void linpack_measure_costs(linpack_options *options, double flop_per_s);
/* Returns the chain, of whole panels or of pieces, that the model likes better. */
cm_algorithm linpack_ring(const linpack_options *options, int order, linpack_grid grid);
/* Returns how panels go along the rows of a grid: as the options say, or by that chain. Through
   memory the layer chooses. */
cm_algorithm linpack_broadcast(const linpack_options *options, int order, linpack_grid grid);
/* Returns the time that the model predicts for an order on a grid, to factor and to solve, with the
   interval that its costs have. */
cm_quantity linpack_predict(const linpack_options *options, int order, linpack_grid grid);
double linpack_model_s(const linpack_options *options, int order, linpack_grid grid);
/* Returns the grid of an order: that of the options, or the simplest of those that the model cannot
   tell from the fastest one. The fewer rows, the simpler. */
linpack_grid linpack_grid_of_order(const linpack_options *options, int order, int ranks);

/* ---- linpack_paper.c: warschko-1995, section 6.3 --------------------------------------------- */
typedef struct {
    double time_s[2], Mflop[2], speed_up;
} linpack_printed; /* 1 and 2 workstations; NaN: not printed */
linpack_printed linpack_paper(int order);

/* ---- linpack_earlier.c: --serial-from ------------------------------------------------------- */
/* The plain program's times of this order in a result with --serial, text or JSON. Returns false if
   the file cannot be read or has no such time; why says so in one line that begins with path. */
bool linpack_serial_read(const char *path, int order, double *serial_s, double *cpu_s, char *why,
                         size_t why_size);

/* ---- linpack_progress.c ---------------------------------------------------------------------- */
double linpack_operations(int order); /* LINPACK's count, 2/3 n^3 + 2 n^2 */
typedef struct {
    double done, left_s;
} linpack_progress; /* part of the run that is done; seconds that are left */
/* passed_s: time since this factorization began; `column` of its columns are eliminated.
   flop_before, flop_after: LINPACK's count for the factorizations before and after it. */
linpack_progress linpack_progress_of(int order, int column, double passed_s, double flop_before,
                                     double flop_after);

/* ---- linpack_trial.c: all ranks solve an order ----------------------------------------------- */
/* The progress of the run. */
typedef struct {
    cm_result *result;            /* rank 0; elsewhere NULL */
    double run_began_s, began_s;  /* the run; the current factorization */
    double flop_all, flop_before; /* LINPACK's count for all factorizations; for those done */
} linpack_course;

typedef struct {
    const linpack_options *options;
    const linpack_solvers *solvers;
    linpack_matrix *matrix;
    linpack_course *course;
    /* linpack_system_open sets all below. */
    linpack_layout map;
    linpack_layout by_rows; /* for the checks: the rows of the matrix, dealt out to all ranks */
    int nb, look_ahead, slices;
    void *a, *diagonal; /* after a trial, its factors */
    int *pivots;
    double *x;
    linpack_spent spent; /* on this rank in all trials */
    int failed;          /* the column without a pivot, which ended the trials; negative: its
                            pivot is not finite; 0: none */
    int iterations;      /* with --refine: of the last trial */
    linpack_residual worst;
    linpack_refinement refined; /* with --refine */
} linpack_system;

void linpack_system_open(linpack_system *system, int order);
void linpack_system_forget(linpack_system *system); /* resets the time spent */
void linpack_system_close(linpack_system *system);
/* One factorization and solution. The matrix is generated again before it, and the solution is
   verified after it. Times are those of the slowest rank in seconds; the last one is set only with
   --refine. */
enum { LINPACK_TOTAL, LINPACK_FACTOR, LINPACK_SOLVE, LINPACK_REFINE, LINPACK_TIMES };
cm_subject linpack_trial(linpack_system *system);
linpack_residual linpack_worse(linpack_residual a, linpack_residual b); /* a NaN is the worst */

/* ---- linpack_system.c: the matrix, its factors, the solution --------------------------------- */
/* Stores this rank's part of the matrix, and of a right-hand side beside it, in the given
   precision. */
void linpack_store_rows(const linpack_system *system, int precision, void *a);
/* Returns how many columns from local column c on are neighbours in the matrix: those that were
   dealt out at a time. */
int linpack_part_width(const linpack_layout *map, int c);
/* Factors the matrix. Returns 0, or the column without a usable pivot; negative if the pivot is not
   finite. */
int linpack_factor(linpack_system *system);
/* Solves the system with the factors: system->x is the right-hand side, and then the solution. */
void linpack_solve(linpack_system *system);
/* Solves with the factors. x: the right-hand side, replaced by the solution, on every rank. */
void linpack_substitute(const linpack_system *system, double *x);
void linpack_right_hand_side(const linpack_matrix *matrix, double *b); /* all of it */

/* ---- linpack_product.c ----------------------------------------------------------------------- */
/* Computes A x in double, with --refine. x: on every rank. part: this rank's part of the product.
   sums (may be NULL): its part of the sums of the absolute values of A's rows. */
void linpack_product(const linpack_system *system, const double *x, double *part, double *sums);

/* ---- linpack_low.c: --refine-factors --------------------------------------------------------- */
extern const char *const linpack_factors[]; /* their names; NULL ends them */
/* Returns the product of updates; NULL: the BLAS's of the matrix's precision. */
const cm_blas_low *linpack_low_of(const linpack_options *options);

/* ---- linpack_refine.c: --refine -------------------------------------------------------------- */
void linpack_refine_open(linpack_system *system);
void linpack_refine_close(linpack_system *system);
/* Makes the matrix and the right-hand side, in single precision unless the matrix is kept. */
void linpack_refine_prepare(linpack_system *system);
/* Rounds the matrix that is kept to single precision. */
void linpack_refine_round(linpack_system *system);
/* Refines the solution. If that fails, or if system->failed says that there are no factors in
   single precision, the system is solved again in double, and `failed` says what came of it.
   Without the memory for that, all stays as it is. */
void linpack_refine(linpack_system *system);

/* ---- linpack_plain.c: a plain program on rank 0 solves the same ------------------------------ */
typedef struct {
    const linpack_system *system;
    void *a; /* rank 0; elsewhere NULL */
    int *pivots;
    double *x;
    linpack_residual worst;
} linpack_plain;

void linpack_plain_open(linpack_plain *plain, const linpack_system *system);
void linpack_plain_close(linpack_plain *plain);
enum { LINPACK_PLAIN_WALL, LINPACK_PLAIN_CPU, LINPACK_PLAIN_TIMES }; /* seconds */
cm_subject linpack_plain_trial(linpack_plain *plain);

/* ---- linpack_result.c: rank 0 writes --------------------------------------------------------- */
typedef struct {
    int order, nb, look_ahead, slices;
    linpack_grid grid;
    cm_summary total_s;                 /* of the slowest rank, as the medians below */
    double factor_s, solve_s, refine_s; /* refine_s: NaN without --refine */
    cm_quantity predicted_s;            /* by the model, to factor and to solve; if it was used */
    double parts_s[4];    /* search, exchange, broadcast, update: sums over trials and ranks */
    int iterations;       /* with --refine, as the next */
    int fallbacks;        /* runs that were solved again in double */
    cm_quantity serial_s; /* NaN without --serial; a plain number of --serial-from */
    double serial_cpu_s;  /* likewise, a median */
    linpack_residual residual;
    double growth, condition;
} linpack_measured;

typedef struct linpack_result linpack_result;
linpack_result *linpack_result_open(const cm_benchmark *benchmark, const linpack_gemm_rate *gemm);
cm_result *linpack_result_of(linpack_result *result);
/* Writes the model's times of all grids, if the grid was chosen by them. */
void linpack_result_model(linpack_result *result, int order);
void linpack_result_row(linpack_result *result, const linpack_measured *measured,
                        const cm_sampled *sampled);
/* Writes how an order was refined. */
void linpack_result_refined(linpack_result *result, int order, const linpack_refinement *refined);
/* Writes the acceptance checks of an order. plain: that of the plain program; NULL if not run. */
void linpack_result_checks(linpack_result *result, int order, const linpack_residual *residual,
                           const linpack_residual *plain);
int linpack_result_close(linpack_result *result, bool pass);

/* ---- linpack_hpl_run.c: --hpl ---------------------------------------------------------------- */
/* Reads the file. Returns 0, or prints one line and returns the exit status. */
int linpack_hpl_check(const cm_program *program, linpack_options *options);
/* All ranks get the file. Ends the job if it has a grid that needs more ranks. */
void linpack_hpl_begin(linpack_options *options);
/* Writes what is the file, and which of its values have no meaning here. */
void linpack_hpl_meta(cm_result *result, const linpack_options *options);

/* The tests one by one; linpack_hpl_run.c has the way through them. */
typedef struct {
    const linpack_options *all;
    cm_result *result; /* rank 0; elsewhere NULL */
    double part;       /* of the free memory that a matrix may take */
    int64_t next;
    linpack_hpl_test test; /* the current one */
    linpack_grid grid;
    cm_group *group; /* its ranks; NULL on others */
    linpack_hpl_counts counts;
    FILE *file_text; /* HPL's lines for its output file */
    char *file;
    size_t file_size;
} linpack_hpl_run;
typedef struct linpack_verdict linpack_verdict; /* linpack_verdict.h */
void linpack_hpl_open(linpack_hpl_run *run, const linpack_options *all, double part,
                      cm_result *result);
/* Sets the options of the next test that this rank takes part in, and says what it is. Collective
   over all ranks until it has returned LINPACK_HPL_END. */
typedef enum {
    LINPACK_HPL_END,   /* there is none left */
    LINPACK_HPL_EMPTY, /* N = 0 */
    LINPACK_HPL_LARGE, /* the matrix does not fit */
    LINPACK_HPL_TEST
} linpack_hpl_kind;
linpack_hpl_kind linpack_hpl_step(linpack_hpl_run *run, linpack_options *own);
/* The same, but tells of tests that are empty or too large, and goes on. Returns false if there is
   no test left. */
bool linpack_hpl_next(linpack_hpl_run *run, linpack_options *own);
/* Tells what the test gave. time_s: on rank 0. */
void linpack_hpl_done(linpack_hpl_run *run, const linpack_verdict *verdict, double time_s);
/* Returns false after one line if the output file cannot be written. */
bool linpack_hpl_close(linpack_hpl_run *run);

/* ---- linpack_run.c --------------------------------------------------------------------------- */
/* Find the properties of the hosts by which panels and look-ahead are chosen; bind the ranks and
   choose the threads of the BLAS; measure its rate, the sum of all ranks', and the slowest rank's.
   All ranks call them. */
void linpack_look_at_hosts(linpack_options *options);
void linpack_choose_threads(linpack_options *options);
linpack_gemm_rate linpack_gemm_of_all(const linpack_options *options, int precision,
                                      double *slowest);
int linpack_run(const cm_benchmark *benchmark);

#endif
