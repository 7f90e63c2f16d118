/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c: a program's table of metrics. */
#include "config.h"
#include "option/table.h"
#include <fnmatch.h>

/* The metrics that src/run measures around every benchmark. */
static const cm_metric of_every_program[] = {
    {"energy_J", "Energy", "J", CM_BETTER_LOW,
     "energy of all hosts while the program ran, by their counters, with its preparations and "
     "checks"},
    {"mean_power_W", "Mean power", "W", CM_BETTER_NEITHER,
     "the same energy over the time that it was counted"},
    {0},
};

static const cm_metric *find(const cm_metric *metric, const char *name)
{
    for (; metric && metric->name; metric++)
        if (fnmatch(metric->name, name, FNM_NOESCAPE) == 0) return metric;
    return NULL;
}

const cm_metric *cm_option_metric(const cm_program *program, const char *name)
{
    const cm_metric *metric = find(program->metrics, name);
    return metric ? metric : find(of_every_program, name);
}

static void print_table(const cm_metric *metric, FILE *out)
{
    static const char *const better[] = {
        [CM_BETTER_NEITHER] = "neither", [CM_BETTER_LOW] = "low", [CM_BETTER_HIGH] = "high"};
    for (; metric->name; metric++)
        fprintf(out, "%s\t%s\t%s\t%s\t%s\n", metric->name, metric->unit, better[metric->better],
                metric->meaning, metric->label);
}

void cm_option_print_metrics(const cm_program *program, FILE *out)
{
    if (!program->metrics) return;
    print_table(program->metrics, out);
    print_table(of_every_program, out);
    for (const cm_labels *labels = program->labels; labels && labels->name; labels++)
        fprintf(out, "%s\tlabels\t%s\n", labels->name, labels->of);
}
