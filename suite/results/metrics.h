/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.h: what the metrics of programs mean, as the programs themselves say. */
#ifndef SUITE_METRICS_H
#define SUITE_METRICS_H

#include <stddef.h>

typedef struct {
    char *name, *better, *meaning, *label; /* a * in the name stands for any characters */
} suite_metric;
typedef struct {
    char *name, *of; /* cm_labels of the program */
} suite_metric_of;
typedef struct {
    char *path;
    suite_metric *metric;
    suite_metric_of *of;
    size_t n, n_of;
} suite_metrics_program;

/* The programs that were queried. Initialize with zeros. */
typedef struct {
    suite_metrics_program *program;
    size_t n;
} suite_metrics;

/* What the metric means, "" if the program does not say. The first time a program is named it is
   run with --print-metrics, for five seconds at most; one that is not there or fails says
   nothing. */
const char *suite_metrics_meaning(suite_metrics *metrics, const char *path, const char *metric);
/* "low", "high" or "neither", in the same way; "" if the program does not say. */
const char *suite_metrics_better(suite_metrics *metrics, const char *path, const char *metric);
/* What people call it, as "Allreduce: doubling" of allreduce_doubling_us; the metric itself if the
   program does not say. The caller frees. */
char *suite_metrics_label(suite_metrics *metrics, const char *path, const char *metric);

/* What a metric is one of: allreduce_doubling_us is a time whose operation is allreduce and whose
   algorithm is doubling. */
typedef struct {
    char *key, *value; /* "algorithm", "doubling" */
} suite_label;
typedef struct {
    char *quantity; /* "time"; NULL: the program does not say, the metric is its own quantity */
    suite_label *label;
    size_t n;
} suite_labels;
suite_labels suite_metrics_labels(suite_metrics *metrics, const char *path, const char *metric);
void suite_labels_free(suite_labels *labels);
void suite_metrics_free(suite_metrics *metrics);

#endif
