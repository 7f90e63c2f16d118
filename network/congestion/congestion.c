/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion.c: cm-congestion: what other jobs' messages do to a job's (Chunduri et al. 2019). */
#include "congestion.h"

int main(int argc, char **argv)
{
    static const double most_bytes = 1 << 30;
    congestion_options o = {
        .victims_text = "all",
        .aggressors_text = "all",
        .share = 0.5,
        .seed = -1,
        .load_bytes = 64 << 10,
        .rounds = 8,
        .sampling = {.rule = {.time_limit_s = 2}, .trial_s = 2e-3, .warm_up_s = 0.02},
    };
    const cm_option table[] = {
        CM_HEADING("Victims and aggressors"),
        CM_TEXT("victims", 0, "LIST", &o.victims_text,
                "what is measured: all, or some of pingpong, allreduce, bandwidth, separated by "
                "commas"),
        CM_TEXT("aggressors", 0, "LIST", &o.aggressors_text,
                "what loads the network: all, or some of alltoall, incast, broadcast, separated by "
                "commas"),
        CM_REAL("share", 0, "FRACTION", &o.share, 0.01, 0.99,
                "fraction of the ranks, or hosts, that are aggressors; at least two are, and two "
                "are not"),
        CM_CHOICE("placement", 0, "HOW", &o.placement, congestion_placements,
                  "random: the aggressors and the victims' partners are drawn; alternate: the "
                  "aggressors are spread evenly over the ranks"),
        CM_FLAG("whole-hosts", 0, &o.whole_hosts,
                "draw or spread hosts and not ranks: all ranks of a host are victims, or all are "
                "aggressors; needs four hosts"),
        CM_INTEGER("seed", 0, "N", &o.seed, 0, 9007199254740992.0,
                   "of --placement random; default 1"),
        CM_BYTES("size", 's', "BYTES", &o.size_bytes, 1, most_bytes,
                 "message of the ping-pong and vector of the allreduce, which is rounded up to "
                 "elements of 8 bytes; default 8"),
        CM_BYTES("bandwidth-size", 0, "BYTES", &o.bandwidth_bytes, 1, most_bytes,
                 "each message of the bandwidth victims; default 131072"),
        CM_INTEGER("window", 0, "N", &o.window, 1, 4096,
                   "messages that a bandwidth victim has in flight each way; default 8"),
        CM_BYTES("load-size", 0, "BYTES", &o.load_bytes, 1, most_bytes,
                 "each message of the aggressors"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&o.sampling),
        CM_SAMPLE_TIME_LIMIT(&o.sampling),
        CM_INTEGER("rounds", 0, "N", &o.rounds, 1, CONGESTION_MOST_ROUNDS,
                   "measure in N rounds over all rows, each for 1/N of --time-limit; intervals are "
                   "over rounds"),
        CM_SAMPLE_TRIAL_SECONDS_AS(
            &o.sampling, "batch-seconds",
            "duration of a batch of operations; between batches it is decided whether to go on"),
        CM_REAL("warm-up", 0, "SECONDS", &o.sampling.warm_up_s, 0, 1e3,
                "operations before each row of each round, not kept: of the aggressors, and then "
                "of the victims"),
        CM_RESULT_OPTIONS(&o.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-congestion",
        .purpose = "latency and bandwidth of some ranks while others load the network",
        .description =
            "Divides the ranks into victims and aggressors. The victims run a ping-pong, an "
            "allreduce and an exchange of long messages, first alone and then while the aggressors "
            "run an alltoall, an incast (all send to one) or a broadcast. The result has the "
            "median, the 99th and the 99.9th percentile of the victims' times, and how many times "
            "longer they are under each load. It is the question of GPCNeT.\n"
            "\n"
            "Start one rank a host to load the network and not the hosts. The data of victims and "
            "aggressors are verified.",
        .examples = "mpiexec -n 16 cm-congestion -o congestion.txt\teverything, over MPI\n"
                    "cmrun --hosts a,b,c,d cm-congestion --placement alternate\t"
                    "b and d load the network of a and c\n",
        .options = table,
        .metrics = congestion_metrics,
        .labels = congestion_labels,
    };
    const cm_benchmark benchmark = {.program = &program,
                                    .files = &o.files,
                                    .options = &o,
                                    .check = congestion_check,
                                    .least = CONGESTION_LEAST_RANKS,
                                    .run = congestion_run};
    return cm_run_main(&benchmark, argc, argv);
}
