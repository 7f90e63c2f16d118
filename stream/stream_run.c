/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_run.c: measures one rank alone and all at once, in memory and in the cache. */
#include <math.h>
#include <stdlib.h>
#include "stream.h"

enum { LEADER = 0 };

typedef struct {
    const stream_options *options;
    cm_result *result; /* rank 0 */
    cm_group *alone;   /* rank 0 only, NULL elsewhere */
    int hosts, *host;  /* number of hosts; [rank]: number of its host */
    stream_found found;
} table;

static void out_of_memory(void) { cm_abort(CM_EXIT_SYSTEM, "out of memory"); }

/* The slowest host counts, and on it the better stores. */
static void keep_triad(table *t, stream_place place, bool all, const stream_setting *setting,
                       const stream_times *times)
{
    stream_triad slowest = {.MB_per_s = INFINITY}, *best = &t->found.triad[place][all];
    for (int host = 0; host < setting->hosts; host++) {
        const cm_samples *time_s = &times->time_s[CM_STREAM_TRIAD * setting->hosts + host];
        double MB = 1e-6 * stream_ranks(setting, host)
                    * cm_stream_bytes(CM_STREAM_TRIAD, t->found.n[place]);
        double MB_per_s = MB / cm_sample_summary(time_s).min;
        if (!(MB_per_s < slowest.MB_per_s)) continue;
        slowest = (stream_triad){MB_per_s, cm_sample_fastest_interval(time_s, MB)};
    }
    if (slowest.MB_per_s > best->MB_per_s) *best = slowest;
}

/* ---- Settings ------------------------------------------------------------------------------- */

/* Measures one setting on the ranks of the group. */
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
    t->found.error = fmax(t->found.error, times.error);
    if (t->result) {
        stream_result_rows(t->result, &t->found, place, &setting, &times);
        keep_triad(t, place, all, &setting, &times);
    }
    for (int k = 0; k < CM_STREAM_KERNELS * setting.hosts; k++) cm_samples_free(&samples[k]);
    free(samples);
}

static void measure_place(table *t, stream_place place)
{
    static const char *const where[STREAM_PLACES] = {"in memory", "in the cache"};
    cm_stream arrays;
    if (!cm_stream_open(t->found.n[place], &arrays))
        cm_abort(CM_EXIT_SYSTEM,
                 "out of memory for three arrays of %zu bytes; try a smaller --size",
                 t->found.n[place] * sizeof(double));
    /* Non-temporal stores make no sense for data that stay in the cache. */
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
    t.found.n[STREAM_MEMORY] = stream_memory_n(options->size_bytes);
    t.found.n[STREAM_CACHE] = stream_cache_n();
    cm_run_require_memory(3 * t.found.n[STREAM_MEMORY] * sizeof(double), "--size", "--size %zu",
                          t.found.n[STREAM_MEMORY] * sizeof(double));
    t.alone = cm_split(cm_world(), rank == LEADER ? 0 : -1, rank);
    if (rank == LEADER) t.result = stream_result_open(benchmark, argc, argv, &t.found);
    measure_place(&t, STREAM_MEMORY);
    if (!options->no_cache) measure_place(&t, STREAM_CACHE);
    /* Rank 0 takes part in all settings, so it has seen all errors. */
    if (t.result) status = stream_result_close(t.result, options, &t.found);
    cm_group_free(t.alone);
    free(t.host);
    return status;
}
