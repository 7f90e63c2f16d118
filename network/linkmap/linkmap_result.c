/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_result.c: metadata, a row for each pair and size, the metrics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "linkmap.h"

const cm_metric linkmap_metrics[] = {
    {"slowest_pair_us", "Latency of the slowest pair", "us", CM_BETTER_LOW,
     "half the round trip of one byte between the slowest pair, median, measured alone"},
    {"spread", "Slowest pair's latency over the fastest's", "1", CM_BETTER_LOW,
     "that time over the one of the fastest pair, both measured alone"},
    {"slowest_pair_MB_per_s", "Bandwidth of the slowest pair", "MB/s", CM_BETTER_HIGH,
     "bandwidth between the pair that is the slowest for long messages, median, measured alone"},
    {"bandwidth_spread", "Fastest pair's bandwidth over the slowest's", "1", CM_BETTER_LOW,
     "bandwidth of the fastest pair over that one, both measured alone"},
    {"median_pair_us", "Latency of a pair, median", "us", CM_BETTER_LOW,
     "half the round trip of one byte, median over the pairs, each measured in its round"},
    {"median_pair_MB_per_s", "Bandwidth of a pair, median", "MB/s", CM_BETTER_HIGH,
     "bandwidth of a pair, median over the pairs, each measured in its round"},
    {"share_of_pairs", "Share of the pairs measured", "1", CM_BETTER_HIGH,
     "pairs that were measured, of all pairs"},
    {0},
};

const cm_labels linkmap_labels[] = {
    {"*_pair_us", "latency pairs=*"},
    {"*_pair_MB_per_s", "bandwidth pairs=*"},
    {0},
};

static const char *const words[LINKMAP_SIZES] = {"latency", "bandwidth"};

/* Whether the slowest pair is slower than the slowest of as many equal pairs would be. */
#define LINKMAP_APART "apart"
#define LINKMAP_NOT_APART "not_apart"

typedef struct {
    int first, second, first_host, second_host;
    int64_t size_bytes;
    bool alone;
    cm_summary time_s;
    double MB_per_s, first_ns, last_ns;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, first, "first", "%.0f"),
    CM_COLUMN(table_row, second, "second", "%.0f"),
    CM_COLUMN(table_row, first_host, "first_host", "%.0f"),
    CM_COLUMN(table_row, second_host, "second_host", "%.0f"),
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, alone, "alone", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
    CM_COLUMN(table_row, MB_per_s, "MB_per_s", "%.4g"),
    CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void write_metadata(cm_result *result, const linkmap_options *options,
                           cm_pair_channel *channel)
{
    const cm_pair_job *job = &options->job;
    double ranks = channel->pairs->ranks;
    cm_pair_write_place(result, channel, job->sampling.bind);
    cm_result_meta_number(result, "pairs", ranks * (ranks - 1) / 2, "%.0f");
    cm_result_meta_number(result, "rounds", linkmap_rounds((int)ranks), "%.0f");
    cm_result_meta_number(result, "map_limit_s", options->map_limit_s, "%g");
    cm_result_meta_number(result, "seed", (double)options->seed, "%.0f");
    cm_result_meta_number(result, "again", (double)options->again, "%.0f");
    cm_result_meta_number(result, "again_limit_s", options->again_limit_s, "%g");
    cm_pair_write_sampling(result, &job->sampling, job->integrity,
                           "a trial of a pair: time of its round trips / (2 * "
                           "round_trips); a round ends when its slowest pair's are enough");
}

cm_result *linkmap_result_open(const cm_benchmark *benchmark, cm_pair_channel *channel)
{
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    write_metadata(result, benchmark->options, channel);
    return result;
}

void linkmap_result_row(cm_result *result, const linkmap_map *map, linkmap_size size, int first,
                        int second, bool alone, const cm_summary *s, const cm_samples *samples,
                        const cm_distance *distance)
{
    const table_row row = {.first = first,
                           .second = second,
                           .first_host = map->host[first],
                           .second_host = map->host[second],
                           .size_bytes = map->bytes[size],
                           .alone = alone,
                           .time_s = *s,
                           .MB_per_s = 1e-6 * (double)map->bytes[size] / s->median,
                           .first_ns = distance->looks ? distance->first_ns : NAN,
                           .last_ns = distance->looks ? distance->now_ns : NAN};
    cm_result_row(result, &row, samples, "s");
}

/* "n", or "n-m" of several. */
static const char *box_text(const linkmap_boxes *boxes, int box, char *text, size_t size)
{
    int first = linkmap_box_first(boxes, box), last = linkmap_box_first(boxes, box + 1) - 1;
    if (first == last) snprintf(text, size, "%d", first);
    else snprintf(text, size, "%d-%d", first, last);
    return text;
}

