/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.c: cm-netpipe: the time of messages between two ranks, or many pairs, over their size. */
#include "netpipe.h"

int main(int argc, char **argv)
{
    static const double most_bytes = 1LL << 48;
    cm_benchmark benchmark = {
        .least = CM_PAIR_RANKS, .most = CM_PAIR_RANKS, .run = netpipe_run, .check = netpipe_check};
    netpipe_options options = {
        .lower_bytes = 1,
        .upper_bytes = 4 << 20,
        .perturbation_bytes = -1, /* not given */
        .policy = CM_PAIR_REUSED,
        .memory = CM_PAIR_ORDINARY,
        .sampling = CM_SAMPLING_DEFAULTS(-1),
        .sweeps = 1,
        .benchmark = &benchmark,
    };
    options.sampling.most = 0; /* not given, as the next and time_limit_s */
    options.sampling.rule.relative_half_width = -1;
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("lower", 'l', "BYTES", &options.lower_bytes, 1, most_bytes, "smallest message"),
        CM_BYTES("upper", 'u', "BYTES", &options.upper_bytes, 1, most_bytes, "largest message"),
        CM_BYTES(
            "perturbation", 'p', "BYTES", &options.perturbation_bytes, 0, most_bytes,
            "also measure this number of bytes below and above each size; 0: do not; default 3"),
        CM_PAIR_INTEGRITY(&options.integrity),
        CM_HEADING("Patterns (without any: ping-pong)"),
        CM_FLAG("stream", 's', &options.stream,
                "rank 0 sends back to back; the receiver acknowledges the end of each trial"),
        CM_FLAG("reverse", 0, &options.reverse, "with --stream: rank 1 sends, rank 0 receives"),
        CM_FLAG("both", '2', &options.both,
                "both ranks send and receive at once; throughput counts the bytes of both"),
        CM_INTEGER("window", 'w', "N", &options.window, 2, NETPIPE_MOST_WINDOW,
                   "with --stream or --both: keep N messages in flight"),
        CM_CHOICE("window-buffers", 0, "NAME", &options.window_buffers, netpipe_window_buffers,
                  "each: every message of a window has buffers of its own; one: all are sent from "
                  "one buffer and received into one, as by osu_bw"),
        CM_FLAG("overlap", 0, &options.overlap,
                "like --both, with computing of the same length between start and end: measure how "
                "much of the exchange it hides"),
        CM_FLAG("round-trips", 0, &options.turns,
                "ping-pong, each round trip timed by itself: percentiles and a histogram"),
        CM_FLAG("pairs", 0, &options.pairs,
                "rank i with rank i + N/2 of N ranks, all pairs at once"),
        CM_FLAG("distances", 0, &options.distances,
                "the first two ranks of each host bind themselves as --bind=same-core, same-l3, "
                "same-socket and other-socket do, one after the other, as far as the host has such "
                "processors, and bounce messages of --lower and --upper bytes"),
        CM_FLAG("early", 'a', &options.early,
                "post the receive of the next message before sending"),
        CM_HEADING("Buffers and places"),
        CM_CHOICE(
            "buffers", 0, "POLICY", &options.policy, cm_pair_policies,
            "reused: always the same two buffers; alternating: send what has just arrived; cold: "
            "walk through a pool of twice the last-level cache; one: everything in the same "
            "buffer"),
        CM_FLAG("invalidate", 'I', &options.invalidate, "same as --buffers cold"),
        CM_TEXT("offsets", 'O', "SEND,RECEIVE", &options.offsets,
                "send and receive messages at these distances in bytes from the beginning of a "
                "cache line (default 0,0)"),
        CM_CHOICE("memory", 0, "KIND", &options.memory, cm_pair_memories,
                  "ordinary: buffers of malloc's kind; shared: memory of cm_allocate, which the "
                  "ranks of a host share (shm and hybrid backends only)"),
        CM_BYTES("socket-buffer", 'b', "BYTES", &options.socket_bytes, 1, 1 << 30,
                 "size of the sockets' buffers (sockets backend only)"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_TRIAL_SECONDS(&options.sampling),
        CM_SAMPLE_REPETITIONS(&options.sampling),
        CM_SAMPLE_HALF_WIDTH_ALSO(&options.sampling, "; default 0.02, with --round-trips always 0"),
        CM_SAMPLE_TRIALS_ALSO(&options.sampling, "trials",
                              "; default 1000, with --round-trips 100000"),
        CM_SAMPLE_TIME_LIMIT_ALSO(&options.sampling, "; default 0.5"),
        CM_SAMPLE_WARM_UP(&options.sampling),
        CM_SAMPLE_SWEEPS(&options.sweeps),
        CM_RESULT_OPTIONS(&options.files),
        CM_RENAMED("turns", "round-trips"),
        {0},
    };
    const cm_program program = {
        .name = "cm-netpipe",
        .purpose = "time and throughput of messages between two ranks over message size",
        .description =
            "Bounces messages between two ranks, as NetPIPE does. Sizes grow exponentially; each "
            "is also measured a few bytes below and above. The time of a message is half the round "
            "trip. Other patterns send one way, both ways at once, or between many pairs. "
            "Every size is verified byte by byte before it is measured. Trials are repeated until "
            "the median is known well enough or the time is up; the result says which.",
        .examples =
            "mpiexec -n 2 cm-netpipe -o result.txt\tall sizes up to 4 MiB, over MPI\n"
            "cmrun --hosts a,b cm-netpipe -u 64Mi\tbetween two hosts, over ssh\n"
            "cmrun -n 2 cm-netpipe -i -p 0\tcheck every message, no perturbation\n"
            "mpiexec -n 2 cm-netpipe --round-trips -u 1\tdistribution of the times of one byte\n"
            "cmrun -n 2 cm-netpipe --distances -u 1Mi\tsame core, same L3, same socket, other "
            "socket\n"
            "cmrun --hosts a,b cm-netpipe --overlap\twhat a program gains by cm_isend\n"
            "mpiexec -n 8 cm-netpipe --pairs -sw 64 -u 1Mi\tmessage rate of four pairs\n"
            "mpiexec -n 8 cm-netpipe --pairs -2\tfour pairs at once, both ways\n",
        .options = table,
        .metrics = netpipe_metrics,
        .labels = netpipe_labels,
    };
    benchmark.program = &program;
    benchmark.files = &options.files;
    benchmark.options = &options;
    return cm_run_main(&benchmark, argc, argv);
}
