/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns.c: cm-patterns: Ping, PingPong and Pairwise Exchange of warschko-1995, section 6.1. */
#include "patterns.h"

int main(int argc, char **argv)
{
    patterns_options options = {
        .pattern = PATTERNS_PINGPONG,
        .transfers = PATTERNS_BOTH,
        .upper_bytes = 4 << 20,
        .both_send_bytes = -1,
        .job = CM_PAIR_JOB_DEFAULTS(0.5),
    };
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_CHOICE("pattern", 'p', "PATTERN", &options.pattern, patterns_names,
                  "ping: one way; ping-pong: there and back; exchange: both ways at once"),
        CM_CHOICE(
            "transfer", 't', "KIND", &options.transfers, patterns_choices,
            "word: 1, 2, 4, 8 bytes, each by a loop compiled for it; block: 4 bytes and more"),
        CM_BYTES("upper", 'u', "BYTES", &options.upper_bytes, 1, most_bytes, "largest message"),
        CM_BYTES("both-send", 0, "BYTES", &options.both_send_bytes, 0, most_bytes,
                 "with --pattern exchange: up to this size both ranks send before they receive, as "
                 "in the paper; above it they use non-blocking sends. Default and limit: the eager "
                 "limit (with an MPI, which does not tell its own: 1024, no limit)"),
        CM_PAIR_JOB_OPTIONS(&options.job),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-patterns",
        .purpose = "ping, ping-pong and pairwise exchange between two ranks",
        .description =
            "Measures three patterns of messages between two ranks, as Warschko, Tichy and Herter "
            "did in 1995. Ping: one rank sends, the other receives. PingPong: a message goes there "
            "and back. Pairwise exchange: both ranks send, then both receive. The result has the "
            "time per iteration for each size and the throughput of all bytes that an iteration "
            "moves, beside the numbers that the paper prints. Every size is "
            "verified byte by byte before it is measured.",
        .examples =
            "mpiexec -n 2 cm-patterns -o ping-pong.txt\tthe ping-pong, over MPI\n"
            "cmrun --hosts a,b cm-patterns -p exchange\tpairwise exchange between two hosts\n"
            "cmrun -n 2 cm-patterns -p ping -u 508\tonly the paper's sizes\n",
        .options = table,
        .metrics = patterns_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = patterns_check,
        .least = CM_PAIR_RANKS,
        .most = CM_PAIR_RANKS,
        .run = patterns_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
