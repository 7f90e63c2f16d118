/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_result.c: metadata, a row for each kernel and host of a setting, the metrics. */
#include <math.h>
#include "machine/machine.h"
#include "stream.h"

const cm_metric stream_metrics[] = {
    {"triad_MB_per_s", "Memory bandwidth, all ranks", "MB/s", CM_BETTER_HIGH,
     "best triad of all ranks of a host at once, with the better kind of stores and arrays in huge "
     "pages; a plain compilation of STREAM gives less"},
    {"triad_one_rank_MB_per_s", "Memory bandwidth, one rank", "MB/s", CM_BETTER_HIGH,
     "best triad of one rank while the others wait, likewise"},
    {"stream_triad_MB_per_s", "STREAM compiled plainly, all ranks", "MB/s", CM_BETTER_HIGH,
     "triad of STREAM as a plain compilation gives it (static arrays, the system's pages, ordinary "
     "stores, best of 10 passes), all ranks of a host at once"},
    {"stream_triad_one_rank_MB_per_s", "STREAM compiled plainly, one rank", "MB/s", CM_BETTER_HIGH,
     "the same of one rank while the others wait"},
    {"triad_cached_MB_per_s", "Cache bandwidth, all ranks", "MB/s", CM_BETTER_HIGH,
     "best triad over arrays that stay in the cache"},
    {"moved_per_counted_*", "Memory traffic of the triad: * stores", "1", CM_BETTER_LOW,
     "bytes that the memory controllers counted over those that STREAM counts, with these stores: "
     "4/3 if a store reads its line first (write allocate), 1 if it does not; other programs' "
     "bytes are among them"},
    {"saturating_ranks", "Ranks that saturate memory", "1", CM_BETTER_NEITHER,
     "--sweep: the fewest ranks of a host, of those measured, that reach 0.95 of the best triad "
     "over the longest arrays"},
    {"huge_pages_gain", "Gain of huge pages", "1", CM_BETTER_NEITHER,
     "--sweep: triad of all ranks by ordinary stores over the longest arrays, transparent huge "
     "pages over small ones"},
    {"remote_memory_fraction", "Far memory over near memory", "1", CM_BETTER_HIGH,
     "--sweep: triad of all ranks by ordinary stores over the longest arrays, on the farthest NUMA "
     "node over the own one"},
    {"triad_socket_MB_per_s", "Memory bandwidth, one socket", "MB/s", CM_BETTER_HIGH,
     "--matrix: best triad of all ranks of a socket, of the socket and NUMA node where it is "
     "largest, by ordinary stores"},
    {"triad_core_MB_per_s", "Memory bandwidth, one core", "MB/s", CM_BETTER_HIGH,
     "--matrix: the same of rank 0's core alone"},
    {"memory_latency_ns", "Memory latency", "ns", CM_BETTER_LOW,
     "--latency: a load from memory that waits for the one before, in random order, in transparent "
     "huge pages, while the host is idle"},
    {"memory_latency_small_pages_ns", "Memory latency, small pages", "ns", CM_BETTER_LOW,
     "--latency: the same in small pages, whose addresses the TLB does not hold"},
    {"first_cache_latency_ns", "First cache's latency", "ns", CM_BETTER_LOW,
     "--latency: the same of a chain that the first cache holds"},
    {"far_memory_latency_ns", "Far memory's latency", "ns", CM_BETTER_LOW,
     "--latency: memory of the NUMA node from which it takes longest, other than the rank's own"},
    {"loaded_memory_latency_ns", "Memory latency under load", "ns", CM_BETTER_LOW,
     "--latency: while all other ranks of the host run the triad all the time"},
    {0},
};

const cm_labels stream_labels[] = {
    {"triad_MB_per_s", "triad at_once=all level=memory"},
    {"triad_one_rank_MB_per_s", "triad at_once=one level=memory"},
    {"triad_cached_MB_per_s", "triad at_once=all level=cache"},
    {"stream_triad_MB_per_s", "stream_triad at_once=all"},
    {"stream_triad_one_rank_MB_per_s", "stream_triad at_once=one"},
    {"moved_per_counted_*", "moved_per_counted stores=*"},
    {"memory_latency_ns", "latency level=memory pages=huge"},
    {"memory_latency_small_pages_ns", "latency level=memory pages=small"},
    {"first_cache_latency_ns", "latency level=first_cache"},
    {"far_memory_latency_ns", "latency level=far_memory"},
    {"loaded_memory_latency_ns", "latency level=memory load=triad"},
    {0},
};

