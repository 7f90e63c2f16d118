/* SPDX-License-Identifier: BSD-3-Clause */
/* man.c: the manual page, in the macros of man(7). */
#include "config.h"
#include "base/environment.h"
#include "option/table.h"
#include "option/text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Text as it stands: roff's backslash, minus and quotes escaped, and no line that looks like a
   request. */
static void put(FILE *out, const char *text, size_t length)
{
    bool line_start = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (line_start && (c == '.' || c == '\'')) fputs("\\&", out);
        line_start = c == '\n';
        switch (c) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        case '`':
            fputs("\\(ga", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        case '"':
            fputs("\\(dq", out);
            break;
        default:
            fputc(c, out);
            break;
        }
    }
}

static void puts_escaped(FILE *out, const char *text) { put(out, text, strlen(text)); }

static void put_block(const char *text, size_t length, bool verbatim, void *context)
{
    FILE *out = context;
    fputs(verbatim ? ".PP\n.nf\n" : ".PP\n", out);
    put(out, text, length);
    fputs(verbatim ? "\n.fi\n" : "\n", out);
}

static void put_title(const cm_program *program, FILE *out)
{
    fputs(".TH \"", out);
    for (const char *c = program->name; *c; c++) {
        char upper = (char)toupper((unsigned char)*c);
        put(out, &upper, 1);
    }
    /* No date: the same source gives the same page. */
    fputs("\" 1 \"\" \"clustermark ", out);
    puts_escaped(out, PACKAGE_VERSION);
    fputs("\" \"clustermark\"\n.SH NAME\n", out);
    puts_escaped(out, program->name);
    fputs(" \\- ", out);
    puts_escaped(out, program->purpose);
    fputs("\n", out);
}

static void put_synopsis(const cm_program *program, FILE *out)
{
    const char *operands = cm_option_operands(program);
    fputs(".B ", out);
    puts_escaped(out, program->name);
    /* \& so that the dots do not end a sentence. */
    fputs("\n[\\fIOPTION\\fR]...\\&", out);
    if (operands) {
        fputs("\n", out);
        puts_escaped(out, operands);
    }
    fputs("\n", out);
}

static void put_option(const cm_option_list *list, const cm_option *option, FILE *out)
{
    char *text = NULL, letter = cm_option_letter(list, option);
    size_t length = 0;
    fputs(".TP\n", out);
    if (letter) fprintf(out, "\\fB\\-%c\\fR, ", letter);
    fputs("\\fB\\-\\-", out);
    puts_escaped(out, option->name);
    fputs("\\fR", out);
    if (*cm_option_before(option)) {
        fprintf(out, "%s\\fI", cm_option_before(option));
        puts_escaped(out, cm_option_argument(option));
        fprintf(out, "\\fR%s", cm_option_behind(option));
    }
    fputs("\n", out);
    FILE *memory = open_memstream(&text, &length);
    if (memory) {
        cm_option_describe(option, memory);
        if (fclose(memory) != 0) length = 0;
    }
    put(out, text ? text : option->help, text ? length : strlen(option->help));
    fputs("\n", out);
    free(text);
}

static void put_exit_statuses(const cm_program *program, FILE *out)
{
    for (const cm_exit_status *s = cm_option_exit_statuses(program); s->meaning; s++) {
        fprintf(out, ".TP\n.B %d\n", s->status);
        puts_escaped(out, s->meaning);
        fputs("\n", out);
    }
}

/* Writes the command without --help and --version, which all commands have, and with exit statuses
   only if they differ from the program's. */
static void put_command(const cm_program *program, const cm_program *command,
                        const cm_option_list *list, FILE *out)
{
    fputs(".SS \"", out);
    puts_escaped(out, cm_option_command_word(command));
    fputs("\"\n", out);
    put_synopsis(command, out);
    put_block(command->purpose, strlen(command->purpose), false, out);
    if (command->description) cm_text_blocks(command->description, put_block, out);
    for (size_t i = 0; i < list->own; i++) {
        const cm_option *option = list->entry[i];
        if (!cm_option_is_heading(option)) {
            put_option(list, option, out);
            continue;
        }
        fputs(".PP\n\\fI", out);
        puts_escaped(out, option->help);
        fputs(":\\fR\n", out);
    }
    if (cm_option_exit_statuses(command) == cm_option_exit_statuses(program)) return;
    fputs(".PP\nExit status:\n", out);
    put_exit_statuses(command, out);
}

