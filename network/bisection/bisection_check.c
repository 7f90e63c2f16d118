/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection_check.c: what the options of a run must satisfy together. */
#include "bisection.h"

/* An option that the pairing does not use is refused. */
static int check_random(const cm_program *program, const bisection_options *options)
{
    if (options->random && options->lower_bytes > 1)
        return cm_option_error(program,
                               "--lower %lld with --random: random pairings exchange messages of "
                               "--upper only",
                               (long long)options->lower_bytes);
    if (options->random && options->split_bytes >= 0)
        return cm_option_error(program,
                               "--split %lld with --random: random pairings have one size, and no "
                               "line is fitted; leave --split out",
                               (long long)options->split_bytes);
    if (!options->random && options->pairings > 0)
        return cm_option_error(program, "--pairings %lld: needs --random",
                               (long long)options->pairings);
    if (!options->random && options->seed >= 0)
        return cm_option_error(program, "--seed %lld: needs --random", (long long)options->seed);
    return 0;
}

int bisection_check(const cm_program *program, void *of_program)
{
    bisection_options *options = of_program;
    int status = cm_pair_check_sizes(program, options->lower_bytes, options->upper_bytes);
    if (!status) status = check_random(program, options);
    if (status) return status;
    if (options->pairings == 0) options->pairings = 100;
    if (options->seed < 0) options->seed = 1;
    return cm_pair_job_check(program, &options->job, "--upper", options->upper_bytes);
}
