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

/* Returns the meaning of the metric, "" if the program does not give it. When a program is named
   for the first time, it is run with --print-metrics, for at most five seconds. A program that is
   missing or fails gives no meanings. */
const char *suite_metrics_meaning(suite_metrics *metrics, const char *path, const char *metric);
/* "low", "high" or "neither", in the same way; "" if the program does not say. */
const char *suite_metrics_better(suite_metrics *metrics, const char *path, const char *metric);
/* Returns the title of the metric, such as "Allreduce: doubling" for allreduce_doubling_us, or the
   metric itself if the program does not give one. The caller frees it. */
char *suite_metrics_label(suite_metrics *metrics, const char *path, const char *metric);

/* A metric as a member of a family: allreduce_doubling_us is a time whose operation is allreduce
   and whose algorithm is doubling. */
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
