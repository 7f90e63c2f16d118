/* SPDX-License-Identifier: BSD-3-Clause */
/* html.h: what the pieces of the pages (pages/README) are written with. Nothing else writes HTML,
   so that what comes from outside is escaped in one place. */
#ifndef SUITE_HTML_H
#define SUITE_HTML_H

#include <stdio.h>

/* Writes a text, escaped for HTML and for attributes in double quotes. What a page must not have,
   bytes that are no UTF-8 and control characters other than tab and newline, becomes question
   marks. NULL is an empty text. */
void html_escape(FILE *out, const char *text);

/* Writes HTML as it is; of NULL nothing. */
void html_put(FILE *out, const char *html);

#endif
