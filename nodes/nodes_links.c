/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_links.c: the pairs of hosts that are slower than their hosts explain. A pair is named if it
   was slow when it was drawn, and again when it was measured for that reason: a passing disturbance
   is not the link's fault. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nodes_links.h"

/* ---- Samples --------------------------------------------------------------------------------- */

static bool is_known(const nodes_pair *pair, nodes_check_kind kind)
{
    return pair->second >= 0
           && (kind == NODES_LATENCY ? pair->latency_s > 0
                                     : pair->out_B_per_s > 0 && pair->in_B_per_s > 0);
}

/* Both directions of a pair. */
static void take(const nodes_pair *pair, nodes_check_kind kind, int round, nodes_sample *to)
{
    double out = kind == NODES_LATENCY ? 1 / pair->latency_s : pair->out_B_per_s;
    double in = kind == NODES_LATENCY ? out : pair->in_B_per_s;
    to[0] = (nodes_sample){pair->first, pair->second, round, log(out), NAN};
    to[1] = (nodes_sample){pair->second, pair->first, round, log(in), NAN};
}

bool nodes_links_open(const nodes_figures *f, nodes_check_kind kind, nodes_links *links)
{
    const size_t rounds = (size_t)(f->rounds + f->again), most = rounds * (size_t)f->hosts;
    *links = (nodes_links){.kind = kind, .sample = malloc((most + 1) * sizeof *links->sample)};
    if (!links->sample) return false;
    for (size_t k = 0; k < most; k++)
        if (is_known(&f->pair[k], kind)) {
            take(&f->pair[k], kind, (int)(k / (size_t)f->hosts), &links->sample[links->n]);
            links->n += 2;
        }
    if (!nodes_fit_links(f->hosts, (int)rounds, links->n, links->sample, &links->fit)) return false;
    double *left = malloc((links->n + 1) * sizeof *left);
    for (size_t k = 0; left && k < links->n; k++) left[k] = links->sample[k].left;
    bool done = left && nodes_noise_open(links->n, left, &links->noise);
    free(left);
    return done;
}

void nodes_links_close(nodes_links *links)
{
    free(links->sample);
    free(links->link);
    nodes_fit_free(&links->fit);
    nodes_noise_close(&links->noise);
}

/* ---- Links ----------------------------------------------------------------------------------- */

static int by_link(const void *a, const void *b)
{
    const nodes_sample *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return (x->round > y->round) - (x->round < y->round);
}

/* The variance of a median of n values with variance 1. */
static double median_variance(size_t n) { return (n > 2 ? acos(-1) / 2 : 1) / (double)n; }

double nodes_links_deviation(const nodes_links *links, size_t visits)
{
    double sigma = links->fit.sigma;
    return sqrt(links->spread * links->spread + sigma * sigma * median_variance(visits));
}

/* Finds the spread of the links beyond their noise. */
static bool find_spread(nodes_links *links)
{
    double *left = malloc((links->n_links + 1) * sizeof *left), noise = 0;
    if (!left) return false;
    for (size_t k = 0; k < links->n_links; k++) {
        left[k] = fabs(links->link[k].left);
        noise += median_variance(links->link[k].visits) / (double)links->n_links;
    }
    double all = nodes_sigma_of_mad * nodes_median(left, links->n_links);
    free(left);
    noise *= links->fit.sigma * links->fit.sigma;
    links->spread = links->n_links && all * all > noise ? sqrt(all * all - noise) : 0;
    return true;
}

bool nodes_links_find(nodes_links *links, int rounds)
{
    double *left = malloc((links->n + 1) * sizeof *left);
    links->link = malloc((links->n + 1) * sizeof *links->link);
    if (!left || !links->link) {
        free(left);
        return false;
    }
    qsort(links->sample, links->n, sizeof *links->sample, by_link);
    for (size_t k = 0, next; k < links->n; k = next) {
        const nodes_sample *s = &links->sample[k];
        size_t visits = 0;
        for (next = k; next < links->n && links->sample[next].from == s->from
                       && links->sample[next].to == s->to;
             next++)
            if (links->sample[next].round < rounds) left[visits++] = links->sample[next].left;
        if (visits > 0)
            links->link[links->n_links++] =
                (nodes_link){s->from, s->to, visits, nodes_median(left, visits), 0, 1};
    }
    free(left);
    if (!find_spread(links)) return false;
    for (size_t k = 0; k < links->n_links; k++)
        links->link[k].z =
            links->link[k].left / nodes_links_deviation(links, links->link[k].visits);
    return true;
}

static int by_ends(const void *a, const void *b)
{
    const nodes_link *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

const nodes_link *nodes_links_of(const nodes_links *links, int from, int to)
{
    const nodes_link wanted = {.from = from, .to = to};
    return bsearch(&wanted, links->link, links->n_links, sizeof wanted, by_ends);
}

/* ---- Measured again -------------------------------------------------------------------------- */

/* The samples of a link at or below x, and all of it; links->sample is sorted. */
static void own_samples(const nodes_links *links, int from, int to, double x, size_t *below,
                        size_t *all)
{
    const nodes_sample wanted = {.from = from, .to = to, .round = -1};
    size_t low = 0, high = links->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_link(&links->sample[middle], &wanted) < 0) low = middle + 1;
        else high = middle;
    }
    *below = *all = 0;
    for (; low < links->n && links->sample[low].from == from && links->sample[low].to == to;
         low++) {
        *below += links->sample[low].left <= x;
        ++*all;
    }
}

/* All visits but one must be slow. A median would do if noise were normal; but where processes run,
   and what else runs there, slows every third visit of any pair, and half of them is then no
   surprise. The link's own samples are not noise. */
static double chance_of(const nodes_links *links, int from, int to, const double *sorted,
                        size_t visits)
{
    if (visits < 2) return 1;
    size_t below, all;
    double x = sorted[visits - 2];
    own_samples(links, from, to, x, &below, &all);
    return nodes_noise_chance(nodes_noise_below(&links->noise, x) - below, links->noise.n - all,
                              visits, visits - 1);
}

bool nodes_links_again(const nodes_links *links, const nodes_figures *f, int candidate, bool back,
                       nodes_link *again)
{
    const int *ends = f->candidate[candidate];
    double *left = malloc(((size_t)f->again + 1) * sizeof *left);
    nodes_sample both[2];
    if (!left) return false;
    *again = (nodes_link){ends[back], ends[!back], 0, NAN, NAN, 1};
    for (int k = 0; k < f->again; k++) {
        const nodes_pair *pair = &f->more[(size_t)k * (size_t)f->candidates + (size_t)candidate];
        if (!is_known(pair, links->kind)) continue;
        take(pair, links->kind, f->rounds + k, both);
        const nodes_sample *s = &both[both[0].from == again->from ? 0 : 1];
        left[again->visits++] = s->y - links->fit.round[s->round] - links->fit.send[s->from]
                                - links->fit.receive[s->to];
    }
    again->left = nodes_median(left, again->visits); /* sorts them */
    again->chance = chance_of(links, again->from, again->to, left, again->visits);
    if (again->visits > 0) again->z = again->left / nodes_links_deviation(links, again->visits);
    free(left);
    return true;
}
