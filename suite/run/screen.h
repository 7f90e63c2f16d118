/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h: what people see of `clustermark run` on stderr: on a terminal a table that fills, above
   it what was skipped or failed and why; elsewhere plain lines. */
#ifndef SUITE_SCREEN_H
#define SUITE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include "live.h"

typedef struct {
    bool terminal;
    live_table live;
    live_row *row; /* that runs; NULL: none */
} suite_screen;

void suite_screen_open(suite_screen *screen);
/* The last words: the whole table. */
void suite_screen_close(suite_screen *screen);

/* A benchmark that will be run. */
void suite_screen_add(suite_screen *screen, const char *name, double about_s, size_t launches);
/* A launch gave the metric, the same for all of them, this value. */
void suite_screen_value(suite_screen *screen, const char *name, const char *metric, double value,
                        const char *unit);
/* A launch need not be run: its result is there. */
void suite_screen_kept(suite_screen *screen, const char *name, bool wrong);

/* The launch begins: command is what is run ("cm-netpipe --bind, 2 ranks"). */
void suite_screen_begin(suite_screen *screen, const char *name, const char *command, double about_s,
                        double limit_s);
/* For suite_child's tick; the context is the screen. */
void suite_screen_tick(void *screen, double elapsed_s);
/* The launch is over. */
typedef enum { SCREEN_PASS, SCREEN_WRONG, SCREEN_FAILED, SCREEN_INTERRUPTED } suite_screen_verdict;
void suite_screen_end(suite_screen *screen, const char *name, suite_screen_verdict verdict,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The run has no launches: "skipped: ...". */
void suite_screen_skip(suite_screen *screen, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
