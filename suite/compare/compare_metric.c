/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_metric.c: which direction is better of a metric, or a column of rows, and in which unit a
   metric is. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "compare.h"

const char *const compare_better_names[] = {"neither", "low", "high"};

compare_better compare_metric_better(comparison *all, const compare_bench *bench, const char *name)
{
    const char *better = NULL;
    for (size_t k = 0; k < bench->n && !better; k++) {
        const cm_record_metric *metric = cm_record_metric_of(&bench->launch[k], name);
        if (metric) better = metric->better;
    }
    const suite_run *run = suite_table_find(&all->table, bench->name);
    if (!better && run) {
        char *program = suite_home_program(all->home, run->folder, run->program);
        better = suite_metrics_better(&all->metrics, program, name);
        free(program);
    }
    if (better && strcmp(better, "low") == 0) return COMPARE_LOW;
    return better && strcmp(better, "high") == 0 ? COMPARE_HIGH : COMPARE_NEITHER;
}

const char *compare_other_unit(const compare_bench *base, const compare_bench *new,
                               const char *name, const char *unit)
{
    const compare_bench *const side[2] = {base, new};
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < side[s]->n; k++) {
            const cm_record_metric *metric = cm_record_metric_of(&side[s]->launch[k], name);
            if (metric && strcmp(metric->unit, unit) != 0) return metric->unit;
        }
    return NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

compare_better compare_column_better(const char *column)
{
    if (ends_with(column, "_per_s")) return COMPARE_HIGH;
    return ends_with(column, "_s") || ends_with(column, "_ms") || ends_with(column, "_us")
               ? COMPARE_LOW
               : COMPARE_NEITHER;
}
