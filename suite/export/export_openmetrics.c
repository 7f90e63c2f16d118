/* SPDX-License-Identifier: BSD-3-Clause */
/* export_openmetrics.c: the text format of OpenMetrics 1.0. All families are gauges without
   timestamps, so that node_exporter's textfile collector, which reads Prometheus' older format,
   takes the file as well. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "export.h"
#include "common/memory.h"
#include "common/words.h"

/* One line of values. All of one family stand together. */
typedef struct {
    char *family, *unit, *help, *labels;
    double value;
    size_t place; /* in the order in which they were added */
} sample;
typedef struct {
    sample *sample;
    size_t n;
} samples;

/* Takes family, unit, help and labels. */
static void add(samples *all, char *family, char *unit, char *help, char *labels, double value)
{
    all->sample = suite_longer(all->sample, all->n + 1, sizeof(sample));
    all->sample[all->n] = (sample){family, unit, help, labels, value, all->n};
    all->n++;
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static char *escaped(const char *text)
{
    char *backslashes = suite_replace(text, "\\", "\\\\");
    char *quotes = suite_replace(backslashes, "\"", "\\\"");
    char *lines = suite_replace(quotes, "\n", "\\n");
    free(quotes);
    free(backslashes);
    return lines;
}

/* Adds KEY="VALUE"; nothing without a value. Takes and returns labels. */
static char *with(char *labels, const char *key, const char *value)
{
    if (!value || !*value) return labels;
    char *text = escaped(value);
    char *longer = suite_text("%s%s%s=\"%s\"", labels, *labels ? "," : "", key, text);
    free(text);
    free(labels);
    return longer;
}

/* Which result it is: its benchmark, its name, and what the name says. */
static char *labels_of(const export_set *set, const export_result *r)
{
    char *labels = with(suite_copy(""), "benchmark", r->benchmark);
    labels = with(labels, "metric", r->metric->name);
    if (set->flat) return labels;
    for (size_t k = 0; k < r->of.n; k++)
        labels = with(labels, r->of.label[k].key, r->of.label[k].value);
    labels = with(labels, "cluster", set->cluster);
    return with(labels, "host", r->host);
}

/* All of a family must mean the same, so what differs is not told. */
static char *help_of(const export_set *set, const export_result *r)
{
    if (set->flat || !r->of.quantity) return suite_copy(*r->meaning ? r->meaning : r->metric->name);
    char *words = suite_replace(r->of.quantity, "_", " ");
    char *help = suite_text("%s of %s, by its labels", words, r->program);
    free(words);
    return help;
}

/* ---- What is said of each result ------------------------------------------------------------- */

/* Adds clustermark_PROGRAM_STEM[_END][_UNIT]. The help names the unit that the value has here, not
   that of the result. */
static void add_value(samples *all, const export_set *set, const export_result *r, const char *end,
                      const char *what, double value)
{
    const cm_record_metric *m = r->metric;
    export_name name = set->flat || !r->of.quantity
                           ? export_name_of(m->name, m->unit)
                           : export_name_of_quantity(r->of.quantity, m->unit);
    char *program = export_clean(suite_copy(r->program + 3 * (strncmp(r->program, "cm-", 3) == 0)));
    char *family = suite_text("clustermark_%s_%s%s%s%s", program, name.stem, end,
                              *name.unit ? "_" : "", name.unit);
    char *labels = with(labels_of(set, r), "better", *end ? NULL : r->better);
    labels = with(labels, "interval", *end ? m->interval : NULL);
    labels = with(labels, "over", *end ? m->over : NULL);
    labels = with(labels, "hosts", r->hosts);
    labels = with(labels, "ranks", r->ranks);
    char *unit = suite_replace(name.unit, "_", " "), *help = help_of(set, r);
    add(all, family, name.unit,
        suite_text("%s%s%s%s", help, what,
                   !*unit                       ? ""
                   : strcmp(unit, "ratio") == 0 ? ", as a "
                                                : ", in ",
                   unit),
        labels, value * name.factor);
    free(help);
    free(unit);
    free(program);
    free(name.stem);
}

static void add_fact(samples *all, const char *family, const char *help, char *labels, double value)
{
    add(all, suite_copy(family), suite_copy(""), suite_copy(help), labels, value);
}

/* A wrong answer has no value, only that it failed. */
static void add_result(samples *all, const export_set *set, const export_result *r)
{
    const cm_record_metric *m = r->metric;
    add_fact(all, "clustermark_pass", "1: the answer was verified, 0: it was wrong",
             labels_of(set, r), m->pass);
    if (m->tells)
        add_fact(all, "clustermark_disturbed", "1: the machine disturbed the measurement",
                 labels_of(set, r), m->disturbed);
    if (!m->pass) return;
    add_value(all, set, r, "", "", r->value);
    if (export_has_interval(r)) {
        add_value(all, set, r, "_low", ": low end of the interval", m->low);
        add_value(all, set, r, "_high", ": high end of the interval", m->high);
    }
    if (m->n > 0)
        add_fact(all, "clustermark_interval_values", "how many values the interval is of",
                 with(labels_of(set, r), "over", m->over), (double)m->n);
}

/* ---- The run --------------------------------------------------------------------------------- */

static void add_run(samples *all, const export_set *set)
{
    char *labels = suite_copy("");
    struct tm date = {0};
    const char *text = export_told(set, "date");
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES; k++)
        if (strcmp(set->run[k].key, "date") != 0)
            labels = with(labels, set->run[k].key, set->run[k].value);
    if (!set->flat) labels = with(labels, "cluster", set->cluster);
    add_fact(all, "clustermark_run", "always 1; the labels say what was run", labels, 1);
    const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &date) : NULL;
    if (end && !*end)
        add(all, suite_copy("clustermark_run_timestamp_seconds"), suite_copy("seconds"),
            suite_copy("when the run began, since 1970"), suite_copy(""), (double)timegm(&date));
}

