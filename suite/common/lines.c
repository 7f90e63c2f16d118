/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.c: reads data files line by line. */
#include "config.h"
#include <ctype.h>
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

char *suite_lines_trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

bool suite_lines_split(const suite_position *at, const char *record, char *line, size_t n,
                       char **field)
{
    size_t found = 0;
    char why[64];
    for (char *word; (word = strsep(&line, "|")); found++)
        if (found < n) field[found] = suite_lines_trim(word);
    if (found == n) return true;
    snprintf(why, sizeof why, "%zu fields; expected %zu, separated by |", found, n);
    return suite_lines_fail(at, record, why);
}

char *suite_lines_skip_mark(char *text)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const size_t length = strlen(byte_order_mark);
    return strncmp(text, byte_order_mark, length) == 0 ? text + length : text;
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
        char *text = at.line == 1 ? suite_lines_skip_mark(line) : line;
        const char *begin = text + strspn(text, " \t\r");
        if (*begin && *begin != '#') right = read(context, text, &at);
    }
    free(line);
    fclose(file);
    return right;
}
