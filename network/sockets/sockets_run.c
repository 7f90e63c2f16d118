/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_run.c: runs all cases on both ranks together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "measure/clock.h"
#include "sample/disturbance.h"
#include "sockets.h"

static const struct {
    sockets_part *leads, *follows;
    bool leader_measures;
} parts[] = {
    [SOCKETS_TCP_STREAM] = {sockets_tcp_stream_send, sockets_tcp_stream_receive, false},
    [SOCKETS_UDP_STREAM] = {sockets_udp_stream_send, sockets_udp_stream_receive, false},
    [SOCKETS_TCP_TURN] = {sockets_tcp_turn_ask, sockets_tcp_turn_answer, true},
    [SOCKETS_UDP_TURN] = {sockets_udp_turn_ask, sockets_udp_turn_answer, true},
    [SOCKETS_WRITE_READ] = {sockets_tcp_turn_ask, sockets_tcp_turn_answer, true},
    [SOCKETS_ONE_WAY] = {sockets_one_way_send, sockets_one_way_receive, false},
};

/* ---- Where the ranks are -------------------------------------------------------------------- */

/* Chooses the interface of each rank. The first rank that cannot says why. Returns 0 or an exit
   status. */
static int find_places(const cm_program *program, const sockets_options *options,
                       sockets_place *own, sockets_place *other)
{
    int rank = cm_rank(cm_world()), peer = 1 - rank;
    char why[640] = "";
    int32_t mine = sockets_place_choose(options, own, why, sizeof why), status[SOCKETS_RANKS];
    cm_allgather(cm_world(), &mine, sizeof mine, status, CM_AUTO);
    int first = status[0] ? 0 : 1;
    if (status[first]) {
        if (rank == first)
            fprintf(stderr, "%s: rank %d on %s: %s\n", program->name, rank,
                    cm_host(cm_world(), rank), why);
        return status[first];
    }
    cm_sendrecv(cm_world(), own, sizeof *own, peer, SOCKETS_TAG_CONTROL, other, sizeof *other, peer,
                SOCKETS_TAG_CONTROL, NULL);
    if (own->process == other->process && strcmp(own->host, other->host) == 0) {
        if (rank == 0)
            fprintf(stderr,
                    "%s: both ranks are one process, as with the dummy backend and simulators; "
                    "sockets need two processes: use a build --with-comm=sockets or mpi\n",
                    program->name);
        return CM_EXIT_USAGE;
    }
    if (own->family != other->family) {
        if (rank == 0)
            fprintf(stderr,
                    "%s: rank 0 would use %s (IPv%d), rank 1 %s (IPv%d): "
                    "choose --family 4 or 6 for both\n",
                    program->name, own->address, own->family, other->address, other->family);
        return CM_EXIT_USAGE;
    }
    return 0;
}

/* Both ranks use the numbers of rank 0. Each rank keeps its own names of interfaces and the like.
   */
static sockets_options common_options(const sockets_options *options)
{
    sockets_options common = *options;
    cm_bcast(cm_world(), &common, sizeof common, 0, CM_AUTO);
    common.interface = options->interface;
    common.sizes_text = options->sizes_text;
    common.files = options->files;
    return common;
}

/* Returns the largest datagram that fits into one packet of both interfaces; 0: not known. */
static int64_t unfragmented_bytes(const sockets_place *a, const sockets_place *b)
{
    int64_t headers = a->family == 6 ? 48 : 28;
    int64_t mtu = a->mtu_bytes < b->mtu_bytes ? a->mtu_bytes : b->mtu_bytes;
    return mtu > headers ? mtu - headers : 0;
}

/* ---- One case ------------------------------------------------------------------------------- */

/* A sample as it travels. */
typedef struct {
    double value;
    uint64_t cause;
} one_sample;

static void disturb(cm_samples *samples, size_t first, size_t end, unsigned cause)
{
    if (!cm_samples_disturb(samples, first, end, cause))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the marks of %zu samples", samples->n);
}

/* Sends the report and the samples of rank 1 to rank 0. */
static void hand_over(sockets_report *mine, sockets_report *theirs, cm_samples *samples, int rank)
{
    if (rank != 0) mine->samples = samples->n;
    if (rank != 0) cm_send(cm_world(), mine, sizeof *mine, 0, SOCKETS_TAG_REPORT);
    else cm_recv(cm_world(), theirs, sizeof *theirs, 1, SOCKETS_TAG_REPORT, NULL);
    size_t n = rank != 0 ? samples->n : theirs->samples, bytes = n * sizeof(one_sample);
    one_sample *all = sockets_allocate(bytes);
    if (rank != 0) {
        for (size_t k = 0; k < n; k++)
            all[k] = (one_sample){samples->value[k], samples->cause ? samples->cause[k] : 0};
        cm_send(cm_world(), all, bytes, 0, SOCKETS_TAG_REPORT);
    } else {
        cm_recv(cm_world(), all, bytes, 1, SOCKETS_TAG_REPORT, NULL);
        for (size_t k = 0; k < n; k++) {
            sockets_add_sample(samples, all[k].value);
            disturb(samples, samples->n - 1, samples->n, (unsigned)all[k].cause);
        }
    }
    free(all);
}

