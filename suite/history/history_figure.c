/* SPDX-License-Identifier: BSD-3-Clause */
/* history_figure.c: a metric over months as SVG: points with intervals, levels, steps, and where
   the machine changed. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "common/memory.h"
#include "common/unit.h"
#include "history.h"
#include "pages.h"

/* The drawing's corners in its own units, which are 3/4 of a pixel beside the text. Those of a
   host's line are tenths of a pixel, so that whole numbers suffice. */
enum { WIDTH = 640, HEIGHT = 236, LEFT = 66, RIGHT = 630, TOP = 34, BOTTOM = 210 };
enum { SPARK_WIDTH = 1700, SPARK_HEIGHT = 300, SPARK_EDGE = 20 };

typedef struct {
    double first, last; /* times */
    double least, most; /* values */
    double left, right, top, bottom;
} frame;

static double x_of(const frame *f, double time)
{
    return f->left + (time - f->first) / (f->last - f->first) * (f->right - f->left);
}

static double y_of(const frame *f, double value)
{
    const double y = f->bottom - (value - f->least) / (f->most - f->least) * (f->bottom - f->top);
    return fmin(fmax(y, f->top), f->bottom);
}

static double time_of(const history *all, const history_line *line, size_t point)
{
    return (double)all->kept.kept[line->point[point].at].time;
}

const char *history_day(time_t time)
{
    static char text[16];
    struct tm utc;
    if (!gmtime_r(&time, &utc) || strftime(text, sizeof text, "%Y-%m-%d", &utc) == 0) return "?";
    return text;
}

/* All lines have the times of all kept results, so that figures can be held against each other.
   Values: those of the points, whose intervals are cut where they would leave the figure far. */
static frame frame_of(const history *all, const history_line *line)
{
    frame f = {.first = (double)all->kept.kept[0].time,
               .last = (double)all->kept.kept[all->kept.n - 1].time,
               .least = INFINITY,
               .most = -INFINITY};
    for (size_t k = 0; k < line->n; k++) {
        f.least = fmin(f.least, line->point[k].value);
        f.most = fmax(f.most, line->point[k].value);
    }
    double middle = (f.least + f.most) / 2, wide = (f.most - f.least) * 0.6;
    /* A quiet line should look quiet: 2 % are half of the height at least. */
    wide = fmax(wide, fmax(fabs(middle) * 0.02, 1e-300));
    f.least = f.least >= 0 ? fmax(middle - wide, 0) : middle - wide;
    f.most = middle + wide;
    if (!(f.last > f.first)) {
        f.first -= 43200;
        f.last += 43200;
    }
    return f;
}

/* ---- Axes ------------------------------------------------------------------------------------ */

/* 1, 2 or 5 times a power of ten, so that there are three to seven of them. */
static double tick_of(double range)
{
    const double power = pow(10, floor(log10(range / 3))), times = range / 3 / power;
    return power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
}

static void write_values(FILE *out, const frame *f, double per)
{
    const double tick = tick_of((f->most - f->least) / per);
    for (double v = ceil(f->least / per / tick); v * tick <= f->most / per; v++) {
        char text[SUITE_NUMBER];
        const double y = y_of(f, v * tick * per);
        snprintf(text, sizeof text, "%.6g", fabs(v) < 0.5 ? 0 : v * tick);
        fprintf(out,
                "<path class=\"grid\" d=\"M%g,%.1fH%g\"/><text x=\"%g\" y=\"%.1f\" "
                "text-anchor=\"end\">%s</text>\n",
                f->left, y, f->right, f->left - 6, y + 4, text);
    }
}

static void write_time(FILE *out, const frame *f, double time, int digits)
{
    const double x = fmin(x_of(f, time), f->right - 7 * digits);
    fprintf(out, "<text x=\"%.1f\" y=\"%g\">%.*s</text>\n", x + 2, f->bottom + 16, digits,
            history_day((time_t)time));
}

