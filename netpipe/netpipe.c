/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.c: cm-netpipe, the time of messages between two ranks over their size. */
#include <stdio.h>
#include <string.h>
#include "machine/machine.h"
#include "netpipe.h"

/* ---- Before anything is started ------------------------------------------------------------- */

static int check_options(const cm_program *program, netpipe_options *options)
{
    if (options->upper_bytes < options->lower_bytes)
        return cm_option_error(program, "--upper %lld is below --lower %lld",
                               (long long)options->upper_bytes, (long long)options->lower_bytes);
    options->rule.most = (size_t)options->most_trials;
    if (options->rule.least > options->rule.most) options->rule.least = options->rule.most;

    /* The other ranks' hosts are looked at when they are known. */
    int64_t free_bytes = cm_machine_memory_free_bytes();
    size_t needed = netpipe_buffers_bytes(options->policy, (size_t)options->upper_bytes);
    if (cm_launch_rank() == 0 && free_bytes > 0 && needed > (size_t)free_bytes)
        return cm_option_error(program,
                               "--upper %lld with --buffers %s takes %zu bytes of memory, "
                               "%lld are free on this host; a lower --upper will do",
                               (long long)options->upper_bytes, netpipe_policies[options->policy],
                               needed, (long long)free_bytes);
    return cm_result_files_check(program, &options->files);
}

enum { COMM_BYTES = 32 };

static void find_comm(const char *key, const char *value, void *context)
{
    char *comm = context;
    if (strcmp(key, "comm") == 0) snprintf(comm, COMM_BYTES, "%s", value);
}

static int check_ranks(const cm_program *program)
{
    int size = cm_size(cm_world());
    if (size == NETPIPE_RANKS) return 0;
    if (cm_rank(cm_world()) != 0) return CM_EXIT_USAGE;
    char comm[COMM_BYTES] = "";
    cm_describe(find_comm, comm);
    const char *how = strcmp(comm, "mpi") == 0     ? MPIEXEC " -n 2 cm-netpipe"
                      : strcmp(comm, "dummy") == 0 ? "CM_DUMMY=ranks=2 cm-netpipe"
                                                   : "cmrun -n 2 cm-netpipe";
    return cm_option_error(program, "needs exactly 2 ranks, this job has %d; start it as: %s",
                           size, how);
}

/* On every rank, each knows its own host; the first of a host speaks for it. */
static void check_memory(const netpipe_options *options)
{
    int rank = cm_rank(cm_world());
    if (netpipe_ranks_before(cm_world(), rank) > 0) return;
    int ranks = netpipe_ranks_on_host(cm_world(), rank);
    int64_t free_bytes = cm_machine_memory_free_bytes();
    size_t needed = netpipe_buffers_bytes(options->policy, (size_t)options->upper_bytes);
    if (free_bytes > 0 && needed > (size_t)free_bytes / (size_t)ranks)
        cm_abort(CM_EXIT_USAGE,
                 "--upper %lld with --buffers %s takes %zu bytes of memory on each of %d ranks, "
                 "%lld are free on this host; a lower --upper will do",
                 (long long)options->upper_bytes, netpipe_policies[options->policy], needed, ranks,
                 (long long)free_bytes);
}

static void place(const netpipe_options *options)
{
    const char *why = "";
    int k = netpipe_ranks_before(cm_world(), cm_rank(cm_world()));
    if (options->bind && cm_machine_bind(k, &why) < 0) cm_abort(CM_EXIT_SYSTEM, "--bind: %s", why);
}

/* ---- The run -------------------------------------------------------------------------------- */

static int run(const cm_program *program, int argc, char **argv, const netpipe_options *options)
{
    int status = check_ranks(program);
    if (status) return status;
    check_memory(options);
    place(options);

    int rank = cm_rank(cm_world());
    const netpipe_mode *mode = &netpipe_pingpong;
    netpipe_channel channel = {
        .group = cm_world(),
        .peer = rank == NETPIPE_LEADER ? NETPIPE_FOLLOWER : NETPIPE_LEADER,
    };
    if (!netpipe_buffers_open(&channel.buffers, options->policy, (size_t)options->upper_bytes))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    if (rank == NETPIPE_LEADER) status = netpipe_lead(program, argc, argv, options, mode, &channel);
    else netpipe_follow(&channel, mode);
    netpipe_buffers_close(&channel.buffers);
    return status;
}

