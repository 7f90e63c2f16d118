/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h: what people see of `clustermark run` on stderr: on a terminal one line for the run that
   is under way, which its verdict replaces; elsewhere plain lines. */
#ifndef SUITE_SCREEN_H
#define SUITE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool terminal;
    size_t number, runs; /* which run of how many is under way, from 1 */
    double left_s;       /* what this run and those behind it take, about */
    const char *name;    /* of the run under way */
    double about_s, limit_s;
    int shown_s; /* second that the terminal shows */
} suite_screen;

/* For runs that take left_s in all, about. */
void suite_screen_open(suite_screen *screen, size_t runs, double left_s);

/* The run begins: command is what is run ("cm-netpipe --bind, 2 ranks"). */
void suite_screen_begin(suite_screen *screen, const char *name, const char *command, double about_s,
                        double limit_s);
/* For suite_child's tick; the context is the screen. */
void suite_screen_tick(void *screen, double elapsed_s);
/* The launch is over: "PASS". */
void suite_screen_end(suite_screen *screen, const char *name, double about_s, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* The run has no launches: "skipped: ...". */
void suite_screen_skip(suite_screen *screen, const char *name, int launches, const char *format,
                       ...) __attribute__((format(printf, 4, 5)));

/* "45 s", "12 min", "3.5 h"; text has room for SUITE_DURATION bytes. */
enum { SUITE_DURATION = 24 };
const char *suite_duration(double seconds, char text[SUITE_DURATION]);

#endif