/* Midnights, or first days of months, with room for a date each. */
static void write_times(FILE *out, const frame *f)
{
    const double days = (f->last - f->first) / 86400;
    const int step = days <= 6 ? 1 : days <= 13 ? 2 : days <= 48 ? 7 : days <= 96 ? 14 : 0;
    const int months = days <= 270 ? 1 : days <= 800 ? 3 : 12;
    time_t start = (time_t)f->first;
    bool any = false;
    struct tm utc;
    if (!gmtime_r(&start, &utc)) return;
    utc.tm_sec = utc.tm_min = utc.tm_hour = 0;
    if (step == 0) {
        utc.tm_mday = 1;
        utc.tm_mon -= utc.tm_mon % months;
    }
    for (int k = 0; k < 400; k++) {
        struct tm at = utc;
        if (step) at.tm_mday += k * step;
        else at.tm_mon += k * months;
        const time_t time = timegm(&at);
        if ((double)time > f->last) break;
        if ((double)time < f->first) continue;
        const double x = x_of(f, (double)time);
        if (x > f->right - 70) break;
        fprintf(out, "<path class=\"grid\" d=\"M%.1f,%gV%g\"/>\n", x, f->top, f->bottom + 4);
        write_time(out, f, (double)time, step ? 10 : 7);
        any = true;
    }
    if (!any) write_time(out, f, f->first, 10);
}

/* ---- What is drawn --------------------------------------------------------------------------- */

