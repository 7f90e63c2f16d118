/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_check.c: what the options of a run must satisfy. */
#include "config.h"
#include "nodes.h"
#ifdef HAVE_BLAS
#include "blas/blas.h"
#endif

int nodes_check(const cm_program *program, void *of_program)
{
    const nodes_options *options = of_program;
    int status = 0;
#ifdef HAVE_BLAS
    status = cm_blas_check(program);
#endif
    if (!status)
        status = cm_run_check_memory(program, (size_t)options->triad_bytes, "--triad",
                                     "--triad %lld", (long long)options->triad_bytes);
    if (status) return status;
    return cm_run_check_memory(program, (NODES_WINDOW + 1) * (size_t)options->size_bytes, "--size",
                               "--size %lld", (long long)options->size_bytes);
}
