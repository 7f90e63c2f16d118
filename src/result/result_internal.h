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
#include "measure/states.h"
#include "result/read_internal.h"
#include "result/result.h"

typedef struct {
    int width;
    size_t offset; /* in a row */
    cm_result_cell cell;
} cm_result_layout;
typedef struct {
    char *name;
    const char *unit; /* the program's */
    cm_better better;
    bool pass;
    cm_quantity is;
} cm_result_said;

/* Properties of the rows' samples besides their values: states.c. */
enum { CM_RESULT_STATES = 8 };
typedef struct {
    size_t row; /* counted from 0 */
    char unit[16];
    cm_states is;
} cm_result_states;

/* One value that the description of a host has under a key. The key of a field of a named thing is
   all three: "nic eth0 mtu_bytes". */
typedef struct {
    char *key, *value;
    size_t host;   /* counted from 0 in the order of the lowest ranks */
    size_t place;  /* in the order of the descriptions */
    size_t alike;  /* facts with the same key and the same alike, from 1, have the same value */
    bool is_field; /* only hosts that have the named thing can have it */
} cm_result_fact;

/* The values that the hosts have under one key. */
typedef struct cm_result_difference cm_result_difference;
struct cm_result_difference {
    const cm_result_fact *fact;        /* n of them, by host */
    const cm_result_difference *whole; /* of a field: the named thing, else NULL */
    size_t n, lacking, values; /* hosts that have the key, that do not, and different values */
};

typedef struct {
    struct {
        char *name;
        size_t ranks;
    } * host;
    size_t n;
    cm_result_fact *fact; /* by key and host */
    size_t n_facts;
    cm_result_difference *key, *difference; /* all keys; those in which a host differs from the
                                               first one */
    size_t n_keys, n_differences;
} cm_result_hosts;

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

    cm_result_layout *column; /* one for each of the record */
    bool header_printed;

    FILE *out; /* to text, in memory: all that goes to stdout and --output */
    char *text;
    size_t text_bytes, printed;     /* in text, as of the last flush, and of these on stdout */
    const char *const *description; /* of the hosts; NULL: not known. The caller's */
    const char *energy;             /* what counts it; NULL: not said. The caller's */
    cm_result_describe *backend;    /* describes it; NULL: there is none */
    size_t computers, most_ranks;   /* of the job, and ranks on the fullest; 0: not known */
    cm_result_hosts hosts;
    size_t n_rows;    /* as many were given; the record has them only for JSON */
    cm_record record; /* at the end with hosts and metrics; numbers have all digits */
    cm_reader fill;   /* adds to it */
    cm_result_said *metric;
    size_t n_metrics, metric_capacity;

    cm_result_states states[CM_RESULT_STATES]; /* the first ones that were found */
    size_t n_states, rows_with_states, rows_tested;
    size_t samples, disturbed, disturbed_by[CM_DISTURBED_CAUSES]; /* of all rows */
    size_t rows_over_disturbed; /* whose summaries are over disturbed samples, too */

    bool check_failed, out_of_memory;
    bool oversubscribed;   /* more ranks than cores: "not disturbed" is then unknown */
    bool deferred, closed; /* closing waits for cm_result_finish; closing was requested */
    bool unknown_metric;   /* one that the program's table does not have */
    const char *nothing;   /* why no metric is due, or NULL. The caller's */
    int stdout_error;      /* errno of the first write to stdout that failed, or 0 */

    int progress_width; /* columns of the line now on the terminal */
    struct timespec progress_time;
};

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Makes room for one more element; false: out of memory, remembered in the result. */
bool cm_result_grow(cm_result *result, void **list, size_t n, size_t *capacity, size_t element);
char *cm_result_copy(cm_result *result, const char *text); /* cleaned; NULL: out of memory */

/* ---- finding.c ------------------------------------------------------------------------------- */

/* How the line of a finding begins. The lines of other kinds have what= in their brackets. */
enum { CM_FINDING_LEADS = 15 };
typedef struct {
    const char *what, *lead;
    bool of_somebody; /* who stands behind it */
} cm_finding_lead;
extern const cm_finding_lead cm_finding_leads[CM_FINDING_LEADS];

/* ---- read.c ---------------------------------------------------------------------------------- */

/* Opens a file to read it. A pipe in its place would be waited for, and a device read without an
   end. Returns NULL: see errno; 0: it is no file. */
FILE *cm_record_open(const char *path);

/* ---- clean.c: text that fits one line of text and a JSON string ------------------------------ */

/* Control characters become blanks, bytes that are not UTF-8 question marks; in place. */
void cm_result_clean(char *text);
/* The length of the UTF-8 character at text, 0 when there is none. */
size_t cm_result_character(const char *text);

/* ---- words.c --------------------------------------------------------------------------------- */

/* A column of words: its format; the longest word, false: no format of words; the word that a value
   names, false and "nan" where it names none. text: room for CM_RESULT_WORD + 1. */
enum { CM_RESULT_WORD = 60 };
bool cm_result_is_words(const char *format);
bool cm_result_words_width(const char *format, int *width);
bool cm_result_word(const char *format, double value, char *text);

