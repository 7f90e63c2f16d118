/* SPDX-License-Identifier: BSD-3-Clause */
/* result_internal.h: what a result holds until it is closed; shared by the files of src/result. */
#ifndef CM_RESULT_INTERNAL_H
#define CM_RESULT_INTERNAL_H

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include "result/result.h"

typedef struct {
    char *name, *format;
    int width;
} cm_result_layout;
typedef struct {
    char *key, *text;
    double number;
    bool is_number, is_whole;
} cm_result_entry;
typedef struct {
    size_t row, n;
    char *unit;
    double *value;
} cm_result_raw;
typedef struct {
    char *name, *relation;
    double value, bound;
    bool pass;
} cm_result_checked;
typedef struct {
    char *metric;
    const char *unit; /* the program's */
    double value;
    bool pass;
} cm_result_said;

/* A file that will be written: --output or --json. */
typedef struct {
    char *path;   /* absolute, links followed; NULL: not wanted */
    char *folder; /* where it lies, absolute */
    bool exists;
    struct stat file, in; /* of the file, where it exists, and of its folder */
} cm_result_target;

struct cm_result {
    const cm_program *program;
    char *command; /* as typed, for the metadata */
    bool quiet, force;
    cm_result_target output, json;
    locale_t numbers; /* "C": a decimal point whatever the user's language */

    cm_result_layout *column;
    size_t n_columns;
    bool header_printed;

    /* The lists below grow by cm_result_grow; what only JSON needs is kept only for JSON. */
    char *text; /* all that went to stdout, for --output */
    size_t text_bytes, text_capacity;
    cm_result_entry *meta;
    size_t n_meta, meta_capacity;
    double *cell; /* n_rows x n_columns */
    size_t n_rows, n_cells, cell_capacity;
    cm_result_raw *raw;
    size_t n_raw, raw_capacity;
    cm_result_checked *check;
    size_t n_checks, check_capacity;
    char **comment;
    size_t n_comments, comment_capacity;
    cm_result_said *verdict;
    size_t n_verdicts, verdict_capacity;

    bool check_failed, out_of_memory;
    bool unknown_metric; /* one that the program's table does not have */
    int stdout_error;    /* errno of the first write to stdout that failed, or 0 */

    int progress_width; /* columns of the line now on the terminal */
    struct timespec progress_time;
};

/* ---- result.c -------------------------------------------------------------------------------- */

/* Makes room for one more element; false: out of memory, remembered in the result. */
bool cm_result_grow(cm_result *result, void **list, size_t n, size_t *capacity, size_t element);
char *cm_result_copy(cm_result *result, const char *text); /* cleaned; NULL: out of memory */

/* ---- clean.c: text that fits one line of text and a JSON string ------------------------------ */

/* Control characters become blanks, bytes that are not UTF-8 question marks; in place. */
void cm_result_clean(char *text);
/* The length of the UTF-8 character at text, 0 when there is none. */
size_t cm_result_character(const char *text);

/* ---- text.c ---------------------------------------------------------------------------------- */

/* printf's format for one double without width and left alignment; width gets what any value
   needs. */
/* words.c. A column of words: its format; the longest word, false: no format of words; the word
   that a value names, false and "nan" where it names none. text: room for CM_RESULT_WORD + 1. */
enum { CM_RESULT_WORD = 60 };
bool cm_result_is_words(const char *format);
bool cm_result_words_width(const char *format, int *width);
bool cm_result_word(const char *format, double value, char *text);

bool cm_result_format_width(const char *format, int *width);
void cm_result_print_entry(cm_result *result, const cm_result_entry *entry);
void cm_result_print_comment(cm_result *result, const char *text);
void cm_result_print_header(cm_result *result);
void cm_result_print_row(cm_result *result, const double *values);
void cm_result_print_verdict(cm_result *result, const cm_result_said *verdict);

/* ---- json.c ---------------------------------------------------------------------------------- */

/* Why --json cannot be had from this build; NULL: it can. */
const char *cm_result_json_missing(void);
/* Writes the result; false: see errno (ENOMEM: it did not fit into memory). */
bool cm_result_json_write(const cm_result *result, FILE *file);

/* ---- files.c, write.c ------------------------------------------------------------------------ */

/* Finds out where name will lie. false: it cannot be written, with why ("exists; ..."), to
   follow the name in an error line. */
bool cm_result_target_find(const char *name, bool force, cm_result_target *target, char *why,
                           size_t size);
void cm_result_target_free(cm_result_target *target);
/* Whole or not at all: writes to a temporary beside target and renames it. false: why says what
   failed. */
typedef bool cm_result_writer(const cm_result *result, FILE *file);
bool cm_result_write(const cm_result *result, const cm_result_target *target,
                     cm_result_writer *writer, char *why, size_t size);

enum { CM_RESULT_WHY = 2 * 4096 + 256 }; /* room for a reason that names a path */

/* ---- command.c ------------------------------------------------------------------------------- */

/* The words of a command as a shell reads them back; NULL: out of memory. The caller frees. */
char *cm_result_command(int argc, char *const *argv);

/* ---- progress.c ------------------------------------------------------------------------------ */

void cm_result_progress_erase(cm_result *result);

#endif
