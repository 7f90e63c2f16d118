/* SPDX-License-Identifier: BSD-3-Clause */
/* read.h: reads a result again: the JSON of --json, in a build with jansson, or the text that
   result.h describes. Both give the same record; only the JSON has samples, hosts and formats. And
   writes a record as text and as JSON. */
#ifndef CM_RESULT_READ_H
#define CM_RESULT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include "result/finding.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All texts are those of the file, cleaned as result.h says: one line of UTF-8. Numbers in JSON
   become texts in the form that the text file has (the column's format; six digits in metrics;
   in the metadata, as few digits as bring the number back), and null becomes "nan". A record owns
   its strings and arrays. */
typedef struct {
    char *key, *value;
    bool number; /* in JSON it is a number or null, not a text */
} cm_record_entry;
typedef struct {
    char *text; /* "wrong_bytes: 0 == 0  PASS" */
    bool pass;
    char *name, *relation; /* the parts of the text; NULL, and NaN, where it has another form */
    double value, bound;
} cm_record_check;
typedef struct {
    char *model, *key, *value; /* "# fit: model=MODEL KEY=VALUE ..." */
} cm_record_fit;
/* A metric: a number of the run that has a name. Behind its unit there may be words KEY=VALUE; the
   members from low on are theirs. */
typedef struct {
    char *name, *value, *unit;
    bool pass;
    double low, high; /* of the value's interval, in its unit; NaN: not there, or not finite */
    char *interval;   /* what low and high are: "95%", "range"; NULL: not there */
    char *over;       /* what the values are of: "trials", "launches"; NULL: not there */
    size_t n;         /* how many values; 0: not there */
    bool disturbed;   /* false also where it is not there */
    bool tells;       /* true if it says whether it was disturbed */
    bool unseen;      /* nothing was looked at: only of a run that ends, never read */
    char *better;     /* "low", "high", "neither"; NULL: not there */
} cm_record_metric;
typedef struct {
    size_t row, n; /* row counts from 0 */
    char *unit;
    double *value;
    char *of;             /* what they are; NULL: the row has no others. Not read again */
    unsigned char *cause; /* what disturbed each, 0 nothing; NULL: none. Not read again */
} cm_record_samples;

/* Numbers are NaN and strings NULL if they are missing. finding.h describes the members. */
typedef struct {
    char *who;                      /* "n17", "n3-n9", "n4, n5" */
    char *what;                     /* "stands_out" */
    char *quantity;                 /* "triad" */
    double value, low, high, bound; /* in the unit; what to stand out had to pass the bound */
    char *unit;
    char *words; /* the sentence, without who; empty: the sentence of the finding before covers it,
                    too */
    size_t launches, of_launches; /* it was in some of them; 0: the result is of one launch */
} cm_record_finding;

/* Only the JSON has hosts. differs is what is not as on the first host: keys of the metadata or
   "nic eth0 mtu_bytes", with "nan" for what this host does not have. */
typedef struct {
    char *name;
    size_t ranks;
    cm_record_entry *differs;
    size_t n_differs;
} cm_record_host;

typedef struct {
    cm_record_entry *meta;
    size_t n_meta;
    cm_record_host *host; /* in the order of their lowest ranks */
    size_t n_hosts;
    char **column, **format; /* format[k] of the k-th column as in JSON; from text NULL */
    size_t n_columns;
    char **cell; /* n_rows x n_columns, row by row */
    size_t n_rows;
    cm_record_check *check;
    size_t n_checks;
    cm_record_fit *fit;
    size_t n_fits;
    char **fastest; /* what follows "# fastest: " */
    size_t n_fastest;
    char **comment; /* the other comments, without "# " */
    size_t n_comments;
    cm_record_finding *finding;
    size_t n_findings;
    cm_record_metric *metric;
    size_t n_metrics;
    cm_record_samples *samples;
    size_t n_samples;
} cm_record;

