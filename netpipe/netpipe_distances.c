/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_distances.c: the first two ranks of each computer move from distance to distance and
   exchange messages there; rank 0 collects the rows of all of them. All computers measure at once,
   each within itself. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/computer.h"
#include "netpipe_distances.h"

/* ---- The pairs ------------------------------------------------------------------------------- */

/* Two ranks that the launcher bound to different processors would choose from different ones. */
static bool may_choose(cm_group *pair, char *why)
{
    cm_machine_cpus own = cm_pair_own_cpus(), other;
    const int peer = 1 - cm_rank(pair);
    cm_sendrecv(pair, &own, sizeof own, peer, CM_PAIR_TAG_CONTROL, &other, sizeof other, peer,
                CM_PAIR_TAG_CONTROL, NULL);
    if (memcmp(&own, &other, sizeof own) == 0) return true;
    snprintf(why, NETPIPE_WHY,
             "the launcher bound the two ranks to different processors; start "
             "them unbound");
    return false;
}

static void move(int distance, int k, netpipe_places *places)
{
    const cm_machine_way way = netpipe_distance_way[distance];
    const int status = cm_machine_bind(way, k, places->lacking[distance], NETPIPE_WHY);
    if (status == CM_EXIT_SYSTEM)
        cm_abort(status, "--distances, %s: %s", cm_machine_ways[way], places->lacking[distance]);
    const cm_machine_cpus cpus = cm_pair_own_cpus();
    places->processor[distance] = status ? -1 : cm_machine_cpus_next(&cpus, -1);
}

static void find_places(cm_group *pair, netpipe_places *places)
{
    char why[NETPIPE_WHY] = "one rank is on this host; expected two";
    const bool there = pair && cm_size(pair) == CM_PAIR_RANKS && may_choose(pair, why);
    memset(places, 0, sizeof *places);
    for (int d = 0; d < NETPIPE_DISTANCES; d++) {
        places->processor[d] = -1;
        if (there) move(d, cm_rank(pair), places);
        else snprintf(places->lacking[d], NETPIPE_WHY, "%s", why);
    }
}

/* Sets host[] to the pairs of all computers and returns their number. */
static size_t find_hosts(const netpipe_places *places, netpipe_host *host)
{
    const int ranks = cm_size(cm_world());
    int *number = calloc((size_t)ranks, sizeof *number);
    size_t n = 0;
    if (!number) cm_abort(CM_EXIT_SYSTEM, "out of memory for the hosts of %d ranks", ranks);
    cm_run_number_hosts(cm_world(), number);
    for (int rank = 0; rank < ranks; rank++) {
        const int before = cm_run_ranks_before(cm_world(), rank);
        if (before == 0) {
            host[n] = (netpipe_host){.leader = rank,
                                     .follower = -1,
                                     .host = number[rank],
                                     .name = cm_host(cm_world(), rank)};
            host[n++].places[CM_PAIR_LEADER] = places[rank];
        }
        for (size_t h = 0; before == 1 && h < n; h++)
            if (host[h].leader == cm_run_first_on_computer(cm_world(), rank)) {
                host[h].follower = rank;
                host[h].places[CM_PAIR_FOLLOWER] = places[rank];
            }
    }
    free(number);
    return n;
}

/* ---- A distance ------------------------------------------------------------------------------ */

typedef struct {
    cm_pair_damage damage;
    cm_pair_point point[NETPIPE_DISTANCE_SIZES];
} measured;

static void measure(cm_pair_channel *channel, const netpipe_options *options, measured *all)
{
    const int64_t bytes[NETPIPE_DISTANCE_SIZES] = {options->lower_bytes, options->upper_bytes};
    cm_pair_warm_up(channel, options->mode, &options->sampling, bytes[0]);
    for (int size = 0; size < NETPIPE_DISTANCE_SIZES && !channel->damage.wrong_bytes; size++) {
        cm_pair_point *point = &all->point[size];
        *point = (cm_pair_point){.bytes = bytes[size], .samples = CM_SAMPLES_EMPTY};
        if (!cm_pair_measure(channel, options->mode, &options->sampling, point))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
        if (channel->damage.wrong_bytes) cm_samples_clear(&point->samples);
    }
    all->damage = channel->damage;
    cm_pair_command(channel, options->mode, CM_PAIR_QUIT, 0, 0);
}

/* The pair's part of a distance, between ranks that are where they should be. Buffers are opened
   there, so that each is in its rank's memory. */
static void exchange(cm_group *pair, const netpipe_options *options, measured *all)
{
    cm_pair_channel channel = {.group = pair,
                               .integrity = options->integrity,
                               .peer = 1 - cm_rank(pair),
                               .conduct = &cm_pair_control};
    if (!cm_pair_buffers_open(&channel.buffers, &options->layout))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of --upper %lld bytes",
                 (long long)options->upper_bytes);
    if (cm_rank(pair) == CM_PAIR_LEADER) measure(&channel, options, all);
    else cm_pair_follow(&channel, options->mode);
    cm_pair_look_close(&channel);
    cm_pair_buffers_close(&channel.buffers);
}

/* ---- From the leaders to rank 0 -------------------------------------------------------------- */

static void send_samples(cm_samples *samples)
{
    const int64_t n = (int64_t)samples->n, causes = samples->cause ? n : 0;
    cm_send(cm_world(), samples->value, (size_t)n * sizeof(double), 0, CM_PAIR_TAG_DATA);
    cm_send(cm_world(), samples->cause, (size_t)causes, 0, CM_PAIR_TAG_DATA);
}

