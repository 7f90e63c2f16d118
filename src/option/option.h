/* SPDX-License-Identifier: BSD-3-Clause */
/* option.h: one table describes a program's options, and those of each of its commands. Parsing,
   --help, --version, the man page and shell completion all use it. */
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
    CM_OPTION_HEADING, /* no option; help is a heading in --help */
    CM_OPTION_FLAG,    /* value: bool *, set to true */
    CM_OPTION_INTEGER, /* value: int64_t *, low <= value <= high */
    CM_OPTION_BYTES,   /* value: int64_t *, in bytes; the text may have a suffix k M G (powers of
                          10^3) or Ki Mi Gi (powers of 2^10) */
    CM_OPTION_REAL,    /* value: double *, low <= value <= high, finite */
    CM_OPTION_TEXT,    /* value: const char **, points into argv */
    CM_OPTION_CHOICE,  /* value: int *, index into choices */
    CM_OPTION_SWITCH,  /* value: int *, index into choices. The argument may be left out, which
                          means the choice of index 1, and is given as --name=WORD only */
    CM_OPTION_TABLE,   /* value: const cm_option *, another table that is inserted here */
    CM_OPTION_RENAMED  /* no option; name is an option's old name, or "OPTION=WORD" of a choice, and
                          help the new one. The old one is still taken, with a line on stderr */
} cm_option_kind;

typedef struct cm_option {
    cm_option_kind kind;
    const char *name;           /* long name without dashes */
    char letter;                /* short name, or 0 */
    const char *argument;       /* name of the argument in --help: "BYTES"; NULL for flags */
    void *value;                /* the variable to set; its value before parsing is the default */
    const char *help;           /* a sentence without a final stop. --help adds the range and the
                                   default. A default out of range means "not given" and is not
                                   added; the sentence says what it means */
    double low, high;           /* inclusive range of INTEGER, BYTES and REAL; both 0: no bounds;
                                   INFINITY: no bound on this side */
    const char *const *choices; /* the words of CHOICE and SWITCH, NULL-terminated */
} cm_option;

/* Rows of an option table; {0} ends it. letter is the short name, or 0. low and high are those of
   cm_option. */
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
#define CM_SWITCH(name, argument, value, choices, help) \
    CM_OPTION_ROW(CM_OPTION_SWITCH, name, 0, argument, value, help, 0, 0, choices)
#define CM_TABLE(table) CM_OPTION_ROW(CM_OPTION_TABLE, 0, 0, 0, table, 0, 0, 0, 0)
#define CM_RENAMED(old, now) CM_OPTION_ROW(CM_OPTION_RENAMED, old, 0, 0, 0, now, 0, 0, 0)

/* A quantity that the program's RESULT lines report; {0} ends a table of them. --print-metrics
   prints the table, one line for each metric: name, unit, "low", "high" or "neither", meaning, and
   label, separated by tabs. */
typedef enum { CM_BETTER_NEITHER, CM_BETTER_LOW, CM_BETTER_HIGH } cm_better;
typedef struct {
    const char *name; /* "latency_us"; * stands for any characters ("net_quips_*"). If several
                         match, the first one counts */
    const char
        *label;       /* what people call it, without the unit: "Latency". Each * is what the next *
                            of the name stands for, with blanks for low lines */
    const char *unit; /* "us"; "1" for a pure number */
    cm_better better; /* whether low or high values are better */
    const char *meaning; /* half a sentence: "half the round trip of the smallest message, median";
                            if the name has a *, it says what the name tells there */
} cm_metric;

/* A label that metrics share, for programs that group them (`clustermark export`); {0} ends a table
   of labels. --print-metrics prints a line for each, after those of the metrics: name, "labels" and
   of, separated by tabs. */
typedef struct {
    const char *name; /* "allreduce_*_us": metrics, as in cm_metric; the first that fits counts */
    const char *of; /* "time operation=allreduce algorithm=*": the quantity, without the unit, then
                       labels, all separated by blanks. Each * is what the next * of the name stands
                       for, without low lines at its ends */
} cm_labels;

/* The meaning of an exit status of a program; a NULL meaning ends a table. */
typedef struct {
    int status;
    const char *meaning; /* half a sentence, without a final stop */
} cm_exit_status;

