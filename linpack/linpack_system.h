/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_system.h: a system of equations: factored, solved, refined, and solved by a plain
   program. */
#ifndef LINPACK_SYSTEM_H
#define LINPACK_SYSTEM_H

#include "linpack_options.h"
#include "linpack_refine.h"
#include "linpack_verify.h"

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

/* ---- linpack_refine.c: --refine -------------------------------------------------------------- */
/* Returns true if the matrix is kept: --refine-matrix says so, or it fits into the free memory,
   before any of the system is allocated. All ranks call it. */
bool linpack_refine_keeps(const linpack_options *options, int order);
void linpack_refine_open(linpack_system *system, bool keeps);
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

#endif
