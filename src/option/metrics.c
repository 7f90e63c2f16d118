/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c: a program's table of metrics. */
#include "config.h"
#include "option/table.h"
#include <fnmatch.h>

const cm_metric *cm_option_metric(const cm_program *program, const char *name)
{
    for (const cm_metric *metric = program->metrics; metric && metric->name; metric++)
        if (fnmatch(metric->name, name, FNM_NOESCAPE) == 0) return metric;
    return NULL;
}

void cm_option_print_metrics(const cm_program *program, FILE *out)
{
    static const char *const better[] = {
        [CM_BETTER_NEITHER] = "neither", [CM_BETTER_LOW] = "low", [CM_BETTER_HIGH] = "high"};
    for (const cm_metric *metric = program->metrics; metric && metric->name; metric++)
        fprintf(out, "%s\t%s\t%s\t%s\n", metric->name, metric->unit, better[metric->better],
                metric->meaning);
}
