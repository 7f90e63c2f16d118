/* SPDX-License-Identifier: BSD-3-Clause */
/* read_internal.h: a record while it is filled, by the files read*.c and by a run. */
#ifndef CM_READ_INTERNAL_H
#define CM_READ_INTERNAL_H

#include <stdio.h>
#include "result/read.h"

typedef struct {
    cm_record *record;
    size_t n_cells;
    const char *path;
    char *why;
    size_t why_size;
} cm_reader;

/* ---- read_fill.c: the record's lists --------------------------------------------------------- */

/* Writes "PATH: REASON" to why. Returns false. */
__attribute__((format(printf, 2, 3))) bool cm_reader_fail(cm_reader *reader, const char *format,
                                                          ...);

/* The functions below add one entry to a list of the record, with copies of the strings. They
   return false after cm_reader_fail: memory is short. */
bool cm_reader_meta(cm_reader *reader, const char *key, const char *value, bool number);
bool cm_reader_host(cm_reader *reader, const char *name, size_t ranks);
bool cm_reader_differs(cm_reader *reader, size_t host, const char *key, const char *value,
                       bool number);
bool cm_reader_column(cm_reader *reader, const char *name, const char *format);
bool cm_reader_cell(cm_reader *reader, const char *text); /* of the row under way */
bool cm_reader_check(cm_reader *reader, const cm_record_check *check);
/* A word KEY=VALUE, of a fit to the model; a word of another form adds nothing. */
bool cm_reader_parameter(cm_reader *reader, const char *model, size_t model_length,
                         const char *word, size_t length);
bool cm_reader_fastest(cm_reader *reader, const char *text);
/* A comment, whatever it says. */
bool cm_reader_plain(cm_reader *reader, const char *text);
bool cm_reader_metric(cm_reader *reader, const cm_record_metric *metric);
bool cm_reader_finding(cm_reader *reader, const cm_record_finding *finding);
/* Takes over value, also when it returns false. */
bool cm_reader_samples(cm_reader *reader, size_t row, const char *unit, double *value, size_t n);

/* ---- read_comment.c -------------------------------------------------------------------------- */

/* Takes the text after "# ": the parameters of a fit, a line on the fastest, a finding, or a
   comment. */
bool cm_reader_comment(cm_reader *reader, const char *text);

/* ---- key.c ----------------------------------------------------------------------------------- */

/* Is this text a key of metadata? Some units have capitals: gemm_Gflop_per_s. */
bool cm_reader_is_key(const char *text, size_t length);
/* Do the values of this key count or measure something? */
bool cm_result_counts(const char *key);
/* Is this known only when all messages have been sent, so that its line follows the rows? */
bool cm_result_comes_last(const char *key);

/* ---- record.c -------------------------------------------------------------------------------- */

/* Frees the record, and the cells of a row that is not whole. */
void cm_reader_free(cm_reader *reader);

/* ---- finding_read.c -------------------------------------------------------------------------- */

/* Adds the findings of the line, without "# ". Sets *is_finding; a line that is none is a comment.
   Returns false after cm_reader_fail. */
bool cm_reader_finding_line(cm_reader *reader, const char *text, bool *is_finding);

/* ---- read_text.c, read_json.c ---------------------------------------------------------------- */

/* Read the rest of the file, of which lines lines are read. The locale is "C". */
bool cm_reader_text(cm_reader *reader, FILE *file, size_t lines);
bool cm_reader_json(cm_reader *reader, FILE *file, size_t lines);

#endif
