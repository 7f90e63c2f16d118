/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_result.c: metadata, a row for each size, checks and the metric. */
#include <math.h>
#include "sscrap_series.h"

typedef struct {
    int processes;
    int64_t size;
    double items;
    cm_summary run_s;
    double items_per_s, cycles_per_item, work_share, sync_share;
    int64_t supersteps;
    double h_bytes, h_messages;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, processes, "processes", "%.0f"),
    CM_COLUMN(table_row, size, "size", "%.0f"),
    CM_COLUMN(table_row, items, "items", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, run_s, "_s", "%.4e"),
    CM_COLUMN(table_row, items_per_s, "items_per_s", "%.4g"),
    CM_COLUMN(table_row, cycles_per_item, "cycles_per_item", "%.4g"),
    CM_COLUMN(table_row, work_share, "work_share", "%.3f"),
    CM_COLUMN(table_row, sync_share, "sync_share", "%.3f"),
    CM_COLUMN(table_row, supersteps, "supersteps", "%.0f"),
    CM_COLUMN(table_row, h_bytes, "h_bytes", "%.0f"),
    CM_COLUMN(table_row, h_messages, "h_messages", "%.0f"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

void sscrap_result_open(sscrap_series *s, const cm_benchmark *benchmark)
{
    s->result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(s->result);
    cm_result_meta(s->result, "item", "%s", s->problem->item);
    cm_sample_meta(s->result, &s->job->sampling,
                   "a run: time of the slowest process, each with an input of its own");
    cm_result_meta_number(s->result, "clock_hz", s->clock_hz, "%.0f");
    cm_result_meta(s->result, "clock_source", "%s", s->clock_source);
    cm_result_meta(s->result, "cycles_per_item", "median_s * clock_hz / items");
    if (s->job->place)
        cm_result_meta(s->result, "place", "at most %lld processes a host",
                       (long long)s->job->place);
    else cm_result_meta(s->result, "place", "all processes");
    if (s->problem->metadata) s->problem->metadata(s->options, s->result);
}

static double larger_of(int64_t out, int64_t in)
{
    return sscrap_max((double)(out > in ? out : in));
}

void sscrap_result_row(sscrap_series *s, int64_t size, const sscrap_measured *m)
{
    double work_s = sscrap_sum(m->sums.work_s), sync_s = sscrap_sum(m->sums.sync_s);
    double h = larger_of(m->sums.out_bytes, m->sums.in_bytes);
    double messages = larger_of(m->sums.out_messages, m->sums.in_messages);
    if (!s->result) return;
    const cm_summary run_s = cm_sample_summary(&m->samples);
    s->last_size = size;
    s->last_s = run_s;
    double items = s->problem->items ? s->problem->items(size) : (double)size;
    const table_row row = {
        .processes = bsp_nprocs(),
        .size = size,
        .items = items,
        .run_s = run_s,
        .items_per_s = items / run_s.median,
        .cycles_per_item = run_s.median * s->clock_hz / items,
        .work_share = work_s / (work_s + sync_s),
        .sync_share = sync_s / (work_s + sync_s),
        .supersteps = m->sums.supersteps,
        .h_bytes = h,
        .h_messages = messages,
    };
    cm_result_row(s->result, &row, &m->samples, "s");
    if (m->took && m->took != s->took)
        cm_result_comment(s->result, "took with processes=%d items=%.0f: %s", bsp_nprocs(), items,
                          m->took);
    s->took = m->took;
    cm_sample_count(&s->tally, &m->sampled, 1);
}

int sscrap_result_close(sscrap_series *s)
{
    const sscrap_problem *problem = s->problem;
    cm_sample_tell(s->result, &s->tally);
    for (int k = 0; k < s->checks.n; k++) {
        const sscrap_check *check = &s->checks.check[k];
        cm_result_check(s->result, check->name, check->value, check->relation, check->bound);
    }
    /* Some metrics grow with the time, others fall. */
    const cm_quantity last_s = cm_quantity_median(&s->last_s);
    cm_result_metric(s->result, s->checks.n > 0, problem->metric,
                     cm_quantity_mapped(last_s, problem->measure(s->last_size, last_s.value),
                                        problem->measure(s->last_size, last_s.low),
                                        problem->measure(s->last_size, last_s.high)));
    return cm_result_close(s->result);
}
