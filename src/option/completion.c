/* SPDX-License-Identifier: BSD-3-Clause */
/* completion.c: completion for bash, without bash-completion's helpers, which not every node
   has. */
#include "config.h"
#include "option/table.h"
#include <string.h>

/* A pattern of a case command: "--output|-o". */
static void put_pattern(const cm_option_list *list, const cm_option *option, FILE *out)
{
    char letter = cm_option_letter(list, option);
    fprintf(out, "    --%s", option->name);
    if (letter) fprintf(out, "|-%c", letter);
    fputs(")\n", out);
}

static bool names_file(const char *argument)
{
    return strstr(argument, "FILE") || strstr(argument, "DIR") || strstr(argument, "PATH");
}

static void put_argument(const cm_option_list *list, const cm_option *option, FILE *out)
{
    const char *argument = cm_option_argument(option);
    put_pattern(list, option, out);
    if (option->kind == CM_OPTION_CHOICE) {
        fputs("        COMPREPLY=($(compgen -W '", out);
        for (const char *const *choice = option->choices; *choice; choice++)
            fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
        fputs("' -- \"$cur\"))\n", out);
    } else if (option->kind == CM_OPTION_TEXT && names_file(argument)) {
        fprintf(out,
                "        compopt -o filenames\n"
                "        mapfile -t COMPREPLY < <(compgen -%c -- \"$cur\")\n",
                strstr(argument, "DIR") ? 'd' : 'f');
    }
    fputs("        return ;;\n", out);
}

void cm_option_print_completion(const cm_program *program, const cm_option_list *list, FILE *out)
{
    char function[128];
    snprintf(function, sizeof function, "_%s", program->name);
    for (char *c = function; *c; c++)
        if (*c == '-' || *c == '.') *c = '_';

    /* bash splits --name=value into three words at the =. */
    fprintf(out, "# bash completion for %s, made by %s --print-completion=bash\n", program->name,
            program->name);
    fprintf(out,
            "%s() {\n"
            "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
            "    COMPREPLY=()\n"
            "    if [[ $cur == = ]]; then cur=\n"
            "    elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi\n",
            function);
    fputs("    case $option in\n", out);
    for (size_t i = 0; i < list->visible; i++)
        if (cm_option_takes_argument(list->entry[i])) put_argument(list, list->entry[i], out);
    fputs("    esac\n    if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W '", out);
    const char *separator = "";
    for (size_t i = 0; i < list->visible; i++) {
        const cm_option *option = list->entry[i];
        if (cm_option_is_heading(option)) continue;
        fprintf(out, "%s--%s%s", separator, option->name,
                cm_option_takes_argument(option) ? "=" : "");
        separator = " ";
    }
    fputs("' -- \"$cur\"))\n"
          "        [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
          "    fi\n}\n",
          out);
    /* Operands are commands or files, which bash completes by itself where nothing else fits. */
    fprintf(out, "complete %s-F %s %s\n", program->operands ? "-o bashdefault -o default " : "",
            function, program->name);
}
