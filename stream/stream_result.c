/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_result.c: metadata, a row for each kernel and host of a setting, the verdicts. */
#include <math.h>
#include "machine/machine.h"
#include "stream.h"

const cm_metric stream_metrics[] = {
    {"triad_MB_per_s", "Memory bandwidth, all ranks", "MB/s", CM_BETTER_HIGH,
     "best triad of all ranks of a host at once, with the better kind of stores and arrays in huge "
     "pages, 10^6 B/s; a plain compilation of STREAM gives less"},
    {"triad_one_rank_MB_per_s", "Memory bandwidth, one rank", "MB/s", CM_BETTER_HIGH,
     "best triad of one rank while the others wait, likewise"},
    {"triad_cached_MB_per_s", "Cache bandwidth, all ranks", "MB/s", CM_BETTER_HIGH,
     "best triad over arrays that stay in the cache, 10^6 B/s"},
    {0},
};

enum { COLUMNS = CM_SAMPLE_COLUMN_COUNT + 10 };

static void write_metadata(cm_result *result, const stream_options *options,
                           const stream_found *found)
{
    cm_run_meta(result);
    cm_run_meta_bound(result, options->sampling.bind);
    int64_t cache = cm_machine_last_cache_bytes();
    double bytes = (double)found->n[STREAM_MEMORY] * sizeof(double);
    cm_result_meta_number(result, "array_bytes", bytes, "%.0f");
    if (cache > 0) cm_result_meta_number(result, "array_per_cache", bytes / (double)cache, "%.3g");
    if (!options->no_cache)
        cm_result_meta_number(result, "cached_array_bytes",
                              (double)found->n[STREAM_CACHE] * sizeof(double), "%.0f");
    cm_result_meta(result, "arrays",
                   "in huge pages if the system grants them (madvise), from 2 MiB "
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
        "together; bytes are those of all ranks of it");
}

cm_result *stream_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                              const stream_found *found)
{
    static const cm_result_column columns[] = {
        {"kernel", "=copy|scale|add|triad"},
        {"stores", "=ordinary|non-temporal"},
        {"place", "=memory|cache"},
        {"ranks_at_once", "%.0f"},
        {"host", "%.0f"},
        {"ranks_on_host", "%.0f"},
        CM_SAMPLE_COLUMNS("_s", "%.4e"),
        {"spread", "%.3f"},
        {"best_MB_per_s", "%.1f"},
        {"median_MB_per_s", "%.1f"},
        {"moved_MB_per_s", "%.1f"},
    };
    _Static_assert(sizeof columns / sizeof *columns == COLUMNS, "a value a column");
    cm_result *result = cm_run_result_open(benchmark, argc, argv, columns, COLUMNS);
    write_metadata(result, benchmark->options, found);
    return result;
}

void stream_result_rows(cm_result *result, const stream_found *found, stream_place place,
                        const stream_setting *setting, const stream_times *times)
{
    size_t n = found->n[place];
    for (int host = 0; host < setting->hosts; host++)
        for (int k = 0; k < CM_STREAM_KERNELS; k++) {
            cm_stream_kernel kernel = (cm_stream_kernel)k;
            int ranks = stream_ranks(setting, host);
            double bytes = ranks * cm_stream_bytes(kernel, n);
            double moved = ranks * cm_stream_moved_bytes(kernel, setting->stores, n);
            cm_summary s = cm_sample_summary(&times->time_s[k * setting->hosts + host]);
            double values[COLUMNS] = {k,    setting->stores, place, cm_size(setting->group), host,
                                      ranks};
            double *next = cm_sample_values(&s, values + 6);
            *next++ = (s.max - s.min) / s.median;
            *next++ = 1e-6 * bytes / s.min;
            *next++ = 1e-6 * bytes / s.median;
            *next++ = place == STREAM_CACHE ? NAN : 1e-6 * moved / s.min;
            cm_result_row(result, values, &times->time_s[k * setting->hosts + host], "s");
        }
}

static void write_triad(cm_result *result, const char *metric, const stream_triad *triad)
{
    cm_result_verdict_interval(result, true, metric, triad->MB_per_s, &triad->interval);
}

int stream_result_close(cm_result *result, const stream_options *options, const stream_found *found)
{
    bool all = cm_size(cm_world()) > 1;
    cm_result_check(result, "largest_mean_error", found->error, "<=", CM_STREAM_TOLERANCE);
    int64_t cache = cm_machine_last_cache_bytes();
    double arrays = (double)found->n[STREAM_MEMORY] * sizeof(double)
                    * (all ? cm_run_ranks_on_computer(cm_world(), 0) : 1);
    if (cache > 0 && arrays < CM_STREAM_CACHES * (double)cache)
        cm_result_comment(result,
                          "the arrays are shorter than STREAM's rule, %d last-level caches: what "
                          "stands here as memory may be the cache's",
                          CM_STREAM_CACHES);
    cm_result_comment(
        result, "not STREAM's figures: in huge pages the ordinary triad is up to 1.5 times that "
                "of the same loop over static arrays, and the metrics take the better kind "
                "of stores");
    write_triad(result, "triad_MB_per_s", &found->triad[STREAM_MEMORY][all]);
    if (all) write_triad(result, "triad_one_rank_MB_per_s", &found->triad[STREAM_MEMORY][false]);
    if (!options->no_cache)
        write_triad(result, "triad_cached_MB_per_s", &found->triad[STREAM_CACHE][all]);
    return cm_result_close(result);
}
