/* SPDX-License-Identifier: BSD-3-Clause */
/* suited.c: checks that the kernels of the BLAS suit the processor; what a result says of it. */
#include "config.h"
#include <math.h>
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

static void meta_kernel(cm_result *result, const char *program)
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

/* Other processes take time from one thread, too: only of several one tells that they are not
   there. */
static bool differs(int said, double busy)
{
    return busy > said + 0.6 || (said > 1 && busy < 0.6 * said);
}

int cm_blas_threads_asked(const char *program, int threads)
{
    const int said = cm_blas_threads(threads);
    if (said && said != threads)
        fprintf(stderr, "%s: --threads %d: the BLAS uses %d\n", program, threads, said);
    return said;
}

static void meta_threads(cm_result *result, const char *program, int threads, double busy)
{
    const int said = cm_blas_threads_asked(program, threads);
    if (said) cm_result_meta_number(result, "blas_threads", said, "%.0f");
    if (!isnan(busy)) cm_result_meta_number(result, "blas_threads_busy", busy, "%.2f");
    if (said && differs(said, busy))
        fprintf(stderr,
                "%s: the BLAS says that it uses %d threads, but its matrix product keeps %.1f "
                "processors busy\n",
                program, said, busy);
    if (!said && differs(threads, busy))
        fprintf(stderr,
                "%s: --threads %d: this BLAS cannot be told; its matrix product keeps %.1f "
                "processors busy\n",
                program, threads, busy);
}

void cm_blas_meta(cm_result *result, const char *program, int threads, double busy)
{
    const cm_blas_library library = cm_blas_library_loaded();
    cm_result_meta(result, "blas", "%s", library.name);
    if (*library.version) cm_result_meta(result, "blas_version", "%s", library.version);
    meta_kernel(result, program);
    meta_threads(result, program, threads, busy);
}
