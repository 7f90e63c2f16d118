/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection.c: cm-bisection: N/2 pairs of ranks at once, as innocente-1999, section 5.2.2. */
#include "bisection.h"

int main(int argc, char **argv)
{
    bisection_options options = {
        .lower_bytes = 1,
        .upper_bytes = 4 << 20,
        .split_bytes = -1,
        .job = CM_PAIR_JOB_DEFAULTS(0.5),
    };
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("lower", 'l', "BYTES", &options.lower_bytes, 1, most_bytes, "smallest message"),
        CM_BYTES("upper", 'u', "BYTES", &options.upper_bytes, 1, most_bytes, "largest message"),
        CM_BYTES(
            "split", 's', "BYTES", &options.split_bytes, 0, most_bytes,
            "messages up to this size are short, the others long, each with a line of their "
            "own; the eager limit unless given (with an MPI, which does not say it, 65536, the "
            "paper's)"),
        CM_PAIR_JOB_OPTIONS(&options.job),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-bisection",
        .purpose = "time and throughput of N/2 pairs of ranks that all talk at once",
        .description =
            "Ranks 0 to N/2 - 1 bounce messages with ranks N/2 to N - 1, all pairs at once, "
            "through the middle of the network. Reported is the average over the pairs, with "
            "the slowest and the fastest of them, and a line, latency and bandwidth, for short "
            "and for long messages. Where it agrees with a single pair, the network does not "
            "block. Every size is verified byte by byte before it is measured.",
        .examples = "mpiexec -n 8 cm-bisection -o bisection.txt\tfour pairs, over MPI\n"
                    "cmrun --hosts a,b,c,d cm-bisection\ta and b with c and d\n",
        .options = table,
        .metrics = bisection_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = bisection_check,
        .least = 2,
        .multiple = 2,
        .run = bisection_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
