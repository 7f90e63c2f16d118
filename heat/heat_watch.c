/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_watch.c: shows the plate live by gnuplot: in a window if there is a display, otherwise as
   lines of equal temperature in text on the terminal. */
#include "config.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "heat.h"

struct heat_watch {
    FILE *gnuplot;
    bool text;
};

static bool has_window(void)
{
    const char *names[] = {"GNUTERM", "DISPLAY", "WAYLAND_DISPLAY"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = getenv(names[k]);
        if (value && *value && strncmp(value, "dumb", 4) != 0) return true;
    }
    return false;
}

int heat_watch_check(const cm_program *program)
{
    if (cm_launch_rank() != 0) return 0;
    if (!has_window() && !isatty(STDERR_FILENO))
        return cm_option_error(program,
                               "--watch: no window (DISPLAY, GNUTERM), and standard error is not a "
                               "terminal");
    if (system("command -v gnuplot >/dev/null 2>&1") != 0)
        return cm_option_error(program, "--watch: gnuplot was not found");
    return 0;
}

/* The user may close gnuplot; that must not end the run. */
static void quietly(heat_watch *watch, void (*write)(FILE *, const void *), const void *what)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    if (!watch->gnuplot) return;
    sigaction(SIGPIPE, &ignore, &before);
    write(watch->gnuplot, what);
    if (fflush(watch->gnuplot) != 0) {
        pclose(watch->gnuplot);
        watch->gnuplot = NULL;
    }
    sigaction(SIGPIPE, &before, NULL);
}

typedef struct {
    bool text;
    double low, high;
} look;
static void write_look(FILE *out, const void *of)
{
    const look *l = of;
    if (l->text) {
        struct winsize size = {.ws_row = 24, .ws_col = 79};
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
        if (size.ws_row < 10 || size.ws_col < 20)
            size = (struct winsize){.ws_row = 24, .ws_col = 79};
        fprintf(out, "set terminal dumb size %d, %d noenhanced\nset contour base\nunset surface\n",
                size.ws_col - 1, size.ws_row - 1);
        fprintf(out, "set cntrparam levels incremental %.9g, %.9g, %.9g\nset key outside right\n",
                l->low, (l->high - l->low) / 8, l->high);
    } else {
        fprintf(out, "set size ratio -1\nset cblabel 'temperature'\nset cbrange [%.9g:%.9g]\n",
                l->low, l->high);
        fprintf(out, "set palette defined (0 '#17265f', 1 '#2f74b5', 2 '#e8e2d0', 3 '#e0703a', 4 "
                     "'#7c1416')\n");
    }
    fprintf(out,
            "set view map\nset yrange [*:*] reverse\nset autoscale xfix\nset autoscale yfix\n");
}

heat_watch *heat_watch_open(double low, double high)
{
    heat_watch *watch = calloc(1, sizeof *watch);
    if (!watch) cm_abort(CM_EXIT_SYSTEM, "out of memory: --watch");
    /* Standard output belongs to the result. */
    watch->text = !has_window();
    watch->gnuplot = popen("exec gnuplot >&2", "w");
    const look l = {watch->text, low, high > low ? high : low + 1};
    quietly(watch, write_look, &l);
    return watch;
}

typedef struct {
    bool text;
    const heat_plate *plate;
    const heat_picture *picture;
    int64_t iteration;
} view;
static void write_view(FILE *out, const void *of)
{
    const view *v = of;
    const heat_picture *p = v->picture;
    fprintf(out, "set title 'iteration %lld'\n$plate << END\n", (long long)v->iteration);
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            fprintf(out, "%.5g%c", heat_picture_at(v->plate, p, i, j),
                    j + 1 < p->columns ? ' ' : '\n');
    fprintf(out, "END\n%s\n",
            v->text ? "splot $plate matrix with lines title 'temperature'"
                    : "plot $plate matrix with image notitle");
}

void heat_watch_show(heat_watch *watch, const heat_plate *plate, const heat_picture *picture,
                     int64_t iteration)
{
    const view v = {watch->text, plate, picture, iteration};
    quietly(watch, write_view, &v);
}

void heat_watch_close(heat_watch *watch)
{
    if (!watch) return;
    if (watch->gnuplot) pclose(watch->gnuplot);
    free(watch);
}
