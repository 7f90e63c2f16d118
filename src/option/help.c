/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c: --help and --version. */
#include "config.h"
#include "option/table.h"
#include "option/text.h"
#include "base/exit.h"
#include "revision.h"
#include <stdlib.h>
#include <string.h>

const cm_exit_status *cm_option_exit_statuses(const cm_program *program)
{
    static const cm_exit_status usual[] = {
        {CM_EXIT_PASS, "pass: the work is done, and every answer it gave was verified"},
        {CM_EXIT_WRONG, "an answer was wrong"},
        {CM_EXIT_USAGE,
         "wrong usage: an option, an environment variable, or the way it was launched"},
        {CM_EXIT_SYSTEM, "the system failed: memory, files, the network, or another rank"},
        {0, NULL}};
    return program->exit_statuses ? program->exit_statuses : usual;
}

const char *cm_option_operands(const cm_program *program)
{
    return program->commands ? "COMMAND [ARGUMENT]..." : program->operands;
}

/* A command has its program's version. */
void cm_option_print_version(const cm_program *program, FILE *out)
{
    bool known = *CM_REVISION && strcmp(CM_REVISION, "unknown") != 0;
    fprintf(out, "%.*s (clustermark) %s%s%s%s\n", (int)strcspn(program->name, " "), program->name,
            PACKAGE_VERSION, known ? " (git " : "", known ? CM_REVISION : "", known ? ")" : "");
}

enum { WIDEST_LEFT = 28 };

/* "  -o, --output=FILE"; returns its width. */
static size_t print_left(const cm_option_list *list, const cm_option *option, FILE *out)
{
    char text[256], letter = cm_option_letter(list, option), dash[5] = "    ";
    if (letter) snprintf(dash, sizeof dash, "-%c, ", letter);
    int width =
        snprintf(text, sizeof text, "  %s--%s%s%s%s", dash, option->name, cm_option_before(option),
                 cm_option_argument(option), cm_option_behind(option));
    if (out) fputs(text, out);
    return (size_t)width;
}

/* Leaves two blanks after the widest option that is not too wide. */
static size_t help_column(const cm_option_list *list)
{
    size_t widest = 0;
    for (size_t i = 0; i < list->visible; i++) {
        if (cm_option_is_heading(list->entry[i])) continue;
        size_t width = print_left(list, list->entry[i], NULL);
        if (width > widest && width <= WIDEST_LEFT) widest = width;
    }
    return widest + 2;
}

static void print_option(const cm_option_list *list, const cm_option *option, size_t column,
                         FILE *out)
{
    char *text = NULL;
    size_t length = 0, width = print_left(list, option, out);
    FILE *memory = open_memstream(&text, &length);
    if (memory) {
        cm_option_describe(option, memory);
        if (fclose(memory) != 0) length = 0;
    }
    if (width + 2 > column) {
        fputc('\n', out);
        width = 0;
    }
    fprintf(out, "%*s", (int)(column - width), "");
    cm_text_fill(out, text ? text : option->help, text ? length : strlen(option->help), column,
                 column, "");
    free(text);
}

static void print_block(const char *text, size_t length, bool verbatim, void *context)
{
    FILE *out = context;
    fputc('\n', out);
    if (verbatim) fprintf(out, "%.*s\n", (int)length, text);
    else cm_text_fill(out, text, length, 0, 0, "");
}

static void print_usage(const cm_program *program, FILE *out)
{
    char usage[512];
    const char *operands = cm_option_operands(program);
    snprintf(usage, sizeof usage, "Usage: %s [OPTION]...%s%s", program->name, operands ? " " : "",
             operands ? operands : "");
    cm_text_fill(out, usage, strlen(usage), 0, strlen("Usage: "), "");
}

static void print_commands(const cm_program *program, FILE *out)
{
    static const char about_help[] = "print this help, or with COMMAND the help of that command";
    int widest = (int)strlen("help");
    for (const cm_program *const *c = program->commands; *c; c++) {
        int width = (int)strlen(cm_option_command_word(*c));
        if (width > widest) widest = width;
    }
    size_t column = (size_t)widest + 4;
    fputs("\nCommands:\n", out);
    for (const cm_program *const *c = program->commands; *c; c++) {
        fprintf(out, "  %-*s  ", widest, cm_option_command_word(*c));
        cm_text_fill(out, (*c)->purpose, strlen((*c)->purpose), column, column, "");
    }
    fprintf(out, "  %-*s  ", widest, "help");
    cm_text_fill(out, about_help, strlen(about_help), column, column, "");
}

static void print_exit_statuses(const cm_exit_status *statuses, FILE *out)
{
    int widest = 0;
    for (const cm_exit_status *s = statuses; s->meaning; s++) {
        int width = snprintf(NULL, 0, "%d", s->status);
        if (width > widest) widest = width;
    }
    size_t column = (size_t)widest + 4;
    fputs("\nExit status:\n", out);
    for (const cm_exit_status *s = statuses; s->meaning; s++) {
        fprintf(out, "  %*d  ", widest, s->status);
        cm_text_fill(out, s->meaning, strlen(s->meaning), column, column, "");
    }
}

void cm_option_print_help(const cm_program *program, const cm_option_list *list, FILE *out)
{
    size_t column = help_column(list);
    print_usage(program, out);
    cm_text_fill(out, program->purpose, strlen(program->purpose), 0, 0, "");
    if (program->description) cm_text_blocks(program->description, print_block, out);
    if (program->commands) print_commands(program, out);

    if (!cm_option_is_heading(list->entry[0])) fputs("\nOptions:\n", out);
    for (size_t i = 0; i < list->visible; i++) {
        const cm_option *option = list->entry[i];
        if (cm_option_is_heading(option)) fprintf(out, "\n%s:\n", option->help);
        else print_option(list, option, column, out);
    }

    print_exit_statuses(cm_option_exit_statuses(program), out);

    cm_example example;
    const char *rest = program->examples ? program->examples : "";
    if (*rest) fputs("\nExamples:\n", out);
    while ((rest = cm_text_example(rest, &example))) {
        fputs("  ", out);
        cm_text_fill(out, example.command, example.command_length, 2, 4, " \\");
        if (example.meaning_length == 0) continue;
        fputs("      ", out);
        cm_text_fill(out, example.meaning, example.meaning_length, 6, 6, "");
    }
}
