/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_gemm.c: how fast the BLAS's matrix product is. */
#include "config.h"
#include "linpack_program.h"
#include "memory/memory.h"

/* The best of some products of 1024 x 1024 matrices, after one that is not counted: what the
   update could reach. */
double linpack_gemm_flop_per_s(int precision)
{
    enum { N = 1024, TIMES = 5 };
    const linpack_solvers *solvers = linpack_solvers_of(precision);
    void *memory[3];
    double *row = linpack_allocate(N, sizeof *row, "a row");
    for (int k = 0; k < N; k++) row[k] = 1.0 / (1 + k);
    for (int m = 0; m < 3; m++) {
        memory[m] = cm_run_array((size_t)N * N * solvers->bytes);
        for (size_t k = 0; k < N; k++)
            solvers->store(row, (char *)memory[m] + k * N * solvers->bytes, N, 1);
    }
    double best_s = HUGE_VAL;
    for (int k = 0; k <= TIMES; k++) {
        double since = cm_time();
        cm_blas_gemm((cm_blas_precision)precision, N, N, N, memory[0], memory[1], N, true,
                     memory[2]);
        double took_s = cm_time() - since;
        if (k > 0 && took_s < best_s) best_s = took_s;
    }
    for (int m = 0; m < 3; m++) cm_memory_free(memory[m]);
    free(row);
    return 2.0 * N * N * N / best_s;
}
