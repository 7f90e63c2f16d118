/* SPDX-License-Identifier: BSD-3-Clause */
/* option.h: one table describes a program's options; parsing, --help, --version, the man page and
   shell completion all come from it. */
#ifndef CM_OPTION_H
#define CM_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CM_OPTION_END = 0, /* closes a table */
    CM_OPTION_HEADING, /* help: a heading in --help, no option */
    CM_OPTION_FLAG,    /* value: bool *, set to true */
    CM_OPTION_INTEGER, /* value: int64_t *, low <= value <= high */
    CM_OPTION_BYTES,   /* value: int64_t *, plain bytes, or with suffix k M G (10^3) or Ki Mi
                            Gi */
    CM_OPTION_REAL,    /* value: double *, low <= value <= high, finite */
    CM_OPTION_TEXT,    /* value: const char **, points into argv */
    CM_OPTION_CHOICE,  /* value: int *, index into choices */
    CM_OPTION_TABLE    /* value: const cm_option *, another table that continues here */
} cm_option_kind;

typedef struct cm_option {
    cm_option_kind kind;
    const char *name;           /* long name without dashes */
    char letter;                /* short name, or 0 */
    const char *argument;       /* what --help calls the argument: "BYTES"; NULL for flags */
    void *value;                /* what it sets; what stands there before parsing is the default */
    const char *help;           /* a sentence without a final stop; --help adds range and default,
                                    unless the default is out of range, which says "not given"
                                     */
    double low, high;           /* inclusive range of INTEGER, BYTES and REAL; both 0: no bounds;
                                    INFINITY: no bound on this side
                                     */
    const char *const *choices; /* NULL-terminated */
} cm_option;

/* Rows of an option table; {0} ends it. letter: short name, or 0. low and high as in cm_option. */
#define CM_OPTION_ROW(kind, name, letter, argument, value, help, low, high, choices) \
    {                                                                                \
        kind, name, letter, argument, value, help, low, high, choices                \
    }
#define CM_HEADING(text) CM_OPTION_ROW(CM_OPTION_HEADING, 0, 0, 0, 0, text, 0, 0, 0)
#define CM_FLAG(name, letter, value, help) \
    CM_OPTION_ROW(CM_OPTION_FLAG, name, letter, 0, value, help, 0, 0, 0)
#define CM_INTEGER(name, letter, argument, value, low, high, help) \
    CM_OPTION_ROW(CM_OPTION_INTEGER, name, letter, argument, value, help, low, high, 0)
#define CM_BYTES(name, letter, argument, value, low, high, help) \
    CM_OPTION_ROW(CM_OPTION_BYTES, name, letter, argument, value, help, low, high, 0)
#define CM_REAL(name, letter, argument, value, low, high, help) \
    CM_OPTION_ROW(CM_OPTION_REAL, name, letter, argument, value, help, low, high, 0)
#define CM_TEXT(name, letter, argument, value, help) \
    CM_OPTION_ROW(CM_OPTION_TEXT, name, letter, argument, value, help, 0, 0, 0)
#define CM_CHOICE(name, letter, argument, value, choices, help) \
    CM_OPTION_ROW(CM_OPTION_CHOICE, name, letter, argument, value, help, 0, 0, choices)
#define CM_TABLE(table) CM_OPTION_ROW(CM_OPTION_TABLE, 0, 0, 0, table, 0, 0, 0, 0)

/* A figure that a program's RESULT lines tell; {0} ends a table of them. --print-metrics prints the
   table, a line a metric: name, unit, "low", "high" or "neither", meaning, with tabs between. */
typedef enum { CM_BETTER_NEITHER, CM_BETTER_LOW, CM_BETTER_HIGH } cm_better;
typedef struct {
    const char *name; /* "latency_us"; * stands for any characters ("net_quips_*"). Of several that
                         fit the first counts */
    const char *unit; /* "us"; "1": a pure number */
    cm_better better; /* which way */
    const char *meaning; /* half a sentence: "half the round trip of the smallest message, median";
                            says what the name tells where it has a * */
} cm_metric;

typedef struct {
    const char *name;        /* "cm-netpipe" */
    const char *purpose;     /* one line */
    const char *description; /* paragraphs (empty lines between them) for --help and the man
                                    page, filled to the width; lines that start with a space are
                                    kept as they are (formulas)
                                     */
    const char *operands;    /* "PROGRAM [ARGUMENT]...", or NULL: none allowed */
    const char *examples;    /* lines "COMMAND\tWHAT IT DOES\n", or NULL */
    const cm_option *options;
    const cm_metric *metrics; /* NULL: it writes no result */
} cm_program;

enum { CM_OPTION_RUN = -1 }; /* parsing is done, go on */

/* Parses argv by GNU rules (--name=value, --name value, -n value, -nvalue, bundled flags, "--",
   unique prefixes of long names). Operands come last when the program has any and stop the parsing
   (cmrun's PROGRAM's options are its own): *operand gets the index of the first, argc when there is
   none; NULL allowed. Every program also has --help (-h) and --version (-V) (the letters only where
   the program's table leaves them free), and the undocumented --print-man, --print-metrics and
   --print-completion=bash that the build uses. An option given twice has its last value.

   Returns CM_OPTION_RUN, or the exit status: 0 after --help and the like on stdout; 2 after one
   line on stderr that names program, option, value and what would be right; 3 when stdout cannot be
   written, memory is short, or the table itself is wrong (one name or letter twice). Under a
   launcher only launch rank 0 prints. Sets values only when it returns CM_OPTION_RUN. */
int cm_option_parse(const cm_program *program, int argc, char **argv, int *operand);

/* For checks that go beyond one option's range ("--upper 1 is below --lower 2"): prints
   "NAME: TEXT", always as one line, once (launch rank 0) and returns CM_EXIT_USAGE (2). */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cm_option_error(const cm_program *program, const char *format, ...);

/* What the program says of a metric; NULL: nothing. */
const cm_metric *cm_option_metric(const cm_program *program, const char *name);

/* "65536", "64Ki", "1M" to bytes; false on anything else, on negative numbers and on overflow. */
bool cm_option_bytes(const char *text, int64_t *bytes);

/* "1,3,7": whole numbers from least to most (both included) with commas between them, to values.
   Returns how many; 0 on anything else, on an empty text and on more than capacity. What values
   holds then is not said. */
size_t cm_option_integers(const char *text, int64_t least, int64_t most, int64_t *values,
                          size_t capacity);
/* The same of what cm_option_bytes reads: "4096,64Ki". */
size_t cm_option_bytes_list(const char *text, int64_t least, int64_t most, int64_t *values,
                            size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
