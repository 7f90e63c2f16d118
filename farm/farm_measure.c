/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_measure.c: what rank 0 samples: runs, the master's ceiling, a unit in a plain loop. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "farm.h"
#include "measure/clock.h"

static int most(int64_t wanted, int64_t there) { return (int)(wanted < there ? wanted : there); }

/* Measures a run with the workers that are still alive. */
static farm_run run_of(const farm_lead *l, int64_t workers, int64_t batch)
{
    const farm_options *o = l->table.options;
    int hired = most(workers, farm_master_alive() - l->masters);
    return (farm_run){
        .workers = hired,
        .masters = most(l->masters, hired),
        .units = farm_plan_units(o, workers),
        .batch = batch,
        .protocol = (farm_protocol)o->protocol,
        .credit = (int)o->credit,
        .receive = (farm_receive_kind)o->receive,
        .kind = o->work.kind,
        .coalesce = l->coalesces,
    };
}

static farm_round_trips *new_trips(void)
{
    farm_round_trips *trips = calloc(1, sizeof *trips);
    if (!trips) cm_abort(CM_EXIT_SYSTEM, "out of memory for round trips");
    return trips;
}

static double median_of(cm_samples *samples)
{
    cm_summary summary = cm_sample_summary(samples);
    cm_samples_free(samples);
    return summary.median;
}

/* ---- A unit in a plain loop ------------------------------------------------------------------ */

typedef struct {
    farm_computer *computer;
    int64_t units, next;
} plain;

static double plain_units(void *context, int64_t operations, double *value)
{
    enum { FEW = 64 };
    plain *p = context;
    uint32_t unit[FEW];
    farm_digest digest;
    double begun_s = cm_clock_now_s();
    for (int64_t left = operations; left > 0;) {
        size_t few = left < FEW ? (size_t)left : FEW;
        for (size_t k = 0; k < few; k++) unit[k] = (uint32_t)(p->next++ % p->units);
        if (!farm_compute(p->computer, unit, few, &digest))
            cm_abort(CM_EXIT_SYSTEM, "libcrypto failed");
        left -= (int64_t)few;
    }
    double took_s = cm_clock_now_s() - begun_s;
    *value = took_s / (double)operations;
    return took_s;
}

double farm_measure_plain_s(const farm_options *options)
{
    const cm_sampling sampling = {.rule = {.relative_half_width = 0.01, .time_limit_s = 0.1},
                                  .trial_s = 1e-3,
                                  .now_s = cm_clock_now_s};
    farm_work work = options->work;
    if (work.kind == FARM_NONE) return NAN;
    if (work.kind == FARM_SPIN) return work.spin_s;
    work.sha1 = FARM_LIBCRYPTO;
    plain p = {.computer = farm_computer_or_end(&work), .units = options->units};
    const cm_subject subject = {.trial = plain_units, .context = &p};
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &sampled);
    farm_computer_close(p.computer);
    return median_of(&samples);
}

/* ---- Runs whose digest does not count -------------------------------------------------------- */

typedef struct {
    farm_lead *lead;
    farm_computer *computer;
    int64_t workers, batch;
    bool coalesce;
    farm_outcome outcome;
} rehearsal;

static double rehearse(rehearsal *r, const farm_run *run)
{
    farm_master(run, r->computer, &r->outcome);
    r->lead->lost += r->outcome.lost;
    r->lead->again += r->outcome.again;
    return r->outcome.time_s;
}

/* Batches of one unit: connections are made, memory is touched. */
static double warming(void *context, int64_t operations, double *value)
{
    rehearsal *r = context;
    farm_run run = run_of(r->lead, r->workers, 1);
    run.units = operations;
    *value = NAN;
    return rehearse(r, &run);
}

void farm_measure_warm_up(farm_lead *l, int64_t workers)
{
    const farm_options *o = l->table.options;
    rehearsal r = {
        .lead = l, .computer = l->computer, .workers = workers, .outcome = {.trips = new_trips()}};
    const cm_subject subject = {.least_operations = most(workers + 1, o->units),
                                .most_operations = o->units,
                                .trial = warming,
                                .context = &r};
    cm_sample_warm_up(&o->sampling, NULL, &subject);
    free(r.outcome.trips);
}

