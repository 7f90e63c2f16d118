/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_gemm.c: measures the rate of the BLAS's matrix product. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "linpack_choose.h"
#include "linpack_solvers.h"
#include "memory/memory.h"

/* Edges of the products: at small orders short ones tell enough, and the program starts at once. */
enum { LEAST = 128, MOST = 1024 };

int linpack_gemm_edge(const linpack_options *o)
{
    int order = 0;
    if (o->fit) return MOST;
    for (int k = 0; k < o->n_orders; k++)
        if (o->orders[k] > order) order = o->orders[k];
    for (int k = 0; o->hpl_file && k < o->hpl.order.n; k++)
        if (o->hpl.order.value[k] > order) order = o->hpl.order.value[k];
    order = (order + LEAST - 1) / LEAST * LEAST;
    return order < LEAST ? LEAST : order < MOST ? order : MOST;
}

/* A simulator's hosts have the speed that the platform says. One processor would compute the
   products of all ranks, one after the other. */
static linpack_gemm_rate simulated(double flop)
{
    double since = cm_time();
    cm_compute(flop, 0);
    double rate = flop / (cm_time() - since);
    return (linpack_gemm_rate){rate, rate, .busy = NAN};
}

/* Times products of n x n matrices, after one that does not count. All ranks begin together. The
   best is the rate that the update could reach. */
linpack_gemm_rate linpack_gemm(int precision, const cm_blas_low *low, int n)
{
    const double flop = 2.0 * n * n * n;
    const size_t numbers = (size_t)n;
    if (cm_comm_has(CM_HAS_SIMULATOR)) return simulated(flop);
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    void *memory[3];
    double *row = linpack_allocate(numbers, sizeof *row, "a row");
    for (int k = 0; k < n; k++) row[k] = 1.0 / (1 + k);
    for (int m = 0; m < 3; m++) {
        memory[m] = cm_run_array(numbers * numbers * solvers->bytes);
        for (size_t k = 0; k < numbers; k++)
            solvers->store(row, (char *)memory[m] + k * numbers * solvers->bytes, n, 1);
    }
    cm_blas_settle();
    double best_s = HUGE_VAL, worst_s = 0;
    cm_blas_busy began = {0};
    for (int k = 0; k <= LINPACK_GEMM_TIMES; k++) {
        if (k == 1) {
            cm_barrier(cm_world(), CM_AUTO);
            began = cm_blas_busy_begin();
        }
        double since = cm_time();
        if (low) linpack_single_subtract(low, n, n, n, memory[0], n, memory[1], n, memory[2], n);
        else
            cm_blas_gemm((cm_blas_precision)precision, n, n, n, memory[0], memory[1], n, true,
                         memory[2]);
        double took_s = cm_time() - since;
        if (k > 0 && took_s < best_s) best_s = took_s;
        if (k > 0 && took_s > worst_s) worst_s = took_s;
    }
    const double end_s = cm_blas_busy_begin().wall_s, busy = cm_blas_busy_end(&began);
    for (int m = 0; m < 3; m++) cm_memory_free(memory[m]);
    free(row);
    /* A BLAS computes short products with one thread. */
    return (linpack_gemm_rate){flop / best_s, flop / worst_s, n == MOST ? busy : NAN,
                               .begin_s = began.wall_s, .end_s = end_s};
}
