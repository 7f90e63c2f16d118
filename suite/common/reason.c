/* SPDX-License-Identifier: BSD-3-Clause */
/* reason.c: finds the reason in what a failed command said on stderr. A program's own line begins
   with its name; launchers put frames of dashes around their texts, and stack traces behind. */
#include "config.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "memory.h"
#include "child.h"

static bool is_rule(const char *line, size_t length)
{
    bool any = false;
    for (size_t k = 0; k < length; k++)
        if (isalnum((unsigned char)line[k])) return false;
        else any = any || !isspace((unsigned char)line[k]);
    return any;
}

static bool is_ours(const char *line)
{
    return strncmp(line, "cm-", 3) == 0 || strncmp(line, "cmrun: ", 7) == 0
           || strncmp(line, "rank ", 5) == 0;
}

char *suite_reason(const char *errors)
{
    const char *last = NULL, *framed = NULL, *ours = NULL;
    bool after_rule = false;
    for (const char *line = errors; *line;) {
        size_t length = strcspn(line, "\n");
        if (is_rule(line, length)) after_rule = true;
        else if (length > strspn(line, " \t\r\n")) {
            if (after_rule && !framed) framed = line;
            after_rule = false;
            last = line;
            if (is_ours(line) && !ours) ours = line;
        }
        line += length + (line[length] == '\n');
    }
    const char *best = ours ? ours : framed ? framed : last;
    if (!best) return suite_copy("it said nothing");
    while (*best == ' ' || *best == '\t') best++;
    return suite_text("%.*s", (int)strcspn(best, "\r\n"), best);
}
