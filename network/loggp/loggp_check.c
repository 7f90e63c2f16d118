/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp_check.c: what the options of a run must satisfy together. */
#include "loggp.h"

int loggp_check(const cm_program *program, void *of_program)
{
    loggp_options *options = of_program;
    int status = cm_pair_check_sizes(program, options->lower_bytes, options->upper_bytes);
    if (status) return status;
    options->sampling.trial_s = 0; /* a train is as long as it is */
    cm_sampling_check(&options->sampling);
    return cm_pair_check_memory(program, "--upper", options->upper_bytes);
}
