/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c: reads data files line by line. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lines.h"
#include "say.h"

bool suite_lines_fail(const suite_position *at, const char *field, const char *why)
{
    suite_say("%s:%d: %s: %s", at->path, at->line, field, why);
    return false;
}

bool suite_lines_fail_value(const suite_position *at, const char *field, const char *value,
                            const char *expected)
{
    suite_say("%s:%d: %s: '%s': expected %s", at->path, at->line, field, value, expected);
    return false;
}

bool suite_lines_read(const char *path, suite_line_reader *read, void *context)
{
    char *line = NULL;
    size_t capacity = 0;
    suite_position at = {path, 0};
    bool right = true;
    FILE *file = fopen(path, "r");
    if (!file) {
        suite_say("cannot read %s: %s", path, strerror(errno));
        return false;
    }
    while (right && getline(&line, &capacity, file) > 0) {
        at.line++;
        line[strcspn(line, "\n")] = '\0';
        if (*line && *line != '#') right = read(context, line, &at);
    }
    free(line);
    fclose(file);
    return right;
}
