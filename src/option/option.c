/* SPDX-License-Identifier: BSD-3-Clause */
/* option.c: parsing a command line by an option table. */
#include "config.h"
#include "option/table.h"
#include "base/exit.h"
#include "base/launch_rank.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const cm_program *program;
    cm_option_list list;
    cm_value *value; /* for each entry of list: what to set once all is known to be good */
    bool *given;
    int argc;
    char **argv;
    int next; /* index of the argument to be read next */
} parser;

static void keep(parser *p, const cm_option *option, cm_value value)
{
    for (size_t i = 0; i < p->list.n; i++)
        if (p->list.entry[i] == option) {
            p->value[i] = value;
            p->given[i] = true;
        }
}

/* Prints what the user requested on stdout, on one rank. */
static int print(const cm_program *program, const cm_option_list *list, int what)
{
    if (cm_launch_rank() != 0) return CM_EXIT_PASS;
    errno = 0;
    switch (what) {
    case CM_BUILTIN_HELP:
        cm_option_print_help(program, list, stdout);
        break;
    case CM_BUILTIN_VERSION:
        cm_option_print_version(program, stdout);
        break;
    case CM_BUILTIN_PRINT_MAN:
        cm_option_print_man(program, list, stdout);
        break;
    case CM_BUILTIN_PRINT_METRICS:
        cm_option_print_metrics(program, stdout);
        break;
    default:
        cm_option_print_completion(program, list, stdout);
        break;
    }
    if (fflush(stdout) == 0 && !ferror(stdout)) return CM_EXIT_PASS;
    cm_option_error(program, "cannot write to standard output: %s",
                    errno ? strerror(errno) : "write error");
    return CM_EXIT_SYSTEM;
}

/* The new name of an old one, of which it says so; NULL: it is not an old name. */
static const char *renamed(const parser *p, const char *name, size_t length)
{
    const char *now = cm_option_renamed(p->program->options, name, length);
    if (now && cm_launch_rank() == 0)
        fprintf(stderr, "%s: --%.*s is called --%s now; the old name will go\n", p->program->name,
                (int)length, name, now);
    return now;
}

/* The word of a choice, in place of one that was renamed. */
static const char *word_now(const parser *p, const cm_option *option, const char *word)
{
    char text[256];
    const int length = snprintf(text, sizeof text, "%s=%s", option->name, word);
    const char *now = length < (int)sizeof text ? renamed(p, text, (size_t)length) : NULL;
    return now ? strchr(now, '=') + 1 : word;
}

/* argument: NULL when the option has none, which for a switch means the choice of index 1. */
static int apply(parser *p, const cm_option *option, const char *argument)
{
    char problem[1024];
    cm_value value = {0};
    if (argument && option->kind == CM_OPTION_CHOICE) argument = word_now(p, option, argument);
    if (option->kind == CM_OPTION_SWITCH) value.choice = 1;
    if (argument && !cm_value_parse(option, argument, &value, problem, sizeof problem))
        return cm_option_error(p->program, "option '--%s': '%s' %s", option->name, argument,
                               problem);
    for (int what = CM_BUILTIN_HELP; what <= CM_BUILTIN_PRINT_COMPLETION; what++)
        if (option == &cm_option_builtin[what]) return print(p->program, &p->list, what);
    keep(p, option, value);
    return CM_OPTION_RUN;
}

/* The argument of an option is what follows in the same word, or the next word. */
static int apply_with_argument(parser *p, const cm_option *option, const char *attached)
{
    if (!attached && p->next < p->argc) attached = p->argv[p->next++];
    if (attached) return apply(p, option, attached);
    return cm_option_error(p->program, "option '--%s' needs an argument: --%s=%s", option->name,
                           option->name, cm_option_argument(option));
}

static int ambiguous_error(const parser *p, const char *name, size_t length)
{
    char candidates[512];
    size_t used = 0;
    for (size_t i = 0; i < p->list.visible && used < sizeof candidates; i++) {
        const cm_option *option = p->list.entry[i];
        if (cm_option_is_heading(option) || strncmp(option->name, name, length) != 0) continue;
        used += (size_t)snprintf(candidates + used, sizeof candidates - used, "%s--%s",
                                 used ? ", " : "", option->name);
    }
    return cm_option_error(p->program, "option '--%.*s' is ambiguous: %s", (int)length, name,
                           candidates);
}

