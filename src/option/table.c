/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: laying nested option tables flat, and finding an option by what the user typed. */
#include "config.h"
#include "option/table.h"
#include "base/exit.h"
#include "base/spelling.h"
#include <stdlib.h>
#include <string.h>

static const char *const shells[] = {"bash", NULL};

const cm_option cm_option_builtin[] = {
    [CM_BUILTIN_HELP] = {.kind = CM_OPTION_FLAG,
                         .name = "help",
                         .letter = 'h',
                         .help = "print this help and exit"},
    [CM_BUILTIN_VERSION] = {.kind = CM_OPTION_FLAG,
                            .name = "version",
                            .letter = 'V',
                            .help = "print the version and exit"},
    [CM_BUILTIN_PRINT_MAN] = {.kind = CM_OPTION_FLAG, .name = "print-man"},
    [CM_BUILTIN_PRINT_METRICS] = {.kind = CM_OPTION_FLAG, .name = "print-metrics"},
    [CM_BUILTIN_PRINT_COMPLETION] = {.kind = CM_OPTION_CHOICE,
                                     .name = "print-completion",
                                     .argument = "SHELL",
                                     .choices = shells},
    {.kind = CM_OPTION_END}};
enum { BUILTINS = 5, HIDDEN = 3, DEEPEST = 8 };

static const cm_option heading_other = {.kind = CM_OPTION_HEADING, .help = "Other"};

bool cm_option_is_heading(const cm_option *option) { return option->kind == CM_OPTION_HEADING; }

bool cm_option_takes_argument(const cm_option *option)
{
    return option->kind != CM_OPTION_FLAG && option->kind != CM_OPTION_HEADING
           && option->kind != CM_OPTION_SWITCH;
}

const char *cm_option_before(const cm_option *option)
{
    return option->kind == CM_OPTION_SWITCH ? "[=" : cm_option_takes_argument(option) ? "=" : "";
}

const char *cm_option_behind(const cm_option *option)
{
    return option->kind == CM_OPTION_SWITCH ? "]" : "";
}

const char *cm_option_argument(const cm_option *option)
{
    static const char *const usual[] = {
        [CM_OPTION_INTEGER] = "N", [CM_OPTION_BYTES] = "BYTES", [CM_OPTION_REAL] = "X",
        [CM_OPTION_TEXT] = "TEXT", [CM_OPTION_CHOICE] = "NAME", [CM_OPTION_SWITCH] = "NAME",
        [CM_OPTION_TABLE] = ""};
    if (option->argument) return option->argument;
    return *cm_option_before(option) ? usual[option->kind] : "";
}

/* Counts the entries, and writes them where entry is not NULL. False: nested too deeply. */
static bool flatten(const cm_option *table, const cm_option **entry, size_t *n, int depth)
{
    if (depth > DEEPEST) return false;
    for (const cm_option *option = table; option && option->kind != CM_OPTION_END; option++) {
        if (option->kind == CM_OPTION_TABLE) {
            if (!flatten(option->value, entry, n, depth + 1)) return false;
            continue;
        }
        if (option->kind == CM_OPTION_RENAMED) continue;
        if (entry) entry[*n] = option;
        ++*n;
    }
    return true;
}

const char *cm_option_renamed(const cm_option *table, const char *name, size_t length)
{
    const char *now = NULL;
    for (const cm_option *option = table; option && option->kind != CM_OPTION_END && !now; option++)
        if (option->kind == CM_OPTION_TABLE) now = cm_option_renamed(option->value, name, length);
        else if (option->kind == CM_OPTION_RENAMED && strncmp(option->name, name, length) == 0
                 && !option->name[length])
            now = option->help;
    return now;
}

/* An option the program shares with another one, or NULL. */
static const cm_option *first_duplicate(const cm_option_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < i; j++) {
            const cm_option *a = list->entry[i], *b = list->entry[j];
            if (cm_option_is_heading(a) || cm_option_is_heading(b)) continue;
            if (strcmp(a->name, b->name) == 0) return a;
            if (a->letter && a->letter == b->letter && cm_option_letter(list, a)) return a;
        }
    return NULL;
}

