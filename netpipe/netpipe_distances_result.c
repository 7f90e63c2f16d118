/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_distances_result.c: what --distances writes: what each host lacks, a row for each host,
   distance and size, and the slowest host's times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "netpipe_distances.h"

#define DISTANCES "=same-core|same-l3|same-socket|other-socket"

typedef struct {
    int host, distance, processor[CM_PAIR_RANKS];
    int64_t size_bytes, round_trips;
    cm_summary time_s;
    double throughput_Mbit_per_s, first_ns, last_ns;
} table_row;

const cm_machine_way netpipe_distance_way[NETPIPE_DISTANCES] = {
    CM_BIND_SAME_CORE, CM_BIND_SAME_L3, CM_BIND_SAME_SOCKET, CM_BIND_OTHER_SOCKET};

static const char *const latency[NETPIPE_DISTANCES] = {"same_core_latency_us", "same_l3_latency_us",
                                                       "same_socket_latency_us",
                                                       "other_socket_latency_us"};
static const char *const throughput[NETPIPE_DISTANCES] = {
    "same_core_throughput_Mbit_per_s", "same_l3_throughput_Mbit_per_s",
    "same_socket_throughput_Mbit_per_s", "other_socket_throughput_Mbit_per_s"};

cm_result *netpipe_distances_open(const cm_benchmark *benchmark, const netpipe_host *host, size_t n)
{
    static const cm_result_column columns[] = {
        CM_COLUMN(table_row, host, "host", "%.0f"),
        CM_COLUMN(table_row, distance, "distance", DISTANCES),
        CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
        CM_COLUMN(table_row, processor[CM_PAIR_LEADER], "processor_0", "%.0f"),
        CM_COLUMN(table_row, processor[CM_PAIR_FOLLOWER], "processor_1", "%.0f"),
        CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
        CM_COLUMN(table_row, round_trips, "round_trips", "%.0f"),
        CM_COLUMN(table_row, throughput_Mbit_per_s, "throughput_Mbit_per_s", "%.3f"),
        CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(result);
    cm_result_meta(result, "bound", "two ranks of each host to the processors of its distances");
    for (size_t h = 0; h < n; h++)
        for (int d = 0; d < NETPIPE_DISTANCES; d++)
            if (host[h].places[CM_PAIR_LEADER].processor[d] < 0)
                cm_result_meta(result, "distance_lacking", "%d %s: %s", host[h].host,
                               cm_machine_ways[netpipe_distance_way[d]],
                               host[h].places[CM_PAIR_LEADER].lacking[d]);
    netpipe_result_conditions(result, benchmark->options);
    return result;
}

static double Mbit_per_s(int64_t bytes, double time_s) { return 8e-6 * (double)bytes / time_s; }

void netpipe_distances_row(cm_result *result, const netpipe_host *host, int distance, int size,
                           const cm_pair_point *point, netpipe_distances_found *found)
{
    const cm_summary *s = &point->summary;
    cm_summary *slowest = &found->slowest[distance][size];
    const table_row row = {.host = host->host,
                           .distance = distance,
                           .processor = {host->places[CM_PAIR_LEADER].processor[distance],
                                         host->places[CM_PAIR_FOLLOWER].processor[distance]},
                           .size_bytes = point->bytes,
                           .round_trips = point->iterations,
                           .time_s = *s,
                           .throughput_Mbit_per_s = Mbit_per_s(point->bytes, s->median),
                           .first_ns = point->first_ns,
                           .last_ns = point->last_ns};
    cm_result_row(result, &row, &point->samples, "s");
    cm_samples samples = point->samples;
    cm_sample_count(&found->tally, &(cm_sampled){.samples = &samples, .stop = point->stop}, 1);
    if (slowest->n == 0 || s->median > slowest->median) *slowest = *s;
}

int netpipe_distances_close(cm_result *result, const cm_pair_damage *damage,
                            const netpipe_distances_found *found)
{
    int distances = 0;
    cm_sample_tell(result, &found->tally);
    if (!cm_pair_write_check(result, damage, latency[0])) return cm_result_close(result);
    for (int d = 0; d < NETPIPE_DISTANCES; d++) {
        const cm_summary *of = found->slowest[d];
        if (of[0].n == 0 || of[1].n == 0) continue;
        distances++;
        cm_result_metric(result, true, latency[d],
                         cm_quantity_scale(cm_quantity_median(&of[0]), 1e6));
        cm_result_metric(
            result, true, throughput[d],
            cm_quantity_invert(cm_quantity_median(&of[1]), Mbit_per_s(found->bytes[1], 1)));
    }
    cm_result_metric(result, true, "distances", cm_quantity_of(distances));
    return cm_result_close(result);
}