static void put_commands(const cm_program *program, const cm_option_list *list, FILE *out)
{
    fputs(".SH COMMANDS\n.B ", out);
    puts_escaped(out, program->name);
    fputs(" help\n[\\fICOMMAND\\fR]\nprints the program\\(aqs help, or that of a command. Every "
          "command has the options \\fB\\-\\-help\\fR and \\fB\\-\\-version\\fR, too.\n",
          out);
    for (size_t i = 0; i < list->commands; i++)
        put_command(program, program->commands[i], &list->command[i], out);
}

static void put_variable(const char *name, const char *initial, const char *meaning, void *context)
{
    FILE *out = context;
    fprintf(out, ".TP\n.B %s\n", name);
    puts_escaped(out, meaning);
    if (initial) {
        fputs(" (default ", out);
        puts_escaped(out, initial);
        fputs(")", out);
    }
    fputs("\n", out);
}

static void put_environment(FILE *out)
{
    fputs(".SH ENVIRONMENT\nVariables of the communication layer;\n.B clustermark env\n"
          "prints them with their values.\n",
          out);
    cm_environment_each(put_variable, out);
}

static void put_examples(const char *examples, FILE *out)
{
    cm_example example;
    while (examples && (examples = cm_text_example(examples, &example))) {
        fputs(".PP\n", out);
        if (example.meaning_length > 0) {
            put(out, example.meaning, example.meaning_length);
            fputs(":\n.PP\n", out);
        }
        fputs(".RS 4\n.nf\n", out);
        put(out, example.command, example.command_length);
        fputs("\n.fi\n.RE\n", out);
    }
}

/* The program's, then the commands'. */
static void put_all_examples(const cm_program *program, FILE *out)
{
    bool any = program->examples && *program->examples;
    const cm_program *const none = NULL, *const *commands = program->commands;
    if (!commands) commands = &none;
    for (const cm_program *const *c = commands; *c; c++)
        any = any || ((*c)->examples && *(*c)->examples);
    if (!any) return;
    fputs(".SH EXAMPLES\n", out);
    put_examples(program->examples, out);
    for (const cm_program *const *c = commands; *c; c++) put_examples((*c)->examples, out);
}

static void put_see_also(const cm_program *program, FILE *out)
{
    static const char *const pages[] = {"clustermark", "cmrun"};
    const char *separator = "";
    fputs(".SH SEE ALSO\n", out);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        if (strcmp(pages[i], program->name) == 0) continue;
        fprintf(out, "%s.BR %s (1)", separator, pages[i]);
        separator = ",\n";
    }
    fputs("\n.PP\nThe manual:\n.B info clustermark\n", out);
}

void cm_option_print_man(const cm_program *program, const cm_option_list *list, FILE *out)
{
    put_title(program, out);
    fputs(".SH SYNOPSIS\n", out);
    put_synopsis(program, out);
    fputs(".SH DESCRIPTION\n", out);
    if (program->description) cm_text_blocks(program->description, put_block, out);
    else put_block(program->purpose, strlen(program->purpose), false, out);
    if (program->commands) put_commands(program, list, out);
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < list->visible; i++) {
        const cm_option *option = list->entry[i];
        if (!cm_option_is_heading(option)) {
            put_option(list, option, out);
            continue;
        }
        fputs(".SS \"", out);
        puts_escaped(out, option->help);
        fputs("\"\n", out);
    }
    fputs(".SH EXIT STATUS\n", out);
    put_exit_statuses(program, out);
    put_environment(out);
    put_all_examples(program, out);
    put_see_also(program, out);
}
