/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.c: each quantity of each host against what the same host gave before. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bound.h"
#include "common/index.h"
#include "common/memory.h"
#include "judge.h"
#include "measure/order.h"

/* The median of so many launches is far off only if several are: one is not measured again. */
enum { LAUNCHES = 3 };

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

/* The hosts of each kept result by their names; of two of one name the first is found. A history of
   months has thousands of hosts for each of which it is asked. */
static suite_index *host_indices(const suite_history *history)
{
    suite_index *hosts = suite_array(history->n, sizeof *hosts);
    for (size_t k = 0; k < history->n; k++) {
        hosts[k] = (suite_index){0};
        for (size_t h = 0; h < history->kept[k].n_hosts; h++) {
            if (suite_index_add(&hosts[k], history->kept[k].host[h].name) == h) continue;
            char *second = suite_text("%s\n%zu", history->kept[k].host[h].name, h);
            suite_index_add(&hosts[k], second);
            free(second);
        }
    }
    return hosts;
}

static const suite_kept_quantity *find(const suite_kept_host *host, const suite_kept_host *like,
                                       const suite_kept_quantity *q)
{
    if (host->stands_out || host->ranks != like->ranks) return NULL;
    for (size_t k = 0; k < host->n; k++)
        if (strcmp(host->quantity[k].metric, q->metric) == 0
            && strcmp(host->quantity[k].unit, q->unit) == 0)
            return &host->quantity[k];
    return NULL;
}

static double sign_of(const fleet_item *item) { return item->low ? -1 : 1; }

/* Logarithms; less is worse. */
static void remember(fleet_past *past, const fleet_item *item, const double *values, size_t n)
{
    const double value = n ? median_of(values, n) : NAN;
    past->zeros += value == 0;
    if (value > 0 && past->n < FLEET_MOST) past->y[past->n++] = sign_of(item) * log(value);
}

static fleet_past no_past(void)
{
    return (fleet_past){.y = suite_array(FLEET_MOST, sizeof(double))};
}

/* What the host had, the latest first. */
static fleet_past past_of_host(const suite_history *history, const suite_index *hosts,
                               const suite_kept *kept, const suite_kept_host *host,
                               const suite_kept_quantity *q, const fleet_item *item)
{
    fleet_past past = no_past();
    for (size_t k = history->n; k-- > 0;) {
        const suite_kept *old = &history->kept[k];
        if (is_of_links(q->metric) && old->n_hosts != kept->n_hosts) continue;
        const size_t h = suite_index_find(&hosts[k], host->name);
        if (h == hosts[k].n || (old->host[h].disturbed && !host->disturbed)) continue;
        const suite_kept_quantity *same = find(&old->host[h], host, q);
        if (same) remember(&past, item, same->values, same->n_values);
    }
    return past;
}

/* What the benchmark had with as many hosts and ranks, the latest first. */
static fleet_past past_of_result(const suite_history *history, const suite_kept_result *r,
                                 const fleet_item *item)
{
    fleet_past past = no_past();
    for (size_t k = history->n; k-- > 0;)
        for (size_t n = 0; n < history->kept[k].n_results; n++) {
            const suite_kept_result *old = &history->kept[k].result[n];
            if (strcmp(old->benchmark, r->benchmark) == 0 && strcmp(old->metric, r->metric) == 0
                && strcmp(old->unit, r->unit) == 0 && old->hosts == r->hosts
                && old->ranks == r->ranks && old->pass && (!old->disturbed || r->disturbed))
                remember(&past, item, &old->value, isfinite(old->value));
        }
    return past;
}

static void judge(fleet_item *item, const fleet_past *past, double alpha, double loss)
{
    const fleet_bound bound = fleet_bound_of(past, alpha, -log1p(-loss));
    const double sign = sign_of(item), y = sign * log(item->value);
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
        item->why = item->disturbed ? FLEET_WHY_BUSY : FLEET_WHY_NONE;
        item->verdict = item->disturbed ? FLEET_UNTOLD : FLEET_WORSE;
    } else if (bound.fall > -log1p(-loss)) item->why = FLEET_WHY_BLIND;
    else {
        item->verdict = FLEET_LIKE;
        item->why = FLEET_WHY_NONE;
    }
}

