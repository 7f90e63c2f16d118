/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_latency_result.c: the rows of --latency, and the metrics that summarize them. */
#include "config.h"
#include <math.h>
#include "machine/machine.h"
#include "stream.h"

typedef struct {
    stream_latency_row of;
    cm_summary load_ns;
    double load_MB_per_s;
} table_row;

cm_result *stream_latency_result_open(const cm_benchmark *benchmark, const stream_found *found)
{
    static const cm_result_column columns[] = {
        CM_COLUMN(table_row, of.loaded, "state", "=idle|loaded"),
        CM_COLUMN(table_row, of.pages, "pages", "=small|transparent|explicit|default"),
        CM_COLUMN(table_row, of.node, "node", "%.0f"),
        CM_COLUMN(table_row, of.host, "host", "%.0f"),
        CM_COLUMN(table_row, of.load_ranks, "load_ranks", "%.0f"),
        CM_COLUMN(table_row, of.share, "load_share", "%.4f"),
        CM_COLUMN(table_row, of.bytes, "chain_bytes", "%.0f"),
        CM_SUMMARY_COLUMNS(table_row, load_ns, "_ns", "%.3f"),
        CM_COLUMN(table_row, load_MB_per_s, "load_MB_per_s", "%.1f"),
    };
    const stream_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(benchmark, columns, sizeof columns / sizeof *columns);
    cm_run_meta(result);
    cm_run_meta_bound(result, options->sampling.bind);
    const size_t longest = found->n[STREAM_SWEEP] * sizeof(double);
    cm_result_meta_number(result, "longest_chain_bytes",
                          (double)(longest / STREAM_LINE_BYTES * STREAM_LINE_BYTES), "%.0f");
    cm_result_meta_number(result, "chain_per_cache",
                          (double)longest / (double)stream_own_cache_bytes(), "%.3g");
    cm_result_meta(result, "chain",
                   "pointers through all lines of %d bytes in random order, one cycle: each load "
                   "waits for the one before, and misses of the TLB are part of its time",
                   (int)STREAM_LINE_BYTES);
    cm_result_meta(result, "node", "that was asked for; -1: the rank's own");
    cm_result_meta(result, "load",
                   "the other ranks of the host run the triad with ordinary stores in load_share "
                   "of their time; load_MB_per_s is of all of them, as STREAM counts bytes");
    cm_sample_meta(result, &options->sampling,
                   "a trial: the mean time of a load of the first rank of a host");
    return result;
}

/* That of the shortest chain or, of several of one length, of the slowest host or farthest node. */
static void keep(stream_latency_value *value, const cm_summary *ns, double bytes)
{
    if (value->ns.value > ns->median && value->bytes <= bytes) return;
    *value = (stream_latency_value){cm_quantity_median(ns), bytes};
}

void stream_latency_result_row(cm_result *result, stream_found *found,
                               const stream_latency_row *row, const cm_samples *ns,
                               const cm_samples *load)
{
    stream_latencies *latency = &found->latency;
    const double longest = (double)(found->n[STREAM_SWEEP] * sizeof(double));
    const cm_summary s = cm_sample_summary(ns);
    const table_row shown = {*row, s, load ? cm_sample_summary(load).median : 0};
    cm_result_row(result, &shown, ns, "ns");
    if (load) cm_result_row_samples(result, "load_MB_per_s", "MB/s", load->n, load->value);
    const bool in_memory = row->bytes > longest - STREAM_LINE_BYTES;
    if (row->loaded && row->share == 1) keep(&latency->loaded, &s, row->bytes);
    if (row->loaded) return;
    if (in_memory) keep(row->node < 0 ? &latency->idle[row->pages] : &latency->far, &s, row->bytes);
    if (row->node < 0 && row->pages == STREAM_TRANSPARENT && row->bytes < 2 * found->first_bytes)
        keep(&latency->first_cache, &s, row->bytes);
}

static void write_metric(cm_result *result, const char *name, const stream_latency_value *value)
{
    if (value->ns.value > 0) cm_result_metric(result, true, name, value->ns);
}

int stream_latency_result_close(cm_result *result, const stream_found *found)
{
    const stream_latencies *latency = &found->latency;
    const double longest = (double)(found->n[STREAM_SWEEP] * sizeof(double));
    if (longest < CM_STREAM_CACHES * (double)stream_own_cache_bytes())
        cm_result_comment(result,
                          "the longest chain is shorter than %d times the last-level cache: what "
                          "stands here as memory may be the cache's",
                          CM_STREAM_CACHES);
    cm_result_check(result, "missed_lines", found->missed_lines, "==", 0);
    if (latency->loaded.ns.value > 0) /* without a load nothing was stored */
        cm_result_check(result, "wrong_numbers", found->wrong_numbers, "==", 0);
    write_metric(result, "memory_latency_ns", &latency->idle[STREAM_TRANSPARENT]);
    write_metric(result, "memory_latency_small_pages_ns", &latency->idle[STREAM_SMALL]);
    write_metric(result, "first_cache_latency_ns", &latency->first_cache);
    write_metric(result, "far_memory_latency_ns", &latency->far);
    write_metric(result, "loaded_memory_latency_ns", &latency->loaded);
    return cm_result_close(result);
}
