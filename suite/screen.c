/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c: lines about runs, and the one that is under way. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "say.h"
#include "screen.h"

const char *suite_duration(double seconds, char text[SUITE_DURATION])
{
    if (seconds < 100) snprintf(text, SUITE_DURATION, "%.0f s", seconds);
    else if (seconds < 100 * 60) snprintf(text, SUITE_DURATION, "%.0f min", seconds / 60);
    else snprintf(text, SUITE_DURATION, "%.1f h", seconds / 3600);
    return text;
}

void suite_screen_open(suite_screen *screen, size_t runs, double left_s)
{
    *screen = (suite_screen){.terminal = isatty(2), .runs = runs, .left_s = left_s};
}

static void erase(const suite_screen *screen)
{
    if (screen->terminal) fputs("\r\033[K", stderr);
}

void suite_screen_begin(suite_screen *screen, const char *name, const char *command, double about_s,
                        double limit_s)
{
    char about[SUITE_DURATION], limit[SUITE_DURATION];
    screen->name = name;
    screen->about_s = about_s;
    screen->limit_s = limit_s;
    screen->shown_s = -1;
    if (screen->terminal) suite_screen_tick(screen, 0);
    else
        suite_say("%s: %s; about %s, at most %s", name, command, suite_duration(about_s, about),
                  suite_duration(limit_s, limit));
}

void suite_screen_tick(void *context, double elapsed_s)
{
    suite_screen *screen = context;
    char elapsed[SUITE_DURATION], about[SUITE_DURATION], limit[SUITE_DURATION],
        left[SUITE_DURATION], line[256];
    struct winsize size = {0};
    if (!screen->terminal || (int)elapsed_s == screen->shown_s) return;
    screen->shown_s = (int)elapsed_s;
    double left_s = screen->left_s - elapsed_s, behind_s = screen->left_s - screen->about_s;
    snprintf(line, sizeof line, "%zu of %zu  %s: %s of about %s, at most %s; all: about %s more",
             screen->number + 1, screen->runs, screen->name, suite_duration(elapsed_s, elapsed),
             suite_duration(screen->about_s, about), suite_duration(screen->limit_s, limit),
             suite_duration(left_s > behind_s ? left_s : behind_s, left));
    int columns = ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
    erase(screen);
    fprintf(stderr, "%.*s", columns - 1, line);
}

static void say(suite_screen *screen, const char *name, const char *format, va_list list)
{
    char *text;
    int length = vasprintf(&text, format, list);
    erase(screen);
    suite_say("%s: %s", name, length < 0 ? "?" : text);
    if (length >= 0) free(text);
}

void suite_screen_end(suite_screen *screen, const char *name, double about_s, const char *format,
                      ...)
{
    va_list list;
    screen->number++;
    screen->left_s -= about_s;
    va_start(list, format);
    say(screen, name, format, list);
    va_end(list);
}

void suite_screen_skip(suite_screen *screen, const char *name, int launches, const char *format,
                       ...)
{
    va_list list;
    screen->number += (size_t)launches;
    va_start(list, format);
    say(screen, name, format, list);
    va_end(list);
}