/* Messages of a run without work: as many as with work, but at least few, so that the beginning and
   the end do not count, and at most many. Returns 0 if batches of this size would take too much
   memory and time. */
static int64_t ceiling_messages(int64_t units, int64_t batch, int64_t workers)
{
    const int64_t few = 1000, many = 4000, most_units = (int64_t)1 << 26;
    int64_t least = farm_plan_least_messages(workers), messages = units / batch;
    if (messages > many) messages = many;
    if (messages < few) messages = few;
    if (messages < least) messages = least;
    return messages * batch <= most_units ? messages : 0;
}

/* Seconds per batch if nothing is computed. */
static double without_work(void *context, int64_t operations, double *value)
{
    rehearsal *r = context;
    farm_run run = run_of(r->lead, r->workers, r->batch);
    (void)operations; /* a trial is a run */
    if (run.workers == 0) return -1;
    run.kind = FARM_NONE;
    run.coalesce = r->coalesce;
    run.units = run.batch * ceiling_messages(run.units, run.batch, run.workers);
    double time_s = rehearse(r, &run);
    *value = time_s / (double)r->outcome.batches;
    return time_s;
}

static void measure_ceiling(farm_lead *l, int64_t workers, farm_point *p)
{
    enum { APART, TOGETHER, WAYS };
    const farm_options *o = l->table.options;
    if (ceiling_messages(p->units, p->batch, workers) == 0) return;
    farm_work work = o->work;
    rehearsal r[WAYS];
    cm_subject subjects[WAYS];
    cm_samples samples[WAYS] = {CM_SAMPLES_EMPTY, CM_SAMPLES_EMPTY};
    cm_sampled sampled[WAYS] = {{0}};
    work.kind = FARM_NONE;
    farm_computer *computer = farm_computer_or_end(&work);
    farm_round_trips *trips = new_trips();
    for (int way = 0; way < WAYS; way++) {
        r[way] = (rehearsal){.lead = l,
                             .computer = computer,
                             .workers = workers,
                             .batch = p->batch,
                             .coalesce = way == TOGETHER,
                             .outcome = {.trips = trips}};
        subjects[way] = (cm_subject){.trial = without_work, .context = &r[way]};
        sampled[way].samples = &samples[way];
    }
    cm_sample(&o->sampling, NULL, l->coalesces ? WAYS : TOGETHER, subjects, sampled);
    double apart_per_s = 1 / median_of(&samples[APART]);
    double together_per_s = 1 / median_of(&samples[TOGETHER]);
    if (l->coalesces) {
        p->uncoalesced_per_s = apart_per_s;
        p->coalesced_per_s = together_per_s;
    }
    /* The ceiling that applies is that of results as the workers send them. */
    bool held = l->coalesces && !(l->table.plain_unit_s * (double)p->batch >= FARM_WRITE_S);
    p->ceiling_per_s = held ? together_per_s : apart_per_s;
    free(trips);
    farm_computer_close(computer);
}

/* ---- Runs of one number of workers and one batch size ---------------------------------------- */

typedef struct {
    farm_lead *lead;
    farm_point *point;
    int64_t workers;
    farm_run run; /* the last one */
    farm_outcome outcome;
    size_t runs; /* and what they took together */
    double time_s, waiting_s, computing_s;
} row;

static void tell_progress(void *context)
{
    const row *r = context;
    const farm_lead *l = r->lead;
    double most_runs = (double)l->table.options->sampling.rule.most;
    double rows = (double)l->workers.n * l->batches.n;
    cm_result_progress(l->result, (l->table.n - 1 + (double)r->runs / most_runs) / rows,
                       "%lld workers, batches of %lld", (long long)r->workers,
                       (long long)r->point->batch);
}

static double once(void *context, int64_t operations, double *value)
{
    row *r = context;
    (void)operations; /* a trial is a run */
    r->run = run_of(r->lead, r->workers, r->point->batch);
    farm_master(&r->run, r->lead->computer, &r->outcome);
    return *value = r->outcome.time_s;
}

