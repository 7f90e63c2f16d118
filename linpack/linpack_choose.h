/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_choose.h: what is chosen for an order: its grid, panels and threads; and by what. */
#ifndef LINPACK_CHOOSE_H
#define LINPACK_CHOOSE_H

#include "linpack_options.h"
#include "measure/quantity.h"

/* ---- linpack_gemm.c -------------------------------------------------------------------------- */
/* Operations per second of the BLAS: the best and the worst of LINPACK_GEMM_TIMES products. */
enum { LINPACK_GEMM_TIMES = 5 };
typedef struct {
    double best_flop_per_s, worst_flop_per_s;
    double busy; /* processors that a rank's products kept busy; NaN: simulated, or short ones */
    double begin_s, end_s; /* of a rank's products, by the clock that all ranks of a host share */
    bool shared;           /* ranks share cores */
} linpack_gemm_rate;
/* Measures products of n x n matrices like those of a factorization, on this rank. All ranks call
   it. low: NULL, or the format of --refine-factors. */
linpack_gemm_rate linpack_gemm(int precision, const cm_blas_low *low, int n);
/* Returns the n that the orders of the run need: at most 1024. */
int linpack_gemm_edge(const linpack_options *options);

/* ---- linpack_run.c --------------------------------------------------------------------------- */
/* Find the properties of the hosts by which panels and look-ahead are chosen; bind the ranks and
   choose the threads of the BLAS; measure its rate, the sum of all ranks', and the slowest rank's.
   Where ranks share cores, it is that of all products of a computer over the time that they took
   together. All ranks call them. */
void linpack_look_at_hosts(linpack_options *options);
void linpack_choose_threads(linpack_options *options);
linpack_gemm_rate linpack_gemm_of_all(const linpack_options *options, int precision,
                                      double *slowest);

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
/* Returns what this rank's share of the memory is of, for a message. */
const char *linpack_memory_of(const cm_group *group);

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

#endif
