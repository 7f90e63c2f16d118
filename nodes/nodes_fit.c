/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_fit.c: host + host + link, by medians. */
#include "nodes.h"
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Most arrays are a host's few samples, and the groups' limit sorts 20000 of 32 values: there
   insertion takes a fraction of what qsort does. */
static void insert(double *value, size_t n)
{
    for (size_t k = 1; k < n; k++) {
        const double x = value[k];
        size_t i = k;
        for (; i > 0 && value[i - 1] > x; i--) value[i] = value[i - 1];
        value[i] = x;
    }
}

void nodes_sort(double *value, size_t n)
{
    if (n <= 48) insert(value, n);
    else qsort(value, n, sizeof *value, by_value);
}

double nodes_median(double *value, size_t n)
{
    if (n == 0) return NAN;
    nodes_sort(value, n);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* Returns the standard error of the median of n normal values for large n: pi / 2 of the mean's
   variance. */
static double median_error(double sigma, double n)
{
    return n > 0 ? sigma * sqrt(acos(-1) / 2 / n) : NAN;
}

/* ---- Samples in groups ----------------------------------------------------------------------- */

/* The samples in the order of their keys: those of group g are order[begin[g]] to
   order[begin[g + 1] - 1]. */
typedef struct {
    int groups;
    size_t *begin, *order;
} grouping;

typedef enum { BY_FROM, BY_TO, BY_ROUND } key_of;

static int32_t key(const nodes_sample *s, key_of which)
{
    return which == BY_FROM ? s->from : which == BY_TO ? s->to : s->round;
}

static bool group(int groups, key_of which, size_t n, const nodes_sample *sample, grouping *g)
{
    *g = (grouping){.groups = groups,
                    .begin = calloc((size_t)groups + 2, sizeof *g->begin),
                    .order = malloc((n + 1) * sizeof *g->order)};
    if (!g->begin || !g->order) return false;
    for (size_t k = 0; k < n; k++) g->begin[key(&sample[k], which) + 2]++;
    for (int k = 0; k < groups; k++) g->begin[k + 2] += g->begin[k + 1];
    /* Now begin[k + 1] is where group k begins; filling moves it to where the next one does. */
    for (size_t k = 0; k < n; k++) g->order[g->begin[key(&sample[k], which) + 1]++] = k;
    return true;
}

static void ungroup(grouping *g)
{
    free(g->begin);
    free(g->order);
}

/* ---- Links ----------------------------------------------------------------------------------- */

typedef struct {
    nodes_sample *sample;
    size_t n;
    double *room; /* for n values */
    nodes_fit *fit;
    grouping by[BY_ROUND + 1];
} polish;

static double part(const polish *p, const nodes_sample *s, key_of which)
{
    return which == BY_FROM ? p->fit->send[s->from]
           : which == BY_TO ? p->fit->receive[s->to]
                            : p->fit->round[s->round];
}

/* Sets the effect of each group to the median of what the two other parts leave. */
static void sweep(polish *p, key_of which, double *effect)
{
    const grouping *g = &p->by[which];
    for (int k = 0; k < g->groups; k++) {
        size_t n = 0;
        for (size_t i = g->begin[k]; i < g->begin[k + 1]; i++) {
            const nodes_sample *s = &p->sample[g->order[i]];
            double left = s->y;
            for (int other = BY_FROM; other <= BY_ROUND; other++)
                if (other != (int)which) left -= part(p, s, (key_of)other);
            p->room[n++] = left;
        }
        effect[k] = nodes_median(p->room, n);
    }
}

/* The median of the effects becomes 0; the rounds take it. */
static void center(polish *p, int hosts, int rounds, double *effect, double *room)
{
    size_t n = 0;
    for (int k = 0; k < hosts; k++)
        if (!isnan(effect[k])) room[n++] = effect[k];
    double middle = nodes_median(room, n);
    if (n == 0) return;
    for (int k = 0; k < hosts; k++) effect[k] -= middle;
    for (int k = 0; k < rounds; k++) p->fit->round[k] += middle;
}

/* The residuals are smaller than the noise, because the effects were fitted to them. */
static double unbiased(double sigma, double n, double parameters)
{
    return n > parameters ? sigma * sqrt(n / (n - parameters)) : INFINITY;
}

static void leave(polish *p, int hosts, int rounds)
{
    for (size_t k = 0; k < p->n; k++) {
        nodes_sample *s = &p->sample[k];
        s->left = s->y - part(p, s, BY_FROM) - part(p, s, BY_TO) - part(p, s, BY_ROUND);
        p->room[k] = fabs(s->left);
    }
    p->fit->sigma = unbiased(nodes_sigma_of_mad * nodes_median(p->room, p->n), (double)p->n,
                             2. * hosts + rounds);
    p->fit->error = median_error(p->fit->sigma, (double)p->n / hosts);
}

bool nodes_fit_links(int hosts, int rounds, size_t n, nodes_sample *sample, nodes_fit *fit)
{
    enum { SWEEPS = 10 };
    const size_t h = (size_t)hosts, r = (size_t)rounds, most = n > h ? n : h;
    *fit = (nodes_fit){.send = calloc(h, sizeof(double)),
                       .receive = calloc(h, sizeof(double)),
                       .round = calloc(r + 1, sizeof(double))};
    polish p = {.sample = sample, .n = n, .fit = fit, .room = malloc((most + 1) * sizeof(double))};
    bool done = fit->send && fit->receive && fit->round && p.room;
    for (int which = BY_FROM; which <= BY_ROUND; which++)
        done = group(which == BY_ROUND ? rounds : hosts, (key_of)which, n, sample, &p.by[which])
               && done;
    for (int k = 0; done && k < SWEEPS; k++) {
        sweep(&p, BY_ROUND, fit->round);
        sweep(&p, BY_FROM, fit->send);
        center(&p, hosts, rounds, fit->send, p.room);
        sweep(&p, BY_TO, fit->receive);
        center(&p, hosts, rounds, fit->receive, p.room);
    }
    if (done) leave(&p, hosts, rounds);
    for (int which = BY_FROM; which <= BY_ROUND; which++) ungroup(&p.by[which]);
    free(p.room);
    return done;
}

void nodes_fit_free(nodes_fit *fit)
{
    free(fit->send);
    free(fit->receive);
    free(fit->round);
    *fit = (nodes_fit){0};
}

/* ---- Hosts alone ----------------------------------------------------------------------------- */

bool nodes_fit_hosts(int hosts, int rounds, const double *y, double *effect, double *left,
                     double *error)
{
    const size_t h = (size_t)hosts, r = (size_t)rounds;
    double *round = malloc((r + 1) * sizeof *round), *room = malloc((h * r + 1) * sizeof *room);
    size_t n = 0;
    for (size_t k = 0; round && room && k < r; k++) {
        n = 0;
        for (size_t host = 0; host < h; host++)
            if (!isnan(y[host * r + k])) room[n++] = y[host * r + k];
        round[k] = nodes_median(room, n);
    }
    for (size_t host = 0; round && room && host < h; host++) {
        n = 0;
        for (size_t k = 0; k < r; k++)
            if (!isnan(y[host * r + k])) room[n++] = y[host * r + k] - round[k];
        effect[host] = nodes_median(room, n);
    }
    n = 0;
    for (size_t host = 0; round && room && host < h; host++)
        for (size_t k = 0; k < r; k++) {
            left[host * r + k] = y[host * r + k] - round[k] - effect[host];
            if (!isnan(left[host * r + k])) room[n++] = fabs(left[host * r + k]);
        }
    bool done = round && room;
    double sigma =
        done ? unbiased(nodes_sigma_of_mad * nodes_median(room, n), (double)n, hosts + rounds) : 0;
    *error = median_error(sigma, (double)n / hosts);
    free(round);
    free(room);
    return done;
}
