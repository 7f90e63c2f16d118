/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c: lines about runs; on a terminal those that tell of success are rows of a table. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "common/say.h"
#include "common/unit.h"
#include "screen.h"

void suite_screen_open(suite_screen *screen)
{
    *screen = (suite_screen){.terminal = live_possible()};
    live_open(&screen->live);
}

void suite_screen_close(suite_screen *screen)
{
    if (!screen->terminal) screen->live.n = 0;
    live_close(&screen->live);
}

void suite_screen_add(suite_screen *screen, const char *name, double about_s, size_t launches)
{
    if (screen->terminal) live_add(&screen->live, name, about_s, launches);
}

void suite_screen_value(suite_screen *screen, const char *name, const char *metric, double value,
                        const char *unit)
{
    live_row *row = live_find(&screen->live, name);
    if (row) live_value(row, metric, value, unit);
}

static void count(live_row *row, bool wrong)
{
    row->done++;
    row->wrong |= wrong;
}

void suite_screen_kept(suite_screen *screen, const char *name, bool wrong)
{
    live_row *row = live_find(&screen->live, name);
    if (row) count(row, wrong);
}

void suite_screen_begin(suite_screen *screen, const char *name, const char *command, double about_s,
                        double limit_s)
{
    char about[SUITE_DURATION], limit[SUITE_DURATION];
    screen->row = live_find(&screen->live, name);
    if (screen->row) screen->row->state = LIVE_RUNS;
    if (screen->terminal) suite_screen_tick(screen, 0);
    else
        suite_say("%s: %s; about %s, at most %s", name, command, suite_duration(about_s, about),
                  suite_duration(limit_s, limit));
}

void suite_screen_tick(void *context, double elapsed_s)
{
    suite_screen *screen = context;
    if (screen->terminal) live_tick(&screen->live, elapsed_s);
}

static void say(const char *name, const char *format, va_list list)
{
    char *text;
    int length = vasprintf(&text, format, list);
    suite_say("%s: %s", name, length < 0 ? "?" : text);
    if (length >= 0) free(text);
}

void suite_screen_end(suite_screen *screen, const char *name, suite_screen_verdict verdict,
                      const char *format, ...)
{
    va_list list;
    live_row *row = screen->row;
    live_erase(&screen->live);
    if (row) row->state = verdict == SCREEN_FAILED ? LIVE_FAILED : LIVE_WAITS;
    if (row && verdict <= SCREEN_WRONG) count(row, verdict == SCREEN_WRONG);
    screen->row = NULL;
    if (verdict == SCREEN_INTERRUPTED || (row && verdict == SCREEN_PASS)) return;
    va_start(list, format);
    say(name, format, list);
    va_end(list);
}

void suite_screen_skip(suite_screen *screen, const char *name, const char *format, ...)
{
    va_list list;
    live_erase(&screen->live);
    va_start(list, format);
    say(name, format, list);
    va_end(list);
}
