/* SPDX-License-Identifier: BSD-3-Clause */
/* suited.c: checks that the kernels of the BLAS suit the processor. */
#include "config.h"
#include <stdio.h>
#include "blas/blas.h"
#include "machine/machine.h"

int cm_blas_check(const cm_program *program)
{
    const char *kernel = cm_blas_kernel();
    if (cm_machine_runs_blas_kernel(kernel)) return 0;
    return cm_option_error(program,
                           "the BLAS uses its %s kernels, which this processor cannot execute; "
                           "unset OPENBLAS_CORETYPE to let it choose",
                           kernel);
}

void cm_blas_meta(cm_result *result, const char *program)
{
    const char *kernel = cm_blas_kernel(), *better = cm_machine_better_blas_kernel(kernel);
    if (*kernel) cm_result_meta(result, "blas_kernel", "%s", kernel);
    if (!better) return;
    fprintf(stderr,
            "%s: the BLAS uses its %s kernels, which are far slower than this processor allows; "
            "set OPENBLAS_CORETYPE=%s in the environment\n",
            program, kernel, better);
    cm_result_meta(result, "blas_kernel_better", "%s", better);
}
