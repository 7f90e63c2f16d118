/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_findings.c: the slow hosts and links, as data and in words. */
#include "config.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "nodes.h"

const char *const nodes_names[NODES_CHECKS] = {
    [NODES_TRIAD] = "triad",     [NODES_GEMM] = "gemm", [NODES_QUIET] = "quiet",
    [NODES_LATENCY] = "latency", [NODES_SEND] = "send", [NODES_RECEIVE] = "receive",
    [NODES_CLOCK] = "clock",
};
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

/* What the findings below are of, and whom they are told. */
typedef struct {
    const nodes_analysis *a;
    const char *const *name;
    nodes_each *each;
    void *context;
} told;

__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    const int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) cm_abort(CM_EXIT_SYSTEM, "out of memory for a finding");
    return text;
}

/* Takes the words over. */
static void tell(const told *t, const char *who, const char *quantity, double ratio, double bound,
                 char *text)
{
    const cm_finding finding = {.who = who,
                                .what = CM_FINDING_STANDS_OUT,
                                .quantity = {.name = quantity, .value = ratio, .unit = "1"},
                                .bound = bound};
    t->each(&finding, text, t->context);
    free(text);
}

static char *ratio_words(int kind, double ratio)
{
    return text_of(words[kind], ratio); /* NOLINT: one of the words above */
}

/* All its links, or some: what they have in common is the host's own part of them. */
static char *links_words(const nodes_analysis *a, int host, int kind)
{
    int all = a->meetings[host], slow = a->slow_meetings[host];
    if (kind < NODES_SEND || kind > NODES_RECEIVE || all == 0) return text_of("%s", "");
    if (slow == all) return text_of(", all its links");
    return text_of(", %d of %d times", slow, all);
}

/* A higher latency is worse, although the analysis uses rates. */
static double told_ratio(int kind, double ratio)
{
    return kind == NODES_LATENCY ? 1 / ratio : ratio;
}

/* The kinds in which all ranks of a host are measured together, so that hosts with fewer ranks
   reach less. */
static bool is_of_ranks(int kind) { return kind == NODES_TRIAD || kind == NODES_GEMM; }

/* The number of ranks that the most hosts have. */
static int usual_ranks(const nodes_analysis *a)
{
    int usual = a->ranks[0], most = 0;
    for (int host = 0; host < a->hosts; host++) {
        int alike = 0;
        for (int other = 0; other < a->hosts; other++) alike += a->ranks[other] == a->ranks[host];
        if (alike > most) most = alike, usual = a->ranks[host];
    }
    return usual;
}

static char *cause_words(const nodes_analysis *a, int host, int kind)
{
    const int ranks = a->ranks ? a->ranks[host] : 0, usual = a->ranks ? usual_ranks(a) : 0;
    if (is_of_ranks(kind) && ranks != usual)
        return text_of("it has %d rank%s, most hosts have %d", ranks, ranks == 1 ? "" : "s", usual);
    return text_of("%s", any_of(a, host, 0, NODES_COMPUTE)
                             ? "its processor or memory, or what else runs there"
                             : "its card, its cable or its port");
}

static void tell_host(const told *t, int host, int kind)
{
    const nodes_analysis *a = t->a;
    const double ratio = told_ratio(kind, exp(a->effect[kind][host]));
    char *slow = ratio_words(kind, ratio), *links = links_words(a, host, kind);
    char *cause = cause_words(a, host, kind);
    tell(t, t->name[host], nodes_names[kind], ratio, told_ratio(kind, a->bound[kind]),
         text_of("%s (%.3g deviations; threshold %.3g)%s: %s", slow, fabs(a->z[kind][host]),
                 a->limit[kind], links, cause));
    free(slow);
    free(links);
    free(cause);
}

static void tell_clock(const told *t, int host)
{
    const nodes_analysis *a = t->a;
    const double offset_s = a->figure[NODES_CLOCK][host];
    const cm_finding finding = {
        .who = t->name[host],
        .what = CM_FINDING_STANDS_OUT,
        .quantity = {.name = nodes_names[NODES_CLOCK], .value = offset_s, .unit = "s"},
        .bound = a->bound[NODES_CLOCK]};
    char *text = text_of("its clock is %.4g s %s that of the first host (%.3g deviations; "
                         "threshold %.3g)",
                         fabs(offset_s), offset_s < 0 ? "behind" : "ahead of",
                         fabs(a->z[NODES_CLOCK][host]), a->limit[NODES_CLOCK]);
    t->each(&finding, text, t->context);
    free(text);
}