static int make_commands(const cm_program *program, cm_option_list *list)
{
    size_t n = 0;
    while (program->commands && program->commands[n]) n++;
    if (n == 0) return 0;
    int status = cm_option_commands_check(program);
    if (status != 0) return status;
    list->command = calloc(n, sizeof *list->command);
    if (!list->command) {
        cm_option_error(program, "out of memory");
        return CM_EXIT_SYSTEM;
    }
    for (; list->commands < n && status == 0; list->commands++)
        status =
            cm_option_list_make(program->commands[list->commands], &list->command[list->commands]);
    return status;
}

int cm_option_list_make(const cm_program *program, cm_option_list *list)
{
    *list = (cm_option_list){0};
    size_t n = 0;
    if (!flatten(program->options, NULL, &n, 0)) {
        cm_option_error(program, "its option tables are nested too deeply");
        return CM_EXIT_SYSTEM;
    }
    list->entry = malloc((n + 1 + BUILTINS) * sizeof *list->entry);
    if (!list->entry) {
        cm_option_error(program, "out of memory");
        return CM_EXIT_SYSTEM;
    }
    flatten(program->options, list->entry, &list->n, 0);
    list->own = list->n;
    if (list->n > 0) list->entry[list->n++] = &heading_other;
    list->visible = list->n + BUILTINS - HIDDEN;
    int builtins = cm_option_command_word(program) ? BUILTINS - HIDDEN : BUILTINS;
    for (int i = 0; i < builtins; i++) list->entry[list->n++] = &cm_option_builtin[i];
    const cm_option *duplicate = first_duplicate(list);
    if (duplicate) {
        cm_option_error(program, "its option table has '--%s' or its letter twice",
                        duplicate->name);
        cm_option_list_free(list);
        return CM_EXIT_SYSTEM;
    }
    int status = make_commands(program, list);
    if (status != 0) cm_option_list_free(list);
    return status;
}

void cm_option_list_free(cm_option_list *list)
{
    for (size_t i = 0; i < list->commands; i++) cm_option_list_free(&list->command[i]);
    free(list->command);
    free(list->entry);
    *list = (cm_option_list){0};
}

char cm_option_letter(const cm_option_list *list, const cm_option *option)
{
    bool builtin = option >= cm_option_builtin && option < cm_option_builtin + BUILTINS;
    return builtin && cm_option_by_letter(list, option->letter) != option ? 0 : option->letter;
}

/* The program's options come before the built-in ones, so that they win. */
const cm_option *cm_option_by_letter(const cm_option_list *list, char letter)
{
    for (size_t i = 0; i < list->n; i++) {
        const cm_option *option = list->entry[i];
        if (!cm_option_is_heading(option) && letter && option->letter == letter) return option;
    }
    return NULL;
}

const cm_option *cm_option_by_name(const cm_option_list *list, const char *name, size_t length,
                                   bool *ambiguous)
{
    const cm_option *found = NULL;
    *ambiguous = false;
    for (size_t i = 0; i < list->n; i++) {
        const cm_option *option = list->entry[i];
        if (cm_option_is_heading(option) || strncmp(option->name, name, length) != 0) continue;
        if (option->name[length] == '\0') {
            *ambiguous = false;
            return option;
        }
        if (i >= list->visible) continue;
        *ambiguous = *ambiguous || found;
        found = option;
    }
    return *ambiguous ? NULL : found;
}

const cm_option *cm_option_nearest(const cm_option_list *list, const char *name, size_t length)
{
    const cm_option *nearest = NULL;
    size_t least = cm_spelling_tolerance(length) + 1;
    for (size_t i = 0; i < list->visible; i++) {
        const cm_option *option = list->entry[i];
        if (cm_option_is_heading(option)) continue;
        size_t apart = cm_spelling_distance(name, length, option->name, strlen(option->name));
        if (apart < least) {
            least = apart;
            nearest = option;
        }
    }
    return nearest;
}
