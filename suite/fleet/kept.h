/* SPDX-License-Identifier: BSD-3-Clause */
/* kept.h: what a cluster gave, kept over months: a folder of plain files, one a result, that needs
   nothing else to run. A file is DIR/20261128T234500-CLUSTER-89abcdef.json: the time of the run in
   UTC, the cluster's name, and the checksum of its content; doc/kept.schema.json says what is in
   it. */
#ifndef SUITE_KEPT_H
#define SUITE_KEPT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include "common/home.h"

enum { SUITE_KEPT_VERSION = 1, SUITE_KEPT_SUM = 8 /* digits of the checksum */ };

/* Numbers are NaN, strings NULL where the file has null. Strings are those of suite_kept.root. */
typedef struct {
    const char *benchmark, *metric, *unit; /* "patterns-ping", "latency_us", "us" */
    const char *better;                    /* "low", "high", "neither" */
    const char *meaning;
    const char *operation, *algorithm, *precision;
    double value, low, high;
    const char *interval, *over; /* as cm_record_metric has them */
    size_t n, hosts, ranks;      /* 0: not known */
    double *values;              /* one a launch, in their order; finite */
    size_t n_values;
    bool disturbed, pass;
} suite_kept_result;

typedef struct {
    const char *metric, *unit, *better;
    double *values; /* one a launch; finite, one at least */
    size_t n_values;
} suite_kept_quantity;

typedef struct {
    const char *name;
    size_t ranks;
    bool disturbed;  /* so many samples of all hosts were that rates may be too low */
    bool stands_out; /* it was named as slow: its values are not how it should be */
    const json_t
        *machine; /* of the circumstances in "machine" those that this host has otherwise */
    suite_kept_quantity *quantity;
    size_t n;
} suite_kept_host;

typedef struct {
    char *file; /* name in its folder; NULL: it was not read from one */
    json_t *root;
    const char *cluster, *date; /* "2026-11-28T23:45:00Z" */
    time_t time;                /* that date */
    suite_kept_result *result;
    size_t n_results;
    suite_kept_host *host;
    size_t n_hosts;
} suite_kept;

typedef struct {
    suite_kept *kept; /* by time, the earliest first; by name where that is the same */
    size_t n;
    size_t skipped; /* files that were told and left out */
} suite_history;

/* A circumstance of the part "run" or "machine": suite_kept_told(kept, "machine", "kernel"). NULL:
   not told. */
const char *suite_kept_told(const suite_kept *kept, const char *part, const char *key);
void suite_kept_free(suite_kept *kept);

/* kept_take.c: what a folder of `clustermark run` or `clustermark nodes`, or one result in a file,
   has to keep. cluster: its name; NULL: the place that it ran on, or what the names of its hosts
   begin with (n of n01 and n02). Refused are results that are edited,
   unfinished, failed or without hosts' names. command begins the line that says so. Returns 0, or
   prints one line and returns the exit status. Free with suite_kept_free in any case. */
int suite_kept_take(const suite_home *home, const char *command, const char *path,
                    const char *cluster, suite_kept *kept);
/* The same file: the name that somebody gave a cluster as kept results have it: low lines stand for
   all but letters, digits and dots. The caller frees. */
char *suite_kept_cluster(const char *name);

/* kept_write.c: writes the result to a file of DIR, whole or not at all, also if others write there
   at the same time. *file is its name, which the caller frees; *was_there is true if the same
   result was kept before. Returns true, or prints one line and returns false. */
bool suite_kept_write(const char *command, const char *dir, const suite_kept *kept, char **file,
                      bool *was_there);
/* The same file: the name that the content gives; the caller frees. */
char *suite_kept_name(const suite_kept *kept);

/* kept_read.c: reads all files of DIR with names in .json, but those that begin with a dot: the
   folder may be a Git repository. Tells in one line each which of them it leaves out, and why: it
   is damaged or was edited, or is no kept result. Returns 0, or prints one line and returns the
   exit status if DIR cannot be read. Free with suite_history_free in any case. */
int suite_kept_read_all(const char *command, const char *dir, suite_history *history);
void suite_history_free(suite_history *history);
/* The same file: reads the fields of kept->root, which it owns then, into *kept. Returns true, or
   false with a text in *why, which the caller frees. */
bool suite_kept_parse(suite_kept *kept, char **why);

/* kept_fits.c: whether the result may stand in the history: of the same cluster, each benchmark
   with as many hosts and ranks. Returns NULL, or a text that says what is not the same; the caller
   frees. */
char *suite_kept_misfit(const suite_history *history, const suite_kept *kept);
/* The same file: the name to take a result by that is held against the history: its cluster's,
   which may be a name of its own. In an empty one, which is of no cluster, any does. */
const char *suite_history_cluster(const suite_history *history);
/* The same file: the kept result with the same values of all metrics and hosts and about the same
   date: that of the same run, from its folder or its file. NULL: there is none. */
const suite_kept *suite_kept_twin(const suite_history *history, const suite_kept *kept);

#endif