static const suite_kept_result *result_of(const suite_kept *kept, const fleet_item *item)
{
    const suite_kept_result *r = kept->result;
    while (r->benchmark != item->who || r->metric != item->metric) r++;
    return r;
}

/* Takes the values of past. What was 0 before, too, is not judged. */
static void add(fleet_judgement *all, fleet_past **pasts, fleet_item item, fleet_past past)
{
    if (item.value == 0 && past.zeros > 0) {
        free(past.y);
        return;
    }
    all->item = suite_longer(all->item, all->n + 1, sizeof item);
    *pasts = suite_longer(*pasts, all->n + 1, sizeof past);
    (*pasts)[all->n] = past;
    all->item[all->n++] = item;
}

static void judge_all(fleet_judgement *all, fleet_past *pasts)
{
    for (size_t k = 0; k < all->n; k++) {
        judge(&all->item[k], &pasts[k], FLEET_LEVEL / (double)all->n, all->loss);
        free(pasts[k].y);
    }
    free(pasts);
}

/* A rate that fell to 0, whose logarithm is -INFINITY, is worse than any. */
static bool is_judged(const char *better, double value)
{
    return value > 0 ? strcmp(better, "neither") != 0 : value == 0 && strcmp(better, "high") == 0;
}

fleet_judgement fleet_judge_hosts(const suite_history *history, const suite_kept *kept, double loss)
{
    fleet_judgement all = {.what = "host", .loss = loss};
    fleet_past *pasts = NULL;
    suite_index *hosts = host_indices(history);
    for (size_t h = 0; h < kept->n_hosts; h++)
        for (size_t k = 0; k < kept->host[h].n; k++) {
            const suite_kept_host *host = &kept->host[h];
            const suite_kept_quantity *q = &host->quantity[k];
            const fleet_item item = {.who = host->name,
                                     .metric = q->metric,
                                     .unit = q->unit,
                                     .ranks = host->ranks,
                                     .low = strcmp(q->better, "low") == 0,
                                     .disturbed = host->disturbed,
                                     .value = median_of(q->values, q->n_values),
                                     .again = NAN};
            if (is_judged(q->better, item.value))
                add(&all, &pasts, item, past_of_host(history, hosts, kept, host, q, &item));
        }
    judge_all(&all, pasts);
    for (size_t k = 0; k < history->n; k++) suite_index_free(&hosts[k]);
    free(hosts);
    return all;
}

fleet_judgement fleet_judge_headlines(const suite_history *history, const suite_kept *kept,
                                      const suite_table *table, double loss)
{
    fleet_judgement all = {.what = "benchmark", .loss = loss};
    fleet_past *pasts = NULL;
    for (size_t k = 0; k < kept->n_results; k++) {
        const suite_kept_result *r = &kept->result[k];
        const suite_run *run = suite_table_find(table, r->benchmark);
        const fleet_item item = {.who = r->benchmark,
                                 .metric = r->metric,
                                 .unit = r->unit,
                                 .ranks = r->ranks,
                                 .low = strcmp(r->better, "low") == 0,
                                 .disturbed = r->disturbed,
                                 .value = r->value,
                                 .again = NAN};
        if (run && run->headline && strcmp(run->headline, r->metric) == 0
            && is_judged(r->better, item.value))
            add(&all, &pasts, item, past_of_result(history, r, &item));
    }
    judge_all(&all, pasts);
    for (size_t k = 0; k < all.n; k++) {
        fleet_item *item = &all.item[k];
        const suite_kept_result *r = result_of(kept, item);
        if (item->verdict == FLEET_WORSE && r->n_values < LAUNCHES) {
            item->verdict = FLEET_UNTOLD;
            item->why = FLEET_WHY_ONCE;
        }
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
