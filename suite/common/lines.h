/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h: data files with one record a line, and errors that name the line. */
#ifndef SUITE_LINES_H
#define SUITE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* The line that is read. */
typedef struct {
    const char *path;
    int line;
} suite_position;

/* Reads a line, which has no newline. Returns false, after a call of suite_lines_fail, if it is
   wrong. */
typedef bool suite_line_reader(void *context, char *line, const suite_position *at);

/* Calls read for each line that is neither blank nor a comment (#, blanks may stand before it), up
   to the first that is wrong. A byte order mark at the begin is no part of a line. Returns true, or
   false after one line on stderr: a line is wrong, or the file cannot be read. */
bool suite_lines_read(const char *path, suite_line_reader *read, void *context);

/* Returns what stands behind a byte order mark, which some editors begin a file with. */
char *suite_lines_skip_mark(char *text);
/* Removes blanks at both ends, in place. */
char *suite_lines_trim(char *text);
/* Cuts the line at each | into n fields without blanks at their ends. Returns false, after a line
   that names the record ("agreement"), if there are more or fewer. */
bool suite_lines_split(const suite_position *at, const char *record, char *line, size_t n,
                       char **field);

/* Prints "PATH:LINE: FIELD: WHY", or "PATH:LINE: FIELD: 'VALUE': expected EXPECTED". Returns
   false. */
bool suite_lines_fail(const suite_position *at, const char *field, const char *why);
bool suite_lines_fail_value(const suite_position *at, const char *field, const char *value,
                            const char *expected);

#endif
