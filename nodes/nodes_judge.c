/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_judge.c: how far below the others a host must be before it is named. */
#include <math.h>
#include <stdlib.h>
#include "nodes.h"
#include "random/random.h"

enum { DRAWN = 32, DRAWS = 20000 };

/* Box and Muller, Annals of Mathematical Statistics 29 (1958) 610. */
static double draw_normal(uint64_t *state)
{
    double u = ((double)(cm_random_next(state) >> 11) + 0.5) * 0x1p-53;
    double v = (double)(cm_random_next(state) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* Returns z for which a normal variable is above z with probability p: by bisection, for p below
   one half. */
static double normal_quantile(double p)
{
    double low = 0, high = 40;
    for (int k = 0; k < 100; k++) {
        double middle = (low + high) / 2;
        if (erfc(middle / sqrt(2)) / 2 > p) low = middle;
        else high = middle;
    }
    return high;
}

/* A host's deviation over the deviations' own median has heavy tails if there are few hosts, so the
   limit of few is that of the slowest one in many draws of hosts that are alike. */
static double drawn_limit(int n, double alpha)
{
    double *slowest = malloc(DRAWS * sizeof *slowest), limit;
    double x[DRAWN], z[DRAWN] = {0}, scale;
    uint64_t state = 1;
    if (!slowest) cm_abort(CM_EXIT_SYSTEM, "out of memory for %d numbers", DRAWS);
    for (int draw = 0; draw < DRAWS; draw++) {
        for (int k = 0; k < n; k++) x[k] = draw_normal(&state);
        nodes_judge(n, x, 0, z, &scale);
        slowest[draw] = -z[0];
        for (int k = 1; k < n; k++) slowest[draw] = fmax(slowest[draw], -z[k]);
    }
    nodes_sort(slowest, DRAWS);
    size_t place = (size_t)ceil((1 - alpha) * DRAWS);
    limit = slowest[place < DRAWS ? place : DRAWS - 1];
    free(slowest);
    return limit;
}

/* Of many hosts the slowest one of n normal values; the deviations' median is uncertain by a part
   that falls as 1 / n. The factor is that of draws at n = 32, 64 and 128. */
static double many_limit(double n, double alpha)
{
    return normal_quantile(alpha / n) * (1 + 14 / n);
}

double nodes_limit(int n, double alpha)
{
    if (n < NODES_FEWEST) return INFINITY;
    return n <= DRAWN ? drawn_limit(n, alpha) : many_limit(n, alpha);
}

double nodes_limit_links(double n, double alpha) { return n < 1 ? INFINITY : many_limit(n, alpha); }

int nodes_judge(int n, const double *effect, double error, double *z, double *scale)
{
    double few[DRAWN], *room = n <= DRAWN ? few : malloc((size_t)n * sizeof *room);
    size_t known = 0;
    if (!room) cm_abort(CM_EXIT_SYSTEM, "out of memory for %d numbers", n);
    for (int k = 0; k < n; k++)
        if (!isnan(effect[k])) room[known++] = effect[k];
    double middle = nodes_median(room, known);
    for (size_t k = 0; k < known; k++) room[k] = fabs(room[k] - middle);
    *scale = nodes_sigma_of_mad * nodes_median(room, known);
    /* fmax leaves out an error that is not known; no measurement is better than that. */
    *scale = fmax(fmax(*scale, error), 1e-9);
    for (int k = 0; k < n; k++) z[k] = (effect[k] - middle) / *scale;
    if (room != few) free(room);
    return (int)known;
}
