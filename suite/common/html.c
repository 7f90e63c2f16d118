/* SPDX-License-Identifier: BSD-3-Clause */
/* html.c: templates with places, and the one function that escapes. */
#include "config.h"
#include <stdarg.h>
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

void html_print(FILE *out, const char *template, ...)
{
    va_list list;
    va_start(list, template);
    for (const char *place; (place = strchr(template, '%')); template = place + 2) {
        fwrite(template, 1, (size_t)(place - template), out);
        switch (place[1]) {
        case 'h':
            html_escape(out, va_arg(list, const char *));
            break;
        case 's':
            html_put(out, va_arg(list, const char *));
            break;
        case 'u':
            fprintf(out, "%zu", va_arg(list, size_t));
            break;
        default:
            putc('%', out);
        }
    }
    va_end(list);
    fputs(template, out);
}

void html_link(FILE *out, const char *id, const char *text)
{
    html_print(out, "<a href=\"#%h\">%h</a>", id, text);
}
