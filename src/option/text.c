/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: filling words into lines, finding paragraphs. */
#include "config.h"
#include "option/text.h"
#include <string.h>

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

void cm_text_fill(FILE *out, const char *text, size_t length, size_t column, size_t indent,
                  const char *ending)
{
    size_t width = CM_TEXT_WIDTH - strlen(ending);
    bool first = true; /* on its line */
    for (size_t i = 0; i < length;) {
        if (is_space(text[i])) {
            i++;
            continue;
        }
        size_t word = 0;
        while (i + word < length && !is_space(text[i + word])) word++;
        while (word > 0) {
            size_t room = column < width ? width - column : 0, gap = !first;
            size_t part = word;
            if (word + gap > room && !(first && column <= indent)) {
                fprintf(out, "%s\n%*s", ending, (int)indent, "");
                column = indent;
                first = true;
                continue;
            }
            if (part > room && room > 0) part = room;
            fprintf(out, "%s%.*s", gap ? " " : "", (int)part, text + i);
            column += gap + part;
            first = false;
            i += part;
            word -= part;
        }
    }
    fputc('\n', out);
}

static const char *line_end(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end : line + strlen(line);
}

void cm_text_blocks(const char *text, cm_text_block *block, void *context)
{
    while (*text) {
        if (*text == '\n') {
            text++;
            continue;
        }
        bool verbatim = *text == ' ';
        const char *begin = text, *end = text;
        while (*text && *text != '\n' && (*text == ' ') == verbatim) {
            end = line_end(text);
            text = *end ? end + 1 : end;
        }
        block(begin, (size_t)(end - begin), verbatim, context);
    }
}

const char *cm_text_example(const char *examples, cm_example *example)
{
    while (*examples == '\n') examples++;
    if (!*examples) return NULL;
    const char *end = line_end(examples);
    const char *tab = memchr(examples, '\t', (size_t)(end - examples));
    const char *stop = tab ? tab : end;
    *example = (cm_example){.command = examples,
                            .command_length = (size_t)(stop - examples),
                            .meaning = tab ? tab + 1 : end,
                            .meaning_length = tab ? (size_t)(end - tab - 1) : 0};
    return *end ? end + 1 : end;
}