typedef struct {
    cm_stream_kernel kernel;
    cm_stream_stores stores;
    stream_place place;
    int ranks_at_once, host, ranks_on_host;
    cm_summary time_s;
    double spread, best_MB_per_s, median_MB_per_s, moved_MB_per_s;
    stream_pages pages;
    bool remote;
    size_t array_bytes;
} table_row;

static void write_metadata(cm_result *result, const stream_options *options,
                           const stream_found *found)
{
    cm_run_meta(result);
    cm_run_meta_bound(result, options->sampling.bind);
    int64_t caches = cm_machine_last_caches_bytes(NULL);
    double bytes = (double)found->n[STREAM_MEMORY] * sizeof(double);
    cm_result_meta_number(result, "array_bytes", bytes, "%.0f");
    cm_result_meta_number(result, "array_per_cache",
                          cm_run_ranks_on_computer(cm_world(), 0) * bytes / (double)caches, "%.3g");
    if (!options->no_cache && !options->sweep) {
        cm_result_meta_number(result, "cached_array_bytes",
                              (double)found->n[STREAM_CACHE] * sizeof(double), "%.0f");
        cm_result_meta(result, "cached", "%s",
                       stream_cache_level()
                           ? "half of the second-level cache of a rank, since a virtual machine "
                             "may be told the last level of its host"
                           : "half of what a rank has of the last-level cache that it sees");
    }
    cm_result_meta(result, "arrays", "%s",
                   options->sweep
                       ? "of a rank one behind the other, 1344 bytes between them; pages "
                         "as the column says"
                       : "in huge pages if the system grants them (madvise), from 2 MiB "
                         "boundaries on");
    cm_result_meta(result, "kernels",
                   "copy: c = a; scale: b = q c; add: c = a + b; triad: a = b + q c; "
                   "8-byte numbers");
    cm_result_meta(result, "stores", "ordinary; non-temporal: past the caches%s",
                   cm_stream_has(CM_STREAM_NONTEMPORAL) ? ""
                                                        : ", of which this compiler makes none");
    cm_sample_meta(
        result, &options->sampling,
        "a pass: the time of a kernel on the slowest rank of a host, all ranks beginning "
        "together, or from the first rank's begin to the last one's end if they did not run at "
        "once; bytes are those of all ranks of it");
}

cm_result *stream_result_open(const cm_benchmark *benchmark, const stream_found *found)
{
    static const cm_result_column columns[] = {
        CM_COLUMN(table_row, kernel, "kernel", "=copy|scale|add|triad"),
        CM_COLUMN(table_row, stores, "stores", "=ordinary|non-temporal"),
        CM_COLUMN(table_row, place, "place", "=memory|cache|plain|sweep"),
        CM_COLUMN(table_row, ranks_at_once, "ranks_at_once", "%.0f"),
        CM_COLUMN(table_row, host, "host", "%.0f"),
        CM_COLUMN(table_row, ranks_on_host, "ranks_on_host", "%.0f"),
        CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
        CM_COLUMN(table_row, spread, "spread", "%.3f"),
        CM_COLUMN(table_row, best_MB_per_s, "best_MB_per_s", "%.1f"),
        CM_COLUMN(table_row, median_MB_per_s, "median_MB_per_s", "%.1f"),
        CM_COLUMN(table_row, moved_MB_per_s, "moved_MB_per_s", "%.1f"),
        CM_COLUMN(table_row, pages, "pages", "=small|transparent|explicit|default"),
        CM_COLUMN(table_row, remote, "numa", "=local|remote"),
        CM_COLUMN(table_row, array_bytes, "array_bytes", "%.0f"),
    };
    cm_result *result = cm_run_result_open(benchmark, columns, sizeof columns / sizeof *columns);
    write_metadata(result, benchmark->options, found);
    return result;
}

/* Returns false if a cache holds the arrays, which then say nothing about memory. */
static bool in_memory(const stream_setting *setting, int ranks, size_t n)
{
    if (setting->place != STREAM_SWEEP) return setting->place != STREAM_CACHE;
    return 3.0 * (double)n * sizeof(double) * ranks > (double)cm_machine_last_caches_bytes(NULL);
}

