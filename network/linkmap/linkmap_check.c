/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_check.c: what the options of a run must satisfy together. */
#include "linkmap.h"

int linkmap_check(const cm_program *program, void *of_program)
{
    linkmap_options *options = of_program;
    return cm_pair_job_check(program, &options->job, "--size", options->size_bytes);
}
