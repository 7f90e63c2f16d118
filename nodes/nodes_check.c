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
#ifdef HAVE_BLAS
    int status = cm_blas_check(program);
    if (status) return status;
#endif
    return cm_run_check_memory(program, (NODES_WINDOW + 1) * (size_t)options->size_bytes, "--size",
                               "--size %lld", (long long)options->size_bytes);
}
