/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_fit.c: what the speed-ups say: Amdahl's law, the universal scalability law, where the master
   is busy all the time. */
#include <math.h>
#include <stdio.h>
#include "farm.h"
#include "measure/fit.h"

/* ---- Speed-up -------------------------------------------------------------------------------- */

typedef struct {
    size_t n;
    double workers[FARM_MOST_COUNTS], speed_up[FARM_MOST_COUNTS];
} curve;

/* A parameter beyond its meaning says that the data do not determine it: speed-ups that are higher
   than the number of workers, by their errors or by caches. */
static bool is_fraction(const cm_estimate *e) { return e->value >= 0 && e->value <= 1; }

static void write_beyond(cm_result *result, const char *model, int64_t batch, const char *parameter,
                         const cm_estimate *e)
{
    if (!is_fraction(e))
        cm_result_comment(result,
                          "not determined: model=%s_%lld: %s: the fit gives %.3g with error %.2g, "
                          "expected 0 to 1",
                          model, (long long)batch, parameter, e->value, e->error);
}

static void write_curve(cm_result *result, const char *prefix, int64_t batch, const curve *c)
{
    cm_amdahl amdahl;
    cm_usl usl;
    char model[32];
    if (cm_fit_amdahl(c->n, c->workers, c->speed_up, &amdahl)) {
        const cm_estimate *f = &amdahl.serial_fraction;
        snprintf(model, sizeof model, "%samdahl", prefix);
        if (is_fraction(f))
            cm_result_comment(result,
                              "fit: model=%s_%lld serial_fraction=%.4g serial_fraction_error=%.2g",
                              model, (long long)batch, f->value, f->error);
        write_beyond(result, model, batch, "serial_fraction", f);
    }
    if (cm_fit_usl(c->n, c->workers, c->speed_up, &usl)) {
        snprintf(model, sizeof model, "%susl", prefix);
        if (is_fraction(&usl.sigma) && is_fraction(&usl.kappa))
            cm_result_comment(result,
                              "fit: model=%s_%lld contention=%.4g contention_error=%.2g "
                              "coherence=%.4g coherence_error=%.2g",
                              model, (long long)batch, usl.sigma.value, usl.sigma.error,
                              usl.kappa.value, usl.kappa.error);
        write_beyond(result, model, batch, "contention", &usl.sigma);
        write_beyond(result, model, batch, "coherence", &usl.kappa);
    }
}

/* One worker's speed-up is 1 by every law: this point would only make the errors smaller. */
static curve our_curve(const farm_table *table, int64_t batch)
{
    curve c = {0};
    for (int k = 0; k < table->n && c.n < FARM_MOST_COUNTS; k++) {
        const farm_point *p = &table->point[k];
        double speed_up = farm_speed_up(table, p);
        if (p->batch != batch || p->workers == 1 || isnan(speed_up) || !farm_has_messages(p))
            continue;
        c.workers[c.n] = p->workers;
        c.speed_up[c.n++] = speed_up;
    }
    return c;
}

static curve their_curve(int64_t batch)
{
    curve c = {0};
    double one_s = farm_paper(1, batch).time_s;
    for (int k = 0; k < farm_paper_workers.n && !isnan(one_s); k++) {
        if (farm_paper_workers.value[k] == 1) continue;
        c.workers[c.n] = (double)farm_paper_workers.value[k];
        c.speed_up[c.n++] = one_s / farm_paper(farm_paper_workers.value[k], batch).time_s;
    }
    return c;
}

static double amdahl_speed_up(double serial, double workers)
{
    return 1 / (serial + (1 - serial) / workers);
}

/* pelikan-2007 says that its speed-ups with the largest batch are close to those of code of which
   4 % is serial. */
static void write_their_claim(cm_result *result)
{
    const double says = 0.04;
    const int64_t largest = farm_paper_batches.value[farm_paper_batches.n - 1];
    curve theirs = their_curve(largest);
    cm_amdahl fit;
    if (!cm_fit_amdahl(theirs.n, theirs.workers, theirs.speed_up, &fit)) return;
    for (size_t k = 0; k < theirs.n; k++)
        cm_result_comment(result,
                          "paper: batches of %lld, %.0f workers: speed-up %.2f by its times, "
                          "%.2f with the 4 %% of serial code it states, %.2f with the %.2g %% "
                          "fitted to its times",
                          (long long)largest, theirs.workers[k], theirs.speed_up[k],
                          amdahl_speed_up(says, theirs.workers[k]),
                          amdahl_speed_up(fit.serial_fraction.value, theirs.workers[k]),
                          100 * fit.serial_fraction.value);
}

