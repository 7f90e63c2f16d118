/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_findings.c: the slow hosts and links in words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "nodes.h"

static const char *const words[] = {
    [NODES_TRIAD] = "triad at %.2g of the others",
    [NODES_GEMM] = "matrix product at %.2g of the others",
    [NODES_QUIET] = "fixed work gets %.2g of the time that it gets on the others",
    [NODES_LATENCY] = "latency %.2g times that of the others",
    [NODES_SEND] = "sends at %.2g of the others",
    [NODES_RECEIVE] = "receives at %.2g of the others",
};

static bool any_of(const nodes_analysis *a, int host, int from, int end)
{
    for (int kind = from; kind < end; kind++)
        if (a->slow[kind][host]) return true;
    return false;
}

static void put_check(FILE *out, const nodes_analysis *a, int host, int kind)
{
    double ratio = exp(a->effect[kind][host]);
    if (kind == NODES_LATENCY) ratio = 1 / ratio;
    fprintf(out, words[kind], ratio); /* NOLINT: one of the words above */
    fprintf(out, " (%.3g deviations; %.3g count)", fabs(a->z[kind][host]), a->limit[kind]);
}

/* All its links, or some: what they have in common is the host's own part of them. */
static void put_links(FILE *out, const nodes_analysis *a, int host)
{
    int all = a->meetings[host], slow = a->slow_meetings[host];
    if (all > 0 && slow == all) fputs(", all its links", out);
    else if (all > 0) fprintf(out, ", %d of %d times", slow, all);
}

static void put_host(FILE *out, const nodes_analysis *a, int host, const char *name)
{
    const char *between = ": ";
    fputs(name, out);
    for (int kind = 0; kind < NODES_CLOCK; kind++) {
        if (!a->slow[kind][host]) continue;
        fputs(between, out);
        put_check(out, a, host, kind);
        between = "; ";
    }
    if (any_of(a, host, NODES_SEND, NODES_RECEIVE + 1)) put_links(out, a, host);
    fputs(any_of(a, host, 0, NODES_COMPUTE) ? ": its processor or memory, or what else runs there"
                                            : ": its card, its cable or its port",
          out);
}

static void put_clock(FILE *out, const nodes_analysis *a, int host, const char *name)
{
    double offset_s = a->figure[NODES_CLOCK][host];
    fprintf(out, "%s: its clock is %.4g s %s that of the first host (%.3g deviations; %.3g count)",
            name, fabs(offset_s), offset_s < 0 ? "behind" : "ahead of",
            fabs(a->z[NODES_CLOCK][host]), a->limit[NODES_CLOCK]);
}

static void put_link(FILE *out, const nodes_analysis *a, const struct nodes_link *link,
                     const char *const *name)
{
    const char *first = name[link->first], *second = name[link->second];
    if (link->kind == NODES_LATENCY)
        fprintf(out, "%s-%s: latency %.2g times", first, second, 1 / link->ratio);
    else
        fprintf(out, "%s-%s: %s sends to %s at %.2g of", first, second,
                link->kind == NODES_SEND ? first : second,
                link->kind == NODES_SEND ? second : first, link->ratio);
    fprintf(out,
            " what the two reach with others: that pair alone (%.3g deviations, twice; %.3g count)",
            -link->z, a->limit_links);
}

/* "n4, n5, n6, n7: triad at 0.5 of the others: two groups of hosts (...)". */
static void put_groups(FILE *out, const nodes_analysis *a, int kind, const char *const *name)
{
    enum { NAMES = 32 };
    const nodes_groups *groups = &a->groups[kind];
    int slower = 0;
    for (int host = 0; host < a->hosts; host++) {
        if (!groups->slower[host] || slower++ >= NAMES) continue;
        fprintf(out, "%s%s", slower > 1 ? ", " : "", name[host]);
    }
    if (slower > NAMES) fprintf(out, " and %d others", slower - NAMES);
    fputs(": ", out);
    fprintf(out, words[kind],
            kind == NODES_LATENCY ? 1 / groups->ratio : groups->ratio); /* NOLINT */
    fprintf(out, ": two groups of hosts (%d and %d; %.3g deviations; %.3g count)", slower,
            a->hosts - slower, groups->distance, a->limit_groups);
}

typedef void put_any(FILE *out, const nodes_analysis *a, const void *what, const char *const *name);

static void put_host_at(FILE *out, const nodes_analysis *a, const void *what,
                        const char *const *name)
{
    int host = *(const int *)what;
    put_host(out, a, host, name[host]);
}
static void put_clock_at(FILE *out, const nodes_analysis *a, const void *what,
                         const char *const *name)
{
    int host = *(const int *)what;
    put_clock(out, a, host, name[host]);
}
static void put_link_at(FILE *out, const nodes_analysis *a, const void *what,
                        const char *const *name)
{
    put_link(out, a, what, name);
}

static void put_groups_at(FILE *out, const nodes_analysis *a, const void *what,
                          const char *const *name)
{
    put_groups(out, a, *(const int *)what, name);
}

static void tell(const nodes_analysis *a, put_any *put, const void *what, const char *const *name,
                 int host, nodes_each *each, void *context)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (out) put(out, a, what, name);
    if (!out || fclose(out) != 0) cm_abort(CM_EXIT_SYSTEM, "out of memory for a finding");
    each(host, text, context);
    free(text);
}

int nodes_findings(const nodes_analysis *a, const char *const *name, nodes_each *each,
                   void *context)
{
    int found = 0;
    for (int host = 0; host < a->hosts; host++) {
        if (any_of(a, host, 0, NODES_CLOCK)) {
            tell(a, put_host_at, &host, name, host, each, context);
            found++;
        }
        if (a->slow[NODES_CLOCK][host]) {
            tell(a, put_clock_at, &host, name, host, each, context);
            found++;
        }
    }
    for (int kind = 0; kind < NODES_CLOCK; kind++) {
        if (isnan(a->groups[kind].ratio)) continue;
        tell(a, put_groups_at, &kind, name, -1, each, context);
        found++;
    }
    for (int k = 0; k < a->n_links; k++, found++)
        tell(a, put_link_at, &a->link[k], name, -1, each, context);
    return found;
}
