/* SPDX-License-Identifier: BSD-3-Clause */
/* bisection.c: cm-bisection: N/2 pairs of ranks at once, as innocente-1999, section 5.2.2. */
#include "bisection.h"

int main(int argc, char **argv)
{
    bisection_options options = {
        .lower_bytes = 1,
        .upper_bytes = 4 << 20,
        .split_bytes = -1,
        .seed = -1,
        .job = CM_PAIR_JOB_DEFAULTS(0.5),
    };
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("lower", 'l', "BYTES", &options.lower_bytes, 1, most_bytes, "smallest message"),
        CM_BYTES("upper", 'u', "BYTES", &options.upper_bytes, 1, most_bytes, "largest message"),
        CM_BYTES(
            "split", 's', "BYTES", &options.split_bytes, 0, most_bytes,
            "largest short message; short and long messages are fitted by a line each; the default "
            "is the eager limit or, with an MPI, which does not report it, the paper's 65536"),
        CM_HEADING("Pairings"),
        CM_FLAG("random", 0, &options.random,
                "draw pairings of the ranks and measure --upper with each: the effective bisection "
                "bandwidth"),
        CM_INTEGER("pairings", 0, "N", &options.pairings, 1, 1e6,
                   "with --random: N pairings; default 100"),
        CM_INTEGER("seed", 0, "N", &options.seed, 0, 9007199254740992.0,
                   "with --random: from which they are drawn; default 1"),
        CM_PAIR_JOB_OPTIONS(&options.job),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-bisection",
        .purpose = "time and throughput of N/2 pairs of ranks that communicate at once",
        .description =
            "Rank k runs a ping-pong with rank k + N/2, all N/2 pairs at once, so that all "
            "messages cross the middle of the network. The result has the average over the "
            "pairs, the slowest and the fastest pair, and the fitted latency and bandwidth of "
            "short and of long messages. If a pair is as fast as one that is alone "
            "(cm-netpipe), the network does not block. Every size is verified byte by byte "
            "before it is measured.\n"
            "\n"
            "With --random the ranks are paired at random, many times. The average over pairs and "
            "pairings is the effective bisection bandwidth; least and greatest show how much it "
            "depends on which ranks talk to each other.",
        .examples = "mpiexec -n 8 cm-bisection -o bisection.txt\tfour pairs, over MPI\n"
                    "cmrun --hosts a,b,c,d cm-bisection\ta and b with c and d\n"
                    "mpiexec -n 64 cm-bisection --random -u 1Mi\t100 random pairings\n",
        .options = table,
        .metrics = bisection_metrics,
        .labels = bisection_labels,
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
