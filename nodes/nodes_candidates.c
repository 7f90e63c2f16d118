/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_candidates.c: which pairs are measured again. */
#include <stdlib.h>
#include "nodes_links.h"

/* Few enough that a slow host does not take all places. */
enum { OF_A_HOST = 3 };

static int by_z(const void *a, const void *b)
{
    const nodes_link *x = a, *y = b;
    if (x->z != y->z) return x->z < y->z ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static bool is_chosen(int n, int (*candidate)[2], int first, int second)
{
    for (int k = 0; k < n; k++)
        if (candidate[k][0] == first && candidate[k][1] == second) return true;
    return false;
}

static int choose(const nodes_link *link, size_t n, int *taken, int most, int (*candidate)[2])
{
    int chosen = 0;
    for (size_t k = 0; k < n && chosen < most && link[k].z < nodes_cut; k++) {
        int first = link[k].from < link[k].to ? link[k].from : link[k].to;
        int second = link[k].from + link[k].to - first;
        if (taken[first] == OF_A_HOST || taken[second] == OF_A_HOST
            || is_chosen(chosen, candidate, first, second))
            continue;
        taken[first]++;
        taken[second]++;
        candidate[chosen][0] = first;
        candidate[chosen++][1] = second;
    }
    return chosen;
}

int nodes_candidates(const nodes_figures *figures, int most, int (*candidate)[2])
{
    nodes_links latency = {0}, bandwidth = {0};
    int *taken = calloc((size_t)figures->hosts, sizeof *taken), chosen = -1;
    nodes_link *all = NULL;
    if (taken && nodes_links_open(figures, NODES_LATENCY, &latency)
        && nodes_links_find(&latency, figures->rounds)
        && nodes_links_open(figures, NODES_SEND, &bandwidth)
        && nodes_links_find(&bandwidth, figures->rounds))
        all = malloc((latency.n_links + bandwidth.n_links + 1) * sizeof *all);
    if (all) {
        size_t n = 0;
        for (size_t k = 0; k < latency.n_links; k++) all[n++] = latency.link[k];
        for (size_t k = 0; k < bandwidth.n_links; k++) all[n++] = bandwidth.link[k];
        qsort(all, n, sizeof *all, by_z);
        chosen = choose(all, n, taken, most, candidate);
    }
    nodes_links_close(&latency);
    nodes_links_close(&bandwidth);
    free(taken);
    free(all);
    return chosen;
}
