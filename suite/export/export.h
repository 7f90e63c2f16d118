/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h: `clustermark export`: what its files share. */
#ifndef SUITE_EXPORT_H
#define SUITE_EXPORT_H

#include <stdbool.h>
#include <stdio.h>
#include "results/folder.h"
#include "common/home.h"
#include "results/metrics.h"
#include "places/place.h"
#include "common/table.h"

/* One RESULT. Texts are those of the set. */
typedef struct {
    const char *benchmark, *program; /* "patterns-ping", "cm-patterns" */
    const cm_record_metric *metric;
    double value;              /* NaN: it is not a number */
    const char *better;        /* "low", "high", "neither"; "": the program does not say */
    const char *meaning;       /* "" likewise */
    const char *hosts, *ranks; /* how many; NULL: the result does not say */
    const char *host;          /* that on which it ran; NULL: on several, or not told */
    bool oversubscribed;       /* more ranks than cores */
    double pair_distance_ns;   /* of the cores of its pairs; NaN: not known */
    suite_labels of;           /* what it is one of, as the program says */
} export_result;

/* A benchmark without a result. */
typedef struct {
    const char *benchmark;
    bool failed; /* false: skipped */
    char *why;   /* one line */
} export_missing;

/* How the folder's results came about: a key of run.txt. */
typedef struct {
    const char *key;
    char *value;
} export_circumstance;
enum { EXPORT_CIRCUMSTANCES = 8 };

typedef struct {
    const char *cluster; /* --cluster; NULL: not told */
    bool flat;           /* as before there were labels: what a metric is of is in its name */
    suite_table table;
    suite_place place;
    suite_entry *entry; /* of each run of the table */
    suite_metrics metrics;
    export_circumstance run[EXPORT_CIRCUMSTANCES]; /* value NULL: not told */
    export_result *result;
    size_t n;
    export_missing *missing;
    size_t n_missing;
} export_set;

/* export_read.c: all results of the folder; with better, those of which this way is better. Where a
   benchmark has a metric twice, the first counts. Asks programs for their metrics. The caller's
   cluster and flat stay. Returns 0, or prints one line, which begins with the command's name, and
   returns the exit status. Free with export_free in any case. */
int export_read(const suite_home *home, const char *command, const char *dir, const char *better,
                export_set *set);
void export_free(export_set *set);
/* The value of a key of run.txt; NULL: not told. */
const char *export_told(const export_set *set, const char *key);
/* The value of a label; NULL: the result has none of this name. */
const char *export_label(const export_result *result, const char *key);
/* True if both ends of the result's interval are known. */
bool export_has_interval(const export_result *result);

/* Each writes all of the set to out; false: out of memory. */
bool export_csv(const export_set *set, FILE *out);         /* export_csv.c: RFC 4180 */
bool export_openmetrics(const export_set *set, FILE *out); /* export_openmetrics.c: version 1.0 */
bool export_json(const export_set *set, FILE *out);        /* doc/export.schema.json */
bool export_github(const export_set *set, FILE *out);      /* for github-action-benchmark */

/* export_unit.c: a metric as OpenMetrics names it: letters, digits and low lines, the base unit by
   itself. latency_us becomes latency and seconds. */
typedef struct {
    char *stem, *unit; /* unit: "bytes_per_second"; "" for a pure number. The caller frees both */
    double factor;     /* of a value in the unit given */
} export_name;
export_name export_name_of(const char *metric, const char *unit);
/* The same of a quantity that a program names without its unit: "time" in us. */
export_name export_name_of_quantity(const char *quantity, const char *unit);
/* The text with low lines for what a name cannot have; in place. */
char *export_clean(char *text);

#endif
