/* SPDX-License-Identifier: BSD-3-Clause */
/* svg_mark.c: gnuplot's dots and boxes, of which a figure of many hosts has thousands, as parts of
   one path: a dot is a line of no length with round ends. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "svg.h"

enum { CORNERS = 4, PER_PX = 100 }; /* gnuplot writes two decimals */

/* Passes over a text; false: something else is there. */
static bool pass(const char **at, const char *text)
{
    const size_t length = strlen(text);
    if (strncmp(*at, text, length) != 0) return false;
    *at += length;
    return true;
}

static bool pass_number(const char **at, double *value)
{
    char *end;
    *value = strtod(*at, &end);
    const bool is = end != *at && isfinite(*value) && fabs(*value) < 1e6;
    *at = end;
    return is;
}

/* Hundredths of a pixel. */
static bool pass_place(const char **at, long *place)
{
    double value;
    if (!pass_number(at, &value)) return false;
    *place = lround(PER_PX * value);
    return true;
}

/* rgb(...), which a quote ends. */
static bool pass_paint(const char **at, svg_mark *mark)
{
    mark->paint = *at;
    mark->paint_length = (int)strcspn(*at, "'\">");
    *at += mark->paint_length;
    return mark->paint_length > 0 && pass(at, "'");
}

/* <use xlink:href='#gpPt6' transform='translate(X,Y) scale(S)' color='PAINT'/>: a filled circle,
   whose line of 0.205 lies on its edge. */
static bool read_dot(const char *at, svg_mark *mark)
{
    double scale;
    if (!pass(&at, "<use xlink:href='#gpPt6' transform='translate(") || !pass_place(&at, &mark->x)
        || !pass(&at, ",") || !pass_place(&at, &mark->y) || !pass(&at, ") scale(")
        || !pass_number(&at, &scale) || !pass(&at, ")' color='") || !pass_paint(&at, mark)
        || !pass(&at, "/>"))
        return false;
    mark->across = lround(PER_PX * 2 * (1 + 0.205 / 2) * scale);
    return mark->across > 0;
}

/* Opposite corners of a box whose sides are parallel to the axes. */
static bool take_box(const long x[CORNERS], const long y[CORNERS], svg_mark *mark)
{
    const bool flat = y[0] == y[1] && x[1] == x[2] && y[2] == y[3] && x[3] == x[0];
    const bool steep = x[0] == x[1] && y[1] == y[2] && x[2] == x[3] && y[3] == y[0];
    mark->across = 0;
    mark->x = x[0] < x[2] ? x[0] : x[2];
    mark->y = y[0] < y[2] ? y[0] : y[2];
    mark->wide = labs(x[2] - x[0]);
    mark->high = labs(y[2] - y[0]);
    return flat || steep;
}

/* <polygon fill = 'PAINT' points = 'X,Y X,Y X,Y X,Y '/> */
static bool read_box(const char *at, svg_mark *mark)
{
    long x[CORNERS], y[CORNERS];
    if (!pass(&at, "<polygon fill = '") || !pass_paint(&at, mark) || !pass(&at, " points = '"))
        return false;
    for (int k = 0; k < CORNERS; k++)
        if (!pass_place(&at, &x[k]) || !pass(&at, ",") || !pass_place(&at, &y[k])
            || !pass(&at, " "))
            return false;
    return pass(&at, "'/>") && take_box(x, y, mark);
}

bool svg_mark_read(const char *tag, svg_mark *mark)
{
    *mark = (svg_mark){0};
    return read_dot(tag, mark) || read_box(tag, mark);
}

bool svg_mark_is_alike(const svg_mark *a, const svg_mark *b)
{
    return a->across == b->across && a->paint_length == b->paint_length
           && strncmp(a->paint, b->paint, (size_t)a->paint_length) == 0;
}

/* Without zeros at its end: 4.4, -.5. */
static void write_place(FILE *out, long place)
{
    const long whole = labs(place) / PER_PX, rest = labs(place) % PER_PX;
    if (place < 0) fputc('-', out);
    if (whole > 0 || rest == 0) fprintf(out, "%ld", whole);
    if (rest % 10 > 0) fprintf(out, ".%02ld", rest);
    else if (rest > 0) fprintf(out, ".%ld", rest / 10);
}

static void write_pair(FILE *out, long x, long y)
{
    write_place(out, x);
    if (y >= 0) fputc(' ', out);
    write_place(out, y);
}

/* Behind it the path is where the mark began. */
static void write_shape(FILE *out, const svg_mark *mark)
{
    if (mark->across > 0) {
        fputs("h0", out);
        return;
    }
    fputc('h', out);
    write_place(out, mark->wide);
    fputc('v', out);
    write_place(out, mark->high);
    fputc('h', out);
    write_place(out, -mark->wide);
    fputc('z', out);
}

void svg_mark_begin(FILE *out, const svg_mark *mark)
{
    if (mark->across > 0) {
        fprintf(out, "<path stroke=\"%.*s\" stroke-linecap=\"round\" stroke-width=\"",
                mark->paint_length, mark->paint);
        write_place(out, mark->across);
    } else fprintf(out, "<path fill=\"%.*s", mark->paint_length, mark->paint);
    fputs("\" d=\"M", out);
    write_pair(out, mark->x, mark->y);
    write_shape(out, mark);
}

/* Places that are relative to each other are short, but a browser adds up thousands of roundings.
   Dots may move by that; boxes, which touch each other, would get gaps. */
void svg_mark_add(FILE *out, const svg_mark *before, const svg_mark *mark)
{
    const bool dot = mark->across > 0;
    fputc(dot ? 'm' : 'M', out);
    write_pair(out, mark->x - (dot ? before->x : 0), mark->y - (dot ? before->y : 0));
    write_shape(out, mark);
}

void svg_mark_end(FILE *out) { fputs("\"/>\n", out); }
