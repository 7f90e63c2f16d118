/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: programs with commands: finding the one that the command line names. */
#include "config.h"
#include "option/table.h"
#include "base/exit.h"
#include "base/spelling.h"
#include <string.h>

static const cm_program *find(const cm_program *program, const char *word)
{
    for (const cm_program *const *c = program->commands; *c; c++)
        if (strcmp(cm_option_command_word(*c), word) == 0) return *c;
    return NULL;
}

/* The word of a command that looks most like this; NULL when none looks alike. */
static const char *nearest(const cm_program *program, const char *word)
{
    size_t length = strlen(word), least = cm_spelling_tolerance(length) + 1;
    const char *found = NULL;
    for (const cm_program *const *c = program->commands;; c++) {
        const char *known = *c ? cm_option_command_word(*c) : CM_OPTION_HELP_WORD;
        size_t apart = cm_spelling_distance(word, length, known, strlen(known));
        if (apart < least) {
            least = apart;
            found = known;
        }
        if (!*c) return found;
    }
}

/* "run, figures, report, env". */
static void words_text(const cm_program *program, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (const cm_program *const *c = program->commands; *c && used < size; c++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                 cm_option_command_word(*c));
}

static int unknown_error(const cm_program *program, const char *word)
{
    char words[512];
    const char *meant = nearest(program, word);
    if (meant)
        return cm_option_error(program, "unknown command '%s'; did you mean '%s'?", word, meant);
    words_text(program, words, sizeof words);
    return cm_option_error(program, "unknown command '%s'; the commands are %s", word, words);
}

/* "help" and "help COMMAND"; argv begins at help. Of "help --help" the whole command's. */
static int help(const cm_program *program, int argc, char **argv)
{
    char option[] = "--help", *words[] = {argv[0], option};
    const cm_program *subject = program;
    bool itself =
        argc > 1 && (strcmp(argv[1], CM_OPTION_HELP_WORD) == 0 || strcmp(argv[1], option) == 0);
    if (argc > 1 && !itself) subject = find(program, argv[1]);
    if (!subject) return unknown_error(program, argv[1]);
    if (argc > 2)
        return cm_option_error(program,
                               "help: unexpected argument '%s'; only one command is "
                               "allowed",
                               argv[2]);
    return cm_option_parse(subject, 2, words, NULL);
}

int cm_option_command(const cm_program *program, int argc, char **argv, const cm_program **command,
                      int *first)
{
    char words[512];
    int at, status = cm_option_parse(program, argc, argv, &at);
    if (status != CM_OPTION_RUN) return status;
    if (at >= argc) {
        words_text(program, words, sizeof words);
        return cm_option_error(program, "no command given; the commands are %s", words);
    }
    if (strcmp(argv[at], CM_OPTION_HELP_WORD) == 0) return help(program, argc - at, argv + at);
    const cm_program *found = find(program, argv[at]);
    if (!found) return unknown_error(program, argv[at]);
    *command = found;
    *first = at;
    return CM_OPTION_RUN;
}
