/* SPDX-License-Identifier: BSD-3-Clause */
/* result.h: writes the result of a run: text for people and gnuplot on stdout and in --output FILE,
   and the same content with the raw samples as JSON in --json FILE.

   The text:   # key: value          metadata, units in the key
               column column ...     one header line, names with units
               value  value  ...     fixed columns
               # key: value          metadata that are known only at the end
               # CHECK ...           each acceptance inequality with both sides
               # comment
               # finding: WHO: words [value=... unit=... quantity=...]   and other findings
               # RESULT: PASS|FAIL metric value unit [low=... high=... interval=95%|range
                                                     over=trials n=... disturbed=yes|no|unknown]
   One rank writes the result; the other ranks have no cm_result. */
#ifndef CM_RESULT_H
#define CM_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "option/option.h"
#include "measure/quantity.h"
#include "result/finding.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The options that every benchmark has. CM_RESULT_OPTIONS(&files) gives their rows for its option
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

/* Checks the files before anything is started (and before cm_init): that they do not exist (unless
   --force is given), that they can be created, that they are different, and that this build
   supports --json. Returns 0, or prints one line and returns CM_EXIT_USAGE. Returns CM_EXIT_SYSTEM
   if standard output is closed, because a file opened later would take its number and get the text.
   Creates nothing. Only launch rank 0 checks; the other ranks return 0. */
int cm_result_files_check(const cm_program *program, const cm_result_files *files);

/* The same for a file of the program's own, such as one that its input names. said stands before
   the name in the error line ("--hpl HPL.dat:3: "). */
int cm_result_file_check(const cm_program *program, const char *said, const char *name, bool force);
/* Checks that a file of the program's own, which said names ("--checkpoint"), is none of these, by
   whichever way. Only launch rank 0 checks. */
int cm_result_file_differs(const cm_program *program, const char *said, const char *name,
                           const cm_result_files *files);

typedef struct cm_result cm_result;

/* A row is a struct, and a column shows one of its members. A table of columns has an entry
   CM_COLUMN(row, member, name, format) for each: row is the struct's type, member one of its
   members, which may be a part of another struct or an element of an array ("time_s.median",
   "share[2]"), of any arithmetic type but float and long double. */
typedef enum {
    CM_CELL_DOUBLE,
    CM_CELL_BOOL,
    CM_CELL_INT,
    CM_CELL_UNSIGNED,
    CM_CELL_LONG,
    CM_CELL_UNSIGNED_LONG,
    CM_CELL_LONG_LONG,
    CM_CELL_UNSIGNED_LONG_LONG
} cm_result_cell;
typedef struct {
    const char *name;   /* one word with its unit: "median_s" */
    const char *format; /* a printf format for a double, without width: "%.3e"; for whole numbers
                           "%.0f"; or words, "=copy|scale|add", of which the value is the index,
                           from 0 */
    size_t offset;      /* of the member in the row */
    cm_result_cell cell;
} cm_result_column;
#define CM_COLUMN(row, member, name, format)                                \
    {                                                                       \
        name, format, offsetof(row, member), CM_CELL_OF(((row *)0)->member) \
    }
/* clang-format off */
#define CM_CELL_OF(member)                    \
    _Generic(member,                          \
        double: CM_CELL_DOUBLE,               \
        bool: CM_CELL_BOOL,                   \
        int: CM_CELL_INT,                     \
        unsigned: CM_CELL_UNSIGNED,           \
        long: CM_CELL_LONG,                   \
        unsigned long: CM_CELL_UNSIGNED_LONG, \
        long long: CM_CELL_LONG_LONG,         \
        unsigned long long: CM_CELL_UNSIGNED_LONG_LONG)
/* clang-format on */

/* Opens a result of n_columns columns and prints nothing yet. program must outlive the result;
   columns are copied. argc and argv are main's, for the command line in the metadata. Returns NULL
   after one line on stderr if memory is short, if a column's name is not one word, if its format is
   not one for a double, or if a file that cm_result_files_check accepted can no longer be
   written. */
cm_result *cm_result_open(const cm_program *program, int argc, char **argv,
                          const cm_result_files *files, const cm_result_column *columns,
                          size_t n_columns);

/* Adds metadata: text, or with cm_result_meta_number a value that is a number in JSON and has a
   format as a column has. Metadata are printed at once, in the order of the calls. Add all of them
   before the first row. The key is in lower snake case and contains its unit. A key that occurs
   again ("nic") adds one more line, and makes an array in JSON.

   In all texts control characters become blanks and bytes that are not UTF-8 become question marks.
   Numbers have a decimal point in every locale. NaN is "nan"; in JSON, NaN and infinities are
   null. */
