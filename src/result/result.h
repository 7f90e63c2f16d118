/* SPDX-License-Identifier: BSD-3-Clause */
/* result.h: what a run leaves behind. Text for people and gnuplot on stdout and in --output FILE,
   the same content with the raw samples as JSON in --json FILE.

   The text:   # key: value          metadata, units in the key
               column column ...     one header line, names with units
               value  value  ...     fixed columns
               # CHECK ...           each acceptance inequality with both sides
               # comment
               # RESULT: PASS|FAIL metric value unit
   A result is written by one rank; the others pass no result around at all. */
#ifndef CM_RESULT_H
#define CM_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "option/option.h"
#include "measure/samples.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options that every benchmark has; CM_RESULT_OPTIONS(&files) gives the entries of its option
   table. */
typedef struct {
    const char *output, *json;
    bool force, quiet;
} cm_result_files;
#define CM_RESULT_OPTIONS(files)                                                               \
    CM_HEADING("Results"),                                                                     \
        CM_TEXT("output", 'o', "FILE", &(files)->output, "also write the text to FILE"),       \
        CM_TEXT("json", 0, "FILE", &(files)->json, "write JSON with all raw samples to FILE"), \
        CM_FLAG("force", 0, &(files)->force, "overwrite existing files"),                      \
        CM_FLAG("quiet", 'q', &(files)->quiet, "no progress on stderr")

/* Before anything is started (and before cm_init): do the files exist (without --force), can
   they be created, are they different, is --json possible in this build? Returns 0 or prints one
   line and returns CM_EXIT_USAGE, or CM_EXIT_SYSTEM when standard output is closed (a file
   opened later would take its number and get the text). Creates nothing. Looks only on launch
   rank 0. */
int cm_result_files_check(const cm_program *program, const cm_result_files *files);

typedef struct cm_result cm_result;

typedef struct {
    const char *name;   /* with its unit: "median_s" */
    const char *format; /* printf's for a double, without width: "%.3e"; whole numbers: "%.0f"; or
                           "=copy|scale|add": a word, the value says which, from 0 */
} cm_result_column;

/* Opens a result for program, which outlives it, and prints nothing yet. columns are copied. NULL,
   and one line said: out of memory, a column's name is not one word or its format not one for a
   double, or a file that cm_result_files_check let pass can no longer be written. */
cm_result *cm_result_open(const cm_program *program, int argc, char **argv,
                          const cm_result_files *files, const cm_result_column *columns,
                          size_t n_columns);

/* Metadata, printed at once, in order; all of it before the first row. The key is lower snake
   case, its unit in it; a key that comes again ("nic") is one more line, and an array in JSON.
   In all texts control characters become blanks and bytes that are not UTF-8 question marks.
   Numbers have a decimal point whatever the locale; NaN is "nan", and null in JSON (infinities
   too). _number: a number in JSON; format as a column's. */
void cm_result_meta(cm_result *result, const char *key, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
void cm_result_meta_number(cm_result *result, const char *key, double value, const char *format);

/* Adds what a result always carries: version and git revision, command line, compilers and
   flags, date, the machine (machine.h), and, where the caller gives it, the backend: a function
   like cm_describe. hosts: names of the ranks' hosts in rank order, n_ranks of them, NULL
   without a communication layer; "oversubscribed: yes" when a host has more ranks than the cores
   that the job has on the host that writes. What the backend says under a key is not said again
   under it by the machine. */
typedef void cm_result_describe(void (*each)(const char *key, const char *value, void *context),
                                void *context);
void cm_result_meta_run(cm_result *result, cm_result_describe *backend, const char *const *hosts,
                        size_t n_ranks);

/* One row: a value a column. samples may be NULL; else copied into the JSON, in unit. Rows are
   printed at once, so that a long run shows them. */
void cm_result_row(cm_result *result, const double *values, const cm_samples *samples,
                   const char *unit);

/* A comment line, "# TEXT". */
void cm_result_comment(cm_result *result, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Checks value relation bound ("<=", "<", ">=", ">", "==") and prints
   "# CHECK: NAME: value <= bound  PASS", with as many digits as make the printed inequality as true
   as the real one. NaN fails. Returns whether it holds; a check that fails makes every verdict
   FAIL. */
bool cm_result_check(cm_result *result, const char *name, double value, const char *relation,
                     double bound);

/* A RESULT line, kept until the end; pass false, a value that is NaN, or any failed check: FAIL.
   The unit is what the program's table of metrics says; a metric that is not in it ends the
   result with one line and CM_EXIT_SYSTEM. */
void cm_result_verdict(cm_result *result, bool pass, const char *metric, double value);

/* " 42 % text" on stderr when it is a terminal and not --quiet, ten times a second at most;
   overwritten by the next and erased by the next line of the result. fraction: 0 to 1. */
void cm_result_progress(cm_result *result, double fraction, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Prints the verdicts, writes the files (to a temporary beside each, then renamed, so that
   nothing is ever half written; without --force an existing file is not replaced even if it came
   during the run), frees. Returns the exit status: CM_EXIT_PASS; CM_EXIT_WRONG when a check or
   verdict failed or there was none ("No verdict, no figure"); CM_EXIT_SYSTEM when writing
   failed, stdout included, or memory did not suffice. A file that cannot get its name stays,
   whole, beside it, and the line says where. Failing to write one (stdout, --output, --json)
   does not keep the others from being written; a pipe whose reader is gone ends the program by
   SIGPIPE only when no file is wanted. */
int cm_result_close(cm_result *result);

#ifdef __cplusplus
}
#endif
#endif