typedef struct cm_program {
    const char *name;        /* "cm-netpipe"; of a command "clustermark run": the program's name, a
                                blank, and the word that calls the command */
    const char *purpose;     /* one line */
    const char *description; /* paragraphs with empty lines between them, for --help and the man
                                page. They are filled to the width; lines that start with a space
                                are kept as they are (formulas) */
    const char *operands;    /* "PROGRAM [ARGUMENT]..."; NULL if no operands are allowed. Those of a
                                command are completed by their names, as arguments of options are:
                                FILE, PATH and RESULT to files, DIR to folders, HOST to hosts,
                                COMMAND to commands */
    const char *examples;    /* lines "COMMAND\tWHAT IT DOES\n", or NULL */
    const cm_option *options;
    const cm_metric *metrics;                 /* NULL if the program writes no result */
    const cm_labels *labels;                  /* NULL if each metric is a quantity of its own */
    const struct cm_program *const *commands; /* NULL-terminated; NULL if the program has none. A
                                                 command has no commands of its own */
    const cm_exit_status *exit_statuses;      /* NULL: those of the benchmarks */
    bool mixed; /* options may also stand after operands, as in GNU programs */
} cm_program;

enum { CM_OPTION_RUN = -1 }; /* parsing is done; the program goes on */

/* Parses argv by GNU rules (--name=value, --name value, -n value, -nvalue, bundled flags, "--",
   unique prefixes of long names). If an option is given twice, its last value counts. Every program
   also has --help (-h) and --version (-V), where a letter that the program's own table uses is not
   taken, and the undocumented --print-man, --print-metrics and --print-completion=bash, which the
   build uses.

   If the program has operands, they come last and end the parsing, so that cmrun leaves the options
   of PROGRAM alone. With mixed, options are read up to the end of argv or to "--"; argv is then
   reordered so that the operands come last here, too. *operand is set to the index of the first
   operand, argc if there is none; operand may be NULL.

   Returns CM_OPTION_RUN if the program is to go on, otherwise the exit status: 0 after --help and
   the like on stdout; 2 after one line on stderr that names the program, the option, its value and
   what was expected; 3 if stdout cannot be written, if memory is short, or if the table itself is
   wrong (a name or letter occurs twice). Under a launcher only launch rank 0 prints. Values are set
   only if the return value is CM_OPTION_RUN. */
int cm_option_parse(const cm_program *program, int argc, char **argv, int *operand);

/* For a program with commands. Parses the program's own options as cm_option_parse does, and finds
   the word of a command after them. Returns CM_OPTION_RUN with *command and the index *first of
   that word in argv; the program then calls cm_option_parse(*command, argc - *first, argv + *first,
   &operand), where operand is an index into argv + *first.

   Any other value is the exit status, as cm_option_parse's: 0 after --help and the like and after
   "help" or "help COMMAND"; 2 after one line on stderr if there is no command or an unknown one; 3
   for the same reasons as there, a mistake in the table of any command included. */
int cm_option_command(const cm_program *program, int argc, char **argv, const cm_program **command,
                      int *first);

/* For checks that go beyond the range of one option ("--upper 1 is below --lower 2"). Prints "NAME:
   TEXT" once (on launch rank 0), always as one line. Returns CM_EXIT_USAGE (2). */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cm_option_error(const cm_program *program, const char *format, ...);

/* Returns the first entry of the program's table of metrics, or of the table of those that every
   program may have (energy_J, mean_power_W), that matches the name; NULL if none does. */
const cm_metric *cm_option_metric(const cm_program *program, const char *name);

/* Converts "65536", "64Ki" or "1M" to bytes. Returns false for any other text, for a negative
   number and on overflow. */
bool cm_option_bytes(const char *text, int64_t *bytes);

/* Converts a comma-separated list of whole numbers ("1,3,7", "1e6,2.5e7") to values. Each must be
   from least to most, both included. Returns the number of values; 0 for any other text, for an
   empty text and for a list of more than capacity numbers. The contents of values are then
   undefined. */
size_t cm_option_integers(const char *text, int64_t least, int64_t most, int64_t *values,
                          size_t capacity);
/* The same for a list of sizes as cm_option_bytes reads them: "4096,64Ki". */
size_t cm_option_bytes_list(const char *text, int64_t least, int64_t most, int64_t *values,
                            size_t capacity);

/* Returns the address of the first of n values that equals one before it; NULL if all differ. A
   program refuses a list in which a value stands twice and would only be measured twice. */
const int64_t *cm_option_repeated(const int64_t *values, size_t n);

#ifdef __cplusplus
}
#endif
#endif