static void write_box(cm_result *result, const linkmap_map *map, const linkmap_boxes *boxes,
                      int one, int other)
{
    char from[32], to[32];
    const int at = one * boxes->n + other;
    const linkmap_box *small = &boxes->box[LINKMAP_SMALL][at];
    const linkmap_box *large = &boxes->box[LINKMAP_LONG][at];
    const double MB = 1e-6 * (double)map->bytes[LINKMAP_LONG];
    if (small->pairs == 0 || large->pairs == 0) return;
    cm_result_comment(result,
                      "box: %s %s %s pairs=%zu latency_us=%.4g MB_per_s=%.4g slowest_us=%.4g "
                      "slowest_MB_per_s=%.4g",
                      boxes->of_hosts ? "hosts" : "ranks", box_text(boxes, one, from, sizeof from),
                      box_text(boxes, other, to, sizeof to), large->pairs, 1e6 * small->median_s,
                      MB / large->median_s, 1e6 * small->slowest_s, MB / large->slowest_s);
}

/* Writes the times between boxes, if hosts have several ranks each or if not every pair has a row.
   */
static void write_boxes(cm_result *result, const linkmap_map *map)
{
    linkmap_boxes boxes;
    const bool all_in_rows = map->rounds_in_rows == map->rounds_measured;
    if (all_in_rows && (map->hosts == 1 || map->hosts == map->ranks)) return;
    linkmap_boxes_open(&boxes, map);
    for (int one = 0; one < boxes.n; one++)
        for (int other = one; other < boxes.n; other++) write_box(result, map, &boxes, one, other);
    linkmap_boxes_close(&boxes);
}

/* The most and the fewest pairs of a host with other hosts, of a rank if there is one host. */
static void count_of_each(const linkmap_map *map, int64_t *fewest, int64_t *most)
{
    const bool of_hosts = map->hosts > 1;
    const int units = of_hosts ? map->hosts : map->ranks;
    int64_t *count = calloc((size_t)units, sizeof *count);
    if (!count) cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of %d hosts", units);
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++) {
            const int a = of_hosts ? map->host[first] : first;
            const int b = of_hosts ? map->host[second] : second;
            if (isnan(*linkmap_map_at(map, LINKMAP_LONG, LINKMAP_TOGETHER, first, second)))
                continue;
            count[a] += a != b;
            count[b] += a != b;
        }
    *fewest = *most = count[0];
    for (int k = 1; k < units; k++) {
        if (count[k] < *fewest) *fewest = count[k];
        if (count[k] > *most) *most = count[k];
    }
    free(count);
}

/* A time in us, or the rate of the bytes in MB/s. */
static cm_quantity in_unit(const linkmap_map *map, linkmap_size size, cm_quantity time_s)
{
    return size == LINKMAP_SMALL ? cm_quantity_scale(time_s, 1e6)
                                 : cm_quantity_invert(time_s, 1e-6 * (double)map->bytes[size]);
}

/* Writes the measurements of all pairs and their usual values. */
static void write_map(cm_result *result, const linkmap_map *map)
{
    static const char *const metric[LINKMAP_SIZES] = {"median_pair_us", "median_pair_MB_per_s"};
    const double pairs = (double)map->ranks * (map->ranks - 1) / 2;
    int64_t fewest, most;
    size_t measured = 0;
    for (int size = 0; size < LINKMAP_SIZES; size++) {
        cm_samples times;
        linkmap_map_times(map, (linkmap_size)size, &times);
        measured = times.n;
        if (measured > 0) {
            const cm_summary s = cm_sample_summary(&times);
            const cm_quantity all = cm_quantity_over(&s, "pairs", map->disturbed[size]);
            const cm_quantity time_s = measured > 1 ? all : cm_quantity_of(s.median);
            cm_result_metric(result, true, metric[size], in_unit(map, (linkmap_size)size, time_s));
        }
        cm_samples_free(&times);
    }
    count_of_each(map, &fewest, &most);
    cm_result_comment(result,
                      "measured: %zu of %.0f pairs in %d of %d rounds, each %s with others %lld to "
                      "%lld times",
                      measured, pairs, map->rounds_measured, linkmap_rounds(map->ranks),
                      map->hosts > 1 ? "host" : "rank", (long long)fewest, (long long)most);
    cm_result_metric(result, true, "share_of_pairs", cm_quantity_of((double)measured / pairs));
}

/* Says if the time limit ended the search for the slowest pairs: then a pair that was slower
   together with others may be slower alone, too. If none was, the slowest pair is known, but not
   the next ones. Returns whether it did. */
