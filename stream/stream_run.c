/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_run.c: measures one rank alone and all at once, in memory and in the cache. */
#include <math.h>
#include <stdlib.h>
#include "stream_matrix.h"

enum { LEADER = 0 };

typedef struct {
    const stream_options *options;
    cm_result *result; /* rank 0 */
    cm_group *alone;   /* rank 0 only, NULL elsewhere */
    int hosts, *host;  /* number of hosts; [rank]: number of its host */
    stream_found found;
} table;

/* STREAM's own rule: a pass is each kernel once; of NTIMES passes all except the first count. */
static const cm_sampling plainly = {
    .rule = {.least = STREAM_NTIMES - 1, .most = STREAM_NTIMES - 1, .time_limit_s = INFINITY},
    .most = STREAM_NTIMES - 1,
    .operations = 1,
};

/* cm_memory_open asks for huge pages where one fits. */
static stream_pages pages_of(stream_place place, size_t n)
{
    enum { HUGE_BYTES = 2 << 20 };
    bool asked = place != STREAM_PLAIN && n * sizeof(double) >= HUGE_BYTES;
    return asked ? STREAM_TRANSPARENT : STREAM_DEFAULT;
}

static void measure(table *t, stream_place place, cm_stream_stores stores, bool all,
                    cm_stream *arrays)
{
    const stream_setting setting = {
        .sampling = place == STREAM_PLAIN ? &plainly : &t->options->sampling,
        .place = place,
        .stores = stores,
        .pages = pages_of(place, arrays->n),
        .group = all || cm_size(cm_world()) == 1 ? cm_world() : t->alone,
        .hosts = all ? t->hosts : 1,
        .host = t->host,
    };
    cm_quantity triad = stream_take(t->result, &t->found, &setting, arrays);
    if (place == STREAM_MEMORY && setting.group == cm_world())
        stream_moved(&setting, arrays, &t->found);
    /* The better stores count. */
    cm_quantity *better = &t->found.triad[place][all];
    *better = cm_quantity_greater(*better, triad);
}

static bool open_arrays(stream_place place, size_t n, cm_stream *arrays)
{
    return place == STREAM_PLAIN ? stream_plain_open(n, arrays) : cm_stream_open(n, arrays);
}

static void close_arrays(stream_place place, cm_stream *arrays)
{
    if (place == STREAM_PLAIN) stream_plain_close(arrays);
    else cm_stream_close(arrays);
}

/* Measures from one rank alone to all ranks at once, if there are several. */
static void measure_place(table *t, stream_place place, bool all_too)
{
    static const char *const where[STREAM_PLACES] = {"in memory", "in the cache",
                                                     "STREAM compiled plainly"};
    size_t n = t->found.n[place];
    cm_stream arrays;
    if (!open_arrays(place, n, &arrays))
        cm_abort(CM_EXIT_SYSTEM,
                 "out of memory for three arrays of %zu bytes; try a smaller --size",
                 n * sizeof(double));
    /* Non-temporal stores make no sense for data that stay in the cache. */
    int kinds =
        place == STREAM_MEMORY && cm_stream_has(CM_STREAM_NONTEMPORAL) ? CM_STREAM_STORES : 1;
    for (int all = 0; all < (all_too && cm_size(cm_world()) > 1 ? 2 : 1); all++)
        for (int stores = 0; stores < kinds; stores++) {
            if (t->result)
                cm_result_progress(t->result, (2 * place + all) / 6.0, "%s, %s", where[place],
                                   all ? "all ranks" : "one rank");
            if (all || t->alone) measure(t, place, (cm_stream_stores)stores, all, &arrays);
            cm_barrier(cm_world(), CM_AUTO);
        }
    close_arrays(place, &arrays);
}

static void measure_places(table *t)
{
    measure_place(t, STREAM_MEMORY, true);
    if (!t->options->no_cache) measure_place(t, STREAM_CACHE, true);
    if (t->options->plain != STREAM_PLAIN_NO)
        measure_place(t, STREAM_PLAIN, t->options->plain == STREAM_PLAIN_ALL);
}

int stream_run(const cm_benchmark *benchmark)
{
    const stream_options *options = benchmark->options;
    int rank = cm_rank(cm_world());
    int status = cm_run_require_processes(benchmark->program, "have no memory of their own");
    if (status) return status;
    table t = {.options = options};
    cm_run_bind(options->sampling.bind);
    t.host = calloc((size_t)cm_size(cm_world()), sizeof *t.host);
    if (!t.host) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    t.hosts = cm_run_number_hosts(cm_world(), t.host);
    t.found.n[STREAM_MEMORY] = stream_memory_n(options->size_bytes);
    t.found.n[STREAM_CACHE] = stream_cache_n();
    t.found.n[STREAM_PLAIN] = t.found.n[STREAM_SWEEP] = t.found.n[STREAM_MEMORY];
    cm_run_require_memory(3 * t.found.n[STREAM_MEMORY] * sizeof(double), "--size", "--size %zu",
                          t.found.n[STREAM_MEMORY] * sizeof(double));
    t.alone = cm_split(cm_world(), rank == LEADER ? 0 : -1, rank);
    if (rank == LEADER)
        t.result = (options->latency  ? stream_latency_result_open
                    : options->matrix ? stream_matrix_result_open
                                      : stream_result_open)(benchmark, &t.found);
    if (options->matrix) stream_matrix(options, t.result, &t.found);
    else if (options->latency) stream_latency(options, t.result, &t.found);
    else if (options->sweep) stream_sweep(options, t.result, &t.found);
    else measure_places(&t);
    /* Rank 0 takes part in all settings, so it has seen all errors. */
    if (t.result)
        status = options->latency  ? stream_latency_result_close(t.result, &t.found)
                 : options->matrix ? stream_matrix_result_close(t.result, &t.found)
                                   : stream_result_close(t.result, options, &t.found);
    cm_group_free(t.alone);
    free(t.host);
    return status;
}