/* Every batch's result is merged once, whoever computed it, and each message is counted once. */
static bool counts_hold(const farm_outcome *o, const farm_run *run)
{
    int greet = run->protocol == FARM_TREE ? run->masters : run->workers;
    if (run->workers == 0) return o->sent == 0 && o->received == 0 && o->alone == run->units;
    if (o->lost > 0) return o->sent >= o->messages - o->alone && o->received >= greet - o->lost;
    return o->sent == o->messages && o->received == o->messages + greet && o->alone == 0
           && o->served == o->batches && o->computed == run->units;
}

static bool judge(farm_lead *l, const farm_run *run, const farm_outcome *o)
{
    char text[FARM_DIGEST_TEXT];
    bool digest_right = memcmp(&o->digest, &l->expected, sizeof o->digest) == 0;
    bool counts_right = counts_hold(o, run);
    if (!digest_right) {
        l->wrong_digests++;
        cm_result_comment(l->result, "wrong digest: workers=%d batch_units=%lld: %s", run->workers,
                          (long long)run->batch, farm_digest_text(&o->digest, text));
    }
    if (!counts_right) {
        l->wrong_counts++;
        cm_result_comment(l->result,
                          "wrong counts: workers=%d batch_units=%lld: of %lld messages "
                          "%lld sent, %lld received; of %lld batches %lld, of %lld units %lld "
                          "computed",
                          run->workers, (long long)run->batch, (long long)o->messages,
                          (long long)o->sent, (long long)o->received, (long long)o->batches,
                          (long long)o->served, (long long)run->units, (long long)o->computed);
    }
    return digest_right && counts_right;
}

static void merge_trips(farm_round_trips *all, const farm_round_trips *one)
{
    all->n += one->n;
    all->longest_s = fmax(all->longest_s, one->longest_s);
    for (int k = 0; k < FARM_BINS; k++) all->count[k] += one->count[k];
}

static bool account(void *context)
{
    row *r = context;
    farm_lead *l = r->lead;
    const farm_outcome *o = &r->outcome;
    l->lost += o->lost;
    l->again += o->again;
    l->alone += o->alone;
    r->runs++;
    r->time_s += o->time_s;
    r->waiting_s += o->waiting_s;
    r->computing_s += o->computing_s;
    merge_trips(r->point->trips, o->trips);
    return judge(l, &r->run, o);
}

/* The workers' word of the run comes with their reports. */
static unsigned workers_causes(void *context, unsigned *earlier)
{
    const row *r = context;
    *earlier = 0;
    return r->outcome.disturbed;
}

void farm_measure_row(farm_lead *l, int64_t workers, int64_t batch)
{
    const farm_options *o = l->table.options;
    farm_point *p = &l->table.point[l->table.n++];
    row r = {.lead = l, .point = p, .workers = workers, .outcome = {.trips = new_trips()}};
    const cm_subject subject = {.prepare = tell_progress,
                                .trial = once,
                                .verify = account,
                                .others = workers_causes,
                                .context = &r};
    cm_samples times = CM_SAMPLES_EMPTY;
    cm_sampled sampled = {.samples = &times};
    *p = (farm_point){.units = farm_plan_units(o, workers),
                      .batch = batch,
                      .trips = new_trips(),
                      .ceiling_per_s = NAN,
                      .coalesced_per_s = NAN,
                      .uncoalesced_per_s = NAN};
    farm_expect(l, p->units);
    if (workers > 0) measure_ceiling(l, workers, p);
    cm_sample(&o->sampling, NULL, 1, &subject, &sampled);
    cm_sample_count(&l->tally, &sampled, 1);
    p->last = r.outcome;
    p->last.trips = NULL;
    p->workers = r.run.workers;
    p->master_busy = 1 - r.waiting_s / r.time_s;
    p->workers_busy = o->work.kind == FARM_NONE ? NAN : r.computing_s / (r.run.workers * r.time_s);
    p->summary = cm_sample_summary(&times);
    farm_table_derive(&l->table, p);
    farm_result_row(l, p, &times);
    cm_samples_free(&times);
    free(r.outcome.trips);
}