static bool write_limit(cm_result *result, const linkmap_options *options, const linkmap_map *map,
                        linkmap_size size, double slowest_s, bool alone)
{
    if (linkmap_next(map, size, options->again).first < 0) return false;
    const long long slower = linkmap_count(map, size, LINKMAP_TOGETHER, slowest_s);
    const cm_finding finding = {.what = "search_cut", .quantity = {.name = words[size]}};
    char rest[128] = "no pair was measured alone";
    if (alone && slower == 0)
        snprintf(rest, sizeof rest, "the slowest one is known, but not the %lld slowest",
                 (long long)options->again);
    else if (alone)
        snprintf(rest, sizeof rest, "%lld pair%s slower with other pairs %s not measured alone",
                 slower, slower == 1 ? " that was" : "s that were", slower == 1 ? "was" : "were");
    cm_result_finding(result, &finding,
                      "%s: --again-limit %g s was reached before the slowest pairs were known; %s",
                      words[size], options->again_limit_s, rest);
    return true;
}

/* The slowest pair has the interval of its row; which pair is the slowest, no interval says. Times
   taken together with other pairs have none. */
static cm_quantity time_of(const linkmap_map *map, linkmap_size size, const linkmap_pair *pair)
{
    const cm_summary *alone_s = linkmap_map_summary(map, size, pair->first, pair->second);
    return alone_s ? cm_quantity_median(alone_s) : cm_quantity_of(pair->time_s);
}

/* Even among equal pairs one is the slowest. */
static void write_doubt(cm_result *result, const linkmap_map *map, linkmap_size size,
                        const char *pair)
{
    if (map->ranks <= 2) return;
    const double limit = linkmap_limit(map, size);
    const linkmap_judged judged = linkmap_judge(map, size, limit);
    const char *unit = isnan(judged.deviations) ? NULL : "deviations";
    const cm_finding finding = {
        .who = pair,
        .what = judged.doubt ? LINKMAP_NOT_APART : LINKMAP_APART,
        .quantity = {.name = words[size], .value = judged.deviations, .unit = unit},
        .bound = limit};
    if (!judged.doubt)
        cm_result_finding(result, &finding,
                          "%s: the slowest pair stands out from the others: %.3g deviations "
                          "(%.3g count)",
                          words[size], judged.deviations, limit);
    else if (isnan(judged.deviations))
        cm_result_finding(result, &finding,
                          "%s: the slowest pair is not told apart from the others: %s", words[size],
                          judged.doubt);
    else
        cm_result_finding(
            result, &finding,
            "%s: the slowest pair is not told apart from the others: %s (%.3g "
            "deviations; threshold %.3g; a pair %.3g times as slow as they would stand "
            "out)",
            words[size], judged.doubt, judged.deviations, limit, judged.factor);
}

/* Says which pair is the slowest, with its time in us and its rate. */
static void write_slowest(cm_result *result, const linkmap_map *map, linkmap_size size,
                          const linkmap_pair *slow, bool alone, const char *pair)
{
    const char *first = cm_host(cm_world(), slow->first);
    const char *second = cm_host(cm_world(), slow->second);
    const double us = 1e6 * slow->time_s, MB = 1e-6 * (double)map->bytes[size] / slow->time_s;
    const bool small = size == LINKMAP_SMALL;
    const cm_finding finding = {
        .who = pair,
        .what = CM_FINDING_EXTREME,
        .quantity = {.name = words[size], .value = small ? us : MB, .unit = small ? "us" : "MB/s"}};
    cm_result_finding(result, &finding,
                      "slowest %s: ranks %d and %d (%s, %s), %.4g us, %.4g MB/s, %s", words[size],
                      slow->first, slow->second, first, second, us, MB,
                      alone ? "measured alone" : "measured with other pairs");
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
    char pair[64]; /* hosts may have several ranks, so ranks are named */
    snprintf(pair, sizeof pair, "%d-%d", slow.first, slow.second);
    write_slowest(result, map, size, &slow, condition == LINKMAP_ALONE, pair);
    const bool cut =
        write_limit(result, options, map, size, slow.time_s, condition == LINKMAP_ALONE);
    write_doubt(result, map, size, pair);
    const cm_quantity slow_s = time_of(map, size, &slow), fast_s = time_of(map, size, &fast);
    /* A single pair is as fast as itself, which says nothing if there was no time for others. */
    const bool single = slow.first == fast.first && slow.second == fast.second;
    const cm_quantity spread = single ? cm_quantity_of(1) : cm_quantity_ratio(slow_s, fast_s);
    const bool small = size == LINKMAP_SMALL;
    cm_result_metric(result, true, small ? "slowest_pair_us" : "slowest_pair_MB_per_s",
                     in_unit(map, size, slow_s));
    if (!(single && cut && map->ranks > 2))
        cm_result_metric(result, true, small ? "spread" : "bandwidth_spread", spread);
}

int linkmap_result_close(cm_result *result, const linkmap_options *options,
                         const cm_pair_damage *damage, const linkmap_map *map)
{
    if (cm_pair_write_check(result, damage, "slowest_pair_us")) {
        write_boxes(result, map);
        for (int size = 0; size < LINKMAP_SIZES; size++)
            write_size(result, options, map, (linkmap_size)size);
        write_map(result, map);
    }
    return cm_result_close(result);
}
