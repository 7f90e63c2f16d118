/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_check.c: what the options of a run must satisfy together. */
#include "linkmap.h"

int linkmap_check(const cm_program *program, void *of_program)
{
    linkmap_options *options = of_program;
    if (options->again == 0 && options->again_limit_s >= 0)
        return cm_option_error(program,
                               "--again-limit %g with --again 0: no pair is measured alone; use "
                               "--again 1 or more, or leave --again-limit out",
                               options->again_limit_s);
    if (options->again_limit_s < 0) options->again_limit_s = 20;
    return cm_pair_job_check(program, &options->job, "--size", options->size_bytes);
}
