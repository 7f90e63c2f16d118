/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench_check.c: checks the memory for the options. */
#include <math.h>
#include "bspbench.h"

int bspbench_check(const cm_program *program, void *of_program)
{
    (void)program; /* no checks beyond the ranges of single options */
    bspbench_options *options = of_program;
    cm_sampling_check(&options->sampling);
    return 0;
}

/* Determines the memory for this host, divided among its ranks, and the option to blame. */
void bspbench_require_memory(const bspbench_options *options, cm_group *group)
{
    if (!group) {
        cm_run_require_memory(0, "", "no process");
        return;
    }
    int here = cm_run_ranks_on_computer(group, cm_rank(group));
    int ranks = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    bool words = options->words > options->block;
    const char *option = words ? "--words" : "--block";
    int64_t value = words ? options->words : options->block;
    double most = 32.0 * (double)value * here;
    for (int k = 0; k < bspbench_algorithms(); k++) {
        const char *its_option;
        int64_t size = bspbench_size(options, k, &its_option);
        double alone = bspbench_bytes(options, k, 1),
               all = bspbench_bytes(options, k, cm_size(group)) * here;
        if (fmax(alone, all) <= most) continue;
        most = fmax(alone, all);
        option = its_option;
        value = size;
    }
    cm_run_require_memory((size_t)fmin(most / ranks, 0x1p62), option, "%s %lld", option,
                          (long long)value);
}
