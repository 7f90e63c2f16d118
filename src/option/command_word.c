/* SPDX-License-Identifier: BSD-3-Clause */
/* command_word.c: programs with commands: what these are called. */
#include "config.h"
#include "option/table.h"
#include "base/exit.h"
#include <string.h>

const char *cm_option_command_word(const cm_program *command)
{
    const char *blank = strchr(command->name, ' ');
    return blank ? blank + 1 : NULL;
}

int cm_option_commands_check(const cm_program *program)
{
    size_t length = strlen(program->name);
    for (const cm_program *const *c = program->commands; *c; c++) {
        const char *word = cm_option_command_word(*c), *problem = NULL;
        if (strncmp((*c)->name, program->name, length) != 0 || word != (*c)->name + length + 1)
            problem = "is not named after it";
        else if (!*word || *word == '-' || strchr(word, ' ')) problem = "is not called by one word";
        else if (strcmp(word, CM_OPTION_HELP_WORD) == 0) problem = "is built in";
        else if ((*c)->commands) problem = "has commands itself";
        for (const cm_program *const *d = program->commands; d < c && !problem; d++)
            if (strcmp((*d)->name, (*c)->name) == 0) problem = "is there twice";
        if (!problem) continue;
        cm_option_error(program, "its command '%s' %s", (*c)->name, problem);
        return CM_EXIT_SYSTEM;
    }
    return 0;
}
