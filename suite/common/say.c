/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c: lines on stderr. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "say.h"

static void say(const char *format, va_list list)
{
    char *text;
    if (vasprintf(&text, format, list) < 0) return;
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    fprintf(stderr, "clustermark: %s\n", text);
    free(text);
}

void suite_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
}

int suite_fail(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    return status;
}
