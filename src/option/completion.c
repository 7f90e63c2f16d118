/* SPDX-License-Identifier: BSD-3-Clause */
/* completion.c: completion for bash, without bash-completion's helpers, which not every node
   has. */
#include "config.h"
#include "option/table.h"
#include <string.h>

/* Prints a pattern of a case command: "--output|-o". */
static void put_pattern(const cm_option_list *list, const cm_option *option, FILE *out)
{
    char letter = cm_option_letter(list, option);
    fprintf(out, "    --%s", option->name);
    if (letter) fprintf(out, "|-%c", letter);
    fputs(")\n", out);
}

/* compgen's action for an argument or operand of this name; NULL if nothing is known of it. */
static const char *action_of(const char *name)
{
    static const struct {
        const char *part, *action;
    } known[] = {{"FILE", "file"},     {"PATH", "file"},     {"RESULT", "file"},
                 {"DIR", "directory"}, {"HOST", "hostname"}, {"COMMAND", "command"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(name, known[i].part)) return known[i].action;
    return NULL;
}

/* Folders get a / and blanks in names get a backslash only if bash is told that the words are file
   names. */
static void put_action(const char *action, FILE *out)
{
    bool names = strcmp(action, "file") == 0 || strcmp(action, "directory") == 0;
    if (names) fputs("        compopt -o filenames\n", out);
    fprintf(out, "        mapfile -t COMPREPLY < <(compgen -A %s -- \"$cur\")\n", action);
}

static void put_argument(const cm_option_list *list, const cm_option *option, FILE *out)
{
    const char *argument = cm_option_argument(option);
    put_pattern(list, option, out);
    if (option->choices) {
        fputs("        COMPREPLY=($(compgen -W '", out);
        for (const char *const *choice = option->choices; *choice; choice++)
            fprintf(out, "%s%s", choice == option->choices ? "" : " ", *choice);
        fputs("' -- \"$cur\"))\n", out);
    } else if (option->kind == CM_OPTION_TEXT && action_of(argument)) {
        put_action(action_of(argument), out);
    }
    fputs("        return ;;\n", out);
}

static void put_function_name(const cm_program *program, FILE *out)
{
    fputc('_', out);
    for (const char *c = program->name; *c; c++) fputc(strchr("-. ", *c) ? '_' : *c, out);
}

/* Completes arguments of options, and options. */
static void put_options(const cm_option_list *list, FILE *out)
{
    fputs("    case $option in\n", out);
    for (size_t i = 0; i < list->visible; i++)
        if (*cm_option_before(list->entry[i])) put_argument(list, list->entry[i], out);
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
          "        [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n",
          out);
}

/* A function for a command; cur and option are variables of the one that calls it. */
static void put_command(const cm_program *command, const cm_option_list *list, FILE *out)
{
    put_function_name(command, out);
    fputs("() {\n", out);
    put_options(list, out);
    if (command->operands) {
        const char *action = action_of(command->operands);
        fputs("    else\n", out);
        if (action) put_action(action, out);
        else fputs("        compopt -o bashdefault -o default\n", out);
    }
    fputs("    fi\n}\n", out);
}

static void put_words(const cm_program *program, FILE *out)
{
    fputs("COMPREPLY=($(compgen -W '", out);
    for (const cm_program *const *c = program->commands; *c; c++)
        fprintf(out, "%s ", cm_option_command_word(*c));
    fputs("help' -- \"$cur\"))", out);
}

/* Finds the command's word, the first that is no option and no argument of one, and leaves the rest
   to the command's function. */
static void put_commands(const cm_program *program, const cm_option_list *list, FILE *out)
{
    fputs("    local command= k\n"
          "    for ((k = 1; k < COMP_CWORD; k++)); do\n"
          "        case ${COMP_WORDS[k]} in\n",
          out);
    for (size_t i = 0; i < list->visible; i++) {
        if (!cm_option_takes_argument(list->entry[i])) continue;
        put_pattern(list, list->entry[i], out);
        fputs("        ((++k)); [[ ${COMP_WORDS[k]} != = ]] || ((++k)) ;;\n", out);
    }
    fputs("        -*) ;;\n"
          "        *) command=${COMP_WORDS[k]}; break ;;\n"
          "        esac\n"
          "    done\n"
          "    case $command in\n",
          out);
    for (const cm_program *const *c = program->commands; *c; c++) {
        fprintf(out, "    %s) ", cm_option_command_word(*c));
        put_function_name(*c, out);
        fputs("; return ;;\n", out);
    }
    fputs("    help) ((COMP_CWORD > k + 1)) || ", out);
    put_words(program, out);
    fputs("; return ;;\n    ?*) return ;;\n    esac\n", out);
}

void cm_option_print_completion(const cm_program *program, const cm_option_list *list, FILE *out)
{
    /* bash splits --name=value into three words at the =. */
    fprintf(out, "# bash completion for %s, made by %s --print-completion=bash\n", program->name,
            program->name);
    for (size_t i = 0; i < list->commands; i++)
        put_command(program->commands[i], &list->command[i], out);
    put_function_name(program, out);
    fputs("() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    COMPREPLY=()\n"
          "    if [[ $cur == = ]]; then cur=\n"
          "    elif [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}; fi\n",
          out);
    if (program->commands) put_commands(program, list, out);
    put_options(list, out);
    if (program->commands) {
        fputs("    else\n        ", out);
        put_words(program, out);
        fputs("\n", out);
    }
    fputs("    fi\n}\n", out);
    /* Operands are commands or files, which bash completes by itself where nothing else fits. */
    fputs("complete ", out);
    if (program->operands && !program->commands) fputs("-o bashdefault -o default ", out);
    fputs("-F ", out);
    put_function_name(program, out);
    fprintf(out, " %s\n", program->name);
}
