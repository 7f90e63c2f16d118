/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap_sample.c: runs of one size: a trial solves one input, which is made before it and verified
   after it. */
#include <math.h>
#include "sscrap.h"

/* ---- Checks --------------------------------------------------------------------------------- */

static double badness(const sscrap_check *check)
{
    if (isnan(check->value)) return INFINITY;
    if (check->relation[0] == '=') return fabs(check->value - check->bound);
    return check->bound > 0 ? check->value / check->bound : check->value;
}

/* Keeps the worst value so far. */
static void keep_checks(sscrap_checks *checks, const sscrap_check *now, int n)
{
    for (int k = 0; k < n; k++)
        if (k >= checks->n || badness(&now[k]) > badness(&checks->check[k]))
            checks->check[k] = now[k];
    if (n > checks->n) checks->n = n;
}

bool sscrap_checks_hold(const sscrap_checks *checks)
{
    for (int k = 0; k < checks->n; k++) {
        const sscrap_check *check = &checks->check[k];
        bool equal = check->relation[0] == '=';
        if (!(equal ? check->value == check->bound : check->value <= check->bound)) return false;
    }
    return true;
}

/* ---- A run ---------------------------------------------------------------------------------- */

typedef struct {
    const sscrap_problem *problem;
    void *state; /* the problem's */
    int run;
    cm_bsp_sums sums; /* of the last run */
    sscrap_checks *checks;
} runs;

static cm_bsp_sums difference(cm_bsp_sums after, cm_bsp_sums before)
{
    return (cm_bsp_sums){.supersteps = after.supersteps - before.supersteps,
                         .work_s = after.work_s - before.work_s,
                         .sync_s = after.sync_s - before.sync_s,
                         .out_bytes = after.out_bytes - before.out_bytes,
                         .in_bytes = after.in_bytes - before.in_bytes,
                         .out_messages = after.out_messages - before.out_messages,
                         .in_messages = after.in_messages - before.in_messages};
}

static void prepare(void *context)
{
    runs *r = context;
    r->problem->fill(r->state, r->run++);
    bsp_sync();
    cm_barrier(cm_bsp_group(), CM_AUTO);
}

static double trial(void *context, int64_t operations, double *value)
{
    (void)operations; /* one */
    runs *r = context;
    cm_bsp_sums before = cm_bsp_total();
    double begin_s = cm_time();
    r->problem->solve(r->state);
    value[0] = cm_time() - begin_s;
    r->sums = difference(cm_bsp_total(), before);
    /* The time after the last superstep is work, too. */
    r->sums.work_s = value[0] - r->sums.sync_s;
    return value[0];
}

static bool verify(void *context)
{
    runs *r = context;
    sscrap_check now[SSCRAP_CHECKS] = {{0}};
    keep_checks(r->checks, now, r->problem->verify(r->state, now));
    return true;
}

static cm_subject subject_of(runs *r)
{
    return (cm_subject){.who = CM_SAMPLE_SLOWEST,
                        .most_operations = 1,
                        .prepare = prepare,
                        .trial = trial,
                        .verify = verify,
                        .context = r};
}

void sscrap_measure(const cm_sampling *sampling, const sscrap_problem *problem, const void *options,
                    int64_t size, sscrap_checks *checks, sscrap_measured *measured)
{
    runs r = {.problem = problem, .state = problem->begin(options, size), .checks = checks};
    const cm_subject subject = subject_of(&r);
    *measured = (sscrap_measured){.samples = CM_SAMPLES_EMPTY};
    measured->sampled.samples = &measured->samples;
    cm_sample(sampling, cm_bsp_group(), 1, &subject, &measured->sampled);
    measured->sums = r.sums;
    if (problem->took) measured->took = problem->took(r.state);
    problem->end(r.state);
}

void sscrap_measured_free(sscrap_measured *measured) { cm_samples_free(&measured->samples); }

void sscrap_warm_up(const cm_sampling *sampling, const sscrap_problem *problem, const void *options,
                    int64_t size)
{
    if (sampling->warm_up_s <= 0) return;
    runs r = {.problem = problem, .state = problem->begin(options, size)};
    const cm_subject subject = subject_of(&r);
    cm_sample_warm_up(sampling, cm_bsp_group(), &subject);
    problem->end(r.state);
}