static void send_measured(measured *all)
{
    cm_send(cm_world(), all, sizeof *all, 0, CM_PAIR_TAG_DATA);
    for (int size = 0; size < NETPIPE_DISTANCE_SIZES; size++)
        send_samples(&all->point[size].samples);
}

/* Only n and disturbed of the sender's samples mean anything here. */
static void receive_samples(int source, cm_samples *samples)
{
    const size_t n = samples->n;
    *samples = (cm_samples)CM_SAMPLES_EMPTY;
    double *value = calloc(n + 1, sizeof *value);
    unsigned char *cause = calloc(n + 1, 1);
    bool enough = value && cause && cm_samples_reserve(samples, n);
    if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    cm_recv(cm_world(), value, n * sizeof *value, source, CM_PAIR_TAG_DATA, NULL);
    cm_recv(cm_world(), cause, n, source, CM_PAIR_TAG_DATA, NULL);
    for (size_t k = 0; k < n && enough; k++) {
        enough = cm_samples_add(samples, value[k]);
        if (enough && cause[k]) enough = cm_samples_disturb(samples, k, k + 1, cause[k]);
    }
    if (!enough) cm_abort(CM_EXIT_SYSTEM, "out of memory for samples");
    free(value);
    free(cause);
}

static void receive_measured(int source, measured *all)
{
    cm_recv(cm_world(), all, sizeof *all, source, CM_PAIR_TAG_DATA, NULL);
    for (int size = 0; size < NETPIPE_DISTANCE_SIZES; size++)
        receive_samples(source, &all->point[size].samples);
}

static void free_measured(measured *all)
{
    for (int size = 0; size < NETPIPE_DISTANCE_SIZES; size++)
        cm_samples_free(&all->point[size].samples);
    memset(all, 0, sizeof *all);
}

/* ---- Every rank ------------------------------------------------------------------------------ */

/* The rows of a distance, of all hosts that have it. own: of rank 0's own pair. */
static void collect(cm_result *result, const netpipe_host *host, size_t n, int distance,
                    measured *own, netpipe_distances_found *found, cm_pair_damage *damage)
{
    for (size_t h = 0; h < n; h++) {
        measured other = {0}, *all = host[h].leader == 0 ? own : &other;
        if (host[h].places[CM_PAIR_LEADER].processor[distance] < 0) continue;
        if (all == &other) receive_measured(host[h].leader, all);
        cm_pair_damage_add(damage, &all->damage);
        for (int size = 0; size < NETPIPE_DISTANCE_SIZES; size++)
            if (all->point[size].samples.n > 0)
                netpipe_distances_row(result, &host[h], distance, size, &all->point[size], found);
        free_measured(all);
    }
}

static void visit(cm_group *pair, const netpipe_options *options, const netpipe_places *places,
                  int distance, measured *all)
{
    netpipe_places again;
    if (!pair || places->processor[distance] < 0) return;
    move(distance, cm_rank(pair), &again);
    if (again.processor[distance] != places->processor[distance])
        cm_abort(CM_EXIT_SYSTEM, "--distances, %s: processor %d is no longer there",
                 cm_machine_ways[netpipe_distance_way[distance]], places->processor[distance]);
    exchange(pair, options, all);
    if (cm_rank(pair) != CM_PAIR_LEADER || cm_rank(cm_world()) == 0) return;
    send_measured(all);
    free_measured(all);
}

static int lead(const cm_benchmark *benchmark, cm_group *pair, const netpipe_places *places)
{
    const netpipe_options *options = benchmark->options;
    const size_t ranks = (size_t)cm_size(cm_world());
    netpipe_host *host = calloc(ranks, sizeof *host);
    if (!host) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu hosts", ranks);
    const size_t n = find_hosts(places, host);
    cm_result *result = netpipe_distances_open(benchmark, host, n);
    cm_pair_damage damage = {0};
    netpipe_distances_found found = {.bytes = {options->lower_bytes, options->upper_bytes}};
    for (int d = 0; d < NETPIPE_DISTANCES; d++) {
        measured own = {0};
        cm_result_progress(result, (double)d / NETPIPE_DISTANCES, "%s",
                           cm_machine_ways[netpipe_distance_way[d]]);
        visit(pair, options, &places[0], d, &own);
        collect(result, host, n, d, &own, &found, &damage);
    }
    free(host);
    return netpipe_distances_close(result, &damage, &found);
}

int netpipe_distances_run(const cm_benchmark *benchmark)
{
    const int rank = cm_rank(cm_world()), ranks = cm_size(cm_world());
    const bool paired = cm_run_ranks_before(cm_world(), rank) < CM_PAIR_RANKS;
    cm_group *pair =
        cm_split(cm_world(), paired ? cm_run_first_on_computer(cm_world(), rank) : -1, 0);
    netpipe_places own, *all = rank == 0 ? calloc((size_t)ranks, sizeof *all) : NULL;
    int status = 0;
    if (rank == 0 && !all) cm_abort(CM_EXIT_SYSTEM, "out of memory for %d ranks", ranks);
    find_places(pair, &own);
    cm_gather(cm_world(), &own, sizeof own, all, 0, CM_AUTO);
    if (rank == 0) status = lead(benchmark, pair, all);
    for (int d = 0; rank != 0 && d < NETPIPE_DISTANCES; d++) {
        measured mine = {0};
        visit(pair, benchmark->options, &own, d, &mine);
    }
    free(all);
    cm_group_free(pair);
    return status;
}
