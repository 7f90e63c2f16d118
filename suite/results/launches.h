/* SPDX-License-Identifier: BSD-3-Clause */
/* launches.h: the launches of one run, DIR/launches/NAME.1.txt and so on, and their common result.
   Each launch finds the machine in a random state, so only several launches predict the next one.
   */
#ifndef SUITE_LAUNCHES_H
#define SUITE_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include "result/read.h"
#include "common/table.h"

enum { SUITE_LAUNCHES_MOST = 100 };
/* The advised number of launches per side: the smallest number with a 95 % interval, without which
   nothing can be called the same, and with which an exact rank test can detect a change of each of
   up to 23 programs: 2 / C(12, 6) <= 0.05 / 23. As a number, and as text for options. */
#define SUITE_LAUNCHES_ADVISED 6
#define SUITE_LAUNCHES_TEXT SUITE_LAUNCHES_QUOTED(SUITE_LAUNCHES_ADVISED)
#define SUITE_LAUNCHES_QUOTED(number) SUITE_LAUNCHES_QUOTED_(number)
#define SUITE_LAUNCHES_QUOTED_(number) #number

typedef struct {
    char **file; /* "launches/netpipe.1.txt", below DIR */
    cm_record *record;
    size_t n;
    size_t middle; /* the launch whose first metric is the median, the lower one of two */
} suite_launches;

/* DIR/launches/NAME.K.SUFFIX, K from 1; the caller frees. */
char *suite_launch_path(const char *dir, const char *name, size_t k, const char *suffix);

/* The launch's record: its JSON or, if there is none, its text. The caller frees. */
char *suite_launch_record(const char *dir, const char *name, size_t k);

/* Reads launches 1 to n of the run. Returns true, or false with one line in why if one of them is
   missing, cannot be read or is not complete. Free with suite_launches_free in any case. */
bool suite_launches_read(const char *dir, const char *name, size_t n, suite_launches *launches,
                         char *why, size_t why_size);
void suite_launches_free(suite_launches *launches);

/* combine.c: what the launches say together, as a result of the same form. A number of a row, a
   parameter of a fit and a metric are medians over the launches; low and high are the interval over
   launches: with 95 % confidence from six launches on, from the least to the greatest of fewer.
   rows names the columns that say what a row is about. Comments are those of the middle launch,
   which the metadata launch_of_comments names.
   Checks and metrics are those of all launches, the middle one's first. */
void suite_combine(const suite_launches *launches, const char *rows, cm_record *combined);

/* Is this metadata a number that each launch measures anew, of a benchmark or of the machine, so
   that a difference between launches or results says nothing of what was set? */
bool suite_is_measured(const char *key);

/* combine_findings.c: the findings of that: those of the middle launch, what stands out or could
   not be told in any launch, with in how many, and what disturbed the samples of all. Returns true
   if who stands out was judged by all launches together (together.h): then what stands out in a few
   launches is said, but stands out in all of them only if they agree. */
bool suite_combine_findings(const suite_launches *launches, cm_record *combined);

/* combine_rows.c: the columns and rows of that. */
void suite_combine_rows(const suite_launches *launches, const char *rows, cm_record *combined);

/* Writes DIR/NAME.json and the text that belongs to it, whole or not at all. Returns true, or
   prints one line and returns false. */
bool suite_combined_write(const char *dir, const char *name, const suite_launches *launches,
                          const cm_record *combined);

#endif