int main(int argc, char **argv)
{
    netpipe_options options = {
        .lower_bytes = 1,
        .upper_bytes = 4 << 20,
        .perturbation_bytes = 3,
        .trial_s = 1e-3,
        .rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = 0.5},
        .most_trials = 1000,
        .sweeps = 1,
        .warm_up_s = 0.1,
        .policy = NETPIPE_REUSED,
    };
    static const double most_bytes = 1LL << 48;
    const cm_option table[] = {
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Messages", 0, 0, 0},
        {CM_OPTION_BYTES, "lower", 'l', "BYTES", &options.lower_bytes, "smallest message", 1,
         most_bytes, 0},
        {CM_OPTION_BYTES, "upper", 'u', "BYTES", &options.upper_bytes, "largest message", 1,
         most_bytes, 0},
        {CM_OPTION_BYTES, "perturbation", 'p', "BYTES", &options.perturbation_bytes,
         "also measure so many bytes below and above each size; 0: do not", 0, most_bytes, 0},
        {CM_OPTION_CHOICE, "buffers", 0, "POLICY", &options.policy,
         "reused: always the same two buffers; alternating: what arrived is sent next; cold: a "
         "walk through a pool of twice the last-level cache", 0, 0, netpipe_policies},
        {CM_OPTION_FLAG, "integrity", 'i', 0, &options.integrity,
         "check every message, inside the timing, and not only each size once before it", 0, 0, 0},
        {CM_OPTION_FLAG, "bind", 0, 0, &options.bind, "bind each rank to a core of its own", 0,
         0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Sampling", 0, 0, 0},
        {CM_OPTION_REAL, "trial-seconds", 0, "SECONDS", &options.trial_s,
         "a trial, which is one sample, is as many round trips as last this long", 1e-6, 1e3, 0},
        {CM_OPTION_INTEGER, "repetitions", 'n', "N", &options.round_trips,
         "round trips of a trial; 0: as many as --trial-seconds asks for", 0, 1e12, 0},
        {CM_OPTION_REAL, "half-width", 0, "FRACTION", &options.rule.relative_half_width,
         "enough trials when half the 95 % confidence interval of the median is this fraction of "
         "it", 0, 1, 0},
        {CM_OPTION_INTEGER, "trials", 0, "N", &options.most_trials,
         "at most so many trials a size", 1, 1e7, 0},
        {CM_OPTION_REAL, "time-limit", 0, "SECONDS", &options.rule.time_limit_s,
         "begin no more trials of a size after this time", 0, 1e6, 0},
        {CM_OPTION_REAL, "warm-up", 0, "SECONDS", &options.warm_up_s,
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
            "Every size is verified byte by byte before it is measured. Trials are repeated until "
            "the median is known well enough, or the time is up; the result says which.",
        .examples = "mpiexec -n 2 cm-netpipe -o result.txt\tall sizes up to 4 MiB, over MPI\n"
                    "cmrun --hosts a,b cm-netpipe -u 64Mi\tbetween two hosts, over ssh\n"
                    "cmrun -n 2 cm-netpipe -i -p 0\tcheck every message, no perturbation\n",
        .options = table,
    };

    cm_machine_require_cpu(program.name);
    int status = cm_option_parse(&program, argc, argv, NULL);
    if (status != CM_OPTION_RUN) return status;
    int refused = check_options(&program, &options);
    status = cm_init(&argc, &argv);
    if (status) return status;
    /* Only rank 0 looks at files and at its memory. Had it ended by itself, the others would wait
       for it in cm_init. */
    int32_t any = refused;
    cm_bcast(cm_world(), &any, sizeof any, 0, CM_AUTO);
    status = any ? any : run(&program, argc, argv, &options);
    cm_finalize();
    return status;
}
