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

static void write_curve(cm_result *result, const char *prefix, int64_t batch, const curve *c)
{
    cm_amdahl amdahl;
    cm_usl usl;
    if (cm_fit_amdahl(c->n, c->workers, c->speed_up, &amdahl))
        cm_result_comment(result,
                          "fit: model=%samdahl_%lld serial_fraction=%.4g "
                          "serial_fraction_error=%.2g",
                          prefix, (long long)batch, amdahl.serial_fraction.value,
                          amdahl.serial_fraction.error);
    if (cm_fit_usl(c->n, c->workers, c->speed_up, &usl))
        cm_result_comment(result,
                          "fit: model=%susl_%lld contention=%.4g contention_error=%.2g "
                          "coherence=%.4g coherence_error=%.2g",
                          prefix, (long long)batch, usl.sigma.value, usl.sigma.error,
                          usl.kappa.value, usl.kappa.error);
}

/* One worker's speed-up is 1 whatever the law: a point that would only make the errors small. */
static curve our_curve(const farm_table *table, int64_t batch)
{
    curve c = {0};
    for (int k = 0; k < table->n && c.n < FARM_MOST_COUNTS; k++) {
        const farm_point *p = &table->point[k];
        double speed_up = farm_speed_up(table, p);
        if (p->batch != batch || p->workers == 1 || isnan(speed_up)) continue;
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

/* pelikan-2007 says that its speed-ups of the largest batch are close to those of 4 % serial
   code. */
static void write_their_claim(cm_result *result)
{
    const double says = 0.04;
    const int64_t largest = farm_paper_batches.value[farm_paper_batches.n - 1];
    curve theirs = their_curve(largest);
    cm_amdahl fit;
    if (!cm_fit_amdahl(theirs.n, theirs.workers, theirs.speed_up, &fit)) return;
    for (size_t k = 0; k < theirs.n; k++)
        cm_result_comment(result,
                          "paper: batches of %lld, %.0f workers: its times "
                          "give %.2f; its 4 %% serial would be %.2f, the %.2g %% of its times' "
                          "fit %.2f",
                          (long long)largest, theirs.workers[k], theirs.speed_up[k],
                          amdahl_speed_up(says, theirs.workers[k]), 100 * fit.serial_fraction.value,
                          amdahl_speed_up(fit.serial_fraction.value, theirs.workers[k]));
}

void farm_write_fits(cm_result *result, const farm_table *table)
{
    farm_counts batches;
    farm_plan_batches(table->options, &batches);
    cm_result_comment(result,
                      "fit: amdahl: S = 1 / (f + (1 - f) / w); usl: S = w / (1 + "
                      "contention (w - 1) + coherence w (w - 1)); w workers, S against one; "
                      "_error: standard error; paper_: of the paper's times");
    for (int b = 0; b < batches.n; b++) {
        curve ours = our_curve(table, batches.value[b]), theirs = their_curve(batches.value[b]);
        write_curve(result, "", batches.value[b], &ours);
        write_curve(result, "paper_", batches.value[b], &theirs);
    }
    write_their_claim(result);
}

/* ---- Saturation ------------------------------------------------------------------------------ */

/* The utilisation law: w workers that each take one_worker_s a message ask for w / one_worker_s
   messages a second, and the master has ceiling_per_s. */
static void write_saturation(cm_result *result, const farm_table *table, const farm_point *one)
{
    const double near = 0.9;
    const farm_point *all = NULL;
    double one_s = 1 / farm_messages_per_s(one);
    int reached = 0;
    for (int k = 0; k < table->n; k++) {
        const farm_point *p = &table->point[k];
        if (p->batch == one->batch && !isnan(p->ceiling_per_s)) all = p;
    }
    if (!all) return;
    double ceiling_per_s = all->ceiling_per_s;
    for (int k = 0; k < table->n && !reached; k++) {
        const farm_point *p = &table->point[k];
        if (p->batch == one->batch && farm_messages_per_s(p) >= near * ceiling_per_s)
            reached = p->workers;
    }
    char measured[64] = "", either[96] = "";
    if (reached) snprintf(measured, sizeof measured, " measured_workers=%d", reached);
    if (!isnan(all->coalesced_per_s))
        snprintf(either, sizeof either, " coalesced_per_s=%.5g uncoalesced_per_s=%.5g",
                 all->coalesced_per_s, all->uncoalesced_per_s);
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
        if (p->workers != 1) continue;
        if (!any)
            cm_result_comment(result,
                              "fit: saturation: the master's ceiling of messages a second, "
                              "measured with --work none, over one worker's; measured_workers: the "
                              "fewest with 0.9 of it");
        any = true;
        write_saturation(result, table, p);
    }
}