void cm_result_meta(cm_result *result, const char *key, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
void cm_result_meta_number(cm_result *result, const char *key, double value, const char *format);

/* Adds the metadata that every result has: version and git revision, command line, compilers and
   flags, date, the machine (machine.h) and, unless backend is NULL, the backend. backend is a
   function like cm_describe. A key that the backend reports is not reported again by the machine.
   cm_result_close asks the backend again, for what is known only then, so it comes before
   cm_finalize: the lines "copy", "copy_refused", "copy_ways" and "unexpected_bytes_most", which
   follow the rows and are metadata, too.
   hosts is an array of n_ranks names, the host of each rank in rank order; it is NULL without a
   communication layer. "oversubscribed" is "yes" if a host, or a computer of
   cm_result_describe_computers, has more ranks than the job has cores on the host that writes,
   otherwise "no". If the backend reports delay_ns, a comment says that
   messages were delayed on purpose. */
typedef void cm_result_each(const char *key, const char *value, void *context);
typedef void cm_result_describe(cm_result_each *each, void *context);
void cm_result_meta_run(cm_result *result, cm_result_describe *backend, const char *const *hosts,
                        size_t n_ranks);

/* Tells cm_result_meta_run that the hosts are this number of computers, the fullest of which has
   most_ranks ranks: hosts that share a kernel share its cores. If there are fewer computers than
   hosts, the result gets the metadata "computers". */
void cm_result_describe_computers(cm_result *result, size_t computers, size_t most_ranks);

/* Calls each(key, value, context) for the version, the git revision, the compilers and their flags:
   what cm_result_meta_run says of this build. */
void cm_result_describe_build(cm_result_each *each, void *context);

/* Gives the result the descriptions of all hosts of the job, which cm_result_meta_run compares. For
   each key whose values differ it then adds the metadata "hosts_differ", 33 lines at most:

       hosts_differ: nic eth0 mtu_bytes: 1500 (node3); 9000 (node1, node2, node4 and 60 others)

   JSON has all differences. descriptions has one text for each host, in the order of the hosts'
   lowest ranks, and a NULL at its end. It must exist until cm_result_meta_run returns. A text has
   lines "key: value", with the keys of cm_machine_describe and cm_result_describe_build or others.
   The fields of "nic" and "infiniband" are compared one by one. memory_bytes, memory_limit_bytes
   and tsc_hz differ if they differ by more than 1 %. host, memory_free_bytes,
   clock_resolution_s, clock_cost_s and what is measured of the peak (core_clock_hz, core_peak_from,
   vector_bits, flop_per_cycle, fma_..., core_..._flop_per_s) are not compared. */
void cm_result_describe_hosts(cm_result *result, const char *const *descriptions);

/* Sets *least and *most to the least and the greatest number that the hosts of
   cm_result_describe_hosts have under a key. To be called after cm_result_meta_run. Returns false,
   and leaves both alone, if they are not known of every host. */
bool cm_result_hosts_range(const cm_result *result, const char *key, double *least, double *most);

/* Calls each for every host whose value of a key is not that of most hosts (more than half of those
   that are asked for it): "MTU 1500, 63 others 9000". Call it after cm_result_meta_run. value and
   usual are NULL where a host has none. An interface that most hosts do not have is no difference
   (containers make such), and neither is a rate of the time stamp counter. host is the number of
   the host in the order of the lowest ranks, others the number of those that have the usual value.
   Returns false if memory is short. */
typedef void cm_result_odd(size_t host, const char *key, const char *value, const char *usual,
                           size_t others, void *context);
bool cm_result_each_odd(const cm_result *result, cm_result_odd *each, void *context);

/* Calls each for every key in which the hosts differ although no value is that of most hosts, as of
   two hosts that are not alike: cm_result_each_odd names nobody for it. words say who has what, as
   in "hosts_differ". A rate of the time stamp counter is no difference here, either. Returns false
   if memory is short. */
typedef void cm_result_split(const char *key, const char *words, void *context);
bool cm_result_each_split(const cm_result *result, cm_result_split *each, void *context);

/* Tells cm_result_meta_run what counts the energy of the run, or that nothing does: the metadata
   "energy". words must exist until then. */
void cm_result_describe_energy(cm_result *result, const char *words);

/* Adds a row: the struct that the columns were made for. samples may be NULL; otherwise they are
   copied into the JSON, in the given unit (NULL: "1"). Rows are printed at once, so that a long run
   shows them. */
void cm_result_row(cm_result *result, const void *row, const cm_samples *samples, const char *unit);

/* Copies n further samples of the last row into the JSON, in the given unit. of says what they are,
   usually the name of a column; the JSON has it as "of". They are not searched for states, and are
   not counted among the disturbed ones. For rows of several kinds of samples. */
void cm_result_row_samples(cm_result *result, const char *of, const char *unit, size_t n,
                           const double *value);

/* Adds a comment line, "# TEXT". */
void cm_result_comment(cm_result *result, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* A finding: what another program may ask for is here, not in words. In quantity, a unit of NULL
   says that there is no number, low == high that there is no interval; a bound of 0 is none. */
typedef struct {
    const char *who;  /* host "n17", hosts "n4, n5", pair "n3-n9"; NULL: nobody */
    const char *what; /* one word: CM_FINDING_... */
    struct {
        const char *name; /* "triad"; NULL: none */
        double value, low, high;
        const char *unit;
    } quantity;
    double bound; /* what had to be passed, in the unit */
} cm_finding;

/* Adds a finding, which text has as a line and JSON in "findings". The format gives its words;
   those of CM_FINDING_STANDS_OUT, _COUNTERS and _DISTANCE_CHANGED follow "WHO: ".
   cm_result_findings: n findings, one at least, in one sentence; the words of all except the first
   are empty. */
void cm_result_finding(cm_result *result, const cm_finding *finding, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
void cm_result_findings(cm_result *result, const cm_finding *finding, size_t n, const char *format,
                        ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Counts n samples that no row has, of which so many were disturbed, by[k] of them for the cause of
   bit k (CM_DISTURBED_CAUSES of them). A finding at the end tells of these and of those of rows. */
void cm_result_add_disturbed(cm_result *result, size_t n, size_t disturbed, const size_t *by);

/* Checks that "value relation bound" holds, where relation is "<=", "<", ">=", ">" or "==", and
   prints "# CHECK: NAME: value <= bound  PASS". It prints enough digits for the printed inequality
   to be true or false as the real one is. NaN fails. Returns true if the inequality holds; a check
   that fails makes every metric FAIL. */
bool cm_result_check(cm_result *result, const char *name, double value, const char *relation,
                     double bound);

/* Adds a RESULT line, which is printed at the end. It says FAIL if pass is false, if the value is
   NaN, or if any check failed. The interval is left out if its ends are not finite. The line says
   whether the samples were disturbed unless the quantity is a plain number; where the job has more
   ranks than cores, nothing was looked at, and "no" becomes "unknown". The quantity is in the unit
   of the metric in the program's table of metrics. A metric that is not in the table gives one line
   on stderr and makes cm_result_close return CM_EXIT_SYSTEM. */
void cm_result_metric(cm_result *result, bool pass, const char *name, cm_quantity quantity);

/* Shows progress, " 42 % text", on stderr if that is a terminal and --quiet is not given, at most
   ten times a second. fraction is 0 to 1. The next call overwrites the text; the next line of the
   result erases it. */
void cm_result_progress(cm_result *result, double fraction, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Declares that nothing with a metric was requested. The text why, a constant, gives the reason.
   cm_result_close then returns CM_EXIT_PASS without any metric. */
void cm_result_nothing(cm_result *result, const char *why);

/* Prints the metrics, writes the files and frees the result. Each file is written to a temporary
   file beside it, which is then renamed, so that no file is ever half written. Without --force an
   existing file is not replaced, even if it was created during the run. A file that cannot be
   renamed stays, whole, beside its name, and the error line says where. If one of stdout, --output
   and --json cannot be written, the others are still written. A pipe whose reader is gone ends the
   program by SIGPIPE only if no file was requested.

   Returns the exit status: CM_EXIT_PASS; CM_EXIT_WRONG if a check or metric failed or there was no
   metric ("No metric, no figure") although one was due; CM_EXIT_SYSTEM if writing failed, stdout
   included, or if memory was short. */
int cm_result_close(cm_result *result);

/* Writes a text into a file that cm_result_file_check accepted, as cm_result_close writes its own.
   Returns false after one line on stderr, which begins with said. */
bool cm_result_file_write(const cm_result *result, const char *said, const char *name,
                          const char *text, size_t bytes);

/* After cm_result_defer, cm_result_close prints and writes nothing. It returns CM_EXIT_PASS or
   CM_EXIT_WRONG. Metrics that are known only when all ranks have ended can then be added;
   cm_result_finish does the rest of cm_result_close. If the result was not closed, it does nothing
   and returns CM_EXIT_PASS. */
void cm_result_defer(cm_result *result);
int cm_result_finish(cm_result *result);

#ifdef __cplusplus
}
#endif
#endif
