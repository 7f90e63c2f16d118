/* SPDX-License-Identifier: BSD-3-Clause */
/* svg_round.c: gnuplot's circles, which are polygons of 72 corners, as circles. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "svg.h"

enum { LEAST_CORNERS = 36 };

/* The next corner "X,Y" before the quote that ends the list; NULL: there is none. */
static const char *next_corner(const char *at, const char *end, double *x, double *y)
{
    char *behind;
    at += strspn(at, " \t\nML");
    if (at >= end || *at == '\'') return NULL;
    *x = strtod(at, &behind);
    if (behind == at || *behind != ',') return NULL;
    at = behind + 1;
    *y = strtod(at, &behind);
    return behind == at ? NULL : behind;
}

bool svg_round(const char *corners, const char *end, double centre[2], double *radius)
{
    double x, y, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, off = 0.0;
    int n = 0;
    for (const char *at = corners; (at = next_corner(at, end, &x, &y)); n++) {
        low[0] = fmin(low[0], x);
        low[1] = fmin(low[1], y);
        high[0] = fmax(high[0], x);
        high[1] = fmax(high[1], y);
    }
    if (n < LEAST_CORNERS) return false;
    centre[0] = 0.5 * (low[0] + high[0]);
    centre[1] = 0.5 * (low[1] + high[1]);
    *radius = 0.5 * (high[0] - low[0]);
    for (const char *at = corners; (at = next_corner(at, end, &x, &y));)
        off = fmax(off, fabs(hypot(x - centre[0], y - centre[1]) - *radius));
    return off < 0.05;
}