/* ---- number.c -------------------------------------------------------------------------------- */

/* True for words, and for printf's format for one double without width and left alignment; width
   gets what any value needs. */
bool cm_result_format_width(const char *format, int *width);
/* A value in a format that cm_result_format_width accepts, without padding. */
void cm_result_number_text(char *text, size_t size, const char *format, double value);
/* A number as the record of a run has it: with all digits, and a whole one without a point. */
void cm_result_exact_text(char *text, size_t size, double value, bool whole);
/* Does the inequality of a check hold? */
bool cm_result_holds(double value, const char *relation, double bound);
/* "NAME: VALUE <= BOUND  PASS", in the locale in force; NULL: out of memory. The caller frees. */
char *cm_result_check_text(const cm_record_check *check);

/* ---- text.c ---------------------------------------------------------------------------------- */

/* "# KEY: TEXT", without a key "# TEXT"; a cell; a RESULT line. */
void cm_text_line(FILE *out, const char *key, const char *text);
void cm_text_cell(FILE *out, const char *before, int width, const char *text);
void cm_text_metric(FILE *out, const cm_record_metric *metric);

/* ---- print.c --------------------------------------------------------------------------------- */

/* Shows what was written to result->out since the last call. */
void cm_result_print(cm_result *result);
void cm_result_print_line(cm_result *result, const char *key, const char *text);

/* ---- rows.c ---------------------------------------------------------------------------------- */

/* Once, and only if there are columns. */
void cm_result_print_header(cm_result *result);
/* What the row has for a column. */
double cm_result_cell_value(const cm_result_layout *column, const void *row);

/* ---- hosts.c: what differs between the hosts of the job -------------------------------------- */

/* Compares the descriptions, NULL at their end, of the hosts of the result. Does nothing if there
   are not as many descriptions as hosts. false: out of memory. */
bool cm_result_hosts_compare(cm_result *result, const char *const *description);
void cm_result_hosts_free(cm_result_hosts *hosts);
/* Adds the hosts, and what differs from the first, to the record. false: out of memory. */
bool cm_result_hosts_keep(cm_result *result);

/* Sets alike[host], for all hosts, to the number of the host's value, 0 if it has none, or
   CM_RESULT_NOT_ASKED for a field of a named thing that the host lacks. */
#define CM_RESULT_NOT_ASKED SIZE_MAX
void cm_result_alike(const cm_result_hosts *hosts, const cm_result_difference *difference,
                     size_t *alike);

/* ---- hosts_words.c --------------------------------------------------------------------------- */

/* "nic eth0 mtu_bytes: 1500 (node3); 9000 (node1, node2, node4 and 60 others)"; NULL: out of
   memory. The caller frees. */
char *cm_result_difference_words(const cm_result_hosts *hosts,
                                 const cm_result_difference *difference);

/* ---- states.c -------------------------------------------------------------------------------- */

/* Looks for two states in the samples of a row. cm_result_say_states: comment lines of all that
   were found. */
void cm_result_find_states(cm_result *result, size_t row, const cm_samples *samples,
                           const char *unit);
void cm_result_say_states(cm_result *result);

/* ---- metadata.c ------------------------------------------------------------------------------ */

/* Adds what the backend knows only at the end. */
void cm_result_say_last(cm_result *result);

/* ---- disturbed.c ----------------------------------------------------------------------------- */

/* Counts the disturbed samples of a row. cm_result_say_disturbed: one comment line on all rows. */
void cm_result_count_disturbed(cm_result *result, const cm_samples *samples);
void cm_result_say_disturbed(cm_result *result);

/* ---- json.c ---------------------------------------------------------------------------------- */

/* Returns the reason why this build cannot write --json; NULL: it can. */
const char *cm_result_json_missing(void);
/* ---- files.c, write.c ------------------------------------------------------------------------ */

/* Finds out where name will lie. false: it cannot be written, with why ("exists; ..."), to
   follow the name, as cm_result_name_shown gives it, in an error line. */
bool cm_result_target_find(const char *name, bool force, cm_result_target *target, char *why,
                           size_t size);
void cm_result_target_free(cm_result_target *target);
const char *cm_result_name_shown(const char *name); /* '' for an empty one */
/* Writes the whole file or nothing: writes to a temporary file beside target and renames it.
   Returns false and sets why if that fails. */
typedef bool cm_result_writer(const void *content, FILE *file);
bool cm_result_write(const cm_result_target *target, bool force, cm_result_writer *writer,
                     const void *content, char *why, size_t size);
bool cm_result_write_text(const cm_result_target *target, bool force, const char *text,
                          size_t bytes, char *why, size_t size);

enum { CM_RESULT_WHY = 2 * 4096 + 256 }; /* room for a reason that names a path */

/* ---- command.c ------------------------------------------------------------------------------- */

/* The words of a command as a shell reads them back; NULL: out of memory. The caller frees. */
char *cm_result_command(int argc, char *const *argv);

/* ---- progress.c ------------------------------------------------------------------------------ */

void cm_result_progress_erase(cm_result *result);

#endif
