/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.c: cm-netpipe, the time of messages between two ranks, or many pairs, over their
   size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"
#include "netpipe_program.h"

enum { COMM_BYTES = 32 };

static void find_comm(const char *key, const char *value, void *context)
{
    char *comm = context;
    if (strcmp(key, "comm") == 0) snprintf(comm, COMM_BYTES, "%s", value);
}

static int check_ranks(const cm_program *program, const netpipe_options *options)
{
    int size = cm_size(cm_world());
    if (options->pairs ? size % 2 == 0 : size == NETPIPE_RANKS) return 0;
    if (cm_rank(cm_world()) != 0) return CM_EXIT_USAGE;
    char comm[COMM_BYTES] = "", ranks[16];
    cm_describe(find_comm, comm);
    snprintf(ranks, sizeof ranks, "%d", options->pairs ? size + 1 : NETPIPE_RANKS);
    const char *before = strcmp(comm, "mpi") == 0     ? MPIEXEC " -n "
                         : strcmp(comm, "dummy") == 0 ? "CM_DUMMY=ranks="
                                                      : "cmrun -n ";
    return cm_option_error(program, "%s, this job has %d; start it as: %s%s cm-netpipe%s",
                           options->pairs ? "--pairs needs an even number of ranks"
                                          : "needs exactly 2 ranks", size,
                           before, ranks, options->pairs ? " --pairs" : "");
}

/* On every rank, each knows its own host; the first of a host speaks for it. */
static void check_memory(const netpipe_options *options)
{
    int rank = cm_rank(cm_world());
    if (netpipe_ranks_before(cm_world(), rank) > 0) return;
    int ranks = netpipe_ranks_on_host(cm_world(), rank);
    int64_t free_bytes = cm_machine_memory_free_bytes();
    size_t needed = netpipe_options_memory(options);
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

static int run(const cm_program *program, int argc, char **argv, const netpipe_options *options)
{
    int status = check_ranks(program, options);
    if (status) return status;
    check_memory(options);
    place(options);

    netpipe_channel channel;
    netpipe_pairs pairs;
    if (!open_channel(&channel, &pairs, options))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    if (cm_rank(cm_world()) == NETPIPE_LEADER)
        status = netpipe_lead(program, argc, argv, options, &channel);
    else if (options->pairs) netpipe_pairs_follow(&channel, options->mode);
    else netpipe_follow(&channel, options->mode);
    netpipe_buffers_close(&channel.buffers);
    if (options->pairs) netpipe_pairs_close(&pairs);
    free(channel.turn_s);
    return status;
}

int main(int argc, char **argv)
{
    netpipe_options options;
    cm_program program;
    int refused;
    cm_machine_require_cpu("cm-netpipe");
    int status = netpipe_options_parse(argc, argv, &options, &program, &refused);
    if (status != CM_OPTION_RUN) return status;
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