static int long_option(parser *p, const char *name)
{
    size_t length = strcspn(name, "=");
    const char *attached = name[length] ? name + length + 1 : NULL;
    const char *now = renamed(p, name, length);
    if (now) {
        name = now;
        length = strlen(now);
    }
    bool ambiguous;
    const cm_option *option = cm_option_by_name(&p->list, name, length, &ambiguous);
    if (ambiguous) return ambiguous_error(p, name, length);
    if (!option) {
        const cm_option *nearest = cm_option_nearest(&p->list, name, length);
        if (nearest)
            return cm_option_error(p->program, "unknown option '--%.*s'; did you mean '--%s'?",
                                   (int)length, name, nearest->name);
        return cm_option_error(p->program, "unknown option '--%.*s'; try --help", (int)length,
                               name);
    }
    if (cm_option_takes_argument(option)) return apply_with_argument(p, option, attached);
    if (attached && option->kind != CM_OPTION_SWITCH)
        return cm_option_error(p->program, "option '--%s' takes no argument, but got '%s'",
                               option->name, attached);
    return apply(p, option, attached);
}

static int letters(parser *p, const char *word)
{
    for (const char *letter = word; *letter; letter++) {
        const cm_option *option = cm_option_by_letter(&p->list, *letter);
        if (!option) {
            size_t length = strcspn(word, "=");
            const cm_option *meant = length > 2 ? cm_option_nearest(&p->list, word, length) : NULL;
            if (meant)
                return cm_option_error(p->program,
                                       "unknown option '-%c' in '-%s'; did you mean "
                                       "'--%s'?",
                                       *letter, word, meant->name);
            return cm_option_error(p->program, "unknown option '-%c'; try --help", *letter);
        }
        if (cm_option_takes_argument(option))
            return apply_with_argument(p, option, letter[1] ? letter + 1 : NULL);
        int status = apply(p, option, NULL);
        if (status != CM_OPTION_RUN) return status;
    }
    return CM_OPTION_RUN;
}

/* Moves word[0] by `places` places towards the front, past the words that are there. */
static void move_forward(char **word, int places)
{
    char *moved = *word;
    memmove(word - places + 1, word - places, (size_t)places * sizeof *word);
    word[-places] = moved;
}

/* Reads all options; p->next is then the first operand's index. */
static int parse(parser *p)
{
    bool mixed = p->program->mixed && !p->program->commands, end = false;
    int operands = 0; /* that stand just before the next word: options after them are moved past
                         them */
    while (p->next < p->argc && !end) {
        const char *word = p->argv[p->next];
        if (word[0] != '-' || word[1] == '\0') {
            if (!mixed) break;
            operands++;
            p->next++;
            continue;
        }
        int begin = p->next++, status = CM_OPTION_RUN;
        end = strcmp(word, "--") == 0;
        if (!end) status = word[1] == '-' ? long_option(p, word + 2) : letters(p, word + 1);
        if (status != CM_OPTION_RUN) return status;
        for (int i = begin; i < p->next; i++) move_forward(&p->argv[i], operands);
    }
    p->next -= operands;
    if (!p->program->operands && !p->program->commands && p->next < p->argc)
        return cm_option_error(p->program,
                               "unexpected argument '%s'; only options are allowed, "
                               "try --help",
                               p->argv[p->next]);
    return CM_OPTION_RUN;
}

int cm_option_parse(const cm_program *program, int argc, char **argv, int *operand)
{
    parser p = {.program = program, .argc = argc, .argv = argv, .next = argc < 1 ? argc : 1};
    int status = cm_option_list_make(program, &p.list);
    if (status != 0) return status;
    p.value = calloc(p.list.n, sizeof *p.value);
    p.given = calloc(p.list.n, sizeof *p.given);
    if (!p.value || !p.given) {
        cm_option_error(program, "out of memory");
        status = CM_EXIT_SYSTEM;
    } else {
        status = parse(&p);
    }
    if (status == CM_OPTION_RUN) {
        for (size_t i = 0; i < p.list.n; i++)
            if (p.given[i]) cm_value_set(p.list.entry[i], p.value[i]);
        if (operand) *operand = p.next;
    }
    free(p.given);
    free(p.value);
    cm_option_list_free(&p.list);
    return status;
}
