/* SPDX-License-Identifier: BSD-3-Clause */
/* open.h: shows a page in a browser. */
#ifndef SUITE_OPEN_H
#define SUITE_OPEN_H

/* Starts $BROWSER or else xdg-open, and does not wait for it longer than a moment. Prints one line,
   which begins with the command, if there is no browser, no display to show it on (as over ssh), or
   if the browser fails at once. */
void suite_open_page(const char *command, const char *path);

#endif
