/* SPDX-License-Identifier: BSD-3-Clause */
/* together_tell.c: writes the findings of all launches together. The words are like those of
   cm-nodes, but without deviations, because a deviation belongs to one launch. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "together.h"

enum { TRIAD, GEMM, QUIET, LATENCY };

static const struct {
    const char *quantity, *words, *bound;
} kinds[SUITE_TOGETHER_KINDS] = {
    {"triad", "triad at %.2g of the others", "triad below %.2g"},
    {"gemm", "matrix product at %.2g of the others", "matrix product below %.2g"},
    {"quiet", "fixed work gets %.2g of the time that it gets on the others",
     "time for fixed work below %.2g"},
    {"latency", "latency %.3g times that of the others", "latency above %.3g times theirs"},
    {"send", "sends at %.2g of the others", "rate of sending below %.2g"},
    {"receive", "receives at %.2g of the others", "rate of receiving below %.2g"},
};

/* A higher latency is worse. */
static double ratio_of(size_t kind, double value) { return exp(kind == LATENCY ? -value : value); }

/* The number of ranks that the most hosts have. */
static double usual_ranks(const suite_together *t)
{
    double usual = NAN;
    size_t most = 0;
    for (size_t k = 0; k < t->hosts; k++) {
        size_t alike = 0;
        for (size_t j = 0; j < t->hosts; j++) alike += t->ranks[j] == t->ranks[k];
        if (alike > most) most = alike, usual = t->ranks[k];
    }
    return usual;
}

static char *cause_of(const suite_together *t, size_t kind, size_t host)
{
    const double usual = usual_ranks(t), own = t->ranks[host];
    bool computes = false;
    if (kind <= GEMM && isfinite(own) && own != usual)
        return suite_text("it has %.0f rank%s, most hosts have %.0f", own, own == 1 ? "" : "s",
                          usual);
    for (size_t of = TRIAD; of <= QUIET; of++) computes = computes || t->low[of * t->hosts + host];
    return suite_copy(computes ? "its processor or memory, or what else runs there"
                               : "its card, its cable or its port");
}

/* In how many launches the host is below 1. */
static size_t count_below(const suite_together *t, size_t kind, size_t host)
{
    size_t below = 0;
    for (size_t l = 0; l < t->launches; l++) below += t->value[kind][l * t->hosts + host] < 0;
    return below;
}

static void tell(const suite_together *t, size_t kind, const char *who, double value, double bound,
                 size_t launches, char *words, cm_record *combined)
{
    suite_together_add(combined, &(cm_record_finding){.who = (char *)who,
                                                      .what = (char *)CM_FINDING_STANDS_OUT,
                                                      .quantity = (char *)kinds[kind].quantity,
                                                      .value = ratio_of(kind, value),
                                                      .low = NAN,
                                                      .high = NAN,
                                                      .bound = bound,
                                                      .unit = (char *)"1",
                                                      .words = words,
                                                      .launches = launches,
                                                      .of_launches = t->launches});
    free(words);
}

static void tell_host(const suite_together *t, size_t kind, size_t host, cm_record *combined)
{
    const double value = t->middle[kind * t->hosts + host];
    const char *who = t->name.text[host];
    char *ratios = suite_together_ratios(t, kind, who), *cause = cause_of(t, kind, host);
    char *slow = suite_text(kinds[kind].words, ratio_of(kind, value)); /* NOLINT: those above */
    tell(t, kind, who, value, ratio_of(kind, t->bound[kind]), count_below(t, kind, host),
         suite_text("%s, by all launches together (%s): %s", slow, ratios, cause), combined);
    free(slow);
    free(cause);
    free(ratios);
}

/* "n4, n5, n6, n7". */
static void tell_groups(const suite_together *t, size_t kind, cm_record *combined)
{
    const double value = t->apart[kind];
    char *who = suite_copy("");
    size_t slower = 0;
    for (size_t k = 0; k < t->hosts; k++) {
        if (!t->slower[kind * t->hosts + k]) continue;
        slower++;
        char *longer = suite_text("%s%s%s", who, *who ? ", " : "", t->name.text[k]);
        free(who);
        who = longer;
    }
    char *slow = suite_text(kinds[kind].words, ratio_of(kind, value)); /* NOLINT */
    tell(t, kind, who, value, 0, t->launches,
         suite_text("%s: two groups of hosts (%zu and %zu), the same ones in all launches", slow,
                    slower, t->hosts - slower),
         combined);
    free(slow);
    free(who);
}

/* Writes one sentence with the bounds of all kinds: "a host that is in all launches at ...". */
bool suite_together_bounds(const suite_together *t, cm_record *combined)
{
    char *words = suite_copy("a host that had in all launches");
    bool others = false; /* whether a rate's words are there, of which the first says whose */
    const size_t from = combined->n_findings;
    for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++) {
        if (!isfinite(t->bound[kind])) continue;
        const double bound = ratio_of(kind, t->bound[kind]);
        char *own = suite_text(kinds[kind].bound, bound); /* NOLINT */
        const bool first = !others && kind != LATENCY;
        char *longer = suite_text("%s%s %s%s", words, combined->n_findings > from ? "," : "", own,
                                  first ? " of the others'" : "");
        others = others || first;
        free(own);
        free(words);
        words = longer;
        suite_together_add(combined, &(cm_record_finding){.what = (char *)CM_FINDING_LIMIT,
                                                          .quantity = (char *)kinds[kind].quantity,
                                                          .value = NAN,
                                                          .low = NAN,
                                                          .high = NAN,
                                                          .bound = bound,
                                                          .words = (char *)""});
    }
    if (combined->n_findings == from) {
        free(words);
        return false;
    }
    free(combined->finding[from].words);
    combined->finding[from].words = words;
    return true;
}

void suite_together_tell(const suite_together *t, cm_record *combined)
{
    for (size_t host = 0; host < t->hosts; host++)
        for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++)
            if (t->low[kind * t->hosts + host]) tell_host(t, kind, host, combined);
    for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++)
        if (!isnan(t->apart[kind])) tell_groups(t, kind, combined);
}
