/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c: each quantity of each host against what the same host gave before. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bound.h"
#include "common/memory.h"
#include "judge.h"
#include "measure/order.h"

/* What depends on how many others there are. */
static bool is_of_links(const char *metric)
{
    return strncmp(metric, "latency", 7) == 0 || strncmp(metric, "send", 4) == 0
           || strncmp(metric, "receive", 7) == 0;
}

static double median_of(const double *values, size_t n)
{
    double *copy = suite_array(n + 1, sizeof *copy);
    memcpy(copy, values, n * sizeof *copy);
    const double median = cm_order_select(copy, n, 0.5);
    free(copy);
    return median;
}

static const suite_kept_quantity *find(const suite_kept *kept, const suite_kept_host *like,
                                       const suite_kept_quantity *q, bool *disturbed)
{
    for (size_t h = 0; h < kept->n_hosts; h++) {
        const suite_kept_host *host = &kept->host[h];
        if (host->stands_out || host->ranks != like->ranks || strcmp(host->name, like->name) != 0)
            continue;
        *disturbed = host->disturbed;
        for (size_t k = 0; k < host->n; k++)
            if (strcmp(host->quantity[k].metric, q->metric) == 0
                && strcmp(host->quantity[k].unit, q->unit) == 0)
                return &host->quantity[k];
    }
    return NULL;
}

/* The latest FLEET_MOST values; logarithms, less is worse. */
static void gather(const suite_history *history, const suite_kept *kept,
                   const suite_kept_host *host, const suite_kept_quantity *q, double sign,
                   fleet_past *past)
{
    *past = (fleet_past){.y = suite_array(FLEET_MOST, sizeof *past->y)};
    for (size_t k = history->n; k-- > 0 && past->n < FLEET_MOST;) {
        const suite_kept *old = &history->kept[k];
        bool disturbed = false;
        if (is_of_links(q->metric) && old->n_hosts != kept->n_hosts) continue;
        const suite_kept_quantity *same = find(old, host, q, &disturbed);
        if (!same || (disturbed && !host->disturbed)) continue;
        const double value = median_of(same->values, same->n_values);
        if (value > 0) past->y[past->n++] = sign * log(value);
    }
}

static void judge(fleet_item *item, const fleet_past *past, double y, double sign, double alpha,
                  double loss, bool disturbed)
{
    const fleet_bound bound = fleet_bound_of(past, alpha, -log1p(-loss));
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < past->n; k++) {
        least = fmin(least, past->y[k]);
        most = fmax(most, past->y[k]);
    }
    item->n = past->n;
    item->needed = bound.needed;
    item->median = item->least = item->most = item->bound = NAN;
    if (past->n > 0) {
        item->median = exp(sign * bound.middle);
        item->least = exp(sign * (sign > 0 ? least : most));
        item->most = exp(sign * (sign > 0 ? most : least));
    }
    item->verdict = FLEET_UNTOLD;
    item->why = FLEET_WHY_FEW;
    if (past->n < FLEET_FEWEST) return;
    item->bound = exp(sign * (bound.middle - bound.fall));
    if (bound.middle - y > bound.fall) {
        item->why = disturbed ? FLEET_WHY_BUSY : FLEET_WHY_NONE;
        item->verdict = disturbed ? FLEET_UNTOLD : FLEET_WORSE;
    } else if (bound.fall > -log1p(-loss)) item->why = FLEET_WHY_BLIND;
    else {
        item->verdict = FLEET_LIKE;
        item->why = FLEET_WHY_NONE;
    }
}

static bool is_judged(const suite_kept_quantity *q)
{
    return strcmp(q->better, "neither") != 0 && median_of(q->values, q->n_values) > 0;
}

fleet_judgement fleet_judge(const suite_history *history, const suite_kept *kept, double loss)
{
    fleet_judgement all = {.loss = loss};
    size_t tests = 0;
    for (size_t h = 0; h < kept->n_hosts; h++)
        for (size_t k = 0; k < kept->host[h].n; k++) tests += is_judged(&kept->host[h].quantity[k]);
    all.item = suite_array(tests + 1, sizeof *all.item);
    for (size_t h = 0; h < kept->n_hosts; h++)
        for (size_t k = 0; k < kept->host[h].n; k++) {
            const suite_kept_host *host = &kept->host[h];
            const suite_kept_quantity *q = &host->quantity[k];
            if (!is_judged(q)) continue;
            fleet_item *item = &all.item[all.n++];
            *item = (fleet_item){.who = host->name,
                                 .metric = q->metric,
                                 .unit = q->unit,
                                 .ranks = host->ranks,
                                 .low = strcmp(q->better, "low") == 0,
                                 .value = median_of(q->values, q->n_values),
                                 .again = NAN};
            const double sign = item->low ? -1 : 1;
            fleet_past past;
            gather(history, kept, host, q, sign, &past);
            judge(item, &past, sign * log(item->value), sign, FLEET_LEVEL / (double)tests, loss,
                  host->disturbed);
            free(past.y);
        }
    return all;
}

void fleet_judgement_free(fleet_judgement *judgement)
{
    free(judgement->item);
    *judgement = (fleet_judgement){0};
}

fleet_verdict fleet_judgement_all(const fleet_judgement *judgement)
{
    fleet_verdict all = judgement->n > 0 ? FLEET_LIKE : FLEET_UNTOLD;
    for (size_t k = 0; k < judgement->n; k++)
        if (judgement->item[k].verdict > all) all = judgement->item[k].verdict;
    return all;
}

static const fleet_item *find_item(const fleet_judgement *in, const fleet_item *like)
{
    for (size_t k = 0; k < in->n; k++)
        if (strcmp(in->item[k].who, like->who) == 0
            && strcmp(in->item[k].metric, like->metric) == 0)
            return &in->item[k];
    return NULL;
}

void fleet_confirm(fleet_judgement *first, const fleet_judgement *second)
{
    for (size_t k = 0; k < first->n; k++) {
        fleet_item *item = &first->item[k];
        const fleet_item *again = find_item(second, item);
        if (item->verdict != FLEET_WORSE) continue;
        if (again) item->again = again->value;
        item->verdict = again ? again->verdict : FLEET_UNTOLD;
        item->why = again ? again->why : FLEET_WHY_ONCE;
    }
}
