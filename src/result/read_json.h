/* SPDX-License-Identifier: BSD-3-Clause */
/* read_json.h: shared by the files that read the JSON of a result. */
#ifndef CM_READ_JSON_H
#define CM_READ_JSON_H

#include <stdbool.h>
#include "result/read_internal.h"

#ifdef HAVE_JANSSON
#include <jansson.h>

enum { CM_JSON_NUMBER = 512 }; /* bytes of a number's text: "%.40f" of 1e308 has 351 */

/* ---- read_json_value.c ----------------------------------------------------------------------- */

/* Is it a cell or a name that stands between blanks in the text? NULL is none. */
bool cm_json_is_word(const char *text);
/* The member that is a text, or NULL. */
const char *cm_json_string(const json_t *object, const char *key);
/* A number, or null for NaN. Returns false, with NaN, if it is neither. */
bool cm_json_number(const json_t *value, double *number);
/* Adds metadata, or a comment where key is NULL, cleaned as lines of a text are. Returns false
   after cm_reader_fail. */
bool cm_json_line(cm_reader *reader, const char *key, const char *text);

/* ---- read_json_said.c ------------------------------------------------------------------------ */

/* Read a member of the root. Return false after cm_reader_fail. Results before schema 3 have no
   findings, but comments. */
bool cm_json_checks(cm_reader *reader, json_t *checks);
bool cm_json_comments(cm_reader *reader, json_t *comments);
bool cm_json_findings(cm_reader *reader, const json_t *findings);
bool cm_json_results(cm_reader *reader, json_t *results);

#endif
#endif
