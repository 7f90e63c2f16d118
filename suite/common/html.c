/* SPDX-License-Identifier: BSD-3-Clause */
/* html.c: the one function that escapes. */
#include "config.h"
#include <stdbool.h>
#include <string.h>
#include "html.h"
#include "result/result_internal.h" /* what a character of UTF-8 is */

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

static bool is_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\t' && c != '\n') || c == 127;
}

void html_put(FILE *out, const char *html)
{
    if (html) fputs(html, out);
}

void html_escape(FILE *out, const char *text)
{
    while (text && *text) {
        size_t length = cm_result_character(text);
        const char *written = entity(*text);
        if (written) fputs(written, out);
        else if (length == 0 || is_control(*text)) putc('?', out);
        else fwrite(text, 1, length, out);
        text += length > 0 ? length : 1;
    }
}
