/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_result.c: metadata, a row for each pair and size, the pairs of hosts, the verdicts. */
#include <math.h>
#include <stdlib.h>
#include "linkmap.h"

const cm_metric linkmap_metrics[] = {
    {"slowest_pair_us", "us", CM_BETTER_LOW,
     "half the round trip of one byte between the slowest pair, median, measured alone"},
    {"spread", "1", CM_BETTER_LOW,
     "that time over the one of the fastest pair, both measured alone"},
    {"slowest_pair_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "bandwidth between the pair that is the slowest for long messages, median, measured alone, "
     "10^6 B/s"},
    {"bandwidth_spread", "1", CM_BETTER_LOW,
     "bandwidth of the fastest pair over that one, both measured alone"},
    {0},
};

static const char *const words[LINKMAP_SIZES] = {"latency", "bandwidth"};

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
    cm_result_meta_number(result, "again_limit_s", options->again_limit_s, "%g");
    cm_pair_write_sampling(result, &job->sampling, job->integrity,
                           "a trial of a pair: time of its round trips / (2 * "
                           "round_trips); a round ends when its slowest pair's are enough");
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
    cm_result *result = cm_run_result_open(benchmark, argc, argv, columns, COLUMNS);
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

/* If hosts have several ranks each: the pairs between two hosts, or within one. */
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

/* Says if the time limit ended the search for the slowest pairs: then a pair that was slower
   together with others may be slower alone, too. */
static void write_limit(cm_result *result, const linkmap_options *options, const linkmap_map *map,
                        linkmap_size size, double slowest_s)
{
    if (linkmap_next(map, size, options->again).first < 0) return;
    cm_result_comment(result,
                      "%s: --again-limit %g s was reached before the slowest pairs were known; "
                      "%lld pairs that were slower with other pairs were not measured alone",
                      words[size], options->again_limit_s,
                      (long long)linkmap_count(map, size, LINKMAP_TOGETHER, slowest_s));
}

typedef struct {
    cm_result_interval slowest, spread; /* NaN: none */
} intervals;

/* The slowest pair has the interval of its row; which pair is the slowest, no interval says. Times
   taken together with other pairs have none. A single pair is as fast as itself. */
static intervals intervals_of(const linkmap_map *map, linkmap_size size, const linkmap_pair *slow,
                              const linkmap_pair *fast)
{
    const cm_summary *slow_s = linkmap_map_summary(map, size, slow->first, slow->second);
    const cm_summary *fast_s = linkmap_map_summary(map, size, fast->first, fast->second);
    intervals of = {.slowest = {.low = NAN}, .spread = {.low = NAN}};
    if (!slow_s) return of;
    of.slowest = size == LINKMAP_SMALL
                     ? cm_sample_interval(slow_s, 1e6)
                     : cm_sample_rate_interval(slow_s, 1e-6 * (double)map->bytes[size]);
    if (!fast_s || fast_s == slow_s) return of;
    const cm_result_interval slowest_s = cm_sample_interval(slow_s, 1);
    const cm_result_interval fastest_s = cm_sample_interval(fast_s, 1);
    of.spread = cm_sample_ratio_interval(&slowest_s, &fastest_s);
    return of;
}

/* Of equal pairs one is the slowest, too. */
static void write_doubt(cm_result *result, const linkmap_map *map, linkmap_size size,
                        const cm_result_interval *spread, bool differ)
{
    const char *doubt = differ ? linkmap_doubt(spread) : "no pair was slower";
    if (map->ranks > 2 && doubt)
        cm_result_comment(result, "%s: the slowest pair is not told apart from the fastest: %s",
                          words[size], doubt);
}

/* Compares times taken alone or, if there are none, times taken together. */
static void write_size(cm_result *result, const linkmap_options *options, const linkmap_map *map,
                       linkmap_size size)
{
    linkmap_condition condition = LINKMAP_ALONE;
    if (linkmap_slowest(map, size, condition).first < 0) condition = LINKMAP_TOGETHER;
    linkmap_pair slow = linkmap_slowest(map, size, condition);
    linkmap_pair fast = linkmap_fastest(map, size, condition);
    if (slow.first < 0) return;
    double MB_per_s = 1e-6 * (double)map->bytes[size] / slow.time_s;
    double spread = slow.time_s / fast.time_s;
    cm_result_comment(result, "slowest %s: ranks %d and %d (%s, %s), %.4g us, %.4g MB/s, %s",
                      words[size], slow.first, slow.second, cm_host(cm_world(), slow.first),
                      cm_host(cm_world(), slow.second), 1e6 * slow.time_s, MB_per_s,
                      condition == LINKMAP_ALONE ? "measured alone" : "measured with other pairs");
    write_limit(result, options, map, size, slow.time_s);
    intervals of = intervals_of(map, size, &slow, &fast);
    write_doubt(result, map, size, &of.spread, slow.time_s > fast.time_s);
    if (size == LINKMAP_SMALL) {
        cm_result_verdict_interval(result, true, "slowest_pair_us", 1e6 * slow.time_s, &of.slowest);
        cm_result_verdict_interval(result, true, "spread", spread, &of.spread);
    } else {
        cm_result_verdict_interval(result, true, "slowest_pair_MB_per_s", MB_per_s, &of.slowest);
        cm_result_verdict_interval(result, true, "bandwidth_spread", spread, &of.spread);
    }
}

int linkmap_result_close(cm_result *result, const linkmap_options *options,
                         const cm_pair_damage *damage, const linkmap_map *map)
{
    if (cm_pair_write_check(result, damage, "slowest_pair_us")) {
        write_hosts(result, map);
        for (int size = 0; size < LINKMAP_SIZES; size++)
            write_size(result, options, map, (linkmap_size)size);
    }
    return cm_result_close(result);
}
