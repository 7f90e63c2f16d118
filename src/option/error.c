/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c: the one line about a command line that is wrong. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include "base/exit.h"
#include "base/launch_rank.h"
#include "option/option.h"

int cm_option_error(const cm_program *program, const char *format, ...)
{
    char text[1024];
    va_list list;
    if (cm_launch_rank() != 0) return CM_EXIT_USAGE;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    /* What the user typed may hold anything; the error stays one line all the same. */
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    fprintf(stderr, "%s: %s%s\n", program->name, text, length >= (int)sizeof text ? "..." : "");
    return CM_EXIT_USAGE;
}
