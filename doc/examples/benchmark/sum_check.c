/* SPDX-License-Identifier: BSD-3-Clause */
/* sum_check.c: checks the options. */
#include "sum.h"

int sum_check(const cm_program *program, void *of_program)
{
    sum_options *options = of_program;
    cm_sampling_check(&options->sampling);
    return cm_run_check_memory(program, 2 * (size_t)options->upper_bytes, "--upper", "--upper %lld",
                               (long long)options->upper_bytes);
}
