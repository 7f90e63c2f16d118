/* SPDX-License-Identifier: BSD-3-Clause */
/* progress.c: how far a run is, on a terminal. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "result/result_internal.h"

/* Blanks instead of an escape sequence: it works on every terminal. */
void cm_result_progress_erase(cm_result *result)
{
    if (result->progress_width == 0) return;
    fprintf(stderr, "\r%*s\r", result->progress_width, "");
    fflush(stderr);
    result->progress_width = 0;
}

void cm_result_progress(cm_result *result, double fraction, const char *format, ...)
{
    if (result->quiet || !isatty(STDERR_FILENO)) return;

    /* Ten lines a second are enough to look at, and cost nothing between. */
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double since_s = (double)(now.tv_sec - result->progress_time.tv_sec)
                     + 1e-9 * (double)(now.tv_nsec - result->progress_time.tv_nsec);
    if (result->progress_width > 0 && since_s < 0.1) return;
    result->progress_time = now;

    char text[256], line[300];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cm_result_clean(text);
    double percent = fraction > 0 ? 100 * (fraction < 1 ? fraction : 1) : 0; /* NaN: 0 */
    snprintf(line, sizeof line, "%3.0f %%  %s", percent, text);

    /* A line that wraps cannot be overwritten. */
    struct winsize window;
    size_t columns = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        columns = window.ws_col;
    size_t bytes = 0, width = 0;
    while (line[bytes] && width + 1 < columns) {
        size_t length = cm_result_character(line + bytes);
        bytes += length > 0 ? length : 1;
        width++;
    }
    line[bytes] = '\0';
    int rest = result->progress_width > (int)width ? result->progress_width - (int)width : 0;
    fprintf(stderr, "\r%s%*s", line, rest, "");
    fflush(stderr);
    result->progress_width = (int)width;
}
