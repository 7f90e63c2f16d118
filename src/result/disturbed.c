/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbed.c: says how many samples of all rows were disturbed, and why. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#include "result/result_internal.h"

/* By the bits of a sample's cause. */
static const char *const words[CM_DISTURBED_CAUSES] = {"waited for a core",
                                                       "involuntary switches",
                                                       "pages from a disk",
                                                       "moved to another core",
                                                       "steal",
                                                       "other tasks on the core",
                                                       "tasks waiting on the host",
                                                       "another clock frequency"};

void cm_result_count_disturbed(cm_result *result, const cm_samples *samples)
{
    result->samples += samples->n;
    result->disturbed += samples->disturbed;
    result->rows_over_disturbed += cm_disturbed_samples(samples) == CM_DISTURBED_YES;
    if (samples->disturbed == 0) return;
    for (size_t i = 0; i < samples->n; i++)
        for (int k = 0; k < CM_DISTURBED_CAUSES; k++)
            result->disturbed_by[k] += samples->cause[i] >> k & 1;
}

void cm_result_add_disturbed(cm_result *result, size_t n, size_t disturbed, const size_t *by)
{
    result->samples += n;
    result->disturbed += disturbed;
    for (int k = 0; k < CM_DISTURBED_CAUSES; k++) result->disturbed_by[k] += by[k];
}

/* n samples or rows, or samples by a cause. */
static cm_finding found(const char *what, const char *quantity, const char *unit, size_t n)
{
    return (cm_finding){.what = what,
                        .quantity = {.name = quantity, .value = (double)n, .unit = unit}};
}

/* finding_read.c reads these lines again. */
void cm_result_say_disturbed(cm_result *result)
{
    char causes[512] = "";
    size_t used = 0, n = 0;
    cm_finding finding[1 + CM_DISTURBED_CAUSES];
    if (result->samples == 0) return;
    finding[n] = found(CM_FINDING_DISTURBED, "samples", "samples", result->disturbed);
    finding[n++].bound = (double)result->samples;
    for (int k = 0; k < CM_DISTURBED_CAUSES; k++) {
        if (result->disturbed_by[k] == 0) continue;
        used += (size_t)snprintf(causes + used, sizeof causes - used, "%s %s (%zu)",
                                 used > 0 ? "," : ":", words[k], result->disturbed_by[k]);
        finding[n++] = found(CM_FINDING_DISTURBED_BY, words[k], "samples", result->disturbed_by[k]);
    }
    cm_result_findings(result, finding, n, "%zu of %zu samples%s", result->disturbed,
                       result->samples, causes);
    const cm_finding rows =
        found(CM_FINDING_DISTURBED, "rows", "rows", result->rows_over_disturbed);
    if (result->rows_over_disturbed > 0)
        cm_result_finding(result, &rows,
                          "%zu rows had too few undisturbed samples and are over all",
                          result->rows_over_disturbed);
}
