/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_check.c: what the options of a run must satisfy together. */
#include "bisection.h"

int bisection_check(const cm_program *program, void *of_program)
{
    bisection_options *options = of_program;
    int status = cm_pair_check_sizes(program, options->lower_bytes, options->upper_bytes);
    if (status) return status;
    if (options->random && options->lower_bytes > 1)
        return cm_option_error(program,
                               "--lower %lld with --random: random pairings exchange messages of "
                               "--upper only",
                               (long long)options->lower_bytes);
    return cm_pair_job_check(program, &options->job, "--upper", options->upper_bytes);
}
