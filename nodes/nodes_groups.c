/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_groups.c: are the hosts of two kinds, a slower and a faster one?

   Where half of the hosts are slow, none is far from the median of all. The hosts are therefore
   split in two such that they differ least within the groups. The distance of the groups' means,
   over the deviation within the groups, is compared with that of the best split of as many hosts
   that are alike, drawn. Besides, the noise as it was must not explain it: all hosts of the slower
   group would have to be below the middle of both by chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nodes.h"
#include "random/random.h"

enum { DRAWN = 32, DRAWS = 20000 };

typedef struct {
    double low, high; /* means of the groups; -log of a rate's ratio */
    double within;    /* standard deviation */
    int slower;       /* their number */
} split;

/* A group has two hosts and a quarter of all at least. Fewer slow ones are named one by one. */
static int least_group(int n) { return n < 8 ? 2 : (n + 3) / 4; }

/* The squares within the groups and those between them, k (n - k) / n times the squared distance of
   their means, have the same sum for every k: the largest distance leaves the least within. */
static split best_split(int n, const double *sorted)
{
    split best = {0};
    double all = 0, sum = 0, most = -1, squares = 0;
    for (int k = 0; k < n; k++) all += sorted[k];
    for (int k = 1; k <= n - least_group(n); k++) {
        sum += sorted[k - 1];
        if (k < least_group(n)) continue;
        double low = sum / k, high = (all - sum) / (n - k);
        double between = (double)k * (n - k) * (high - low) * (high - low);
        if (between <= most) continue;
        most = between;
        best = (split){low, high, 0, k};
    }
    for (int i = 0; i < n; i++)
        squares += pow(sorted[i] - (i < best.slower ? best.low : best.high), 2);
    best.within = sqrt(squares / (n - 2));
    return best;
}

/* Drawn once for all kinds: of many hosts the best split is nearer than of 32. */
double nodes_groups_limit(int n, double alpha)
{
    double *distance = malloc(DRAWS * sizeof *distance), x[DRAWN];
    uint64_t state = 1;
    if (!distance) cm_abort(CM_EXIT_SYSTEM, "out of memory for %d numbers", DRAWS);
    if (n > DRAWN) n = DRAWN;
    for (int draw = 0; n >= NODES_FEWEST && draw < DRAWS; draw++) {
        for (int k = 0; k < n; k++) x[k] = cm_random_normal(&state);
        nodes_sort(x, (size_t)n);
        const split s = best_split(n, x);
        distance[draw] = (s.high - s.low) / s.within;
    }
    double limit = INFINITY;
    if (n >= NODES_FEWEST) {
        nodes_sort(distance, DRAWS);
        size_t place = (size_t)ceil((1 - alpha) * DRAWS);
        limit = distance[place < DRAWS ? place : DRAWS - 1];
    }
    free(distance);
    return limit;
}

/* Returns the logarithm of the probability that noise alone puts `slower` of n hosts this far
   below. */
static double log_chance(int n, int slower, double below, const nodes_noise *noise, size_t visits,
                         size_t needed)
{
    double one = nodes_noise_chance(nodes_noise_below(noise, below), noise->n, visits, needed);
    return lgamma(n + 1.) - lgamma(slower + 1.) - lgamma(n - slower + 1.) + slower * log(one);
}

bool nodes_groups_find(int n, const double *effect, double error, double limit, double alpha,
                       const nodes_noise *noise, size_t needed_of_4, nodes_groups *groups)
{
    double *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
    int known = 0;
    if (!sorted) return false;
    for (int k = 0; k < n; k++)
        if (!isnan(effect[k])) sorted[known++] = effect[k];
    groups->ratio = groups->distance = NAN;
    if (known >= NODES_FEWEST) {
        nodes_sort(sorted, (size_t)known);
        const split s = best_split(known, sorted);
        const double apart = s.high - s.low, within = fmax(fmax(s.within, error), 1e-9);
        const size_t visits = noise->n / (size_t)n, needed = (visits * needed_of_4 + 3) / 4;
        groups->distance = apart / within;
        if (groups->distance > limit && visits > 0
            && log_chance(known, s.slower, -apart / 2, noise, visits, needed) < log(alpha)) {
            groups->ratio = exp(-apart);
            for (int k = 0; k < n; k++) groups->slower[k] = effect[k] <= sorted[s.slower - 1];
        }
    }
    free(sorted);
    return true;
}