/* A dotted line for each kept result with changes, numbered as in the table where there is room. */
static void write_changes(FILE *out, const history *all, const frame *f)
{
    enum { ROOM = 18 };
    size_t number = 0;
    double last = -INFINITY;
    for (size_t k = 0; k < all->n_changes; k++) {
        const history_change *c = &all->change[k];
        if (k > 0 && c->at == all->change[k - 1].at) continue;
        const double x = x_of(f, (double)all->kept.kept[c->at].time);
        number++;
        fprintf(out, "<g class=\"change\"><title>%s:", history_day(all->kept.kept[c->at].time));
        for (size_t i = k; i < all->n_changes && all->change[i].at == c->at; i++)
            piece_history_figure_change(out, all->change[i].what, all->change[i].before,
                                        all->change[i].now);
        fprintf(out, "</title><path d=\"M%.1f,%gV%g\"/>", x, f->top, f->bottom);
        if (x - last >= ROOM) {
            fprintf(out, "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%zu</text>", x,
                    f->top - 6, number);
            last = x;
        }
        fprintf(out, "</g>\n");
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double history_median(const history_line *line, size_t from, size_t end)
{
    double *sorted = suite_array(end - from, sizeof *sorted);
    for (size_t k = from; k < end; k++) sorted[k - from] = line->point[k].value;
    qsort(sorted, end - from, sizeof *sorted, by_value);
    const double middle = (sorted[(end - from - 1) / 2] + sorted[(end - from) / 2]) / 2;
    free(sorted);
    return middle;
}

/* The medians between the steps. */
static void write_levels(FILE *out, const history *all, const history_line *line, const frame *f)
{
    for (size_t s = 0; s <= line->n_steps; s++) {
        const size_t from = s > 0 ? line->step[s - 1].place.at : 0;
        const size_t end = s < line->n_steps ? line->step[s].place.at : line->n;
        const char *way = s == 0                     ? ""
                          : line->step[s - 1].worse  ? " worse"
                          : line->step[s - 1].better ? " better"
                                                     : "";
        fprintf(out, "<path class=\"level%s\" d=\"M%.1f,%.1fH%.1f\"/>\n", way,
                x_of(f, time_of(all, line, from)), y_of(f, history_median(line, from, end)),
                x_of(f, time_of(all, line, end - 1)));
    }
}

/* Where each step may be. */
static void write_steps(FILE *out, const history *all, const history_line *line, const frame *f)
{
    for (size_t s = 0; s < line->n_steps; s++) {
        const history_step *step = &line->step[s];
        const double left = x_of(f, time_of(all, line, step->place.from - 1));
        const double right = x_of(f, time_of(all, line, step->place.to));
        fprintf(out, "<rect class=\"step%s\" x=\"%.1f\" y=\"%g\" width=\"%.1f\" height=\"%g\"/>\n",
                step->worse    ? " worse"
                : step->better ? " better"
                               : "",
                left, f->top, right - left, f->bottom - f->top);
    }
}

static void write_line(FILE *out, const history *all, const history_line *line, const frame *f)
{
    fprintf(out, "<path class=\"line\" d=\"");
    for (size_t k = 0; k < line->n; k++)
        fprintf(out, "%c%.1f,%.1f", k ? 'L' : 'M', x_of(f, time_of(all, line, k)),
                y_of(f, line->point[k].value));
    fprintf(out, "\"/>\n");
}

static void write_intervals(FILE *out, const history *all, const history_line *line, const frame *f)
{
    fprintf(out, "<path class=\"interval\" d=\"");
    for (size_t k = 0; k < line->n; k++)
        if (isfinite(line->point[k].low))
            fprintf(out, "M%.1f,%.1fV%.1f", x_of(f, time_of(all, line, k)),
                    y_of(f, line->point[k].low), y_of(f, line->point[k].high));
    fprintf(out, "\"/>\n");
}

/* Each point says its value, and leads to its report. */
static void write_points(FILE *out, const history *all, const history_line *line, const frame *f,
                         char *const *link, double per, const char *unit)
{
    for (size_t k = 0; k < line->n; k++) {
        const history_point *p = &line->point[k];
        char value[SUITE_NUMBER], low[SUITE_NUMBER], high[SUITE_NUMBER];
        suite_number(p->value / per, value, sizeof value);
        suite_number(p->low / per, low, sizeof low);
        suite_number(p->high / per, high, sizeof high);
        if (link[p->at]) piece_history_figure_link(out, link[p->at]);
        fprintf(out, "<circle class=\"point%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"><title>",
                p->disturbed ? " disturbed" : "", x_of(f, time_of(all, line, k)),
                y_of(f, p->value));
        piece_history_figure_point(out, history_day(all->kept.kept[p->at].time), value, unit,
                                   isfinite(p->low), low, high, p->disturbed, link[p->at] != NULL);
    }
}

/* A drawing with links is no image. Only the mouse follows them: the table has them, too. */
static void write_head(FILE *out, const history *all, const history_line *line, char *const *link,
                       double per, const char *unit)
{
    const size_t last_step = line->n_steps > 0 ? line->step[line->n_steps - 1].place.at : 0;
    char number[SUITE_NUMBER], level[SUITE_NUMBER];
    bool linked = false;
    for (size_t k = 0; k < line->n; k++) linked = linked || link[line->point[k].at];
    suite_number(line->point[line->n - 1].value / per, number, sizeof number);
    suite_number(history_median(line, last_step, line->n) / per, level, sizeof level);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" class=\"months\" role=\"%s\"", WIDTH, HEIGHT,
            linked ? "group" : "img");
    piece_history_figure_title(out, line->benchmark, line->title, line->n, number, unit, level,
                               line->n_steps, history_day((time_t)time_of(all, line, last_step)));
}

void history_figure(FILE *out, const history *all, const history_line *line, char *const *link)
{
    frame f = frame_of(all, line);
    char unit[SUITE_UNIT];
    const double per = suite_unit_easy(f.most, line->unit, line->metric, unit);
    f.left = LEFT, f.right = RIGHT, f.top = TOP, f.bottom = BOTTOM;
    write_head(out, all, line, link, per, unit);
    write_steps(out, all, line, &f);
    write_values(out, &f, per);
    write_times(out, &f);
    piece_history_figure_unit(out, f.left, unit);
    write_changes(out, all, &f);
    write_intervals(out, all, line, &f);
    write_line(out, all, line, &f);
    write_levels(out, all, line, &f);
    write_points(out, all, line, &f, link, per, unit);
    fprintf(out, "</svg>\n");
}

/* From point to point by whole numbers: there may be thousands of such lines. */
static void write_short_line(FILE *out, const history *all, const history_line *line,
                             const frame *f)
{
    long x = 0, y = 0;
    fprintf(out, "<path class=\"line\" d=\"");
    for (size_t k = 0; k < line->n; k++) {
        const long to_x = lround(x_of(f, time_of(all, line, k)));
        const long to_y = lround(y_of(f, line->point[k].value));
        fprintf(out, "%c%ld%s%ld", k ? 'l' : 'M', to_x - x, to_y < y ? "" : " ", to_y - y);
        x = to_x;
        y = to_y;
    }
    fprintf(out, "\"/>\n");
}

void history_spark(FILE *out, const history *all, const history_line *line)
{
    frame f = frame_of(all, line);
    f.left = SPARK_EDGE, f.right = SPARK_WIDTH - SPARK_EDGE;
    f.top = SPARK_EDGE, f.bottom = SPARK_HEIGHT - SPARK_EDGE;
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" class=\"months spark\" aria-hidden=\"true\">\n",
            SPARK_WIDTH, SPARK_HEIGHT);
    write_steps(out, all, line, &f);
    write_short_line(out, all, line, &f);
    write_levels(out, all, line, &f);
    fprintf(out, "</svg>");
}
