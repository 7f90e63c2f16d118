/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_run.c: one rank alone, all at once; in memory and in the cache; and the result. */
#include <math.h>
#include <stdlib.h>
#include "machine/machine.h"
#include "stream.h"

const cm_metric stream_metrics[] = {
    {"triad_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "the best triad of all ranks of a host at once, 10^6 B/s"},
    {"triad_one_rank_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "the best triad of one rank while the others wait, 10^6 B/s"},
    {"triad_cached_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "the best triad over arrays that stay in the cache, 10^6 B/s"},
    {0},
};

enum { LEADER = 0, COLUMNS = CM_SAMPLE_COLUMN_COUNT + 10 };

typedef struct {
    const stream_options *options;
    cm_result *result; /* rank 0 */
    cm_group *alone;   /* rank 0 only, NULL elsewhere */
    int hosts, *host;  /* how many; [rank]: the number of its host */
    size_t n[STREAM_PLACES];
    double error;                           /* the largest of all settings */
    double triad_B_per_s[STREAM_PLACES][2]; /* [place][all at once]: the best of the stores */
} table;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory"); }

/* ---- The result ----------------------------------------------------------------------------- */

static cm_result *open_result(const cm_benchmark *benchmark, int argc, char **argv)
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
    return cm_result_open(benchmark->program, argc, argv, benchmark->files, columns, COLUMNS);
}

static void write_metadata(const table *t)
{
    const stream_options *options = t->options;
    cm_run_meta(t->result);
    cm_run_meta_bound(t->result, options->sampling.bind);
    int64_t cache = cm_machine_last_cache_bytes();
    double bytes = (double)t->n[STREAM_MEMORY] * sizeof(double);
    cm_result_meta_number(t->result, "array_bytes", bytes, "%.0f");
    if (cache > 0)
        cm_result_meta_number(t->result, "array_per_cache", bytes / (double)cache, "%.3g");
    if (!options->no_cache)
        cm_result_meta_number(t->result, "cached_array_bytes",
                              (double)t->n[STREAM_CACHE] * sizeof(double), "%.0f");
    cm_result_meta(t->result, "kernels",
                   "copy: c = a; scale: b = q c; add: c = a + b; triad: a = b + q c; "
                   "8-byte numbers");
    cm_result_meta(t->result, "stores", "ordinary; non-temporal: past the caches%s",
                   cm_stream_has(CM_STREAM_NONTEMPORAL) ? ""
                                                        : ", of which this compiler makes none");
    cm_sample_meta(
        t->result, &options->sampling,
        "a pass: the time of a kernel on the slowest rank of a host, all ranks beginning "
        "together; bytes are those of all ranks of it");
}

static int ranks_of(const table *t, int host, bool all)
{
    int ranks = 0;
    for (int rank = 0; rank < (all ? cm_size(cm_world()) : 1); rank++)
        ranks += t->host[rank] == host;
    return ranks;
}

static void write_rows(table *t, stream_place place, bool all, const stream_setting *setting,
                       const stream_times *times)
{
    size_t n = t->n[place];
    for (int host = 0; host < setting->hosts; host++)
        for (int k = 0; k < CM_STREAM_KERNELS; k++) {
            cm_stream_kernel kernel = (cm_stream_kernel)k;
            int ranks = ranks_of(t, host, all);
            double bytes = ranks * cm_stream_bytes(kernel, n);
            double moved = ranks * cm_stream_moved_bytes(kernel, setting->stores, n);
            cm_summary s;
            if (!cm_summarize(&times->time_s[k * setting->hosts + host], &s)) out_of_memory();
            double values[COLUMNS] = {k,    setting->stores, place, cm_size(setting->group), host,
                                      ranks};
            double *next = cm_sample_values(&s, values + 6);
            *next++ = (s.max - s.min) / s.median;
            *next++ = 1e-6 * bytes / s.min;
            *next++ = 1e-6 * bytes / s.median;
            *next++ = place == STREAM_CACHE ? NAN : 1e-6 * moved / s.min;
            cm_result_row(t->result, values, &times->time_s[k * setting->hosts + host], "s");
        }
}

/* A cluster is as fast as its slowest host; a host as the stores that suit it. */
static void keep_triad(table *t, stream_place place, bool all, const stream_setting *setting,
                       const stream_times *times)
{
    double slowest = INFINITY;
    for (int host = 0; host < setting->hosts; host++) {
        cm_summary s;
        if (!cm_summarize(&times->time_s[CM_STREAM_TRIAD * setting->hosts + host], &s))
            out_of_memory();
        slowest = fmin(slowest, ranks_of(t, host, all)
                                    * cm_stream_bytes(CM_STREAM_TRIAD, t->n[place]) / s.min);
    }
    t->triad_B_per_s[place][all] = fmax(t->triad_B_per_s[place][all], slowest);
}

/* ---- Settings ------------------------------------------------------------------------------- */

/* One setting, on the ranks of the group. */
static void measure(table *t, stream_place place, cm_stream_stores stores, bool all,
                    cm_stream *arrays)
{
    const stream_setting setting = {
        .sampling = &t->options->sampling,
        .stores = stores,
        .group = all ? cm_world() : t->alone,
        .hosts = all ? t->hosts : 1,
        .host = t->host,
    };
    stream_times times = {0};
    cm_samples *samples = calloc((size_t)(CM_STREAM_KERNELS * setting.hosts), sizeof *samples);
    if (!samples) out_of_memory();
    times.time_s = samples;
    stream_measure(&setting, arrays, &times);
    t->error = fmax(t->error, times.error);
    if (t->result) {
        write_rows(t, place, all, &setting, &times);
        keep_triad(t, place, all, &setting, &times);
    }
    for (int k = 0; k < CM_STREAM_KERNELS * setting.hosts; k++) cm_samples_free(&samples[k]);
    free(samples);
}

static void measure_place(table *t, stream_place place)
{
    static const char *const where[STREAM_PLACES] = {"in memory", "in the cache"};
    cm_stream arrays;
    if (!cm_stream_open(t->n[place], &arrays))
        cm_abort(CM_EXIT_SYSTEM,
                 "out of memory for three arrays of %zu bytes; a lower --size will do",
                 t->n[place] * sizeof(double));
    /* Stores past the caches have nothing to do with what stays in them. */
    int kinds =
        place == STREAM_MEMORY && cm_stream_has(CM_STREAM_NONTEMPORAL) ? CM_STREAM_STORES : 1;
    for (int all = 0; all < (cm_size(cm_world()) > 1 ? 2 : 1); all++)
        for (int stores = 0; stores < kinds; stores++) {
            if (t->result)
                cm_result_progress(t->result, (2 * place + all) / 4.0, "%s, %s", where[place],
                                   all ? "all ranks" : "one rank");
            if (all || t->alone) measure(t, place, (cm_stream_stores)stores, all, &arrays);
            cm_barrier(cm_world(), CM_AUTO);
        }
    cm_stream_close(&arrays);
}

static void write_verdicts(table *t)
{
    bool all = cm_size(cm_world()) > 1;
    cm_result_check(t->result, "largest_mean_error", t->error, "<=", CM_STREAM_TOLERANCE);
    double memory = t->triad_B_per_s[STREAM_MEMORY][all];
    int64_t cache = cm_machine_last_cache_bytes();
    double arrays = (double)t->n[STREAM_MEMORY] * sizeof(double) * (all ? ranks_of(t, 0, true) : 1);
    if (cache > 0 && arrays < CM_STREAM_CACHES * (double)cache)
        cm_result_comment(t->result,
                          "the arrays are shorter than STREAM's rule, %d last-level caches: what "
                          "stands here as memory may be the cache's",
                          CM_STREAM_CACHES);
    cm_result_verdict(t->result, true, "triad_MB_per_s", 1e-6 * memory);
    if (all)
        cm_result_verdict(t->result, true, "triad_one_rank_MB_per_s",
                          1e-6 * t->triad_B_per_s[STREAM_MEMORY][false]);
    if (!t->options->no_cache)
        cm_result_verdict(t->result, true, "triad_cached_MB_per_s",
                          1e-6 * t->triad_B_per_s[STREAM_CACHE][all]);
}

int stream_run(const cm_benchmark *benchmark, int argc, char **argv)
{
    const stream_options *options = benchmark->options;
    int rank = cm_rank(cm_world());
    int status = cm_run_require_processes(benchmark->program, "have no memory of their own");
    if (status) return status;
    table t = {.options = options};
    if (options->sampling.bind) cm_run_bind();
    t.host = calloc((size_t)cm_size(cm_world()), sizeof *t.host);
    if (!t.host) out_of_memory();
    t.hosts = cm_run_number_hosts(cm_world(), t.host);
    t.n[STREAM_MEMORY] = stream_memory_n(options->size_bytes);
    t.n[STREAM_CACHE] = stream_cache_n();
    cm_run_require_memory(3 * t.n[STREAM_MEMORY] * sizeof(double), "--size", "--size %zu",
                          t.n[STREAM_MEMORY] * sizeof(double));
    t.alone = cm_split(cm_world(), rank == LEADER ? 0 : -1, rank);
    if (rank == LEADER) {
        t.result = open_result(benchmark, argc, argv);
        if (!t.result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
        write_metadata(&t);
    }
    measure_place(&t, STREAM_MEMORY);
    if (!options->no_cache) measure_place(&t, STREAM_CACHE);
    /* Rank 0 alone has seen all errors of what it took part in. */
    if (t.result) {
        write_verdicts(&t);
        status = cm_result_close(t.result);
    }
    cm_group_free(t.alone);
    free(t.host);
    return status;
}
