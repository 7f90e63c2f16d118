/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_check.c: checks the options of a run together. */
#include "patterns.h"

int patterns_check(const cm_program *program, void *of_program)
{
    patterns_options *options = of_program;
    patterns_row rows[PATTERNS_MOST_ROWS];
    if (patterns_plan(options, rows) == 0)
        return cm_option_error(program,
                               "--upper %lld is below the smallest size of --transfer %s "
                               "(4 bytes)",
                               (long long)options->upper_bytes,
                               patterns_choices[options->transfers]);
    if (options->both_send_bytes >= 0 && options->pattern != PATTERNS_EXCHANGE)
        return cm_option_error(program,
                               "--both-send %lld with --pattern %s: it is for --pattern "
                               "exchange",
                               (long long)options->both_send_bytes,
                               patterns_names[options->pattern]);
    return cm_pair_job_check(program, &options->job, "--upper", options->upper_bytes);
}
