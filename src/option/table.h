/* SPDX-License-Identifier: BSD-3-Clause */
/* table.h: an option table with its nested tables laid flat; private to option/. */
#ifndef CM_OPTION_TABLE_H
#define CM_OPTION_TABLE_H

#include <stdio.h>
#include "option/option.h"

typedef struct cm_option_list {
    const cm_option **entry;        /* the program's headings and options, then the built-in ones */
    size_t n;                       /* all of them */
    size_t own;                     /* the program's */
    size_t visible;                 /* those that --help shows */
    struct cm_option_list *command; /* the lists of the program's commands, in their order */
    size_t commands;
} cm_option_list;

/* The options that every program has. The hidden ones have no unique prefixes, so that they never
   make a visible option's prefix ambiguous. Commands do not have the hidden ones: the build asks
   their program. */
enum {
    CM_BUILTIN_HELP,
    CM_BUILTIN_VERSION,
    CM_BUILTIN_PRINT_MAN,
    CM_BUILTIN_PRINT_METRICS,
    CM_BUILTIN_PRINT_COMPLETION
};
extern const cm_option cm_option_builtin[];

/* Returns 0, or prints one line and returns CM_EXIT_SYSTEM: out of memory, or a mistake in the
   table (two options of one name or letter, tables nested in a ring) or in those of the commands.
   Free with cm_option_list_free. */
int cm_option_list_make(const cm_program *program, cm_option_list *list);
void cm_option_list_free(cm_option_list *list);

bool cm_option_is_heading(const cm_option *option);
bool cm_option_takes_argument(const cm_option *option); /* it must have one */
/* Return the texts in help between the option's name and its argument ("=", "[=" or ""), and after
   the argument ("]" or ""). */
const char *cm_option_before(const cm_option *option);
const char *cm_option_behind(const cm_option *option);
const char *cm_option_argument(const cm_option *option); /* never NULL */

/* Its letter, or 0: built-in options give theirs up when the program has it. */
char cm_option_letter(const cm_option_list *list, const cm_option *option);

const cm_option *cm_option_by_letter(const cm_option_list *list, char letter);

/* Finds an option by exact name or unique prefix of length bytes. Returns NULL if there is none, or
   if there are several; *ambiguous is then set. */
const cm_option *cm_option_by_name(const cm_option_list *list, const char *name, size_t length,
                                   bool *ambiguous);

/* Returns the new name for an old name of length bytes, or for an old word "OPTION=WORD" of a
   choice; NULL: there is none. */
const char *cm_option_renamed(const cm_option *table, const char *name, size_t length);

/* The visible option whose name looks most like this; NULL when none looks alike. */
const cm_option *cm_option_nearest(const cm_option_list *list, const char *name, size_t length);

/* ---- command_word.c -------------------------------------------------------------------------- */

#define CM_OPTION_HELP_WORD "help" /* a command that is built in */

/* The word that calls the command: the part of its name after the blank. NULL for a program. */
const char *cm_option_command_word(const cm_program *command);

/* Are the commands named as option.h says, each once? Returns 0, or prints one line and returns
   CM_EXIT_SYSTEM. */
int cm_option_commands_check(const cm_program *program);

/* ---- value.c --------------------------------------------------------------------------------- */

typedef union {
    bool flag;
    int64_t integer;
    double real;
    const char *text;
    int choice;
} cm_value;

/* False: problem says what is wrong and what would be right, to be read after the quoted value. */
bool cm_value_parse(const cm_option *option, const char *text, cm_value *value, char *problem,
                    size_t size);
void cm_value_set(const cm_option *option, cm_value value);

/* "help (from 1 to 64; default 8)". */
void cm_option_describe(const cm_option *option, FILE *out);

/* ---- What is printed on stdout --------------------------------------------------------------- */

void cm_option_print_help(const cm_program *program, const cm_option_list *list, FILE *out);
void cm_option_print_version(const cm_program *program, FILE *out);
void cm_option_print_man(const cm_program *program, const cm_option_list *list, FILE *out);
void cm_option_print_metrics(const cm_program *program, FILE *out);
void cm_option_print_completion(const cm_program *program, const cm_option_list *list, FILE *out);

/* The program's exit statuses, never NULL. */
const cm_exit_status *cm_option_exit_statuses(const cm_program *program);

/* Returns the text after "[OPTION]... " in the synopsis, or NULL. */
const char *cm_option_operands(const cm_program *program);

#endif
