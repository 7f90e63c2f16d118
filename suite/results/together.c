/* SPDX-License-Identifier: BSD-3-Clause */
/* together.c: the rates of all hosts in all launches, and which hosts are low. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "measure/order.h"
#include "measure/outliers.h"
#include "measure/repeated.h"
#include "together.h"

/* The quantity's findings, the column with its ratios, and whether high is slow. */
static const struct {
    const char *quantity, *column;
    bool high;
} kinds[SUITE_TOGETHER_KINDS] = {
    {"triad", "triad_ratio", false}, {"gemm", "gemm_ratio", false},
    {"quiet", "quiet_ratio", false}, {"latency", "latency_ratio", true},
    {"send", "send_ratio", false},   {"receive", "receive_ratio", false},
};

size_t suite_together_kind(const char *quantity)
{
    size_t kind = 0;
    while (kind < SUITE_TOGETHER_KINDS && (!quantity || strcmp(quantity, kinds[kind].quantity)))
        kind++;
    return kind;
}

bool suite_together_is_of_rates(const cm_record_finding *finding)
{
    return suite_together_kind(finding->quantity) < SUITE_TOGETHER_KINDS
           || (finding->quantity && strcmp(finding->quantity, SUITE_TOGETHER_LOSS) == 0);
}

/* ---- The rates ------------------------------------------------------------------------------- */

/* Adds the rates of one launch. Returns false if its hosts differ from the other launches'. */
static bool take(suite_together *t, size_t launch, const cm_record *record)
{
    suite_index names = suite_together_names(record);
    bool same = names.n == t->hosts && record->n_rows == t->hosts;
    for (size_t row = 0; same && row < names.n; row++) {
        const size_t host = suite_index_find(&t->name, names.text[row]);
        double number;
        same = host < t->hosts;
        if (same && suite_together_number(record, row, "ranks", &number)) t->ranks[host] = number;
        for (size_t kind = 0; same && kind < SUITE_TOGETHER_KINDS; kind++)
            if (suite_together_number(record, row, kinds[kind].column, &number) && number > 0)
                t->value[kind][launch * t->hosts + host] =
                    kinds[kind].high ? -log(number) : log(number);
    }
    suite_index_free(&names);
    return same;
}

static double *numbers(size_t n)
{
    double *number = suite_array(n, sizeof *number);
    for (size_t k = 0; k < n; k++) number[k] = NAN;
    return number;
}

static void open(suite_together *t)
{
    const size_t each = SUITE_TOGETHER_KINDS * t->hosts;
    for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++) {
        t->value[kind] = numbers(t->launches * t->hosts);
        t->apart[kind] = NAN;
    }
    t->ranks = numbers(t->hosts);
    t->middle = numbers(each);
    t->low = suite_array(each, sizeof *t->low);
    t->slower = suite_array(each, sizeof *t->slower);
}

void suite_together_free(suite_together *t)
{
    for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++) free(t->value[kind]);
    suite_losses_free(&t->losses);
    suite_index_free(&t->name);
    free(t->ranks);
    free(t->middle);
    free(t->low);
    free(t->slower);
    *t = (suite_together){0};
}

/* ---- Who is low ------------------------------------------------------------------------------ */

/* The kinds share half of the false alarms, pairs counting as two kinds; the groups of the kinds
   share a quarter. The rest is reserved for disturbances, as in cm-nodes. */
static void judge(suite_together *t)
{
    cm_repeated by;
    const double *value[SUITE_TOGETHER_KINDS];
    for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++) value[kind] = t->value[kind];
    if (!cm_repeated_open(t->hosts, t->launches, SUITE_TOGETHER_KINDS,
                          t->false_alarms / 2 / (SUITE_TOGETHER_KINDS + 2), &by)
        || !cm_repeated_low(&by, SUITE_TOGETHER_KINDS, value, t->low, t->middle, t->bound))
        suite_there(NULL);
    for (size_t kind = 0; kind < SUITE_TOGETHER_KINDS; kind++) {
        bool any = false;
        for (size_t k = 0; k < t->hosts; k++) any = any || t->low[kind * t->hosts + k];
        if (!any
            && !cm_repeated_groups(t->hosts, t->launches, value[kind],
                                   t->false_alarms / 4 / SUITE_TOGETHER_KINDS,
                                   t->slower + kind * t->hosts, &t->apart[kind]))
            suite_there(NULL);
    }
}

bool suite_together_judge(const suite_launches *l, suite_together *t)
{
    const cm_record *middle = &l->record[l->middle];
    const char *program = cm_record_meta(middle, "program");
    const char *alarms = cm_record_meta(middle, "false_alarms");
    *t = (suite_together){.launches = l->n};
    if (l->n < CM_REPEATED_FEWEST || !program || strcmp(program, "cm-nodes") != 0 || !alarms
        || !cm_record_number(alarms, &t->false_alarms))
        return false;
    t->name = suite_together_names(middle);
    t->hosts = t->name.n;
    bool same = t->hosts >= CM_OUTLIERS_FEWEST;
    if (same) open(t);
    for (size_t k = 0; same && k < l->n; k++) same = take(t, k, &l->record[k]);
    if (same) judge(t), suite_losses_judge(l, t, &t->losses);
    else suite_together_free(t);
    return same;
}

/* ---- Answers --------------------------------------------------------------------------------- */

bool suite_together_agrees(const suite_together *t, size_t kind, const char *who, double ratio)
{
    const size_t host = who ? suite_index_find(&t->name, who) : t->hosts;
    if (host >= t->hosts || !(ratio > 0)) return false;
    return t->middle[kind * t->hosts + host]
           < fmin(-CM_REPEATED_MARGIN, (kinds[kind].high ? -1 : 1) * log(ratio) / 2);
}

char *suite_together_ratios(const suite_together *t, size_t kind, const char *who)
{
    const size_t host = who ? suite_index_find(&t->name, who) : t->hosts;
    double *ratio = suite_array(t->launches + 1, sizeof *ratio);
    size_t n = 0;
    for (; host < t->hosts && n < t->launches; n++) {
        const double value = t->value[kind][n * t->hosts + host];
        ratio[n] = exp(kinds[kind].high ? -value : value);
    }
    char *text = suite_together_list(n, ratio, kinds[kind].high ? 3 : 2);
    free(ratio);
    return text;
}
