/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_result.h: the result, and what others printed that it is compared with. */
#ifndef LINPACK_RESULT_H
#define LINPACK_RESULT_H

#include "linpack_choose.h"
#include "linpack_refine.h"
#include "linpack_verify.h"

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

#endif
