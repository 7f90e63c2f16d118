/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_check.c: what the options of a run must satisfy. */
#include "config.h"
#include "nodes.h"
#ifdef HAVE_BLAS
#include "blas/blas.h"
#endif

int nodes_check(const cm_program *program, void *of_program)
{
    const nodes_options *options = of_program;
    int status = 0;
#ifdef HAVE_BLAS
    status = cm_blas_check(program);
#endif
    if (!status)
        status = cm_run_check_memory(program, (size_t)options->triad_bytes, "--triad",
                                     "--triad %lld", (long long)options->triad_bytes);
    if (status) return status;
    return cm_run_check_memory(program, (NODES_WINDOW + 1) * (size_t)options->size_bytes, "--size",
                               "--size %lld", (long long)options->size_bytes);
}

int nodes_check_rounds(const cm_program *program, const nodes_options *options, int hosts)
{
#ifdef HAVE_BLAS
    const int tests = NODES_CHECKS + 1; /* one for the links */
#else
    const int tests = NODES_CHECKS;
#endif
    const double share = nodes_share(options->false_alarms, tests);
    const int least = nodes_least_rounds(hosts, share);
    if (options->rounds < least)
        return cm_option_error(program,
                               "--rounds %lld can name none of %d hosts, however slow it is; "
                               "expected %d or more",
                               (long long)options->rounds, hosts, least);
    if (hosts < NODES_FEWEST || options->again == 0) return 0;
    const int again = nodes_least_again(hosts, (int)options->rounds, share);
    if (options->again >= again) return 0;
    return cm_option_error(program,
                           "--again %lld can name no pair of %d hosts, however slow it is; "
                           "expected %d or more, or 0",
                           (long long)options->again, hosts, again);
}
