/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c: finds a result by its name. */
#include "config.h"
#include <string.h>
#include "results.h"

const cm_record *suite_results_find(const suite_results *results, const char *name)
{
    for (size_t k = 0; k < results->n; k++)
        if (strcmp(results->result[k].name, name) == 0) return results->result[k].record;
    return NULL;
}

static bool says_yes(const cm_record *record, const char *key)
{
    const char *value = cm_record_meta(record, key);
    return value && strcmp(value, "yes") == 0;
}

bool suite_result_oversubscribed(const cm_record *record)
{
    return says_yes(record, "oversubscribed") || says_yes(record, "core_shared");
}

bool suite_result_row_is_range(const cm_record *record, size_t row)
{
    int column = cm_record_column(record, "interval");
    return column >= 0 && strcmp(cm_record_cell(record, row, (size_t)column), "range") == 0;
}

size_t suite_result_disturbed_rows(const cm_record *record)
{
    int disturbed = cm_record_column(record, "disturbed");
    int summarized = cm_record_column(record, "summarized");
    size_t n = 0;
    if (disturbed < 0 || summarized < 0) return 0;
    for (size_t row = 0; row < record->n_rows; row++) {
        double count;
        n += cm_record_number(cm_record_cell(record, row, (size_t)disturbed), &count) && count > 0
             && strcmp(cm_record_cell(record, row, (size_t)summarized), "all") == 0;
    }
    return n;
}
