/* SPDX-License-Identifier: BSD-3-Clause */
/* result_standin.c: option calls until their module is here. */
#include <config.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "option/option.h"

int cm_option_error(const cm_program *program, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", program->name);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CM_EXIT_USAGE;
}

int cm_option_parse(const cm_program *program, int argc, char **argv, int *operand)
{
    (void)operand;
    for (int i = 1; i < argc; i++) {
        const cm_option *o = program->options;
        while (o->kind != CM_OPTION_END
               && (o->kind == CM_OPTION_HEADING || strcmp(argv[i] + 2, o->name) != 0))
            o++;
        if (o->kind == CM_OPTION_FLAG) *(bool *)o->value = true;
        else if (o->kind == CM_OPTION_TEXT) *(const char **)o->value = argv[++i];
        else if (o->kind == CM_OPTION_INTEGER) *(int64_t *)o->value = atoll(argv[++i]);
        else return cm_option_error(program, "%s", argv[i]);
    }
    return CM_OPTION_RUN;
}
