/* SPDX-License-Identifier: BSD-3-Clause */
/* tell.c: writes a result's metadata, columns and comments about its samples. */
#include <math.h>
#include <stdio.h>
#include "sample/sample.h"

void cm_sampling_check(cm_sampling *sampling)
{
    cm_stop_rule *rule = &sampling->rule;
    if (sampling->most > 0) rule->most = (size_t)sampling->most;
    if (rule->most > 0 && rule->least > rule->most) rule->least = rule->most;
}

cm_summary cm_sample_summary(const cm_samples *samples)
{
    cm_summary summary;
    if (!cm_summarize(samples, &summary))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the summary of %zu samples", samples->n);
    return summary;
}

cm_quantity cm_sample_fastest(const cm_samples *samples)
{
    cm_quantity least;
    if (!cm_quantity_least_sample(samples, &least))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu samples", samples->n);
    return least;
}

void cm_sample_meta(cm_result *result, const cm_sampling *sampling, const char *sample)
{
    const cm_stop_rule *rule = &sampling->rule;
    char precision[160] = "", count[64] = "", runs[64] = "", time[64] = "";
    if (rule->relative_half_width > 0)
        snprintf(precision, sizeof precision,
                 "; half-width of the 95 %% confidence interval of the median <= %g of it at two "
                 "looks in a row, n >= %zu",
                 rule->relative_half_width,
                 rule->least > CM_INTERVAL_LEAST ? rule->least : CM_INTERVAL_LEAST);
    if (rule->most > 0)
        snprintf(count, sizeof count, "; %zu sample%s", rule->most, rule->most == 1 ? "" : "s");
    if (sampling->runs > 0)
        snprintf(runs, sizeof runs, "; %lld run%s", (long long)sampling->runs,
                 sampling->runs == 1 ? "" : "s");
    if (isfinite(rule->time_limit_s))
        snprintf(time, sizeof time, "; %g s a row", rule->time_limit_s);
    cm_result_meta(result, "sample", "%s", sample);
    cm_result_meta(result, "stopping_rule", "whichever comes first%s%s%s%s", precision, count, runs,
                   time);
    cm_result_meta(result, "interval",
                   "95%%: confidence interval of the median, of this launch; "
                   "range: least and greatest of fewer than %d samples",
                   CM_INTERVAL_LEAST);
    cm_result_meta(result, "interval_over", "trials of this launch");
    if (sampling->operations)
        cm_result_meta_number(result, "operations_per_trial", (double)sampling->operations, "%.0f");
    else if (sampling->trial_s > 0)
        cm_result_meta_number(result, "trial_s", sampling->trial_s, "%g");
    cm_result_meta_number(result, "warm_up_s", sampling->warm_up_s, "%g");
}

void cm_sample_count(cm_sample_tally *tally, const cm_sampled *sampled, size_t series)
{
    tally->rows[sampled->stop]++;
    for (size_t i = 0; i < series; i++) tally->samples += sampled->samples[i].n;
}

void cm_sample_tell(cm_result *result, const cm_sample_tally *tally)
{
    cm_result_comment(result,
                      "stopped: precision %zu, count %zu, time %zu rows; %zu samples in all",
                      tally->rows[CM_STOP_PRECISION], tally->rows[CM_STOP_COUNT],
                      tally->rows[CM_STOP_TIME], tally->samples);
}
