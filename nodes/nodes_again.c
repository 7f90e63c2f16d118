/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_again.c: TCP segments sent again, of pairs and of all pairs of a host. Losses show in them
   also where a link is so short that TCP makes them good before a rate falls. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "nodes.h"

enum { MOST = 64 }; /* pairs that are told */

static void add(const nodes_segments *from, nodes_segments *to)
{
    to->segments += from->segments;
    to->again += from->again;
}

static size_t drawn(const nodes_figures *f)
{
    return (size_t)(f->rounds + f->again) * (size_t)f->hosts;
}

/* Those that were drawn, then those that were measured again. */
static const nodes_pair *pair_at(const nodes_figures *f, size_t k)
{
    return k < drawn(f) ? &f->pair[k] : &f->more[k - drawn(f)];
}

static size_t pairs(const nodes_figures *f)
{
    return drawn(f) + (size_t)f->again * (size_t)f->candidates;
}

nodes_segments nodes_again_host(const nodes_figures *f, int host)
{
    nodes_segments sum = {0};
    for (size_t k = 0; k < pairs(f); k++) {
        const nodes_pair *p = pair_at(f, k);
        if (p->second >= 0 && (p->first == host || p->second == host)) add(&p->tcp, &sum);
    }
    if (sum.segments == 0) sum.segments = sum.again = NAN;
    return sum;
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

typedef struct {
    int first, second;
    nodes_segments sum;
} met;

static int by_pair(const void *a, const void *b)
{
    const met *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* Most first. */
static int by_again(const void *a, const void *b)
{
    const met *x = a, *y = b;
    if (x->sum.again != y->sum.again) return x->sum.again > y->sum.again ? -1 : 1;
    return by_pair(a, b);
}

/* Takes all pairs into room, each once. Returns their number. */
static size_t gather(const nodes_figures *f, met *room)
{
    size_t n = 0, sums = 0;
    for (size_t k = 0; k < pairs(f); k++) {
        const nodes_pair *p = pair_at(f, k);
        if (p->second < 0 || !(p->tcp.segments > 0)) continue;
        const bool ordered = p->first < p->second;
        room[n++] = (met){ordered ? p->first : p->second, ordered ? p->second : p->first, p->tcp};
    }
    qsort(room, n, sizeof *room, by_pair);
    for (size_t k = 0; k < n; k++) {
        if (sums > 0 && by_pair(&room[sums - 1], &room[k]) == 0)
            add(&room[k].sum, &room[sums - 1].sum);
        else room[sums++] = room[k];
    }
    qsort(room, sums, sizeof *room, by_again);
    return sums;
}

void nodes_again_tell(cm_result *result, const nodes_figures *f, const char *const *name)
{
    met *room = malloc((pairs(f) + 1) * sizeof *room);
    if (!room) cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of %d hosts", f->hosts);
    const size_t n = gather(f, room);
    for (size_t k = 0; k < n && k < MOST && room[k].sum.again > 0; k++) {
        char *who;
        if (asprintf(&who, "%s-%s", name[room[k].first], name[room[k].second]) < 0)
            cm_abort(CM_EXIT_SYSTEM, "out of memory for a finding");
        const cm_finding finding = {
            .who = who,
            .what = CM_FINDING_SENT_AGAIN,
            .quantity = {.name = "pair_sent_again", .value = room[k].sum.again, .unit = "segments"},
            .bound = room[k].sum.segments};
        cm_result_finding(result, &finding, "%.0f of %.0f TCP segments", room[k].sum.again,
                          room[k].sum.segments);
        free(who);
    }
    free(room);
}
