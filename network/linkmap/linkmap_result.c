/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_result.c: metadata, a row for each pair and size, the pairs of hosts, the verdicts. */
#include <stdlib.h>
#include "linkmap.h"

const cm_metric linkmap_metrics[] = {
    {"slowest_pair_us", "us", CM_BETTER_LOW,
     "half the round trip of the smallest message between the slowest pair, median"},
    {"spread", "1", CM_BETTER_LOW, "the slowest pair's time over the fastest pair's"},
    {0},
};

enum { COLUMNS = CM_SAMPLE_COLUMN_COUNT + 7 };

static void write_metadata(cm_result *result, const linkmap_options *options,
                           cm_pair_channel *channel)
{
    const cm_pair_job *job = &options->job;
    int ranks = channel->pairs->ranks;
    cm_pair_write_place(result, channel, job->sampling.bind);
    cm_result_meta_number(result, "pairs", ranks * (ranks - 1) / 2, "%.0f");
    cm_result_meta_number(result, "rounds", linkmap_rounds(ranks), "%.0f");
    cm_result_meta_number(result, "again", (double)options->again, "%.0f");
    cm_pair_write_sampling(result, &job->sampling, job->integrity,
                           "a trial of a pair: time of its round trips / (2 * "
                           "round_trips); a round stops by its slowest pair's");
}

cm_result *linkmap_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                               cm_pair_channel *channel)
{
    static const cm_result_column columns[] = {
        {"first", "%.0f"},
        {"second", "%.0f"},
        {"first_host", "%.0f"},
        {"second_host", "%.0f"},
        {"size_bytes", "%.0f"},
        {"alone", "%.0f"},
        CM_SAMPLE_COLUMNS("_s", "%.4e"),
        {"MB_per_s", "%.4g"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    cm_result *result =
        cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
    if (!result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    write_metadata(result, benchmark->options, channel);
    return result;
}

void linkmap_result_row(cm_result *result, const linkmap_map *map, linkmap_size size, int first,
                        int second, bool alone, const cm_summary *s, const cm_samples *samples)
{
    double values[COLUMNS] = {
        first, second, map->host[first], map->host[second], (double)map->bytes[size], alone,
    };
    *cm_sample_values(s, values + 6) = 1e-6 * (double)map->bytes[size] / s->median;
    cm_result_row(result, values, samples, "s");
}

/* Where hosts have several ranks each, their pairs together. */
static void write_hosts(cm_result *result, const linkmap_map *map)
{
    int hosts = 0;
    for (int rank = 0; rank < map->ranks; rank++)
        if (map->host[rank] >= hosts) hosts = map->host[rank] + 1;
    if (hosts == map->ranks) return;
    for (int one = 0; one < hosts; one++)
        for (int other = one; other < hosts; other++) {
            size_t pairs;
            double small_s = linkmap_map_between(map, LINKMAP_SMALL, one, other, &pairs);
            double long_s = linkmap_map_between(map, LINKMAP_LONG, one, other, &pairs);
            if (pairs)
                cm_result_comment(result, "hosts: %d %d pairs=%zu latency_us=%.4g MB_per_s=%.4g",
                                  one, other, pairs, 1e6 * small_s,
                                  1e-6 * (double)map->bytes[LINKMAP_LONG] / long_s);
        }
}

static void write_metrics(cm_result *result, const linkmap_map *map)
{
    static const char *const what[LINKMAP_SIZES] = {"latency", "bandwidth"};
    for (int size = LINKMAP_SIZES - 1; size >= 0; size--) {
        size_t n;
        linkmap_pair *pairs = linkmap_map_sorted(map, (linkmap_size)size, &n);
        if (n > 0) {
            linkmap_pair slow = pairs[0], fast = pairs[n - 1];
            cm_result_comment(result, "slowest %s: ranks %d and %d (%s, %s), %.4g us, %.4g MB/s",
                              what[size], slow.first, slow.second, cm_host(cm_world(), slow.first),
                              cm_host(cm_world(), slow.second), 1e6 * slow.time_s,
                              1e-6 * (double)map->bytes[size] / slow.time_s);
            if (size == LINKMAP_SMALL) {
                cm_result_verdict(result, true, "slowest_pair_us", 1e6 * slow.time_s);
                cm_result_verdict(result, true, "spread", slow.time_s / fast.time_s);
            }
        }
        free(pairs);
    }
}

int linkmap_result_close(cm_result *result, const cm_pair_damage *damage, const linkmap_map *map)
{
    if (cm_pair_write_check(result, damage, "slowest_pair_us")) {
        write_hosts(result, map);
        write_metrics(result, map);
    }
    return cm_result_close(result);
}
