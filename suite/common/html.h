/* SPDX-License-Identifier: BSD-3-Clause */
/* html.h: writes to the report's page. Nothing else does, so that what comes from outside is
   escaped in one place. */
#ifndef SUITE_HTML_H
#define SUITE_HTML_H

#include <stdio.h>

/* Writes a template with places:
       %h  const char *, escaped for text and for attributes in double quotes. What a page must
           not have, bytes that are no UTF-8 and control characters other than tab and newline,
           becomes question marks.
       %s  const char *, HTML as it is
       %u  size_t
       %%  a per cent sign
   NULL is written as an empty text. */
void html_print(FILE *out, const char *template, ...);

/* What the pieces of pages/ are made of: a text for a page, escaped, and HTML as it is. */
void html_escape(FILE *out, const char *text);
void html_put(FILE *out, const char *html);

/* Writes a link to a part of the page. */
void html_link(FILE *out, const char *id, const char *text);

#endif
