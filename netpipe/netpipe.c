/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.c: cm-netpipe, the time of messages between two ranks, or many pairs, over their size:
   options and run. */
#include <stdlib.h>
#include "netpipe_program.h"

/* Everything that is allocated for a run, at once. */
static bool open_channel(netpipe_channel *channel, netpipe_pairs *pairs,
                         const netpipe_options *options)
{
    int rank = cm_rank(cm_world()), half = cm_size(cm_world()) / 2;
    *channel = (netpipe_channel){
        .group = cm_world(),
        .peer = rank < half ? rank + half : rank - half,
        .conduct = options->pairs ? &netpipe_pairs_conduct : &netpipe_control,
        .pairs = options->pairs ? pairs : NULL,
    };
    if (options->mode->turns) {
        int64_t most = netpipe_most_iterations(options->mode, &options->sampling);
        channel->turn_s = calloc((size_t)most, sizeof *channel->turn_s);
        if (!channel->turn_s) return false;
    }
    if (options->pairs && !netpipe_pairs_open(pairs, cm_world(), rank < half)) return false;
    return netpipe_buffers_open(&channel->buffers, &options->layout);
}

static int run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const netpipe_options *options = benchmark->options;
    int status = 0;
    netpipe_options_require_memory(options);
    if (options->bind) cm_run_bind();

    netpipe_channel channel;
    netpipe_pairs pairs;
    if (!open_channel(&channel, &pairs, options))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    if (cm_rank(cm_world()) == NETPIPE_LEADER)
        status = netpipe_lead(benchmark->program, argc, argv, options, &channel);
    else if (options->pairs) netpipe_pairs_follow(&channel, options->mode);
    else netpipe_follow(&channel, options->mode);
    netpipe_buffers_close(&channel.buffers);
    if (options->pairs) netpipe_pairs_close(&pairs);
    free(channel.turn_s);
    return status;
}

