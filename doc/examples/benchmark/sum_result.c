/* SPDX-License-Identifier: BSD-3-Clause */
/* sum_result.c: a row for each size, and the metric. */
#include "sum.h"

const cm_metric sum_metrics[] = {
    {"sum_us", "Time of a sum", "us", CM_BETTER_LOW,
     "time until all ranks know the sum of one number per rank, of the slowest rank, median"},
    {0},
};

typedef struct {
    int64_t bytes;
    cm_summary sum_s;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, bytes, "size_bytes", "%.0f"),
    CM_SUMMARY_COLUMNS(table_row, sum_s, "_s", "%.4e"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

cm_result *sum_result_open(const cm_benchmark *benchmark)
{
    const sum_options *options = benchmark->options;
    cm_result *result = cm_run_result_open(benchmark, columns, COLUMNS);
    cm_run_meta(result);
    cm_run_meta_bound(result, options->sampling.bind);
    cm_sample_meta(result, &options->sampling,
                   "a trial: the slowest rank's mean over the operations of it");
    return result;
}

void sum_result_row(cm_result *result, int64_t bytes, const cm_summary *summary,
                    const cm_samples *samples)
{
    cm_result_row(result, &(table_row){bytes, *summary}, samples, "s");
}

int sum_result_close(cm_result *result, const cm_sample_tally *tally, double wrong,
                     const cm_summary *smallest)
{
    cm_sample_tell(result, tally);
    cm_result_check(result, "wrong_numbers", wrong, "==", 0);
    cm_result_metric(result, true, "sum_us", cm_quantity_scale(cm_quantity_median(smallest), 1e6));
    return cm_result_close(result);
}