void stream_result_rows(cm_result *result, size_t n, const stream_setting *setting,
                        const stream_times *times)
{
    for (int host = 0; host < setting->hosts; host++)
        for (int k = (int)setting->first; k < CM_STREAM_KERNELS; k++) {
            cm_stream_kernel kernel = (cm_stream_kernel)k;
            const cm_samples *samples = stream_samples(setting, times, kernel, host);
            int ranks = stream_ranks(setting, host);
            double bytes = ranks * cm_stream_bytes(kernel, n);
            double moved = ranks * cm_stream_moved_bytes(kernel, setting->stores, n);
            cm_summary s = cm_sample_summary(samples);
            const table_row row = {
                .kernel = kernel,
                .stores = setting->stores,
                .place = setting->place,
                .ranks_at_once = cm_size(setting->group),
                .host = host,
                .ranks_on_host = ranks,
                .time_s = s,
                .spread = (s.max - s.min) / s.median,
                .best_MB_per_s = 1e-6 * bytes / s.min,
                .median_MB_per_s = 1e-6 * bytes / s.median,
                .moved_MB_per_s = in_memory(setting, ranks, n) ? 1e-6 * moved / s.min : NAN,
                .pages = setting->pages,
                .remote = setting->remote,
                .array_bytes = n * sizeof(double),
            };
            cm_result_row(result, &row, samples, "s");
        }
}

/* The effect of stores that read their lines first is measured where possible. */
static void write_moved(cm_result *result, const stream_found *found)
{
    static const char *const metric[CM_STREAM_STORES] = {"moved_per_counted_ordinary",
                                                         "moved_per_counted_non_temporal"};
    cm_result_comment(result, "bytes that memory moved: %s%s",
                      found->moved[CM_STREAM_ORDINARY] > 0 ? "counted by " : "not counted, ",
                      found->traffic);
    for (int k = 0; k < CM_STREAM_STORES; k++)
        if (found->moved[k] > 0)
            cm_result_metric(result, true, metric[k], cm_quantity_of(found->moved[k]));
}

static void write_metrics(cm_result *result, const stream_options *options,
                          const stream_found *found, bool all)
{
    cm_result_comment(result,
                      "triad_... are not STREAM's figures: huge pages gain up to 1.5, and the "
                      "better kind of stores counts; %s",
                      options->plain == STREAM_PLAIN_NO ? "--plain one or all gives STREAM's"
                                                        : "stream_triad_... are STREAM's");
    write_moved(result, found);
    cm_result_metric(result, true, "triad_MB_per_s", found->triad[STREAM_MEMORY][all]);
    if (all)
        cm_result_metric(result, true, "triad_one_rank_MB_per_s",
                         found->triad[STREAM_MEMORY][false]);
    if (all && options->plain == STREAM_PLAIN_ALL)
        cm_result_metric(result, true, "stream_triad_MB_per_s", found->triad[STREAM_PLAIN][true]);
    if (options->plain != STREAM_PLAIN_NO)
        cm_result_metric(result, true,
                         all ? "stream_triad_one_rank_MB_per_s" : "stream_triad_MB_per_s",
                         found->triad[STREAM_PLAIN][false]);
    if (!options->no_cache)
        cm_result_metric(result, true, "triad_cached_MB_per_s", found->triad[STREAM_CACHE][all]);
}

int stream_result_close(cm_result *result, const stream_options *options, const stream_found *found)
{
    bool all = cm_size(cm_world()) > 1;
    cm_result_check(result, "largest_mean_error", found->error, "<=", CM_STREAM_TOLERANCE);
    bool floor;
    int64_t caches = cm_machine_last_caches_bytes(&floor);
    double arrays = (double)found->n[STREAM_MEMORY] * sizeof(double)
                    * (all ? cm_run_ranks_on_computer(cm_world(), 0) : 1);
    if (arrays < CM_STREAM_CACHES * (double)caches)
        cm_result_comment(result,
                          "the arrays are shorter than STREAM's rule, %d times all last-level "
                          "caches%s: what stands here as memory may be the caches'",
                          CM_STREAM_CACHES,
                          floor ? ", whose size the system does not tell and which are taken to "
                                  "have 32 MiB for each socket"
                                : "");
    if (options->sweep) stream_swept_metrics(result, found);
    else write_metrics(result, options, found, all);
    return cm_result_close(result);
}
