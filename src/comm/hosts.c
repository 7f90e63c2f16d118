/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: numbers the hosts of a group by the names of its ranks, once for each group. */
#include <stdlib.h>
#include <string.h>
#include "comm/hosts.h"

typedef struct {
    const char *name;
    int rank;
} place;

static int by_name(const void *left, const void *right)
{
    const place *a = left, *b = right;
    const int order = strcmp(a->name, b->name);
    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_rank(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void *allocate(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    if (!memory)
        cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for the hosts of a group", n * bytes);
    return memory;
}

/* Sorting finds the ranks of a host in p log p comparisons of names. */
static cm_hosts *find(const cm_group *group)
{
    const int size = cm_size(group);
    const size_t p = (size_t)size;
    place *places = allocate(p, sizeof *places);
    int *lowest = allocate(p, sizeof *lowest); /* the lowest rank of each host */
    cm_hosts *h = allocate(1, sizeof *h);
    h->ranks = allocate(p, sizeof *h->ranks);
    h->host = allocate(p, sizeof *h->host);
    h->local = allocate(p, sizeof *h->local);
    for (int k = 0; k < size; k++) places[k] = (place){cm_host(group, k), k};
    qsort(places, p, sizeof *places, by_name);
    for (int i = 0; i < size; i++) {
        const bool begins = i == 0 || strcmp(places[i].name, places[i - 1].name) != 0;
        const int rank = places[i].rank;
        h->local[rank] = begins ? 0 : h->local[places[i - 1].rank] + 1;
        h->host[rank] = begins ? rank : h->host[places[i - 1].rank]; /* for now its lowest rank */
        if (begins) lowest[h->hosts++] = rank;
    }
    free(places);
    qsort(lowest, (size_t)h->hosts, sizeof *lowest, by_rank);

    /* first[h + 1] counts the ranks of host h, then becomes the sum of those up to h. */
    h->first = allocate((size_t)h->hosts + 1, sizeof *h->first);
    int *number = allocate(p, sizeof *number); /* of the host with this lowest rank */
    for (int i = 0; i < h->hosts; i++) number[lowest[i]] = i;
    for (int k = 0; k < size; k++) h->first[(h->host[k] = number[h->host[k]]) + 1]++;
    free(number);
    free(lowest);
    h->least = size;
    for (int i = 0; i < h->hosts; i++) {
        const int n = h->first[i + 1];
        if (n < h->least) h->least = n;
        if (n > h->most) h->most = n;
        h->first[i + 1] += h->first[i];
    }
    for (int k = 0; k < size; k++) h->ranks[h->first[h->host[k]] + h->local[k]] = k;
    h->in_order = true;
    for (int k = 0; k < size; k++) h->in_order &= h->ranks[k] == k;
    return h;
}

const cm_hosts *cm_hosts_of(cm_group *group)
{
    cm_group_base *base = cm_group_base_of(group);
    if (!base->hosts) base->hosts = find(group);
    return base->hosts;
}

void cm_hosts_free(cm_hosts *hosts)
{
    if (!hosts) return;
    free(hosts->first);
    free(hosts->ranks);
    free(hosts->host);
    free(hosts->local);
    free(hosts);
}