/* The sampler knows which samples were disturbed on the rank that measures. For the other rank we
   know only whether its whole part was disturbed; then all samples count as disturbed. One-way has
   no trials, so both ranks' parts count as a whole. */
static void disturb_all(const sockets_case *now, const sockets_report *mine,
                        const sockets_report *theirs, cm_samples *samples)
{
    bool leader_measures = parts[now->kind].leader_measures, both = now->kind == SOCKETS_ONE_WAY;
    unsigned cause = both              ? mine->disturbed | theirs->disturbed
                     : leader_measures ? theirs->disturbed
                                       : mine->disturbed;
    disturb(samples, 0, samples->n, cause);
}

/* Looks how far apart the ranks are. Returns the distance on rank 0. */
static double look(cm_pair_channel *channel)
{
    const cm_pair_mode *none = &cm_pair_pingpong[CM_PAIR_IN_TIME]; /* no messages of it */
    if (cm_rank(cm_world()) != CM_PAIR_LEADER) {
        cm_pair_follow(channel, none);
        return NAN;
    }
    cm_pair_look(channel);
    cm_pair_command(channel, none, CM_PAIR_QUIT, 0, 0);
    return cm_pair_distance_now(channel);
}

static void measure(sockets_end *end, cm_pair_channel *channel, cm_samples *samples,
                    sockets_report *mine, sockets_report *theirs)
{
    memset(mine, 0, sizeof *mine);
    memset(theirs, 0, sizeof *theirs);
    cm_samples_clear(samples);
    /* For single turns and gaps, the slow ones matter, so disturbed samples are not left out. */
    samples->of_all = !sockets_is_stream(end->now->kind);
    mine->first_ns = look(channel);
    cm_sample_watch watch;
    cm_sample_watch_open(&watch);
    sockets_connect(end);
    bool leads = end->rank == 0;
    cm_sample_watch_begin(&watch, cm_time());
    const cm_cpu before = cm_cpu_used();
    const double begin_s = cm_clock_now_s();
    (leads ? parts[end->now->kind].leads : parts[end->now->kind].follows)(end, samples, mine);
    mine->lasted_s = cm_clock_now_s() - begin_s;
    cm_cpu_add_since(&mine->cpu, &before);
    mine->disturbed = cm_sample_watch_end(&watch, cm_time(), cm_sample_watch_look_is_due(&watch));
    cm_sample_watch_close(&watch);
    mine->damage.rank = end->rank;
    sockets_in_force(end, mine);
    sockets_disconnect(end);
    hand_over(mine, theirs, samples, end->rank);
    mine->last_ns = look(channel);
    if (end->rank == 0) disturb_all(end->now, mine, theirs, samples);
}

/* ---- All of them ---------------------------------------------------------------------------- */

static size_t largest_message(const sockets_case *cases, size_t n)
{
    size_t largest = SOCKETS_READ_BYTES;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = (size_t)cases[i].bytes * (size_t)cases[i].writes;
        if (bytes > largest) largest = bytes;
    }
    return largest;
}

/* result: on rank 0 only. */
static void run_cases(sockets_end *end, cm_pair_channel *channel, const sockets_case *cases,
                      size_t n, sockets_result *result)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    sockets_report mine, theirs;
    size_t all = n * (size_t)end->options->sweeps;
    int32_t go = 1;
    for (size_t i = 0; i < all && go; i++) {
        end->now = &cases[i % n];
        if (result) sockets_result_progress(result, (double)i / (double)all, end->now);
        measure(end, channel, &samples, &mine, &theirs);
        if (result)
            go = sockets_result_row(result, end->now, (int64_t)(i / n) + 1, &mine, &theirs,
                                    &samples);
        cm_bcast(cm_world(), &go, sizeof go, 0, CM_AUTO);
    }
    cm_samples_free(&samples);
}

int sockets_run(const cm_benchmark *benchmark)
{
    const cm_program *program = benchmark->program;
    sockets_options options = common_options(benchmark->options);
    sockets_place own, other;
    cm_run_bind(options.sampling.bind);
    int status = find_places(program, &options, &own, &other);
    if (status) return status;

    int rank = cm_rank(cm_world());
    sockets_case *cases = sockets_allocate(SOCKETS_MOST_CASES * sizeof *cases);
    size_t n = sockets_plan(&options, unfragmented_bytes(&own, &other), cases);
    sockets_pattern pattern;
    if (!sockets_pattern_open(&pattern, largest_message(cases, n)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for messages of --size");
    sockets_end end = {.rank = rank,
                       .peer = 1 - rank,
                       .options = &options,
                       .own = &own,
                       .other = &other,
                       .pattern = &pattern,
                       .fd = -1};
    sockets_result *result = NULL;
    cm_pair_channel channel = {.group = cm_world(), .peer = end.peer, .conduct = &cm_pair_control};
    look(&channel);
    cm_pair_distances_said distances = cm_pair_distances_say(&channel);
    if (rank == 0) result = sockets_result_open(benchmark, &options, &own, &other, &distances);
    run_cases(&end, &channel, cases, n, result);
    distances = cm_pair_distances_say(&channel);
    if (result) status = sockets_result_close(result, &distances);
    cm_pair_look_close(&channel);
    sockets_pattern_close(&pattern);
    free(cases);
    return status;
}