/* Each benchmark once: its results follow each other. */
static void add_benchmarks(samples *all, const export_set *set)
{
    static const char help[] = "1: the benchmark has a result, 0: it failed";
    for (size_t k = 0; k < set->n; k++) {
        const export_result *r = &set->result[k];
        if (k > 0 && strcmp(r->benchmark, r[-1].benchmark) == 0) continue;
        add_fact(all, "clustermark_complete", help, with(suite_copy(""), "benchmark", r->benchmark),
                 1);
        add_fact(all, "clustermark_oversubscribed", "1: there were more ranks than cores",
                 with(suite_copy(""), "benchmark", r->benchmark), r->oversubscribed);
        if (!isnan(r->pair_distance_ns))
            add_fact(all, "clustermark_pair_distance_ns",
                     "how long a flag takes from core to core of the measured pairs, in ns; of "
                     "several pairs the greatest",
                     with(suite_copy(""), "benchmark", r->benchmark), r->pair_distance_ns);
    }
    for (size_t k = 0; k < set->n_missing; k++)
        if (set->missing[k].failed)
            add_fact(all, "clustermark_complete", help,
                     with(suite_copy(""), "benchmark", set->missing[k].benchmark), 0);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static int by_family(const void *a, const void *b)
{
    const sample *one = a, *other = b;
    int order = strcmp(one->family, other->family);
    return order ? order : (one->place > other->place) - (one->place < other->place);
}

static void write_number(FILE *out, double value)
{
    if (isnan(value)) fputs(" NaN\n", out);
    else fprintf(out, " %.12g\n", value);
}

static void write_sample(FILE *out, const sample *s, bool first)
{
    if (first) {
        /* The two formats disagree on how to escape a quotation mark here. */
        char *single = suite_replace(s->help, "\"", "'"), *help = escaped(single);
        fprintf(out, "# TYPE %s gauge\n", s->family);
        if (*s->unit) fprintf(out, "# UNIT %s %s\n", s->family, s->unit);
        fprintf(out, "# HELP %s %s\n", s->family, help);
        free(help);
        free(single);
    }
    fputs(s->family, out);
    if (*s->labels) fprintf(out, "{%s}", s->labels);
    write_number(out, s->value);
}

bool export_openmetrics(const export_set *set, FILE *out)
{
    samples all = {0};
    add_run(&all, set);
    add_benchmarks(&all, set);
    for (size_t k = 0; k < set->n; k++) add_result(&all, set, &set->result[k]);
    qsort(all.sample, all.n, sizeof(sample), by_family);
    for (size_t k = 0; k < all.n; k++)
        write_sample(out, &all.sample[k],
                     k == 0 || strcmp(all.sample[k].family, all.sample[k - 1].family) != 0);
    fputs("# EOF\n", out);
    for (size_t k = 0; k < all.n; k++) {
        free(all.sample[k].family);
        free(all.sample[k].unit);
        free(all.sample[k].help);
        free(all.sample[k].labels);
    }
    free(all.sample);
    return true;
}