int main(int argc, char **argv)
{
    static const double most_bytes = 1LL << 48;
    cm_benchmark benchmark = {.least = NETPIPE_RANKS, .most = NETPIPE_RANKS, .run = run,
                              .check = netpipe_options_check};
    netpipe_options options = {
        .lower_bytes = 1,
        .upper_bytes = 4 << 20,
        .perturbation_bytes = 3,
        .policy = NETPIPE_REUSED,
        .sampling = {.trial_s = 1e-3,
                     .warm_up_s = 0.1,
                     .rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = 0.5}},
        .sweeps = 1,
        .benchmark = &benchmark,
    };
    const cm_option table[] = {
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Messages", 0, 0, 0},
        {CM_OPTION_BYTES, "lower", 'l', "BYTES", &options.lower_bytes, "smallest message", 1,
         most_bytes, 0},
        {CM_OPTION_BYTES, "upper", 'u', "BYTES", &options.upper_bytes, "largest message", 1,
         most_bytes, 0},
        {CM_OPTION_BYTES, "perturbation", 'p', "BYTES", &options.perturbation_bytes,
         "also measure so many bytes below and above each size; 0: do not", 0, most_bytes, 0},
        {CM_OPTION_FLAG, "integrity", 'i', 0, &options.sampling.integrity,
         "check every message, inside the timing, and not only each size once before it", 0, 0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Patterns (without any: ping-pong)", 0, 0, 0},
        {CM_OPTION_FLAG, "stream", 's', 0, &options.stream,
         "rank 0 sends back to back; the trial ends with an acknowledgement", 0, 0, 0},
        {CM_OPTION_FLAG, "reverse", 0, 0, &options.reverse,
         "with --stream: rank 1 sends, rank 0 receives", 0, 0, 0},
        {CM_OPTION_FLAG, "both", '2', 0, &options.both,
         "both send and receive at once; throughput counts both directions' bytes", 0, 0, 0},
        {CM_OPTION_FLAG, "overlap", 0, 0, &options.overlap,
         "both at once, and computing that lasts as long between start and end: how much of it hides",
         0, 0, 0},
        {CM_OPTION_FLAG, "turns", 0, 0, &options.turns,
         "ping-pong, each round trip timed by itself: percentiles and a histogram", 0, 0, 0},
        {CM_OPTION_FLAG, "pairs", 0, 0, &options.pairs,
         "ranks 0 to N/2 - 1 with ranks N/2 to N - 1, all at once", 0, 0, 0},
        {CM_OPTION_FLAG, "early", 'a', 0, &options.early,
         "post the receive of the next message before sending", 0, 0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Buffers and places", 0, 0, 0},
        {CM_OPTION_CHOICE, "buffers", 0, "POLICY", &options.policy,
         "reused: always the same two buffers; alternating: what arrived is sent next; cold: a "
         "walk through a pool of twice the last-level cache; one: everything in the same buffer",
         0, 0, netpipe_policies},
        {CM_OPTION_FLAG, "invalidate", 'I', 0, &options.invalidate, "short for --buffers cold",
         0, 0, 0},
        {CM_OPTION_TEXT, "offsets", 'O', "SEND,RECEIVE", &options.offsets,
         "so many bytes from the beginning of a cache line lie what is sent and what is "
         "received; 0,0 unless given", 0, 0, 0},
        {CM_OPTION_BYTES, "socket-buffer", 'b', "BYTES", &options.socket_bytes,
         "size of the sockets' buffers (sockets backend only)", 1, 1 << 30, 0},
        {CM_OPTION_FLAG, "bind", 0, 0, &options.bind, "bind each rank to a core of its own", 0,
         0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Sampling", 0, 0, 0},
        {CM_OPTION_REAL, "trial-seconds", 0, "SECONDS", &options.sampling.trial_s,
         "a trial, which is one sample, is as many round trips as last this long", 1e-6, 1e3, 0},
        {CM_OPTION_INTEGER, "repetitions", 'n', "N", &options.sampling.iterations,
         "round trips of a trial, with --turns of a size; 0: as many as --trial-seconds asks for",
         0, 1e12, 0},
        {CM_OPTION_REAL, "half-width", 0, "FRACTION", &options.sampling.rule.relative_half_width,
         "enough trials when half the 95 % confidence interval of the median is this fraction of "
         "it; with --turns this ends nothing", 0, 1, 0},
        {CM_OPTION_INTEGER, "trials", 0, "N", &options.most_trials,
         "at most so many trials a size, with --turns round trips; 1000, with --turns 100000 "
         "unless given", 1, 1e7, 0},
        {CM_OPTION_REAL, "time-limit", 0, "SECONDS", &options.sampling.rule.time_limit_s,
         "begin no more trials of a size after this time", 0, 1e6, 0},
        {CM_OPTION_REAL, "warm-up", 0, "SECONDS", &options.sampling.warm_up_s,
         "round trips before the first size, not kept", 0, 1e3, 0},
        {CM_OPTION_INTEGER, "repeat", 0, "N", &options.sweeps,
         "go through all sizes N times, each sweep with rows of its own", 1, 1e4, 0},
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-netpipe",
        .purpose = "time and throughput of messages between two ranks over their size",
        .description =
            "Bounces messages between two ranks, as NetPIPE does: sizes grow exponentially, each "
            "also a few bytes below and above; half the round trip is the time of one message. "
            "Other patterns send one way, both ways at once, or between many pairs. "
            "Every size is verified byte by byte before it is measured. Trials are repeated until "
            "the median is known well enough, or the time is up; the result says which.",
        .examples = "mpiexec -n 2 cm-netpipe -o result.txt\tall sizes up to 4 MiB, over MPI\n"
                    "cmrun --hosts a,b cm-netpipe -u 64Mi\tbetween two hosts, over ssh\n"
                    "cmrun -n 2 cm-netpipe -i -p 0\tcheck every message, no perturbation\n"
                    "mpiexec -n 2 cm-netpipe --turns -u 1\tthe distribution of a byte's times\n"
                    "cmrun --hosts a,b cm-netpipe --overlap\twhat a program gains by cm_isend\n"
                    "mpiexec -n 8 cm-netpipe --pairs -2\tfour pairs at once, both ways\n",
        .options = table,
    };
    benchmark.program = &program;
    benchmark.files = &options.files;
    benchmark.options = &options;
    return cm_run_main(&benchmark, argc, argv);
}