/* Reads the file into *record. A file that begins with { (after empty lines) is JSON.

   Returns true, or false with one line in why (of why_size bytes) that begins with the file's name
   and says what is wrong: it cannot be opened or read; memory is short; a row has more or fewer
   cells than the header; a RESULT line lacks a word; a line has a NUL byte; JSON that is not a
   clustermark result, or that this build cannot read. It names the line, or for JSON that is well
   formed the entry (rows[2]). After false the record is empty.

   A text that was cut short is read as far as it goes: a last line without its newline is left out
   if words are missing. Metadata are the lines "# KEY: VALUE" before the header, and after it
   those of the keys that are known only at the end (cm_result_meta_run). Any other line that begins
   with # and is not described above is a comment. Words of a RESULT line with an unknown key are
   ignored. Free the record with cm_record_free. */
bool cm_record_read(const char *path, cm_record *record, char *why, size_t why_size);
void cm_record_free(cm_record *record); /* leaves it empty; an empty record may be freed */

/* Returns true if the run ended: it says a metric. */
bool cm_record_complete(const cm_record *record);
/* Returns true if a metric is FAIL. */
bool cm_record_failed(const cm_record *record);
/* Returns true if a check failed, or any metric other than the number of findings is FAIL,
   because hosts that stand out are not a wrong answer. */
bool cm_record_wrong(const cm_record *record);

/* The value of the first entry with this key, or NULL. */
const char *cm_record_meta(const cm_record *record, const char *key);
/* Is this metadata that each run measures or reads anew, so that it differs from one moment to the
   next on the same host: free memory, clock_cost_s, what is known of the peak, copy_ways? */
bool cm_record_is_of_moment(const char *key);
/* The index of the column, or -1. */
int cm_record_column(const cm_record *record, const char *name);
/* The cell; row and column must exist. */
const char *cm_record_cell(const cm_record *record, size_t row, size_t column);
/* The first value of the fit's parameter, or NULL. */
const char *cm_record_fit_value(const cm_record *record, const char *model, const char *key);
/* The first metric of this name, or NULL. */
const cm_record_metric *cm_record_metric_of(const cm_record *record, const char *name);

/* Returns the k-th finding of this kind, from 0, or NULL. */
const cm_record_finding *cm_record_finding_of(const cm_record *record, const char *what, size_t k);
/* Returns how many findings one sentence says: that one, and those after it without words. */
size_t cm_record_findings_said(const cm_record *record, size_t at);
/* Returns the line of text of n findings, or NULL if memory is short. The line includes the data of
   the findings, for cm_record_read, except for disturbances. The caller frees it. */
char *cm_record_finding_line(const cm_record_finding *finding, size_t n);
char *cm_record_finding_said(const cm_record_finding *finding);
/* The text of a record, and of that the comments with those on the fastest and the fits. The caller
   frees. NULL: memory is short. */
char *cm_record_text(const cm_record *record);
char *cm_record_comments(const cm_record *record);
/* Its JSON, without a newline at the end. program: NULL, as the metadata say. Numbers have at most
   so many digits; 17 bring a double back bit for bit. launches, unless it is NULL, adds their files
   and metrics. The caller frees. NULL: memory is short, or this build has no JSON. */
typedef struct {
    char **file; /* "launches/netpipe.1.json", which have the samples */
    cm_record *record;
    size_t n;
} cm_record_launches;
char *cm_record_json(const cm_record *record, const char *program, int digits,
                     const cm_record_launches *launches);
/* Copies all strings. Returns false if memory is short. */
bool cm_finding_copy(const cm_record_finding *finding, cm_record_finding *own);
void cm_finding_free(cm_record_finding *finding);

/* Converts a whole text, a decimal number with or without exponent, in any locale. Returns false
   for any other text, for nan, and for values that overflow a double: such a cell has no value. */
bool cm_record_number(const char *text, double *value);

#ifdef __cplusplus
}
#endif
#endif
