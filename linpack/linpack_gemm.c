/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_gemm.c: measures the rate of the BLAS's matrix product. */
#include "config.h"
#include "linpack_program.h"
#include "memory/memory.h"

enum { N = 1024 };
static const double flop = 2.0 * N * N * N;

/* A simulator's hosts have the speed that the platform says. One processor would compute the
   products of all ranks, one after the other. */
static linpack_gemm_rate simulated(void)
{
    double since = cm_time();
    cm_compute(flop, 0);
    double rate = flop / (cm_time() - since);
    return (linpack_gemm_rate){rate, rate, NAN};
}

/* Times products of 1024 x 1024 matrices, after one that does not count. The best is the rate that
   the update could reach. */
linpack_gemm_rate linpack_gemm(int precision, const cm_blas_low *low)
{
    if (cm_comm_has(CM_HAS_SIMULATOR)) return simulated();
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    void *memory[3];
    double *row = linpack_allocate(N, sizeof *row, "a row");
    for (int k = 0; k < N; k++) row[k] = 1.0 / (1 + k);
    for (int m = 0; m < 3; m++) {
        memory[m] = cm_run_array((size_t)N * N * solvers->bytes);
        for (size_t k = 0; k < N; k++)
            solvers->store(row, (char *)memory[m] + k * N * solvers->bytes, N, 1);
    }
    cm_blas_settle();
    double best_s = HUGE_VAL, worst_s = 0;
    cm_blas_busy began = {0};
    for (int k = 0; k <= LINPACK_GEMM_TIMES; k++) {
        if (k == 1) began = cm_blas_busy_begin();
        double since = cm_time();
        if (low) linpack_single_subtract(low, N, N, N, memory[0], N, memory[1], N, memory[2], N);
        else
            cm_blas_gemm((cm_blas_precision)precision, N, N, N, memory[0], memory[1], N, true,
                         memory[2]);
        double took_s = cm_time() - since;
        if (k > 0 && took_s < best_s) best_s = took_s;
        if (k > 0 && took_s > worst_s) worst_s = took_s;
    }
    const double busy = cm_blas_busy_end(&began);
    for (int m = 0; m < 3; m++) cm_memory_free(memory[m]);
    free(row);
    return (linpack_gemm_rate){flop / best_s, flop / worst_s, busy};
}
