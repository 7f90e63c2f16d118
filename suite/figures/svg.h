/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.h: a figure that gnuplot drew, as a part of the report's page. */
#ifndef SUITE_SVG_H
#define SUITE_SVG_H

#include <stdbool.h>
#include <stdio.h>
#include "common/home.h"

/* Copies an SVG file without its prolog. Its ids begin with `id` and a dash, so that no two figures
   share one. A screen reader says title, caption (texts) and the file's own description. Returns
   false if the file cannot be opened; then nothing was written. */
bool svg_copy(FILE *out, const char *path, const char *id, const char *title, const char *caption);

/* Makes what gnuplot drew for a page (for_page of clustermark.gp) fit for one: without gnuplot's
   script, with class="point" and a title where the mouse learns a value, class="series" and
   class="key" with data-name on what belongs to a series, and the ends of each series in the
   description. Returns false if the file cannot be read or written. */
bool svg_finish(const char *path);

/* Returns true if the corners "X,Y X,Y" or "MX,Y LX,Y" before end, a quote or a Z are those of a
   circle. */
bool svg_round(const char *corners, const char *end, double centre[2], double *radius);

/* svg_mark.c: a dot or a box of gnuplot's; paint is in gnuplot's text. */
typedef struct {
    const char *paint; /* "rgb(242, 185, 143)" */
    int paint_length;
    /* In hundredths of a pixel: the centre of a dot and what it measures, or, if that is 0, the
       upper left corner of a box and its size. */
    long x, y, across, wide, high;
} svg_mark;
/* Returns true if a tag, which ends, is one. */
bool svg_mark_read(const char *tag, svg_mark *mark);
/* Marks that follow each other and are alike in colour and, for dots, in size are one path: its
   begin with the first one, each further one, its end. */
bool svg_mark_is_alike(const svg_mark *a, const svg_mark *b);
void svg_mark_begin(FILE *out, const svg_mark *mark);
void svg_mark_add(FILE *out, const svg_mark *before, const svg_mark *mark);
void svg_mark_end(FILE *out);

/* At the end of a page: what makes its figures answer to the mouse, and links open what is folded.
   The page is whole without them. */
void svg_scripts(FILE *out, const suite_home *home);

#endif
