/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h: filling words into lines; private to option/. */
#ifndef CM_OPTION_TEXT_H
#define CM_OPTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CM_TEXT_WIDTH = 79 };

/* Writes the words of text, lines indented to column indent, and ends the last line. column is
   where the first line already stands. A word longer than a line is cut; ending is written
   where a line is broken ("" or " \\"). */
void cm_text_fill(FILE *out, const char *text, size_t length, size_t column, size_t indent,
                  const char *ending);

/* Calls block for each paragraph (they are separated by empty lines) and each run of lines that
   start with a space, which are verbatim. */
typedef void cm_text_block(const char *text, size_t length, bool verbatim, void *context);
void cm_text_blocks(const char *text, cm_text_block *block, void *context);

/* The next line "COMMAND\tWHAT IT DOES" of examples; returns where the one after begins, NULL
   at the end. */
typedef struct {
    const char *command, *meaning;
    size_t command_length, meaning_length;
} cm_example;
const char *cm_text_example(const char *examples, cm_example *example);

#endif