static void tell_link(const told *t, const struct nodes_link *link)
{
    const char *first = t->name[link->first], *second = t->name[link->second];
    const bool latency = link->kind == NODES_LATENCY, out = link->kind == NODES_SEND;
    const double ratio = told_ratio(link->kind, link->ratio);
    char *who = text_of("%s-%s", first, second);
    char *slow = latency ? text_of("latency %.2g times", ratio)
                         : text_of("%s sends to %s at %.2g of", out ? first : second,
                                   out ? second : first, ratio);
    tell(t, who, latency ? "pair_latency" : "pair_send", ratio,
         told_ratio(link->kind, t->a->bound_links),
         text_of("%s what the two reach with others: that pair alone (%.3g deviations, twice; "
                 "%.3g count)",
                 slow, -link->z, t->a->limit_links));
    free(slow);
    free(who);
}

/* "n3-n5: sends at 0.7 of ...", of what n3 sends to n5. The bound is the noise's probability. */
static void tell_looked(const told *t, const struct nodes_looked *looked)
{
    const double ratio = looked->latency ? 1 / looked->ratio : looked->ratio;
    char *who = text_of("%s-%s", t->name[looked->from], t->name[looked->to]);
    char *text = text_of("%s %.2g %s what the two reach with others, measured again; noise does so "
                         "with a probability of %.2g",
                         looked->latency ? "latency" : "sends at", ratio,
                         looked->latency ? "times" : "of", looked->chance);
    const cm_finding finding = {.who = who,
                                .what = CM_FINDING_LOOKED,
                                .quantity = {.name = looked->latency ? "pair_latency" : "pair_send",
                                             .value = ratio,
                                             .unit = "1"},
                                .bound = looked->chance};
    t->each(&finding, text, t->context);
    free(text);
    free(who);
}

/* "n4, n5, n6, n7" of the slower group, and their number. */
static char *names_of(const told *t, const nodes_groups *groups, int *slower)
{
    enum { NAMES = 32 };
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    *slower = 0;
    if (!out) cm_abort(CM_EXIT_SYSTEM, "out of memory for a finding");
    for (int host = 0; host < t->a->hosts; host++) {
        if (!groups->slower[host] || (*slower)++ >= NAMES) continue;
        fprintf(out, "%s%s", *slower > 1 ? ", " : "", t->name[host]);
    }
    if (*slower > NAMES) fprintf(out, " and %d others", *slower - NAMES);
    if (fclose(out) != 0) cm_abort(CM_EXIT_SYSTEM, "out of memory for a finding");
    return text;
}

/* ", which have 96 ranks and 192", if the first hosts of both groups differ in that. */
static char *group_ranks_words(const nodes_analysis *a, const nodes_groups *groups, int kind)
{
    int ranks[2] = {0};
    for (int host = a->hosts; a->ranks && host-- > 0;) ranks[groups->slower[host]] = a->ranks[host];
    if (!is_of_ranks(kind) || ranks[0] == ranks[1]) return text_of("%s", "");
    return text_of(", which have %d rank%s and %d", ranks[1], ranks[1] == 1 ? "" : "s", ranks[0]);
}

/* "n4, n5, n6, n7: triad at 0.5 of the others: two groups of hosts (...)". */
static void tell_groups(const told *t, int kind)
{
    const nodes_groups *groups = &t->a->groups[kind];
    const double ratio = told_ratio(kind, groups->ratio);
    int slower;
    char *who = names_of(t, groups, &slower), *slow = ratio_words(kind, ratio);
    char *ranks = group_ranks_words(t->a, groups, kind);
    tell(t, who, nodes_names[kind], ratio, 0,
         text_of("%s: two groups of hosts%s (%d and %d; %.3g deviations; threshold %.3g)", slow,
                 ranks, slower, t->a->hosts - slower, groups->distance, t->a->limit_groups));
    free(ranks);
    free(slow);
    free(who);
}

int nodes_findings(const nodes_analysis *a, const char *const *name, nodes_each *each,
                   void *context)
{
    const told t = {a, name, each, context};
    int found = 0;
    for (int host = 0; host < a->hosts; host++) {
        for (int kind = 0; kind < NODES_CLOCK; kind++)
            if (a->slow[kind][host]) tell_host(&t, host, kind);
        found += any_of(a, host, 0, NODES_CLOCK);
        if (!a->slow[NODES_CLOCK][host]) continue;
        tell_clock(&t, host);
        found++;
    }
    for (int kind = 0; kind < NODES_CLOCK; kind++) {
        if (isnan(a->groups[kind].ratio)) continue;
        tell_groups(&t, kind);
        found++;
    }
    for (int k = 0; k < a->n_links; k++, found++) tell_link(&t, &a->link[k]);
    for (int k = 0; k < a->n_looked; k++) tell_looked(&t, &a->looked[k]);
    return found;
}