void farm_write_fits(cm_result *result, const farm_table *table)
{
    farm_counts batches;
    farm_plan_batches(table->options, &batches);
    cm_result_comment(result,
                      "fit: amdahl: S = 1 / (f + (1 - f) / w); usl: S = w / (1 + "
                      "contention (w - 1) + coherence w (w - 1)); w: workers; S: speed-up over one "
                      "worker; _error: standard error; paper_: from the paper's times");
    for (int b = 0; b < batches.n; b++) {
        curve ours = our_curve(table, batches.value[b]), theirs = their_curve(batches.value[b]);
        write_curve(result, "", batches.value[b], &ours);
        write_curve(result, "paper_", batches.value[b], &theirs);
    }
    write_their_claim(result);
}

/* ---- Saturation ------------------------------------------------------------------------------ */

/* The highest rate without work of any number of workers: more of them than the host has cores take
   time from the master. With --work none the rows measure the same. */
static const farm_point *highest_ceiling(const farm_table *table, int64_t batch)
{
    const farm_point *highest = NULL;
    for (int k = 0; k < table->n; k++) {
        const farm_point *p = &table->point[k];
        if (p->batch != batch || isnan(p->ceiling_per_s)) continue;
        if (!highest || p->ceiling_per_s > highest->ceiling_per_s) highest = p;
    }
    return highest;
}

static const farm_point *highest_rate(const farm_table *table, int64_t batch)
{
    const farm_point *highest = NULL;
    for (int k = 0; k < table->n; k++) {
        const farm_point *p = &table->point[k];
        if (p->batch != batch || isnan(p->messages_per_s)) continue;
        if (!highest || p->messages_per_s > highest->messages_per_s) highest = p;
    }
    return highest;
}

/* The fewest workers with near of the ceiling; 0: none. */
static int reaching(const farm_table *table, int64_t batch, double ceiling_per_s)
{
    const double near = 0.9;
    for (int k = 0; k < table->n; k++) {
        const farm_point *p = &table->point[k];
        if (p->batch == batch && p->messages_per_s >= near * ceiling_per_s) return p->workers;
    }
    return 0;
}

/* The utilisation law: w workers that each take one_worker_s per message ask for w / one_worker_s
   messages per second, and the master has ceiling_per_s. */
static void write_saturation(cm_result *result, const farm_table *table, const farm_point *one)
{
    const farm_point *ceiling = highest_ceiling(table, one->batch);
    const farm_point *rate = highest_rate(table, one->batch);
    double one_s = 1 / one->messages_per_s;
    if (isnan(one_s) || !ceiling) {
        cm_result_comment(result, "not determined: model=saturation_%lld: too few messages%s",
                          (long long)one->batch, ceiling ? " of one worker (--units)" : "");
        return;
    }
    double ceiling_per_s = ceiling->ceiling_per_s;
    if (table->options->work.kind == FARM_NONE)
        ceiling_per_s = fmax(ceiling_per_s, rate->messages_per_s);
    if (rate->messages_per_s > ceiling_per_s) {
        cm_result_comment(result,
                          "not determined: model=saturation_%lld: %.5g messages per second without "
                          "work, but %.5g with it and %d workers",
                          (long long)one->batch, ceiling_per_s, rate->messages_per_s,
                          rate->workers);
        return;
    }
    int reached = reaching(table, one->batch, ceiling_per_s);
    char measured[64] = "", either[96] = "";
    if (reached) snprintf(measured, sizeof measured, " measured_workers=%d", reached);
    if (!isnan(ceiling->coalesced_per_s))
        snprintf(either, sizeof either, " coalesced_per_s=%.5g uncoalesced_per_s=%.5g",
                 ceiling->coalesced_per_s, ceiling->uncoalesced_per_s);
    cm_result_comment(result,
                      "fit: model=saturation_%lld one_worker_us=%.5g ceiling_per_s=%.5g "
                      "predicted_workers=%.3g%s%s",
                      (long long)one->batch, 1e6 * one_s, ceiling_per_s, ceiling_per_s * one_s,
                      measured, either);
}

void farm_write_saturation(cm_result *result, const farm_table *table)
{
    bool any = false;
    for (int k = 0; k < table->n; k++) {
        const farm_point *p = &table->point[k];
        if (p->workers != 1 || p->summary.n == 0) continue;
        if (!any)
            cm_result_comment(result,
                              "fit: saturation: ceiling_per_s: the most messages per second from "
                              "the master with --work none and any of these numbers of workers; "
                              "predicted_workers: this over one worker's rate; measured_workers: "
                              "the fewest workers with 0.9 of it");
        any = true;
        write_saturation(result, table, p);
    }
}
