/* SPDX-License-Identifier: BSD-3-Clause */
/* results.h: the complete results of a folder, by name. */
#ifndef SUITE_RESULTS_H
#define SUITE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include "result/read.h"

typedef struct {
    const char *name; /* "patterns-ping" */
    const cm_record *record;
} suite_result;

typedef struct {
    suite_result *result;
    size_t n;
} suite_results;

/* NULL: there is no complete result of this name. */
const cm_record *suite_results_find(const suite_results *results, const char *name);

/* Returns true if there were more ranks than cores: such numbers are no measure of performance. */
bool suite_result_oversubscribed(const cm_record *record);

/* Returns true if the row's interval is a range, from the least to the greatest of few values. */
bool suite_result_row_is_range(const cm_record *record, size_t row);

/* Returns the number of rows that have too few undisturbed samples. */
size_t suite_result_disturbed_rows(const cm_record *record);

#endif
